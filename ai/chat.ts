import type { AnySchema, Metrics } from "../mod.ts";
import type { AssistantMessage, Message, ToolCall } from "./message.ts";
import type { Tool } from "./tool.ts";
import type { Usage } from "./usage.ts";

/** A request to a model. */
export interface ChatRequest<T = undefined> {
  /** The conversation so far. */
  readonly messages: readonly Message[];
  /** The tools that the model may call. The caller runs them; `run` does so for an agent. */
  readonly tools?: readonly Tool<never>[] | undefined;
  /** Schema of a structured answer, as for the `input` of a tool; types the answer's `value`. @default free text */
  readonly output?: AnySchema<T> | undefined;
  /** The model. @default the client's */
  readonly model?: string | undefined;
  /** Sampling temperature; 0 is the least random. @default the server's own */
  readonly temperature?: number | undefined;
  /** Maximum number of tokens that the model writes, as `max_completion_tokens`. @default the server's own */
  readonly maxTokens?: number | undefined;
  /** Additional members of the request's JSON, such as `tool_choice`; `undefined` omits one. @default none */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
  /** Aborts the call, which rejects with the signal's reason. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** Why the model stopped; `other` is a server-specific reason. */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "other";

/** The answer of a model. */
export interface ChatResponse<T = undefined> {
  /** The text; `""` if there are only tool calls. */
  readonly text: string;
  /** The validated structured answer; `undefined` without `output` or if the model calls tools. */
  readonly value: T | undefined;
  /** The tools that the model wants to call. */
  readonly toolCalls: readonly ToolCall[];
  /** Why the model refused; `undefined` if it did not. */
  readonly refusal: string | undefined;
  /** The text of the model's reasoning; `""` if the server does not send it. */
  readonly reasoning: string;
  /** Why the model stopped. */
  readonly finishReason: FinishReason;
  /** The tokens; `undefined` if the server does not report them. */
  readonly usage: Usage | undefined;
  /** The model that answered, as the server names it. */
  readonly model: string;
  /** The server's id of the answer; `""` without one. */
  readonly id: string;
  /** The answer as a message, to append to the conversation. */
  readonly message: AssistantMessage;
}

/** The next piece of a streamed answer; the last one has the tool calls, their fragments joined. */
export interface Delta extends Pick<ChatResponse, "reasoning" | "toolCalls"> {
  /** The next piece of the text; often `""`. */
  readonly content: string;
  /** Why the model stopped; `undefined` before the last delta. */
  readonly finishReason: FinishReason | undefined;
}

/**
 * A streamed answer. Iterate over it once, and await {@link ChatStream.response} after or instead of the
 * loop. Leaving the loop before its last piece aborts the request.
 */
export interface ChatStream<T = undefined> extends AsyncIterable<Delta> {
  /**
   * Returns the whole answer, reading the stream to its end if no loop has.
   *
   * @throws {TypeError} while a loop is running, and after one that was left early.
   */
  response(): Promise<ChatResponse<T>>;
}

/** The part of a client that `run` needs; `AiClient` implements it. */
export interface ChatModel {
  /** Registry of the model's metrics. @default none */
  readonly metrics?: Metrics | undefined;
  /** Asks the model and waits for the complete answer. */
  chat<T = undefined>(request: ChatRequest<T>): Promise<ChatResponse<T>>;
  /** Asks the model and streams the answer. */
  stream<T = undefined>(request: ChatRequest<T>): ChatStream<T>;
}
