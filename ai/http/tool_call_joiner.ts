import type { ToolCall } from "../message.ts";
import { AiError } from "../errors.ts";

type Json = Readonly<Record<string, unknown>>;

/** A call whose fragments are still coming. */
interface OpenCall {
  id: string;
  name: string;
  readonly pieces: string[];
}

/** How many calls one answer may have: each of them needs a result. */
const maxCalls = 1024;

/** How much of an id or a name is kept: they travel with every later request. */
const maxNameChars = 256;

/**
 * Joins the fragments of tool calls. The protocol numbers them by `index`; servers that leave it out, or
 * send the same one for every call, are told apart by the id, and by a new name.
 */
export class ToolCallJoiner {
  readonly #calls: OpenCall[] = [];
  readonly #byIndex: Map<number, OpenCall> = new Map();

  /**
   * Takes the next fragment.
   *
   * @throws {AiError} `ai_bad_response` for more calls than anyone could run.
   */
  add(fragment: Json): void {
    const id = typeof fragment.id === "string" ? fragment.id.slice(0, maxNameChars) : "";
    const fn = typeof fragment.function === "object" && fragment.function !== null
      ? fragment.function as Json
      : {};
    const name = typeof fn.name === "string" ? fn.name.slice(0, maxNameChars) : "";
    const index = typeof fragment.index === "number" ? fragment.index : undefined;
    const call = this.#find(index, { id, name }) ?? this.#open(index);
    if (call.id === "") call.id = id;
    if (call.name === "") call.name = name;
    const piece = argumentsText(fn.arguments);
    if (piece !== "") call.pieces.push(piece);
  }

  /** Whether no fragment has come yet. */
  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** Returns the joined calls in the order of their beginning. */
  calls(): readonly ToolCall[] {
    const seen = new Set<string>();
    return this.#calls.map(({ id, name, pieces }) => {
      const text = pieces.join("");
      // A call without an id could not be answered, and one decision must not count for two calls.
      const isOwn = id !== "" && !seen.has(id);
      seen.add(id);
      return {
        id: isOwn ? id : `call_${crypto.randomUUID()}`,
        name,
        arguments: text.trim() === "" ? "{}" : text,
      };
    });
  }

  #find(
    index: number | undefined,
    { id, name }: { readonly id: string; readonly name: string },
  ): OpenCall | undefined {
    if (index !== undefined) {
      const call = this.#byIndex.get(index);
      const isOther = call !== undefined && id !== "" && call.id !== "" && call.id !== id;
      return isOther ? undefined : call;
    }
    if (id !== "") return this.#calls.find((call) => call.id === id);
    const last = this.#calls.at(-1);
    const isNew = last !== undefined && name !== "" && last.name !== "";
    return isNew ? undefined : last;
  }

  #open(index: number | undefined): OpenCall {
    if (this.#calls.length >= maxCalls) {
      throw new AiError(
        "ai_bad_response",
        `The model asks for more than ${maxCalls} tools at once.`,
      );
    }
    const call: OpenCall = { id: "", name: "", pieces: [] };
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }
}

/** Some servers send the arguments as an object, not as its JSON. */
function argumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : "";
}
