import type { Message } from "./message.ts";
import type { Usage } from "./usage.ts";
import { publicMessage } from "../mod.ts";

/**
 * The stable codes of failures of a model, its tools and its runs:
 *
 * | Code | What happened |
 * |---|---|
 * | `ai_auth` | the server refused the key (401, 403) |
 * | `ai_bad_request` | the server refused the request (400 and other 4xx) |
 * | `ai_rate_limited` | the server asked to slow down (429), after the last retry |
 * | `ai_unavailable` | the server failed (5xx), after the last retry |
 * | `ai_unreachable` | no connection to the server, after the last retry |
 * | `ai_timeout` | no first byte, no next byte, or no end within the configured time |
 * | `ai_broken_stream` | the stream ended or failed in the middle; `partial` holds what came |
 * | `ai_bad_response` | the server sent something that is not a chat completion |
 * | `ai_too_large` | the response is larger than the configured limit |
 * | `ai_refused` | the model refused to produce the structured output |
 * | `ai_bad_output` | the structured output does not match its schema |
 * | `ai_bad_arguments` | the arguments of a tool call do not match the tool's schema |
 * | `ai_max_turns` | a run reached `maxTurns` without a final answer |
 * | `ai_bad_history` | a stored history or decision cannot be resumed |
 */
export type AiErrorCode =
  | ("ai_auth" | "ai_bad_request" | "ai_rate_limited" | "ai_unavailable" | "ai_unreachable")
  | ("ai_timeout" | "ai_broken_stream" | "ai_bad_response" | "ai_too_large" | "ai_refused")
  | ("ai_bad_output" | "ai_bad_arguments" | "ai_max_turns" | "ai_bad_history");

/** Further details of a failure: members of the error, and the `cause` for the log. */
export type AiErrorOptions =
  & Partial<Pick<AiError, "status" | "retryAfterMs" | "partial" | "history" | "usage">>
  & { readonly cause?: unknown };

/**
 * A failure of a model call, a tool call or a run. Neither the message nor any member contains the
 * API key.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { AiClient, AiError, user } from "@fw/fw/ai";
 *
 * const fetch = () => Promise.resolve(new Response("no", { status: 401 }));
 * const client = new AiClient({ baseUrl: "http://localhost:1/v1", apiKey: "wrong", model: "m", fetch });
 * const error = await client.chat({ messages: [user("Hi")] }).catch((error) => error);
 * assertEquals(error instanceof AiError && error.code, "ai_auth");
 * ```
 */
export class AiError extends Error {
  /** The class name, the same in every copy of the package. */
  override readonly name: string = "AiError";
  /** The stable name of the failure. */
  readonly code: AiErrorCode;
  /** The HTTP status of the server's response; `undefined` if none arrived. */
  readonly status: number | undefined;
  /** Delay that the server asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The text that arrived before a stream failed, or `""`. */
  readonly partial: string;
  /** The conversation up to the failure of a run; otherwise `[]`. */
  readonly history: readonly Message[];
  /** The tokens of a call whose answer was unusable; `undefined` if the server did not report them. */
  readonly usage: Usage | undefined;

  /** Creates the error. */
  constructor(code: AiErrorCode, message: string, options: AiErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.partial = options.partial ?? "";
    this.history = options.history ?? [];
    this.usage = options.usage;
  }

  /** Returns a copy with more details and the same stack. */
  with(more: Pick<AiErrorOptions, "partial" | "history" | "usage">): AiError {
    const copy = new AiError(this.code, this.message, { ...this, cause: this.cause, ...more });
    if (this.stack !== undefined) copy.stack = this.stack;
    return copy;
  }
}

/** Returns the message of an error that a client may read, also of invalid arguments. */
export function publicToolMessage(error: unknown): string | undefined {
  if (error instanceof AiError) {
    return error.code === "ai_bad_arguments" ? error.message : undefined;
  }
  return publicMessage(error);
}
