import { eventFrame } from "../../runtime/addon.ts";
import { AiClient } from "../client.ts";
import { asObject, asText, contentText } from "../json.ts";
import type { AiClientOptions } from "../options.ts";
import { delay } from "../http/wait.ts";

/** A tool call of a {@link Reply}. */
export interface ReplyToolCall {
  /** The name of the tool. */
  readonly name: string;
  /** The arguments: an object, or a string as a model might write it. @default {} */
  readonly arguments?: unknown;
  /** The id. @default `call_1`, `call_2`, … */
  readonly id?: string;
}

/** One answer of a script. A string is short for `{ text }`. */
export interface Reply {
  /** The text. @default "" */
  readonly text?: string;
  /** Calls of the model. @default none */
  readonly toolCalls?: readonly ReplyToolCall[];
  /** Why the model refuses. @default it does not */
  readonly refusal?: string;
  /** Why the model stops. @default "stop", or "tool_calls" */
  readonly finishReason?: string;
  /** The tokens. @default one for every four characters */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  /** Responds with an error of this status instead. @default none */
  readonly status?: number;
}

/** One message of a request, as the server sees it. */
export interface ScriptedMessage {
  /** `system`, `user`, `assistant` or `tool`. */
  readonly role: string;
  /** The text; for a message with several parts, the text parts. */
  readonly text: string;
  /** The id of the call that a message of the role `tool` answers. */
  readonly callId: string | undefined;
}

/** A request that a scripted model has received. */
export interface ScriptedRequest {
  /** The number of the request, from 0. */
  readonly index: number;
  /** The system message, or `""`. */
  readonly instructions: string;
  /** The text of the last message of the user. */
  readonly text: string;
  /** All messages. */
  readonly messages: readonly ScriptedMessage[];
  /** The results of the tools since the last message of the user. */
  readonly results: readonly string[];
  /** The names of the offered tools. */
  readonly tools: readonly string[];
  /** The JSON body as sent. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The answers in order, or a function that makes one for each request. */
export type Script =
  | readonly (Reply | string)[]
  | ((request: ScriptedRequest) => Reply | string | Promise<Reply | string>);

/** Options of {@link scriptedModel}. */
export interface ScriptedModelOptions extends Partial<Omit<AiClientOptions, "fetch" | "baseUrl">> {
  /** The pause before an answer and before each piece of a stream, in milliseconds. @default 0 */
  readonly pauseMs?: number;
  /** Number of characters in a piece of a stream. @default 16 */
  readonly pieceChars?: number;
}

/** A client that is real except for the network, which a script replaces. {@link scriptedModel} creates one. */
export class ScriptedModel extends AiClient {
  /** The requests so far. */
  readonly requests: readonly ScriptedRequest[];
  readonly #respond: (body: string, signal?: AbortSignal) => Promise<Response>;

  /** Use {@link scriptedModel} instead. */
  constructor(script: Script, options: ScriptedModelOptions = {}) {
    const { pauseMs = 0, pieceChars = 16, ...rest } = options;
    const requests: ScriptedRequest[] = [];
    const answer = async (body: string, signal?: AbortSignal): Promise<Response> => {
      const request = parseRequest(body, requests.length);
      requests.push(request);
      const reply = await nextReply(script, request);
      if (pauseMs > 0) await delay(pauseMs, signal).catch(() => {});
      return respond(reply, { request, pauseMs, pieceChars, signal });
    };
    const fetch = (_url: URL | RequestInfo, init?: RequestInit): Promise<Response> =>
      answer(asText(init?.body), init?.signal ?? undefined);
    super({ baseUrl: "http://scripted.invalid", model: "scripted", maxRetries: 0, ...rest, fetch });
    this.requests = requests;
    this.#respond = answer;
  }

  /**
   * Answers a chat-completions request, for a server on a real connection.
   *
   * @throws {SyntaxError} for a body that is not JSON.
   */
  async respond(body: string): Promise<Response> {
    return await this.#respond(body);
  }
}

/**
 * Creates a client whose server is a script, for tests and demos that need neither key nor network.
 *
 * @param script The answers in order, or a function that makes one for each request.
 * @returns The client. A request after the last answer of a list fails with `ai_bad_request`.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { user } from "@fw/fw/ai";
 * import { scriptedModel } from "@fw/fw/ai/testing";
 *
 * const echo = scriptedModel(({ text }) => `You said: ${text}`);
 * assertEquals((await echo.chat({ messages: [user("Hi")] })).text, "You said: Hi");
 * ```
 */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  return new ScriptedModel(script, options);
}

