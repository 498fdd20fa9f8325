import type { JsonObject } from "../../runtime/addon.ts";
import type { ChatResponse, FinishReason } from "../chat.ts";
import type { Usage } from "../usage.ts";
import { AiError } from "../errors.ts";
import type { AssistantMessage } from "../message.ts";
import { asObject, asText, contentText, isJsonObject } from "../json.ts";
import { addExtra, CallFragments } from "./call_fragments.ts";

export type PlainResponse = Omit<ChatResponse, "value">;

function firstObject(value: unknown): JsonObject {
  return asObject(Array.isArray(value) ? value[0] : undefined);
}

/** The members of a message that are parsed; all others are kept for the next request. */
const knownMembers: ReadonlySet<string> = new Set([
  ...["role", "content", "refusal", "tool_calls", "function_call"],
]);

export class ResponseBuilder {
  readonly #calls = new CallFragments();
  readonly #requestedModel: string;
  #text: string[] = [];
  #textChars = 0;
  #parts: unknown[] = [];
  #hasOtherParts = false;
  #reasoning = "";
  #refusal = "";
  #extra: JsonObject | undefined;
  #finish: FinishReason | undefined;
  #usage: Usage | undefined;
  #model = "";
  #id = "";

  constructor(requestedModel: string) {
    this.#requestedModel = requestedModel;
  }

  get text(): string {
    return this.#text.join("");
  }

  get finishReason(): FinishReason | undefined {
    return this.#finish;
  }

  addDocument(document: JsonObject): void {
    const choice = firstObject(document.choices);
    if (choice.message === undefined) {
      throw new AiError(
        "ai_bad_response",
        "The server's response is not a chat completion: it has no choices[0].message. Check the base URL.",
      );
    }
    this.#addHead(document);
    this.#addWhole(asObject(choice.message));
    this.#addFinish(choice.finish_reason);
    if (this.#finish !== undefined || this.#hasContent) return;
    throw new AiError(
      "ai_bad_response",
      "The server's response contains no answer and no finish_reason.",
    );
  }

  addChunk(chunk: JsonObject): { readonly content: string; readonly reasoning: string } {
    this.#addHead(chunk);
    const choice = firstObject(chunk.choices);
    const delta = this.#addPiece(asObject(choice.delta));
    // Some servers send the whole message instead of a delta, or again after its pieces.
    const whole = this.#addWhole(asObject(choice.message));
    this.#addFinish(choice.finish_reason);
    return {
      content: delta.content + whole.content,
      reasoning: delta.reasoning + whole.reasoning,
    };
  }

  build(): PlainResponse {
    const isCut = this.#finish === "length" || this.#finish === "content_filter";
    const toolCalls = this.#calls.calls(isCut);
    const text = this.text;
    const refusal = this.#refusal === "" ? undefined : this.#refusal;
    const extra = this.#hasOtherParts ? { ...this.#extra, content: this.#parts } : this.#extra;
    const message: AssistantMessage = {
      role: "assistant",
      content: text,
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
      ...(refusal === undefined ? {} : { refusal }),
      ...(extra === undefined ? {} : { extra }),
    };
    return {
      text,
      toolCalls,
      refusal,
      reasoning: this.#reasoning,
      finishReason: this.#finish ?? (toolCalls.length > 0 ? "tool_calls" : "stop"),
      usage: this.#usage,
      model: this.#model === "" ? this.#requestedModel : this.#model,
      id: this.#id,
      message,
    };
  }

  get #hasContent(): boolean {
    return this.#text.length > 0 || this.#refusal !== "" || !this.#calls.isEmpty;
  }

