/** Values in the template language: kinds, truth, length, members. */

import { safeKindOf, safeTextOf } from "../safe.ts";

/** The kind of a value in the language. Whole numbers are integers, as there is one number type. */
export type Kind = "nil" | "bool" | "int" | "float" | "string" | Container | "function";

type Container = "list" | "map" | "iterable" | "struct";

/** An evaluation error without a position. */
export class Fault extends Error {
  readonly fix: string;
  readonly isLimit: boolean;

  /** Created where a value does not fit; the evaluator adds the position. */
  constructor(description: string, fix: string, options?: { cause?: unknown; isLimit?: boolean }) {
    super(description, options?.cause === undefined ? undefined : { cause: options.cause });
    this.fix = fix;
    this.isLimit = options?.isLimit ?? false;
  }
}

export function kindOf(value: unknown): Kind {
  switch (typeof value) {
    case "number":
      return Number.isSafeInteger(value) ? "int" : "float";
    case "object":
      return value === null ? "nil" : objectKind(value);
    default:
      return kindsByType[typeof value] ?? "struct";
  }
}

const kindsByType: Readonly<Record<string, Kind>> = {
  string: "string",
  boolean: "bool",
  bigint: "int",
  undefined: "nil",
  function: "function",
};

function objectKind(value: object): Kind {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return "list";
  if (value instanceof Map) return "map";
  if (Symbol.iterator in value) return "iterable";
  if (isPlain(value)) return "map";
  return safeKindOf(value) === undefined ? "struct" : "string";
}

/** Reports whether an object is a record: a literal, parsed JSON, or without a prototype. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const typeNames: Readonly<Partial<Record<Kind, string>>> = {
  nil: "<nil>",
  float: "float64",
  list: "[]interface {}",
  map: "map[string]interface {}",
  function: "func()",
};

/** Returns Go's name of a value's type, for messages and `%T`. */
export function goType(value: unknown): string {
  const kind = kindOf(value);
  if (kind !== "struct" && kind !== "iterable") return typeNames[kind] ?? kind;
  if (typeof value !== "object" || value === null) return typeof value;
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name === "string" && name !== "" ? name : "object";
}

/** Returns the text of a string or of a safe text; `undefined` for other values. */
export function plainTextOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return safeKindOf(value) === undefined ? undefined : safeTextOf(value);
}

/** Reports whether a value counts as true: not the zero value of its kind, and not empty. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "object") return value !== null && lengthOf(value) !== 0;
  return typeof value === "number" ? value !== 0 : Boolean(value);
}

const encoder = new TextEncoder();
const ascii = /^[\0-\x7f]*$/;

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Returns the length of a value, in UTF-8 bytes for a string, or `undefined` if it has none. */
export function lengthOf(value: unknown): number | undefined {
  const text = plainTextOf(value);
  if (text !== undefined) return ascii.test(text) ? text.length : bytesOf(text).length;
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return value.length;
  if (value instanceof Map || value instanceof Set) return value.size;
  if (ArrayBuffer.isView(value)) return (value as Uint8Array).length;
  return isPlain(value) ? Object.keys(value).length : undefined;
}

/** Returns a map's entries ordered by key, or `undefined` if the value is not a map. */
export function sortedEntries(value: object): readonly (readonly [unknown, unknown])[] | undefined {
  if (value instanceof Map) return [...value].sort(([a], [b]) => compareKeys(a, b));
  if (!isPlain(value)) return undefined;
  const record = value as Readonly<Record<string, unknown>>;
  return Object.keys(record).sort(compareCodePoints).map((key) => [key, record[key]]);
}

const keyOrder: readonly Kind[] = ["nil", "bool", "int", "float", "string"];

function compareKeys(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [first, second] = [keyOrder.indexOf(kindOf(a)), keyOrder.indexOf(kindOf(b))];
  if (first !== second) return first - second;
  if (typeof a === "string" && typeof b === "string") return compareCodePoints(a, b);
  return Number(a) - Number(b) || 0;
}

/** Compares by code points, which is the order of the bytes in UTF-8. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [first, second] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (first === second) continue;
    // Surrogates encode code points that follow all those of a single unit.
    const [isFirstHigh, isSecondHigh] = [isSurrogate(first), isSurrogate(second)];
    if (isFirstHigh !== isSecondHigh) return isFirstHigh ? 1 : -1;
    return first - second;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** The maximum nesting of values; deeper ones are taken to be circular. */
export const maxDepth = 100;

/**
 * Returns the text of an object whose class defines one: a date in ISO 8601, an error's message,
 * otherwise the `toString` of the class. `undefined` for records and lists.
 */
export function stringOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  }
  if (value instanceof Error) return value.message;
  if (value instanceof Promise) {
    throw new Fault("can't print a promise", "await it before the template is rendered");
  }
  if (safeKindOf(value) !== undefined || kindOf(value) === "list") return undefined;
  const method: unknown = Reflect.get(value, "toString");
  if (typeof method !== "function" || method === Object.prototype.toString) return undefined;
  const text: unknown = method.call(value);
  return typeof text === "string" ? text : undefined;
}

export function tooDeep(): Fault {
  return new Fault(
    `the value is nested deeper than ${maxDepth} levels, or holds itself`,
    "pass the part of it that is shown",
  );
}
