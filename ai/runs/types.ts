import type { Metrics } from "../../mod.ts";
import type { FinishReason } from "../chat.ts";
import type { Usage } from "../usage.ts";
import type { ContentPart, Message } from "../message.ts";

/** A person's decision about a tool call. {@link approve} and {@link reject} create one. */
export interface Decision {
  /** The id of the call. */
  readonly callId: string;
  /** Whether the call may run. */
  readonly approved: boolean;
  /** The reason for a rejection, for the model. @default none */
  readonly reason?: string | undefined;
}

/** The input of a run: a user's message, or decisions about pending calls. */
export type RunInput = string | readonly ContentPart[] | readonly Decision[];

/** Options of `run` and `runStream`. */
export interface RunOptions<Context = unknown> {
  /** Value for tools and instructions that the model never sees; required if an agent needs one. @default none */
  readonly context?: Context | undefined;
  /** The conversation before the input: the `messages` of an earlier result. @default none */
  readonly history?: readonly Message[] | undefined;
  /** Maximum requests to the model. @default 10 */
  readonly maxTurns?: number | undefined;
  /** Aborts the model and the tools. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of a tool call without its own limit, in milliseconds. @default 60000 */
  readonly toolTimeoutMs?: number | undefined;
  /** Maximum length of a tool's result, in UTF-16 code units; the rest is cut off. @default 100000 */
  readonly maxResultChars?: number | undefined;
  /** Registry for the series `fw_ai_tool_*`. @default the client's */
  readonly metrics?: Metrics | undefined;
}

/** The last arguments of `run`; the options are required if the agent needs a `context`. */
export type RunArguments<Context> = unknown extends Context ? [options?: RunOptions<Context>]
  : [options: RunOptions<Context> & { readonly context: Context }];

/** One finished tool call of a run. */
export interface Step {
  /** The agent whose model made the call. */
  readonly agent: string;
  /** The id of the call. */
  readonly callId: string;
  /** The name of the tool, as the model wrote it. */
  readonly tool: string;
  /** The parsed arguments; the raw text if it is not JSON. */
  readonly arguments: unknown;
  /** The result as the model sees it. */
  readonly output: string;
  /** Whether the call failed; the output then begins with `error:`. */
  readonly isError: boolean;
  /**
   * Whether the function failed with anything but an `HttpError` below 500, `FieldErrors`, a timeout or
   * invalid arguments; `sendRun` hides such a message from the browser. @default false
   */
  readonly isUnexpected?: boolean;
  /** Duration, in milliseconds. */
  readonly durationMs: number;
}

/** A tool call that waits for a {@link Decision}. */
export type PendingCall = Pick<Step, "callId" | "tool" | "arguments">;

/** The members of every result of a run. */
export interface RunState<T = undefined> {
  /** The model's answer or refusal; for a waiting run, the text that came with the calls. */
  readonly output: string;
  /** The validated answer of an agent with `output`; `undefined` while calls wait. */
  readonly value: T | undefined;
  /** The calls that wait for a decision. */
  readonly pending: readonly PendingCall[];
  /** The agent that answered last. */
  readonly agent: string;
  /** Every tool call, in the order in which they finished. */
  readonly steps: readonly Step[];
  /** The whole conversation, as the `history` of the next run; it excludes the agents' instructions. */
  readonly messages: readonly Message[];
  /** The tokens of all turns. */
  readonly usage: Usage;
}

/** The result of a run that produced an answer. */
export interface FinishedRun<T = undefined> extends RunState<T> {
  /** Distinguishes the results. */
  readonly status: "done";
  /** Why the model stopped; `length` means that the answer was cut off. */
  readonly finishReason: FinishReason;
}

/** The result of a run that waits for decisions. */
export interface PausedRun extends RunState {
  /** Distinguishes the results. */
  readonly status: "needs_approval";
}

/** The result of a run. */
export type RunResult<T = undefined> = FinishedRun<T> | PausedRun;

/**
 * An event of a run: a piece of the model's text, the start or end of a tool call, a hand-off between
 * agents, and finally the result that `run` would have returned.
 */
export type RunEvent<T = undefined> =
  | { readonly kind: "text"; readonly agent: string; readonly text: string }
  | (Pick<Step, "agent" | "callId" | "tool" | "arguments"> & { readonly kind: "tool_call" })
  | (Step & { readonly kind: "tool_result" })
  | { readonly kind: "handoff"; readonly from: string; readonly to: string }
  | { readonly kind: "done"; readonly result: RunResult<T> };

/** A piece of the text that the model of `agent` writes. */
export type TextEvent = Extract<RunEvent, { kind: "text" }>;

/** The start of a tool call. */
export type ToolCallEvent = Extract<RunEvent, { kind: "tool_call" }>;

/** The end of a tool call. */
export type ToolResultEvent = Extract<RunEvent, { kind: "tool_result" }>;

/** The agent named `to` takes over from the one named `from`. */
export type HandoffEvent = Extract<RunEvent, { kind: "handoff" }>;

/** The end of a run, with its result. */
export type DoneEvent<T = undefined> = Extract<RunEvent<T>, { kind: "done" }>;

/**
 * Approves a tool call.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { approve } from "@fw/fw/ai";
 *
 * assertEquals(approve("call_1"), { callId: "call_1", approved: true });
 * ```
 */
export function approve(callId: string): Decision {
  return { callId, approved: true };
}

/**
 * Rejects a tool call, which does not run; the model is told.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { reject } from "@fw/fw/ai";
 *
 * assertEquals(reject("call_1", "too expensive").reason, "too expensive");
 * ```
 */
export function reject(callId: string, reason?: string): Decision {
  return { callId, approved: false, reason };
}