  #addHead(document: JsonObject): void {
    if (this.#id === "") this.#id = asText(document.id);
    if (this.#model === "") this.#model = asText(document.model);
    if (document.usage) this.#usage = parseUsage(asObject(document.usage));
  }

  #addPiece(piece: JsonObject): { readonly content: string; readonly reasoning: string } {
    const content = contentText(piece.content);
    if (content !== "") this.#text.push(content);
    this.#textChars += content.length;
    this.#addParts(piece.content);
    const reasoning = asText(piece.reasoning_content ?? piece.reasoning);
    if (reasoning !== "") this.#reasoning += reasoning;
    if (typeof piece.refusal === "string") this.#refusal += piece.refusal;
    for (const fragment of callList(piece.tool_calls) ?? []) this.#calls.add(asObject(fragment));
    if (!piece.tool_calls && piece.function_call) {
      this.#calls.add({ index: 0, function: piece.function_call });
    }
    this.#extra = addExtra(this.#extra, piece, knownMembers);
    return { content, reasoning };
  }

  #addWhole(message: JsonObject): { readonly content: string; readonly reasoning: string } {
    const { tool_calls: calls, ...rest } = message;
    const text = contentText(message.content);
    // Joins the pieces only for a message that can hold them all: a server may send one with every piece.
    const isLonger = text.length > this.#textChars && text.startsWith(this.text);
    const content = isLonger ? text.slice(this.#textChars) : "";
    const added = this.#addPiece({ ...this.#lacking(rest), content });
    if (Array.isArray(message.content) && text.length === this.#textChars && text === this.text) {
      this.#parts = [];
      this.#addParts(message.content);
    }
    const isFirst = this.#calls.isEmpty;
    callList(calls)?.forEach((each, index) => {
      const call = { ...asObject(each), index };
      if (isFirst) this.#calls.add(call);
      else this.#calls.complete(call, index);
    });
    return added;
  }

  #lacking(message: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(message).filter(([name]) => {
        if (name === "refusal") return this.#refusal === "";
        if (name === "function_call") return this.#calls.isEmpty;
        if (/^reasoning(?:_content)?$/.test(name)) return this.#reasoning === "";
        return this.#extra === undefined || !Object.hasOwn(this.#extra, name);
      }),
    );
  }

  #addParts(content: unknown): void {
    if (Array.isArray(content)) {
      this.#hasOtherParts ||= content.some((part) => !isPlainText(asObject(part)));
      for (const part of content) this.#parts.push(part);
    } else if (typeof content === "string" && content !== "") {
      this.#parts.push({ type: "text", text: content });
    }
  }

  #addFinish(reason: unknown): void {
    if (typeof reason === "string" && reason !== "") this.#finish = parseFinish(reason);
  }
}

function callList(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return undefined;
  return "function" in value || "id" in value ? [value] : Object.values(value);
}

function isPlainText({ type, text: _, ...more }: JsonObject): boolean {
  return type === "text" && Object.keys(more).length === 0;
}

const finishReasons: ReadonlyMap<string, FinishReason> = new Map(
  ([
    ["stop", "stop end_turn eos eos_token stop_sequence complete completed"],
    ["length", "length max_tokens max_output_tokens max_completion_tokens"],
    ["length", "model_length length_limit"],
    ["tool_calls", "tool_calls tool_call tool_use function_call function_calls"],
    ["content_filter", "content_filter content_filtered safety recitation prohibited_content"],
  ] as const).flatMap(([reason, names]) =>
    names.split(" ").map((name): [string, FinishReason] => [name, reason])
  ),
);

function parseFinish(reason: string): FinishReason {
  const words = reason.slice(0, 64).replace(/([a-z])([A-Z])/g, "$1_$2").replaceAll("-", "_");
  return finishReasons.get(words.toLowerCase().replace(/^finish_reason_/, "")) ?? "other";
}

function parseUsage(usage: JsonObject): Usage {
  return {
    inputTokens: asCount(usage.prompt_tokens),
    outputTokens: asCount(usage.completion_tokens),
    cachedTokens: asCount(asObject(usage.prompt_tokens_details).cached_tokens),
  };
}

function asCount(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
