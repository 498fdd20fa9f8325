import type { ChatResponse, FinishReason } from "../chat.ts";
import { AiError } from "../errors.ts";
import type { AssistantMessage } from "../message.ts";
import { asObject } from "../json.ts";
import { ToolCallJoiner } from "./tool_call_joiner.ts";
import type { Usage } from "../usage.ts";

/** An answer before its structured output is validated. */
export type PlainResponse = Omit<ChatResponse, "value">;

type Json = Readonly<Record<string, unknown>>;

/** Returns the first object of a JSON array; one without members where there is none. */
function firstObject(value: unknown): Json {
  return asObject(Array.isArray(value) ? value[0] : undefined);
}

/** Narrows parsed JSON to a text; anything else becomes `""`. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** What an answer is made of, collected from one JSON document or from the chunks of a stream. */
export class ResponseBuilder {
  readonly #joiner = new ToolCallJoiner();
  readonly #requestedModel: string;
  #text: string[] = [];
  #reasoning = "";
  #refusal = "";
  #finish: FinishReason | undefined;
  #usage: Usage | undefined;
  #model = "";
  #id = "";

  /** Creates the builder of one answer. */
  constructor(requestedModel: string) {
    this.#requestedModel = requestedModel;
  }

  /** The text so far. */
  get text(): string {
    return this.#text.join("");
  }

  /** Why the model stopped, once the server has said it. */
  get finishReason(): FinishReason | undefined {
    return this.#finish;
  }

  /** Reads a whole `chat.completion`. */
  addDocument(document: Json): void {
    const choice = firstObject(document.choices);
    if (choice.message === undefined) {
      throw new AiError(
        "ai_bad_response",
        "The server's response is no chat completion: it has no choices[0].message. Check the base URL.",
      );
    }
    this.#addHead(document);
    this.#addPiece(asObject(choice.message));
    this.#addFinish(choice.finish_reason);
  }

  /**
   * Reads one `chat.completion.chunk`.
   *
   * @returns The text and the reasoning that it adds.
   */
  addChunk(chunk: Json): { readonly content: string; readonly reasoning: string } {
    this.#addHead(chunk);
    const choice = firstObject(chunk.choices);
    const added = this.#addPiece(asObject(choice.delta ?? this.#wholeMessage(choice)));
    this.#addFinish(choice.finish_reason);
    return added;
  }

  /** Returns the whole answer. */
  build(): PlainResponse {
    const toolCalls = this.#joiner.calls();
    const text = this.text;
    const refusal = this.#refusal === "" ? undefined : this.#refusal;
    const message: AssistantMessage = {
      role: "assistant",
      content: text,
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
      ...(refusal === undefined ? {} : { refusal }),
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

  /** Some servers send the whole message in the place of a delta: alone, or again after its pieces. */
  #wholeMessage({ message }: Json): unknown {
    const isRepeated = message === undefined || this.#text.length > 0 || this.#refusal !== "" ||
      !this.#joiner.isEmpty;
    return isRepeated ? undefined : message;
  }

  #addHead(document: Json): void {
    if (this.#id === "") this.#id = asText(document.id);
    if (this.#model === "") this.#model = asText(document.model);
    if (document.usage) this.#usage = parseUsage(asObject(document.usage));
  }

  #addPiece(piece: Json): { readonly content: string; readonly reasoning: string } {
    const content = parseContent(piece.content);
    if (content !== "") this.#text.push(content);
    const reasoning = asText(piece.reasoning_content ?? piece.reasoning);
    if (reasoning !== "") this.#reasoning += reasoning;
    if (typeof piece.refusal === "string") this.#refusal += piece.refusal;
    if (Array.isArray(piece.tool_calls)) {
      for (const fragment of piece.tool_calls) this.#joiner.add(asObject(fragment));
    }
    return { content, reasoning };
  }

  #addFinish(reason: unknown): void {
    if (typeof reason === "string" && reason !== "") this.#finish = parseFinish(reason);
  }
}

/** Some servers send the text as a list of parts. */
function parseContent(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => asText(asObject(part).text)).join("");
}

function parseFinish(reason: string): FinishReason {
  switch (reason) {
    case "stop":
    case "length":
    case "tool_calls":
    case "content_filter":
      return reason;
    // The name before tools had one.
    case "function_call":
      return "tool_calls";
    default:
      return "other";
  }
}

function parseUsage(usage: Json): Usage {
  return {
    inputTokens: asCount(usage.prompt_tokens),
    outputTokens: asCount(usage.completion_tokens),
    cachedTokens: asCount(asObject(usage.prompt_tokens_details).cached_tokens),
  };
}

function asCount(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
