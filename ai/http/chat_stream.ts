import type { AnySchema } from "../../mod.ts";
import { ServerEventParser } from "../../runtime/addon.ts";
import type { ChatRequest, ChatResponse, ChatStream, Delta } from "../chat.ts";
import { AiError } from "../errors.ts";
import { isErrorEvent, parseReported } from "./failure.ts";
import { asObject, isJson, parseJsonText } from "../json.ts";
import { countChat, outcomeName } from "../metrics.ts";
import type { CheckedOptions } from "../options.ts";
import { buildBody } from "./request_body.ts";
import { type PlainResponse, ResponseBuilder } from "./response_body.ts";
import { type ResponseReader, sendRequest } from "./transport.ts";
import { anySignal, loopOver } from "./wait.ts";
import { validate } from "../schema/schema.ts";

export class LiveStream<T> implements ChatStream<T> {
  readonly #options: CheckedOptions;
  readonly #request: ChatRequest<T>;
  readonly #isStream: boolean;
  readonly #model: string;
  readonly #body: string;
  readonly #result: PromiseWithResolvers<ChatResponse<T>> = Promise.withResolvers();
  readonly #leaving: AbortController = new AbortController();
  #isStarted = false;
  /** True once `response` or a loop has read the answer to its end. */
  #isWhole = false;
  #startedAt = 0;
  #firstPieceAt: number | undefined;

  constructor(
    options: CheckedOptions,
    request: ChatRequest<T>,
    { isStream }: { readonly isStream: boolean },
  ) {
    this.#options = options;
    this.#request = request;
    this.#isStream = isStream;
    this.#model = request.model ?? options.model;
    this.#body = buildBody(request, { ...options, isStream });
    // A consumer that only iterates gets the failure from the loop.
    this.#result.promise.catch(() => {});
  }

