import type { Metrics } from "../mod.ts";
import type { ChatModel, ChatRequest, ChatResponse, ChatStream } from "./chat.ts";
import { LiveStream } from "./http/chat_stream.ts";
import { type AiClientOptions, type CheckedOptions, checkOptions } from "./options.ts";

/**
 * A client for servers that speak the chat-completions protocol. Create one at start-up and share it
 * through `provide`; it keeps no state between calls.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { AiClient, user } from "@fw/fw/ai";
 *
 * const fetch = () => Promise.resolve(Response.json({
 *   choices: [{ message: { content: "Hello!" }, finish_reason: "stop" }],
 * }));
 * const client = new AiClient({ baseUrl: "http://localhost:8080/v1", model: "small", fetch });
 * const answer = await client.chat({ messages: [user("Hi")] });
 * assertEquals([answer.text, answer.finishReason], ["Hello!", "stop"]);
 * ```
 */
export class AiClient implements ChatModel {
  readonly #options: CheckedOptions;

  /**
   * Creates a client, which connects on the first call.
   *
   * @throws {TypeError} for an invalid URL, key, header or model; the message omits the key.
   * @throws {RangeError} for a number out of range.
   */
  constructor(options: AiClientOptions) {
    this.#options = checkOptions(options);
  }

  /** The default model of requests. */
  get model(): string {
    return this.#options.model;
  }

  /** The registry of the client's metrics; `undefined` without one. */
  get metrics(): Metrics | undefined {
    return this.#options.metrics;
  }

  /**
   * Asks the model and waits for the whole answer. It rejects with an `AiError`, with the reason of an
   * abort, or with a `TypeError` for a tool or a schema that cannot be sent.
   */
  async chat<T = undefined>(request: ChatRequest<T>): Promise<ChatResponse<T>> {
    return await new LiveStream<T>(this.#options, request, { isStream: false }).response();
  }

  /**
   * Asks the model and streams the answer. The request is sent when the iteration begins.
   *
   * @returns The pieces of the answer. Iterating throws the same errors as `chat`; an `AiError`
   * `ai_broken_stream` contains the received text in `partial`.
   * @throws {TypeError} for a tool or a schema that cannot be sent.
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * import { user } from "@fw/fw/ai";
   * import { scriptedModel } from "@fw/fw/ai/testing";
   *
   * const client = scriptedModel(["Hello from the model"]);
   * let text = "";
   * for await (const delta of client.stream({ messages: [user("Hi")] })) text += delta.content;
   * assertEquals(text, "Hello from the model");
   * ```
   */
  stream<T = undefined>(request: ChatRequest<T>): ChatStream<T> {
    return new LiveStream<T>(this.#options, request, { isStream: true });
  }
}

/** Options of {@link aiFromEnv}. */
export interface AiFromEnvOptions extends Partial<AiClientOptions> {
  /** Whether a missing variable fails the calls (`ai_unreachable`) instead of the start. @default false */
  readonly isOptional?: boolean;
}

/**
 * Creates a client from the environment: `AI_BASE_URL`, `FW_AI_MODEL`, and `AI_API_KEY` for servers that
 * require a key; options override it.
 *
 * @throws {TypeError} if `AI_BASE_URL` or `FW_AI_MODEL` is missing or invalid.
 * @example
 * ```ts
 * import { aiFromEnv } from "@fw/fw/ai";
 *
 * const client = aiFromEnv({ model: "small", isOptional: true });
 * console.assert(client.model === "small");
 * ```
 */
export function aiFromEnv(options: AiFromEnvOptions = {}): AiClient {
  const { isOptional = false, ...own } = options;
  const read = (name: string): string | undefined => {
    // Skip a variable without read permission, so that no prompt opens.
    const { state } = Deno.permissions.querySync({ name: "env", variable: name });
    if (isOptional && state !== "granted") return undefined;
    const value = Deno.env.get(name)?.trim();
    return value === "" ? undefined : value;
  };
  const { baseUrl = read("AI_BASE_URL"), model = read("FW_AI_MODEL") } = own;
  if (baseUrl !== undefined && model !== undefined) {
    return new AiClient({ ...own, apiKey: own.apiKey ?? read("AI_API_KEY"), baseUrl, model });
  }
  const missing = baseUrl === undefined ? "AI_BASE_URL" : "FW_AI_MODEL";
  const message = `${missing} is not set. Set AI_BASE_URL to a server of the chat-completions ` +
    "protocol, FW_AI_MODEL to its model, and AI_API_KEY to its key.";
  if (!isOptional) {
    throw new TypeError(`Cannot create an AI client from the environment: ${message}`);
  }
  const fetch = (): Promise<Response> => Promise.reject(new TypeError(message));
  return new AiClient({
    ...own,
    baseUrl: "https://not-set.invalid",
    model: model ?? "none",
    maxRetries: 0,
    fetch,
  });
}
