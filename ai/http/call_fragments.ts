import type { JsonObject } from "../../runtime/addon.ts";
import type { ToolCall } from "../message.ts";
import { AiError } from "../errors.ts";
import { asObject, asText, isJson, isJsonObject } from "../json.ts";

interface OpenCall {
  readonly index: number;
  id: string;
  name: string;
  readonly pieces: string[];
  looks: number;
  extra: JsonObject | undefined;
  functionExtra: JsonObject | undefined;
}

/** Maximum number of calls in one answer, because each needs a result. */
const maxCalls = 1024;

/** Maximum length of an id or a name, because every later request repeats them. */
const maxNameChars = 256;

const knownOfCall: ReadonlySet<string> = new Set(["index", "id", "function"]);
const knownOfFunction: ReadonlySet<string> = new Set(["name", "arguments"]);

/** Joins the fragments of tool calls by `index`; without one, a new id and a name begin a call. */
export class CallFragments {
  readonly #calls: OpenCall[] = [];
  readonly #byIndex: Map<number, OpenCall> = new Map();

  add(fragment: JsonObject): void {
    const id = asText(fragment.id).slice(0, maxNameChars);
    const fn = asObject(fragment.function);
    const name = asText(fn.name ?? ownBody(fragment).name).slice(0, maxNameChars);
    const index = /^\d{1,6}$/.test(String(fragment.index)) ? Number(fragment.index) : undefined;
    const piece = argumentsText(fn.arguments);
    const call = this.#find(index, { id, name, piece }) ?? this.#open(index);
    if (call.id === "") call.id = id;
    if (call.name === "") call.name = name;
    if (piece !== "") call.pieces.push(piece);
    call.extra = addExtra(call.extra, withoutType(fragment), knownOfCall);
    call.functionExtra = addExtra(call.functionExtra, fn, knownOfFunction);
  }

  /** Adds missing parts to a call that the server repeats as a whole after its fragments. */
  complete(whole: JsonObject, position: number): void {
    const fn = asObject(whole.function);
    const name = asText(fn.name);
    const at = this.#calls[position];
    const known = at !== undefined && !isOtherName(at, name)
      ? at
      : this.#calls.find((call) => call.id === whole.id && !isOtherName(call, name));
    if (known === undefined) return this.add(whole);
    if (known.name === "") known.name = name.slice(0, maxNameChars);
    if (known.pieces.length === 0) known.pieces.push(argumentsText(fn.arguments));
    known.extra = addMissing(known.extra, addExtra(undefined, withoutType(whole), knownOfCall));
    known.functionExtra = addMissing(known.functionExtra, addExtra(undefined, fn, knownOfFunction));
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** @param isCut Whether the model was stopped, so that the last call may lack its arguments. */
  calls(isCut: boolean): readonly ToolCall[] {
    const seen = new Set<string>();
    const unfinished = isCut ? this.#calls.at(-1) : undefined;
    return this.#calls.toSorted((one, other) => one.index - other.index).map((call) => {
      const { id, name, pieces, extra, functionExtra } = call;
      const { arguments: written, input = written } = ownBody(extra);
      // Some gateways send `{}` before the real arguments.
      const text = pieces.join("").replace(/^\{\}(?=\{)/, "") || argumentsText(input);
      // A result needs an id to refer to, and one decision must not apply to two calls.
      const isOwn = id !== "" && !seen.has(id);
      seen.add(id);
      const more = functionExtra === undefined ? extra : { ...extra, function: functionExtra };
      return {
        id: isOwn ? id : `call_${crypto.randomUUID()}`,
        name,
        arguments: text.trim() === "" && call !== unfinished ? "{}" : text,
        ...(more === undefined ? {} : { extra: more }),
      };
    });
  }

  #find(
    index: number | undefined,
    { id, name, piece }: Pick<OpenCall, "id" | "name"> & { readonly piece: string },
  ): OpenCall | undefined {
    if (index !== undefined) {
      const call = this.#byIndex.get(index);
      if (call === undefined || name === "" || call.name === "") return call;
      // Some servers invent an id for every fragment; others give all calls the same index and no id.
      const isOther = call.name !== name || (id !== "" && call.id !== "" && call.id !== id) ||
        (id === "" && call.id === "" && piece.startsWith("{") &&
          call.looks++ < maxLooks && isJson(call.pieces.join("")));
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
        `The model calls more than ${maxCalls} tools at once.`,
      );
    }
    const call: OpenCall = {
      index: index ?? this.#calls.length,
      id: "",
      name: "",
      pieces: [],
      looks: 0,
      extra: undefined,
      functionExtra: undefined,
    };
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }
}

