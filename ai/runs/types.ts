import type { Metrics } from "../../mod.ts";
import type { FinishReason } from "../chat.ts";
import type { Usage } from "../usage.ts";
import type { ContentPart, Message } from "../message.ts";
import { checkNumber, checkTimeout } from "../options.ts";

/** A person's decision about a tool call. {@link approve} and {@link reject} create one. */
export interface Decision {
  /** The id of the call. */
  readonly callId: string;
  /** Whether it may run. */
  readonly approved: boolean;
  /** Why not, for the model. @default none */
  readonly reason?: string | undefined;
}

/** The input of a run: a person's words, or decisions about pending calls. */
export type RunInput = string | readonly ContentPart[] | readonly Decision[];

/** Options of `run` and `runStream`. */
export interface RunOptions<Context = unknown> {
  /**
   * Value for tools, instructions and `needsApproval`, such as the user and a database. The model never sees
   * it. Required if the agent, or one that it hands over to, needs one.
   *
   * @default none
   */
  readonly context?: Context | undefined;
  /** The conversation before the input: the `messages` of an earlier result. @default none */
  readonly history?: readonly Message[] | undefined;
  /** Maximum requests to the model. @default 10 */
  readonly maxTurns?: number | undefined;
  /** Aborts the model and the tools. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of a tool call without its own limit, in milliseconds. @default 60000 */
  readonly toolTimeoutMs?: number | undefined;
  /** Maximum number of tools of one round that run at the same time. @default 8 */
  readonly maxParallelTools?: number | undefined;
  /** Maximum number of tools that run in one round; the model is told of the others. @default 64 */
  readonly maxToolCalls?: number | undefined;
  /** The longest result of a tool, in UTF-16 code units; the rest is cut off. @default 100000 */
  readonly maxResultChars?: number | undefined;
  /** Receives the series `fw_ai_tool_*`. @default the client's */
  readonly metrics?: Metrics | undefined;
}

/** The last arguments of `run`: the options are required where the agent needs a `context`. */
export type RunArguments<Context> = unknown extends Context ? [options?: RunOptions<Context>]
  : [options: RunOptions<Context> & { readonly context: Context }];

/** One tool call of a run that is over. */
export interface Step {
  /** The agent whose model asked for it. */
  readonly agent: string;
  /** The id of the call. */
  readonly callId: string;
  /** The name of the tool, as the model wrote it. */
  readonly tool: string;
  /** The parsed arguments; the text itself where it is not JSON. */
  readonly arguments: unknown;
  /** The result as the model sees it. */
  readonly output: string;
  /** Whether it failed; the output then begins with `error:`. */
  readonly isError: boolean;
  /**
   * Whether the function failed with an error whose words may not be for strangers: anything but an
   * `HttpError` below 500, `FieldErrors`, a timeout and arguments that do not fit. `sendRun` keeps them from the
   * browser.
   *
   * @default false
   */
  readonly isUnexpected?: boolean;
  /** Duration, in milliseconds. */
  readonly durationMs: number;
}

/** A tool call that waits for a {@link Decision}. */
export interface PendingCall {
  /** The id of the call. */
  readonly callId: string;
  /** The name of the tool. */
  readonly tool: string;
  /** The parsed arguments. */
  readonly arguments: unknown;
}

/** The members of every result of a run. */
export interface RunState {
  /** The agent that answered last. */
  readonly agent: string;
  /** Every tool call, in the order of their ends. */
  readonly steps: readonly Step[];
  /** The whole conversation, as the `history` of the next run; the agents' instructions are not in it. */
  readonly messages: readonly Message[];
  /** The tokens of all turns. */
  readonly usage: Usage;
}

/** The result of a run that came to an answer. */
export interface FinishedRun<T = undefined> extends RunState {
  /** Distinguishes the results. */
  readonly status: "done";
  /** The answer; the refusal, where the model refused. */
  readonly output: string;
  /** The validated answer of an agent with `output`. */
  readonly value: T | undefined;
  /** Why the model stopped: `length` means that the answer is cut off. */
  readonly finishReason: FinishReason;
  /** None: nothing waits for a decision. */
  readonly pending: readonly [];
}

/** The result of a run that waits for decisions. */
export interface PausedRun extends RunState {
  /** Distinguishes the results. */
  readonly status: "needs_approval";
  /** Text of the model beside the calls. */
  readonly output: string;
  /** Nothing yet. */
  readonly value: undefined;
  /** The calls that wait. */
  readonly pending: readonly PendingCall[];
}

/** The result of a run. */
export type RunResult<T = undefined> = FinishedRun<T> | PausedRun;

/** A piece of the model's text. */
export interface TextEvent {
  /** Distinguishes the events. */
  readonly kind: "text";
  /** The agent that writes. */
  readonly agent: string;
  /** The text. */
  readonly text: string;
}

/** A tool call that begins. */
export interface ToolCallEvent {
  /** Distinguishes the events. */
  readonly kind: "tool_call";
  /** The agent whose model asks for it. */
  readonly agent: string;
  /** The id of the call. */
  readonly callId: string;
  /** The name of the tool. */
  readonly tool: string;
  /** The parsed arguments. */
  readonly arguments: unknown;
}

/** A tool call that is over. */
export interface ToolResultEvent extends Step {
  /** Distinguishes the events. */
  readonly kind: "tool_result";
}

/** Another agent takes over. */
export interface HandoffEvent {
  /** Distinguishes the events. */
  readonly kind: "handoff";
  /** The agent that handed over. */
  readonly from: string;
  /** The agent that takes over. */
  readonly to: string;
}

/** The end of a run. */
export interface DoneEvent<T = undefined> {
  /** Distinguishes the events. */
  readonly kind: "done";
  /** The result that `run` would have returned. */
  readonly result: RunResult<T>;
}

/** An event of a run. */
export type RunEvent<T = undefined> =
  | TextEvent
  | ToolCallEvent
  | ToolResultEvent
  | HandoffEvent
  | DoneEvent<T>;

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
 * Rejects a tool call: it does not run, and the model is told.
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

type RunLimit =
  | ("maxTurns" | "toolTimeoutMs")
  | ("maxParallelTools" | "maxToolCalls" | "maxResultChars");

export interface CheckedRunOptions extends Readonly<Record<RunLimit, number>> {
  readonly history: readonly Message[];
  readonly metrics: Metrics | undefined;
  readonly context: unknown;
}

export function checkRunOptions(options: RunOptions): CheckedRunOptions {
  const { history = [], maxTurns = 10, toolTimeoutMs = 60_000, metrics, context } = options;
  const { maxParallelTools = 8, maxToolCalls = 64, maxResultChars = 100_000 } = options;
  const counts = { maxTurns, maxParallelTools, maxToolCalls, maxResultChars };
  for (const [name, value] of Object.entries(counts)) {
    checkNumber(name, value, {
      isMet: Number.isSafeInteger(value) && value >= 1,
      fix: "a whole number, 1 or more",
    });
  }
  checkTimeout("toolTimeoutMs", toolTimeoutMs);
  return { history, toolTimeoutMs, metrics, context, ...counts };
}
