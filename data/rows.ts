import { type FieldSchema, StructSchema } from "../runtime/schema/mod.ts";
import { columnName, type FieldDef, structFields } from "./columns.ts";
import { RowError } from "./errors.ts";
import { fieldKind, isDay, keepMicroseconds, type ScalarKind, scalars } from "./values.ts";

/** A schema of rows: a `struct`, or a field for statements of one column. */
// deno-lint-ignore no-explicit-any -- the type of a row is what is inferred from it
export type RowSchema = FieldSchema<any, boolean>;

export type RowReader = (rows: readonly (readonly unknown[])[]) => unknown[];

type ValueReader = (raw: unknown) => unknown;

const Misfit = Symbol("misfit");

/** Compiles the reader of a schema for the columns of a statement, each of which must be there once. */
export function compileRows(schema: RowSchema, names: readonly string[]): RowReader {
  if (!(schema instanceof StructSchema)) {
    const [column = ""] = names;
    if (names.length !== 1) {
      throw new RowError(
        column,
        `a field reads one column, and the statement selects ${names.length}`,
      );
    }
    const read = cellReader(schema.def, column, 0);
    return (rows) => rows.map(read);
  }
  const fields = [...structFields(schema)].map(([property, def]) => {
    const column = columnName(property);
    const index = names.indexOf(column);
    if (index < 0) {
      throw new RowError(column, `the statement does not select it, but ${names.join(", ")}`);
    }
    if (names.indexOf(column, index + 1) >= 0) {
      throw new RowError(column, "the statement selects it twice: alias one of them");
    }
    return { property, read: cellReader(def, column, index) };
  });
  const template = Object.fromEntries(fields.map(({ property }) => [property, undefined]));
  const readRow = (row: readonly unknown[]): Record<string, unknown> => {
    const value: Record<string, unknown> = { ...template };
    for (const { property, read } of fields) value[property] = read(row);
    return value;
  };
  return (rows) => rows.map(readRow);
}

function cellReader(
  def: FieldDef,
  column: string,
  index: number,
): (row: readonly unknown[]) => unknown {
  const read = nullable(def, kindReader(def));
  return (row) => {
    const raw = row[index];
    const value = read(raw);
    if (value !== Misfit) return value;
    throw new RowError(column, `the schema allows only ${describeMisfit(fieldKind(def), raw)}`);
  };
}

/** Names the expected kind and the type of the value, which may be a secret. */
function describeMisfit(kind: string, raw: unknown): string {
  if (raw === null || raw === undefined) return `${kind}, not null: make its field optional`;
  if (kind === "text" && typeof raw === "string") {
    return "the choices of its field, not this string";
  }
  if (kind === "date" && typeof raw === "string") {
    return "date, not this string: use timestamptz, or milliseconds on SQLite";
  }
  if (typeof raw === "number" && !Number.isInteger(raw)) {
    return `${kind}, not a number with a fraction`;
  }
  if (raw instanceof Uint8Array) {
    return `${kind}, not bytes: select them as hex(…), on Postgres as encode(…, 'hex')`;
  }
  return `${kind}, not this ${typeof raw}`;
}

function nullable(def: FieldDef, read: ValueReader): ValueReader {
  return (raw) => {
    if (raw === null || raw === undefined) return def.optional ? null : Misfit;
    return read(raw);
  };
}

function kindReader(def: FieldDef): ValueReader {
  const kind = fieldKind(def);
  if (kind === "text") return textReader(def);
  if (kind !== "json") return scalarReaders[kind];
  const read = nullable(def, jsonReader(def));
  return (raw) => read(typeof raw === "string" ? parseJson(raw) : raw);
}

function textReader(def: FieldDef): ValueReader {
  const words = "rules" in def ? /(?:^|,)\s*oneof=([^,]*)/.exec(def.rules)?.[1] : undefined;
  if (words === undefined) return (raw) => typeof raw === "string" ? raw : Misfit;
  const allowed = new Set(words.trim().split(/ +/));
  // Without "required", the empty string means no choice.
  if (!/(?:^|,)\s*required\s*(?:,|$)/.test("rules" in def ? def.rules : "")) allowed.add("");
  return (raw) => typeof raw === "string" && allowed.has(raw) ? raw : Misfit;
}

