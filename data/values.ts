/** Conversion of values for a database: each is stored exactly or refused, never cut or rounded. */
import { type FieldDef, structFields } from "./columns.ts";

export type Bound = string | number | bigint | boolean | Uint8Array | null;

export type EngineName = "sqlite" | "postgres";

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/**
 * Converts a value of a template to what the driver binds.
 *
 * @throws {TypeError} for a value that the engine could not store exactly.
 */
export function toBound(value: unknown, engine: EngineName): Bound {
  switch (typeof value) {
    case "string":
      return checkText(value);
    case "number":
      if (!Number.isFinite(value)) throw refused(value, "it is not a finite number");
      // The driver would bind a double, and SQL would no longer use integer division.
      return engine === "sqlite" && Number.isSafeInteger(value) ? BigInt(value) : value;
    case "bigint":
      if (value < minInt64 || value > maxInt64) throw refused(value, "it has more than 64 bits");
      return value;
    case "boolean":
      return engine === "sqlite" ? (value ? 1n : 0n) : value;
    case "object":
      if (value === null) return null;
      if (value instanceof Date) return dateToBound(value, engine);
      if (value instanceof Uint8Array) return value;
      throw new TypeError(
        `Cannot bind ${Array.isArray(value) ? "an array" : "an object"}: ` +
          "use json(value), among(list) or values(schema, row).",
      );
    default:
      throw new TypeError(`Cannot bind ${typeof value}: pass null for no value.`);
  }
}

function refused(value: unknown, why: string): TypeError {
  return new TypeError(`Cannot bind ${String(value)}: ${why}.`);
}

/** Refuses U+0000 and lone surrogates, which neither engine stores. */
function checkText(text: string): string {
  if (text.includes("\0")) throw new TypeError("Cannot bind a string with U+0000.");
  if (!text.isWellFormed()) throw new TypeError("Cannot bind a string with a lone surrogate.");
  return text;
}

function dateToBound(date: Date, engine: EngineName): Bound {
  const ms = date.getTime();
  if (Number.isNaN(ms)) throw new TypeError("Cannot bind an invalid date.");
  const year = date.getUTCFullYear();
  // Both engines and ISO 8601 write these years with four digits.
  if (year < 1 || year > 9999) throw refused(date.toISOString(), "its year is outside 1 to 9999");
  return engine === "sqlite" ? BigInt(ms) : exactText(date);
}

/** The microseconds, which a `Date` lacks: without them a read value would match no row. */
const microseconds: WeakMap<Date, { readonly ms: number; readonly digits: string }> = new WeakMap();

export function keepMicroseconds(date: Date, digits: string): Date {
  if (/[1-9]/.test(digits)) microseconds.set(date, { ms: date.getTime(), digits });
  return date;
}

/** Returns an instant in ISO 8601 with the microseconds that were read. */
export function exactText(date: Date): string {
  const kept = microseconds.get(date);
  const digits = kept?.ms === date.getTime() ? kept.digits : "";
  return `${date.toISOString().slice(0, -1)}${digits}Z`;
}

/** Returns a value as read, or a whole row, as JSON, in which bigints are strings. */
export function rowJson(value: object): string {
  return JSON.stringify(value, (_, item) => typeof item === "bigint" ? String(item) : item);
}

export interface Cell {
  readonly property: string;
  readonly def: FieldDef;
  readonly value: unknown;
}

/**
 * Converts the value of a property to what the driver binds.
 *
 * @throws {TypeError} if the value does not fit the field.
 */
export function toColumnValue({ property, def, value }: Cell, engine: EngineName): Bound {
  if (value === null) return null;
  const kind = fieldKind(def);
  if (kind === "json") return encodeJson(toJson(property, def, value));
  checkScalar(property, kind, value);
  return toBound(value, engine);
}