/** Maximum number of searches for the complete arguments of a call, because each joins all pieces. */
const maxLooks = 32;

/** Drops the type `function`, because every request adds it again. */
function withoutType(call: JsonObject): JsonObject {
  return call.type === "function" ? { ...call, type: null } : call;
}

/** Returns the body of a call whose type is not `function`, from the member named after the type. */
function ownBody(call: JsonObject | undefined): JsonObject {
  return asObject(call?.[asText(call.type)]);
}

function addMissing(
  members: JsonObject | undefined,
  more: JsonObject | undefined,
): JsonObject | undefined {
  return more === undefined ? members : { ...more, ...members };
}

function isOtherName({ name }: OpenCall, next: string): boolean {
  return next !== "" && name !== "" && next !== name;
}

/** Returns the arguments as JSON, because some servers send an object. */
function argumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : "";
}

/** Maximum nesting of unknown members, which every later request repeats. */
const maxDepth = 32;

/** Maximum number of items at the end of a list that a piece may extend. */
const maxOpenItems = 16;

/** Minimum length of a string that counts as repeated by the server rather than as the next piece. */
const minRepeatedChars = 32;

/** Members whose strings later pieces repeat instead of extending. */
const namingMembers: ReadonlySet<string> = new Set(["type", "format", "id", "index", "role"]);

/**
 * Merges the next piece's unknown members into `extra` and returns it: strings are joined, objects merged,
 * list items joined by `index`. @throws {AiError} `ai_bad_response` for members that nest too deeply.
 */
export function addExtra(
  extra: JsonObject | undefined,
  piece: JsonObject,
  known: ReadonlySet<string>,
): JsonObject | undefined {
  let merged = extra;
  for (const [name, value] of Object.entries(piece)) {
    if (known.has(name) || value === null) continue;
    merged ??= {};
    setMember(merged, name, merge(own(merged, name), value, { name, depth: 0 }));
  }
  return merged;
}

/** Sets a member, even `__proto__`, in place, because copying for each piece would cost quadratic time. */
function setMember(members: JsonObject, name: string, value: unknown): void {
  Object.defineProperty(members, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function own(value: JsonObject | undefined, name: string): unknown {
  return value !== undefined && Object.hasOwn(value, name) ? value[name] : undefined;
}

interface Place {
  readonly name: string;
  readonly depth: number;
}

function merge(before: unknown, piece: unknown, { name, depth }: Place): unknown {
  if (depth >= maxDepth) {
    throw new AiError("ai_bad_response", `The member "${name.slice(0, 80)}" nests too deeply.`);
  }
  const inner = depth + 1;
  if (Array.isArray(piece)) {
    const items: unknown[] = Array.isArray(before) ? before : [];
    for (const item of piece) addItem(items, item, { name, depth: inner });
    return items;
  }
  if (isJsonObject(piece)) {
    const parts = isJsonObject(before) ? before : {};
    for (const [key, value] of Object.entries(piece)) {
      const next = value === null
        ? value
        : merge(own(parts, key), value, { name: key, depth: inner });
      setMember(parts, key, next);
    }
    return parts;
  }
  if (typeof before !== "string" || typeof piece !== "string") return piece;
  const isRepeated = before === piece && piece.length >= minRepeatedChars;
  return namingMembers.has(name) || isRepeated ? piece : before + piece;
}

function addItem(items: unknown[], item: unknown, place: Place): void {
  const index = isJsonObject(item) ? item.index : undefined;
  const from = Math.max(0, items.length - maxOpenItems);
  for (let at = items.length - 1; index !== undefined && at >= from; at--) {
    const open = items[at];
    if (!isJsonObject(open) || open.index !== index || !isSameKind(open, item)) continue;
    items[at] = merge(open, item, place);
    return;
  }
  items.push(merge(undefined, item, place));
}

/** Reports whether an item extends a part: another type or id means another part, even with the same index. */
function isSameKind(open: JsonObject, item: unknown): boolean {
  const { type = open.type, id = open.id } = item as JsonObject;
  return type === open.type && (open.id === undefined || id === open.id);
}
