import type { ToolCall } from "../message.ts";
import { AiError } from "../errors.ts";
import { asObject, asText, isJsonObject } from "../json.ts";

type Json = Readonly<Record<string, unknown>>;

interface OpenCall {
  readonly index: number;
  id: string;
  name: string;
  readonly pieces: string[];
  /** The nesting behind the first `read` pieces; -1 before the first bracket. */
  level: number;
  read: number;
  isQuoted: boolean;
  isEscaped: boolean;
  extra: Json | undefined;
  functionExtra: Json | undefined;
}

/** Maximum number of calls in one answer: each of them needs a result. */
const maxCalls = 1024;

/** Maximum length of an id or a name: they travel with every later request. */
const maxNameChars = 256;

const knownOfCall: ReadonlySet<string> = new Set(["index", "id", "function"]);
const knownOfFunction: ReadonlySet<string> = new Set(["name", "arguments"]);

/** Joins the fragments of tool calls by `index`; where none tells, a new id and a name begin a call. */
export class CallFragments {
  readonly #calls: OpenCall[] = [];
  readonly #byIndex: Map<number, OpenCall> = new Map();

  add(fragment: Json): void {
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

  /** Adds what a call lacks that the server sends again as a whole, after its fragments. */
  complete(whole: Json, position: number): void {
    const fn = asObject(whole.function);
    const name = asText(fn.name);
    const at = this.#calls[position];
    const known = [
      ...(at === undefined ? [] : [at]),
      ...this.#calls.filter(({ id }) => id === whole.id),
    ]
      .find((call) => !isOtherName(call, name));
    if (known === undefined) return this.add(whole);
    if (known.name === "") known.name = name.slice(0, maxNameChars);
    if (known.pieces.length === 0) known.pieces.push(argumentsText(fn.arguments));
    known.extra = addMissing(known.extra, addExtra(undefined, withoutType(whole), knownOfCall));
    known.functionExtra = addMissing(known.functionExtra, addExtra(undefined, fn, knownOfFunction));
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  calls(): readonly ToolCall[] {
    const seen = new Set<string>();
    return this.#calls.toSorted((one, other) => one.index - other.index).map((call) => {
      const { id, name, pieces, extra, functionExtra } = call;
      const { arguments: written, input = written } = ownBody(extra);
      const text = pieces.join("") || argumentsText(input);
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
    { id, name, piece }: Pick<OpenCall, "id" | "name"> & { readonly piece: string },
  ): OpenCall | undefined {
    if (index !== undefined) {
      const call = this.#byIndex.get(index);
      if (call === undefined || name === "" || call.name === "") return call;
      // Some servers make up an id for every fragment, and some give one number and no id to all calls.
      const isOther = call.name !== name || (id !== "" && call.id !== "" && call.id !== id) ||
        (id === "" && call.id === "" && piece.startsWith("{") && isWhole(call));
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
      level: -1,
      read: 0,
      isQuoted: false,
      isEscaped: false,
      extra: undefined,
      functionExtra: undefined,
    };
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }
}

/** Reports whether the arguments of a call are closed. Reads each piece once: a server may send any number of them. */
function isWhole(call: OpenCall): boolean {
  for (; call.read < call.pieces.length; call.read++) {
    for (const sign of call.pieces[call.read] ?? "") {
      if (call.isEscaped) call.isEscaped = false;
      else if (sign === "\\" && call.isQuoted) call.isEscaped = true;
      else if (sign === '"') call.isQuoted = !call.isQuoted;
      else if (call.isQuoted) continue;
      else if (sign === "{" || sign === "[") call.level = Math.max(call.level, 0) + 1;
      else if (sign === "}" || sign === "]") call.level--;
    }
  }
  return call.level === 0 && !call.isQuoted;
}

/** The usual type is written again with every request. */
function withoutType(call: Json): Json {
  return call.type === "function" ? { ...call, type: null } : call;
}

/** The body of a call of another type than `function`, in the member of that name. */
function ownBody(call: Json | undefined): Json {
  return asObject(call?.[asText(call.type)]);
}

function addMissing(members: Json | undefined, more: Json | undefined): Json | undefined {
  return more === undefined ? members : { ...more, ...members };
}

function isOtherName({ name }: OpenCall, next: string): boolean {
  return next !== "" && name !== "" && next !== name;
}

/** Some servers send the arguments as an object, not as its JSON. */
function argumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : "";
}

/** Maximum nesting of members: they are written again with every later request. */
const maxDepth = 32;

/** Maximum number of last items of a list that a piece may continue. */
const maxOpenItems = 16;

/** Minimum length of a string that a server repeats as a whole, and not as the next piece. */
const minRepeatedChars = 32;

/** Texts that name something: a later piece repeats them and adds nothing. */
const namingMembers: ReadonlySet<string> = new Set(["type", "format", "id", "index", "role"]);

/**
 * Merges the next piece's unknown members into `extra` and returns it: texts are joined, objects merged, items
 * of lists joined by `index`. @throws {AiError} `ai_bad_response` for members that nest too deep.
 */
export function addExtra(
  extra: Json | undefined,
  piece: Json,
  known: ReadonlySet<string>,
): Json | undefined {
  let merged = extra;
  for (const [name, value] of Object.entries(piece)) {
    if (known.has(name) || value === null) continue;
    merged ??= {};
    setMember(merged, name, merge(own(merged, name), value, { name, depth: 0 }));
  }
  return merged;
}

/** `__proto__` is a name like any other. In place: a copy for each piece would cost all members before it. */
function setMember(members: Json, name: string, value: unknown): void {
  Object.defineProperty(members, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function own(value: Json | undefined, name: string): unknown {
  return value !== undefined && Object.hasOwn(value, name) ? value[name] : undefined;
}

interface Place {
  readonly name: string;
  readonly depth: number;
}

function merge(before: unknown, piece: unknown, { name, depth }: Place): unknown {
  if (depth >= maxDepth) {
    throw new AiError("ai_bad_response", `The member "${name.slice(0, 80)}" nests too deep.`);
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

/** A part of another kind, or with an id of its own, is another part, whatever its number. */
function isSameKind(open: Json, item: unknown): boolean {
  const { type = open.type, id = open.id } = item as Json;
  return type === open.type && (open.id === undefined || id === open.id);
}