const bools: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 1, 1n, "t", "true"].map((raw) => [raw, true] as const),
  ...[false, 0, 0n, "f", "false"].map((raw) => [raw, false] as const),
]);

function readInt(raw: unknown): unknown {
  if (typeof raw === "number") return Number.isSafeInteger(raw) ? raw : Misfit;
  const isWhole = typeof raw === "bigint" || (typeof raw === "string" && /^-?\d+$/.test(raw));
  const value = isWhole ? Number(raw) : NaN;
  return Number.isSafeInteger(value) ? value : Misfit;
}

function readInt64(raw: unknown): unknown {
  if (typeof raw === "bigint") return raw;
  if (typeof raw === "number") return Number.isSafeInteger(raw) ? BigInt(raw) : Misfit;
  return typeof raw === "string" && /^-?\d{1,19}$/.test(raw) ? BigInt(raw) : Misfit;
}

function readFloat(raw: unknown): unknown {
  // `Number` would also accept blanks and hexadecimal digits.
  const isText = typeof raw === "string" && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(raw);
  const value = typeof raw === "number"
    ? raw
    : typeof raw === "bigint" || isText
    ? Number(raw)
    : NaN;
  return Number.isFinite(value) ? value : Misfit;
}

function readDate(raw: unknown): unknown {
  if (raw instanceof Date) return Number.isNaN(raw.getTime()) ? Misfit : raw;
  if (typeof raw === "string") return parseTimestamp(raw);
  const ms = readInt(raw);
  if (typeof ms !== "number" || Math.abs(ms) > 8.64e15) return Misfit;
  return new Date(ms);
}

/** Parses a `timestamptz` in ISO style, the server's default, or a date from JSON. */
function parseTimestamp(text: string): unknown {
  const parts =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,3}(\d*))?)(?:Z|([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?)$/
      .exec(
        text,
      );
  if (parts === null) return Misfit;
  const [, day, time, digits = "", sign = "+", hours = 0, minutes = 0, seconds = 0] = parts;
  // Postgres writes offsets of old dates with seconds (local mean time), which `Date` cannot parse.
  const offsetMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  const localMs = Date.parse(`${day}T${time}Z`);
  const date = new Date(sign === "-" ? localMs + offsetMs : localMs - offsetMs);
  return Number.isNaN(date.getTime()) ? Misfit : keepMicroseconds(date, digits);
}

function readDay(raw: unknown): unknown {
  // A driver that parses days returns midnight in UTC.
  const text = raw instanceof Date && !Number.isNaN(raw.getTime())
    ? raw.toISOString().slice(0, 10)
    : raw;
  return typeof text === "string" && isDay(text) ? text : Misfit;
}

const scalarReaders: Readonly<Record<Exclude<ScalarKind, "text">, ValueReader>> = {
  bool: (raw) => bools.get(raw) ?? Misfit,
  int: readInt,
  int64: readInt64,
  float: readFloat,
  date: readDate,
  day: readDay,
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return Misfit;
  }
}

/** Returns the reader of a value inside JSON, where dates are ISO 8601 and bigints are strings. */
export function jsonReader(def: FieldDef): ValueReader {
  if (def.kind === "struct") return structReader(def);
  const kind = fieldKind(def);
  if (kind !== "json") {
    const read = kindReader(def);
    const wanted = scalars[kind].json;
    // JSON built by SQLite contains numbers for booleans and instants.
    return (raw) => typeof raw === wanted || typeof raw === "number" ? read(raw) : Misfit;
  }
  const item = def.kind === "list"
    ? nullable(def.item, jsonReader(def.item))
    : (raw: unknown): unknown => typeof raw === "string" ? raw : Misfit;
  return (raw) => {
    if (!Array.isArray(raw)) return Misfit;
    const values = raw.map(item);
    return values.includes(Misfit) ? Misfit : values;
  };
}

function structReader(def: FieldDef): ValueReader {
  const fields = [...structFields({ def })].map(([key, field]) =>
    [key, nullable(field, jsonReader(field))] as const
  );
  return (raw) => {
    if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return Misfit;
    const members = new Map<string, unknown>(Object.entries(raw));
    const value: Record<string, unknown> = {};
    for (const [key, read] of fields) {
      const item = read(members.get(key));
      if (item === Misfit) return Misfit;
      value[key] = item;
    }
    return value;
  };
}