/** The kinds of fields that are not stored as JSON, and their types inside JSON. */
export const scalars = {
  text: { wanted: "a string", json: "string", fits: (value) => typeof value === "string" },
  bool: { wanted: "a boolean", json: "boolean", fits: (value) => typeof value === "boolean" },
  int: { wanted: "a safe integer", json: "number", fits: Number.isSafeInteger },
  int64: { wanted: "a bigint", json: "string", fits: (value) => typeof value === "bigint" },
  float: { wanted: "a finite number", json: "number", fits: Number.isFinite },
  date: { wanted: "a valid Date", json: "string", fits: (value) => value instanceof Date },
  day: {
    wanted: "a day such as 2026-03-01",
    json: "string",
    fits: (value) => typeof value === "string" && isDay(value),
  },
} as const satisfies Record<
  string,
  { readonly wanted: string; readonly json: string; fits(value: unknown): boolean }
>;

export type ScalarKind = keyof typeof scalars;

export function fieldKind({ kind }: FieldDef): ScalarKind | "json" {
  if (kind === "money") return "int";
  return Object.hasOwn(scalars, kind) ? kind as ScalarKind : "json";
}

function checkScalar(path: string, kind: ScalarKind, value: unknown): void {
  const { wanted, fits } = scalars[kind];
  if (!fits(value)) throw new TypeError(`Cannot write "${path}": ${wanted} is expected.`);
}

/** Returns whether a string is a calendar date, from 0001-01-01. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith("0000")) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Checks the shape of a value stored as JSON and converts bigints to strings. */
function toJson(path: string, def: FieldDef, value: unknown): unknown {
  if (value === null || value === undefined) {
    // Otherwise reading would refuse the whole row.
    if (!def.optional) throw new TypeError(`Cannot write "${path}": a value is expected.`);
    return null;
  }
  const kind = fieldKind(def);
  if (kind !== "json") {
    checkScalar(path, kind, value);
    if (value instanceof Date) dateToBound(value, "postgres");
    return typeof value === "bigint" ? String(value) : value;
  }
  if (def.kind === "struct") {
    if (typeof value !== "object" || Array.isArray(value)) {
      throw new TypeError(`Cannot write "${path}": an object is expected.`);
    }
    const fields = structFields({ def });
    const unknown = Object.keys(value).find((key) => !fields.has(key));
    if (unknown !== undefined) {
      throw new TypeError(`Cannot write "${path}.${unknown}": the struct lacks it.`);
    }
    const read = new Map<string, unknown>(Object.entries(value));
    return Object.fromEntries(
      [...fields].map(([key, field]) => [key, toJson(`${path}.${key}`, field, read.get(key))]),
    );
  }
  if (!Array.isArray(value)) throw new TypeError(`Cannot write "${path}": an array is expected.`);
  return value.map((item: unknown, index) => {
    if (def.kind === "list") return toJson(`${path}.${index}`, def.item, item);
    if (typeof item === "string") return item;
    throw new TypeError(`Cannot write "${path}.${index}": a string is expected.`);
  });
}

/**
 * Writes JSON that both engines restore exactly.
 *
 * @throws {TypeError} for a number that is not finite, an invalid date, U+0000, lone surrogates,
 * `undefined` in a list, and values that JSON cannot represent.
 */
export function encodeJson(value: unknown): string {
  const text = JSON.stringify(value, function (this: unknown, key, item: unknown): unknown {
    checkText(key);
    // `toJSON` has already converted a date to a string, and an invalid one to null.
    const raw: unknown = Reflect.get(Object(this), key);
    if (raw instanceof Date) dateToBound(raw, "postgres");
    checkJson(item, Array.isArray(this));
    return item;
  });
  if (text === undefined) throw refused(typeof value, "JSON has no form for it");
  return text;
}

function checkJson(item: unknown, isListed: boolean): void {
  switch (typeof item) {
    case "string":
      checkText(item);
      return;
    case "number":
      if (!Number.isFinite(item)) throw refused(item, "JSON has no form for it");
      return;
    case "undefined":
      if (isListed) throw refused("undefined in a list", "JSON would hold null");
      return;
    case "function":
    case "symbol":
      throw refused(typeof item, "JSON has no form for it");
    case "object":
      if (emptyInJson.some((type) => item instanceof type) || ArrayBuffer.isView(item)) {
        throw refused(`a ${Object(item).constructor?.name}`, "JSON would hold no entry of it");
      }
  }
}

const emptyInJson = [Map, Set, RegExp, Error, Promise, ArrayBuffer] as const;
