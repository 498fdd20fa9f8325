import type { ToolCall } from "../message.ts";
import { AiError } from "../errors.ts";
import { asObject, asText } from "../json.ts";
import { addExtra } from "./extra_members.ts";

type Json = Readonly<Record<string, unknown>>;

interface OpenCall {
  readonly index: number;
  id: string;
  name: string;
  readonly pieces: string[];
  extra: Json | undefined;
  functionExtra: Json | undefined;
}

/** Maximum number of calls in one answer: each of them needs a result. */
const maxCalls = 1024;

/** Maximum length of an id or a name: they travel with every later request. */
const maxNameChars = 256;

const knownOfCall: ReadonlySet<string> = new Set(["index", "id", "type", "function"]);
const knownOfFunction: ReadonlySet<string> = new Set(["name", "arguments"]);

/**
 * Joins the fragments of tool calls. The protocol numbers them by `index`. Servers that leave it out, or
 * send the same one for every call, begin a call with a new id and a name.
 */
export class CallFragments {
  readonly #calls: OpenCall[] = [];
  readonly #byIndex: Map<number, OpenCall> = new Map();

  /** Adds the next fragment. @throws {AiError} `ai_bad_response` for more calls than can be run. */
  add(fragment: Json): void {
    const id = asText(fragment.id).slice(0, maxNameChars);
    const fn = asObject(fragment.function);
    const name = asText(fn.name).slice(0, maxNameChars);
    const index = /^\d{1,6}$/.test(String(fragment.index)) ? Number(fragment.index) : undefined;
    const call = this.#find(index, { id, name }) ?? this.#open(index);
    if (call.id === "") call.id = id;
    if (call.name === "") call.name = name;
    const piece = argumentsText(fn.arguments);
    if (piece !== "") call.pieces.push(piece);
    call.extra = addExtra(call.extra, fragment, knownOfCall);
    call.functionExtra = addExtra(call.functionExtra, fn, knownOfFunction);
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** Returns the joined calls in the order of their numbers. */
  calls(): readonly ToolCall[] {
    const seen = new Set<string>();
    return this.#calls.toSorted((one, other) => one.index - other.index).map((call) => {
      const { id, name, pieces, extra, functionExtra } = call;
      const text = pieces.join("");
      // A call without an id could not be answered, and one decision must not count for two calls.
      const isOwn = id !== "" && !seen.has(id);
      seen.add(id);
      const more = functionExtra === undefined ? extra : { ...extra, function: functionExtra };
      return {
        id: isOwn ? id : `call_${crypto.randomUUID()}`,
        name,
        arguments: text.trim() === "" ? "{}" : text,
        ...(more === undefined ? {} : { extra: more }),
      };
    });
  }

  #find(
    index: number | undefined,
    { id, name }: Pick<OpenCall, "id" | "name">,
  ): OpenCall | undefined {
    if (index !== undefined) {
      const call = this.#byIndex.get(index);
      // Some servers make up an id for every fragment.
      const isOther = name !== "" && id !== "" && call !== undefined && call.id !== "" &&
        call.id !== id;
      return isOther ? undefined : call;
    }
    const last = this.#calls.at(-1);
    const known = id === "" ? undefined : this.#calls.findLast((call) => call.id === id);
    if (known !== undefined) return isOtherName(known, name) ? undefined : known;
    if (name === "") return last;
    return last === undefined || last.name !== "" || id !== "" && last.id !== "" ? undefined : last;
  }

  #open(index: number | undefined): OpenCall {
    if (this.#calls.length >= maxCalls) {
      throw new AiError(
        "ai_bad_response",
        `The model asks for more than ${maxCalls} tools at once.`,
      );
    }
    const call: OpenCall = {
      index: index ?? this.#calls.length,
      id: "",
      name: "",
      pieces: [],
      extra: undefined,
      functionExtra: undefined,
    };
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }
}

function isOtherName({ name }: OpenCall, next: string): boolean {
  return next !== "" && name !== "" && next !== name;
}

/** Some servers send the arguments as an object, not as its JSON. */
function argumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : "";
}