  [Symbol.asyncIterator](): AsyncIterator<Delta> {
    if (this.#isStarted) {
      throw new TypeError("Cannot iterate over a streamed answer twice: ask the model again.");
    }
    this.#isStarted = true;
    return loopOver(this.#run(this.#leaving.signal), () => this.#leaving.abort());
  }

  async response(): Promise<ChatResponse<T>> {
    if (!this.#isStarted) {
      const pieces = this[Symbol.asyncIterator]();
      this.#isWhole = true;
      // A failure rejects the result.
      while (!(await pieces.next().catch(() => ended)).done);
    } else if (!this.#isWhole) {
      throw new TypeError("Cannot return the answer yet: read its stream to the end first.");
    }
    return await this.#result.promise;
  }

  async *#run(left: AbortSignal): AsyncGenerator<Delta> {
    this.#startedAt = performance.now();
    const builder = new ResponseBuilder(this.#model);
    let outcome = "aborted";
    let answer: PlainResponse | undefined;
    let failure: { readonly error: unknown } | undefined;
    let reader: ResponseReader | undefined;
    const fail = (thrown: unknown): { readonly error: unknown } => {
      // Adds the text so far and the tokens; the reason of an abort stays unchanged.
      const error = thrown instanceof AiError
        ? thrown.with({ partial: thrown.partial || builder.text, usage: answer?.usage })
        : thrown;
      outcome = outcomeName(error, this.#request.signal);
      this.#result.reject(error);
      return { error };
    };
    try {
      const signal = anySignal(left, this.#request.signal);
      const outgoing = { body: this.#body, isStream: this.#isStream, signal };
      reader = await sendRequest(this.#options, outgoing);
      const { isEventStream } = reader;
      if (isEventStream) yield* this.#readEvents(reader, builder);
      else builder.addDocument(asObject(parseAnswer(await reader.readText(), reader)));
      answer = builder.build();
      // Settle before the last piece, because a loop may end there although the answer is complete.
      const [checked] = await Promise.allSettled([readOutput(this.#request.output, answer)]);
      if (checked.status === "rejected") failure = fail(checked.reason);
      else {
        outcome = "ok";
        this.#result.resolve({ ...answer, value: checked.value });
      }
      // The whole text, if the server did not stream.
      const [content, reasoning] = isEventStream ? ["", ""] : [answer.text, answer.reasoning];
      yield { content, reasoning, toolCalls: answer.toolCalls, finishReason: answer.finishReason };
      if (failure !== undefined) throw failure.error;
      // The answer is already delivered, so waiting for the end of the body does not delay the reader.
      if (isEventStream) await reader.finish();
    } catch (thrown) {
      if (left.aborted) return;
      throw (failure ?? fail(thrown)).error;
    } finally {
      this.#isWhole = true;
      reader?.close();
      this.#result.reject(new TypeError("Cannot return the answer: its stream was left early."));
      this.#count(outcome, answer);
    }
  }

  async *#readEvents(reader: ResponseReader, builder: ResponseBuilder): AsyncGenerator<Delta> {
    const { maxBytes } = this.#options;
    const limits = { maxLineChars: maxBytes, maxEventChars: maxBytes, isWhole: isJson };
    const parser = new ServerEventParser(limits);
    const decoder = new TextDecoder();
    let ignored = "";
    for (let isOpen = true; isOpen;) {
      const bytes = await reader.read(builder.finishReason !== undefined);
      isOpen = bytes !== undefined;
      this.#firstPieceAt ??= performance.now();
      // Some servers omit the last blank line, so accept an unfinished event.
      const events = bytes === undefined
        ? [...parser.push(decoder.decode()), ...parser.end()]
        : parser.push(decoder.decode(bytes, { stream: true }));
      for (const { event, data } of events) {
        const text = data.trim();
        if (/^\[done\]$/i.test(text)) isOpen = false;
        else if (!isErrorEvent(event) && isKeepAlive(text)) ignored = text || ignored;
        else {
          const delta = builder.addChunk(asObject(parseAnswer(text, reader, event)));
          const isEmpty = delta.content === "" && delta.reasoning === "";
          if (!isEmpty) yield { ...delta, toolCalls: noCalls, finishReason: undefined };
        }
        if (!isOpen && bytes !== undefined) break;
      }
    }
    if (builder.finishReason !== undefined) return;
    const last = ignored === "" ? "" : ` Its last line was: ${reader.show(ignored)}`;
    throw new AiError(
      "ai_broken_stream",
      `The stream ended in the middle of the answer, without a finish_reason.${last}`,
    );
  }

  #count(outcome: string, answer: PlainResponse | undefined): void {
    const { metrics } = this.#options;
    if (metrics === undefined) return;
    countChat(metrics, {
      model: this.#model,
      durationMs: performance.now() - this.#startedAt,
      firstPieceMs: this.#firstPieceAt && this.#firstPieceAt - this.#startedAt,
      usage: answer?.usage,
      outcome,
    });
  }
}

const ended = { done: true, value: undefined } as const;

/** Reports whether an event's data is only a few words that keep the connection open. */
function isKeepAlive(text: string): boolean {
  return /^[\p{L}\p{N}\p{So}_ :;.,!?*()…\p{Pd}]{0,64}$|^\[[a-z _-]+\]$/iu.test(text) &&
    !/^(?:null|true|false|-?\d[\d.]*)$/.test(text);
}

const noCalls: readonly never[] = [];

/** Parses an answer or a part of one. @throws {AiError} if it is malformed, or the server reported an error. */
function parseAnswer(text: string, reader: ResponseReader, event = "message"): unknown {
  const answer = parseJsonText(text);
  const reported = parseReported({ text, answer, event }, reader.hide);
  if (reported !== undefined) throw reported.error;
  if (answer === undefined) {
    const fault = `The server's response is not JSON: ${reader.show(text) || "it is empty"}.`;
    const fix = "Check that the base URL leads to a chat-completions server.";
    throw new AiError("ai_bad_response", `${fault} ${fix}`);
  }
  return answer;
}

/** Validates the structured answer, if one was requested. @throws {AiError} `ai_refused`, `ai_bad_output`. */
async function readOutput<T>(
  output: AnySchema<T> | undefined,
  answer: PlainResponse,
): Promise<T | undefined> {
  if (output === undefined || answer.toolCalls.length > 0) return undefined;
  const { refusal, text } = answer;
  if (refusal !== undefined) {
    throw new AiError("ai_refused", `The model refused: ${refusal.slice(0, 500)}`);
  }
  const result = await validate(output, parseOutput(answer));
  if (result.kind === "valid") return result.value;
  throw new AiError("ai_bad_output", `The answer does not match its schema: ${result.message}`, {
    partial: text,
  });
}

function parseOutput({ text, finishReason }: PlainResponse): unknown {
  try {
    return JSON.parse(unfence(text));
  } catch (cause) {
    const why = finishReason === "length" ? "it was cut off at maxTokens" : "it is not JSON";
    throw new AiError("ai_bad_output", `The answer does not match its schema: ${why}.`, {
      partial: text,
      cause,
    });
  }
}

/** Finds the JSON among the reasoning, prose and Markdown fence that models without enforced schemas add. */
function unfence(text: string): string {
  const trimmed = text.trim().replace(/^<think>[^]*?<\/think>\s*/, "");
  if (/^[[{]/.test(trimmed)) return trimmed;
  const fence = /(`{3,}|~{3,})[a-z]*\s*/i.exec(trimmed);
  if (fence === null) return trimmed;
  const [opening, marks = ""] = fence;
  const fenced = trimmed.slice(fence.index + opening.length);
  const end = fenced.lastIndexOf(marks);
  return end < 0 ? fenced : fenced.slice(0, end);
}