async function nextReply(script: Script, request: ScriptedRequest): Promise<Reply> {
  const { index } = request;
  const reply = typeof script === "function" ? await script(request) : script[index] ?? {
    status: 400,
    text: `The script has ${script.length} answers, and this is request ${index + 1}.`,
  };
  return typeof reply === "string" ? { text: reply } : reply;
}

function parseRequest(text: string, index: number): ScriptedRequest {
  const body = asObject(JSON.parse(text));
  const list = (value: unknown): readonly unknown[] => Array.isArray(value) ? value : [];
  const messages = list(body.messages).map(asObject).map((message): ScriptedMessage => ({
    role: asText(message.role),
    text: contentText(message.content),
    callId: typeof message.tool_call_id === "string" ? message.tool_call_id : undefined,
  }));
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  return {
    index,
    instructions: messages.find(({ role }) => role === "system")?.text ?? "",
    text: messages[lastUser]?.text ?? "",
    messages,
    results: messages.slice(lastUser + 1).filter(({ role }) => role === "tool")
      .map(({ text }) => text),
    tools: list(body.tools).map((tool) => asText(asObject(asObject(tool).function).name)),
    body,
  };
}

interface RespondOptions {
  readonly request: ScriptedRequest;
  readonly pauseMs: number;
  readonly pieceChars: number;
  readonly signal: AbortSignal | undefined;
}

function respond(reply: Reply, options: RespondOptions): Response {
  const { status, text = "", refusal, toolCalls = [] } = reply;
  if (status !== undefined) return Response.json({ error: { message: text } }, { status });
  const { request: { index, body, messages }, pieceChars } = options;
  const calls = toolCalls.map(({ id, name, arguments: args = {} }, at) => ({
    id: id ?? `call_${index + 1}_${at + 1}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  }));
  const finish = reply.finishReason ?? (calls.length > 0 ? "tool_calls" : "stop");
  const usage = wireUsage(reply, messages);
  const head = { id: `scripted-${index + 1}`, model: asText(body.model) };
  if (body.stream !== true) {
    const tool_calls = calls.length === 0 ? undefined : calls;
    const message = { role: "assistant", content: reply.text ?? null, refusal, tool_calls };
    const choices = [{ index: 0, message, finish_reason: finish }];
    return Response.json({ ...head, object: "chat.completion", choices, usage });
  }
  const chunk = (choice: object | undefined, extra: object = {}): string => {
    const choices = choice === undefined ? [] : [{ index: 0, ...choice }];
    return eventFrame(
      JSON.stringify({ ...head, object: "chat.completion.chunk", choices, ...extra }),
    );
  };
  const pieces = text.match(new RegExp(`[^]{1,${pieceChars}}`, "gu")) ?? [];
  const frames = [
    chunk({ delta: { role: "assistant", content: "" } }),
    ...pieces.map((content) => chunk({ delta: { content } })),
    ...(refusal === undefined ? [] : [chunk({ delta: { refusal } })]),
    ...calls.map((call, index) => chunk({ delta: { tool_calls: [{ index, ...call }] } })),
    chunk({ delta: {}, finish_reason: finish }),
    chunk(undefined, { usage }),
    eventFrame("[DONE]"),
  ];
  return new Response(ReadableStream.from(sendFrames(frames, options)), {
    headers: { "content-type": "text/event-stream" },
  });
}

function wireUsage(
  { text = "", usage }: Reply,
  messages: readonly ScriptedMessage[],
): Readonly<Record<string, number>> {
  const chars = messages.reduce((sum, message) => sum + message.text.length, 0);
  const input = usage?.inputTokens ?? Math.ceil(chars / 4);
  const output = usage?.outputTokens ?? Math.ceil(text.length / 4);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

async function* sendFrames(
  frames: readonly string[],
  { pauseMs, signal }: RespondOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  for (const frame of frames) {
    if (pauseMs > 0) await delay(pauseMs, signal);
    signal?.throwIfAborted();
    yield encoder.encode(frame);
  }
}
