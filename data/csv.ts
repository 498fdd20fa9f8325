import { AsyncLocalStorage } from "node:async_hooks";
import {
  formatMoney,
  type FormFieldFacts,
  readFormFields,
  validationMessage,
} from "../runtime/addon.ts";
import type { StructSchema } from "../runtime/schema/mod.ts";

/** A record of a CSV file. */
export interface CsvRecord {
  /** The line on which it starts, from 1. */
  readonly line: number;
  /** The fields of the record. */
  readonly fields: readonly string[];
}

const maxRecordChars = 1_000_000;

/** Thrown for a file that is not valid CSV. */
export class CsvError extends Error {
  /** The name of the class. */
  override readonly name: string = "CsvError";
  /** The line, from 1. */
  readonly line: number;

  /**
   * Creates the error.
   *
   * @param line The line, from 1.
   * @param why The reason.
   */
  constructor(line: number, why: string) {
    super(`Line ${line}: ${why}`);
    this.line = line;
  }
}

/**
 * Spreadsheets run a cell with such a start as a formula (OWASP, CSV injection), including
 * full-width signs. Plain numbers are exempt.
 */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** An apostrophe before such a start is doubled, so that reading restores the text. */
const shielded = /^'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/**
 * Finds formulas inside a cell: a spreadsheet whose locale has another separator splits cells there and at line
 * breaks, because it reads quotes after the first field as text. A list line such as `- bulb` is exempt, because
 * without `|` or `(` it calls nothing.
 */
const innerStart = (others: string, mark: string): RegExp =>
  new RegExp(
    `([${others}]'*)${mark}(?=[=+\\-@\uff1d\uff0b\uff0d\uff20])|` +
      `([\r\n]'*)${mark}(?=[=@\uff1d\uff20]|[+\\-\uff0b\uff0d][^\r\n]*[|(])`,
    "g",
  );
const inner = Object.fromEntries(
  ([[",", ";\t"], [";", ",\t"], ["\t", ",;"]] as const).map(([separator, others]) =>
    [separator, { bare: innerStart(others, ""), shielded: innerStart(others, "'") }] as const
  ),
) as Readonly<Record<Separator, { readonly bare: RegExp; readonly shielded: RegExp }>>;
/** Most texts have no such place. */
const mayHide = /[,;\t\r\n]'*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const plainNumber = /^[+-]?\d+(?:[.,]\d+)?$/;

/**
 * Reads the records of a CSV file: quoted fields, line breaks inside them, CR LF or LF, a byte
 * order mark. The separator is the most frequent of `,`, `;` and tab in the first line. Empty lines
 * are skipped. The apostrophe that {@linkcode writeCsv} adds before formulas is removed.
 *
 * @param source The bytes of the file in UTF-8.
 * @returns The records, read as they are iterated.
 * @throws {CsvError} for bytes that are not UTF-8, for U+FFFD, which replaces such bytes, for an
 * unclosed quote, for text after a closing quote, and for a record of more than 1,000,000 characters.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readCsv } from "@fw/fw/data";
 *
 * const file = new Blob(['name;note\r\n"Ada; L.";"two\nlines"\r\n']);
 * const records = await Array.fromAsync(readCsv(file.stream()));
 * assertEquals(records[1], { line: 2, fields: ["Ada; L.", "two\nlines"] });
 * ```
 */
export async function* readCsv(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<CsvRecord, void, undefined> {
  let separator: Separator | undefined;
  let rest = "";
  let line = 1;
  let seen = start;
  const decoder = new TextDecoder();
  for await (const bytes of source) {
    rest += decoder.decode(bytes, { stream: true });
    for (;;) {
      seen = findEnd(rest, seen, separator);
      const { end } = seen;
      if (end === undefined) break;
      seen = start;
      separator ??= guessSeparator(rest.slice(0, end));
      const record = rest.slice(0, end);
      if (record !== "") yield { line, fields: parseRecord(record, line, separator) };
      line += countLines(record);
      let next = end;
      // Skips empty lines too, of which a file may have millions.
      while (rest[next] === "\n" || rest.startsWith("\r\n", next)) {
        next += rest[next] === "\n" ? 1 : 2;
        line++;
      }
      rest = rest.slice(next);
    }
    if (rest.length > maxRecordChars) throw new CsvError(line, validationMessage("csvLong"));
  }
  rest += decoder.decode();
  if (rest !== "") {
    yield { line, fields: parseRecord(rest, line, separator ?? guessSeparator(rest)) };
  }
}

interface Seen {
  readonly chars: number;
  readonly isQuoted: boolean;
  /** The end of its last quoted part: a quote directly after it continues the part. */
  readonly closedAt: number;
  /** The end of the record; `undefined` until its line break arrives. */
  readonly end?: number;
}

const start: Seen = { chars: 0, isQuoted: false, closedAt: -2 };

function findEnd(text: string, seen: Seen, separator: Separator | undefined): Seen {
  let { chars, isQuoted, closedAt } = seen;
  const sign = /["\n]/g;
  for (;;) {
    sign.lastIndex = chars;
    const found = isQuoted ? text.indexOf('"', chars) : sign.exec(text)?.index ?? -1;
    chars = found < 0 ? text.length : found + 1;
    if (found < 0) return { chars, isQuoted, closedAt };
    const before = text[found - 1] ?? "";
    if (text[found] === "\n") {
      return { chars, isQuoted, closedAt, end: before === "\r" ? found - 1 : found };
    }
    if (isQuoted) closedAt = found;
    const opens = found === 0 || closedAt === found - 1 ||
      (separator === undefined ? /[,;\t]/.test(before) : before === separator);
    // Inside an unquoted field, a quote is an ordinary character.
    isQuoted = !isQuoted && opens;
  }
}

type Separator = "," | ";" | "\t";

function guessSeparator(line: string): Separator {
  const unquoted = line.replace(/"(?:[^"]|"")*"/g, "");
  const count = (sign: string): number => unquoted.split(sign).length;
  const signs = [",", ";", "\t"] as const;
  return signs.reduce((best, sign) => count(sign) > count(best) ? sign : best, ",");
}

function parseRecord(text: string, line: number, separator: Separator): string[] {
  // The decoder writes this character for bytes that are not UTF-8.
  const fault = text.indexOf("\uFFFD");
  if (fault >= 0) {
    throw new CsvError(line + countLines(text.slice(0, fault)), validationMessage("csvUtf8"));
  }
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    let value: string;
    if (text[at] === '"') {
      const [quoted] = /^"(?:[^"]|"")*"/.exec(text.slice(at)) ?? [];
      if (quoted === undefined) throw new CsvError(line, validationMessage("csvQuote"));
      value = quoted.slice(1, -1).replaceAll('""', '"');
      at += quoted.length;
    } else {
      const end = text.indexOf(separator, at);
      value = text.slice(at, end < 0 ? undefined : end);
      at += value.length;
    }
    const plain = shielded.test(value) ? value.slice(1) : value;
    fields.push(mayHide.test(plain) ? plain.replace(inner[separator].shielded, "$1$2") : plain);
    if (at >= text.length) return fields;
    if (text[at] !== separator) throw new CsvError(line, validationMessage("csvAfterQuote"));
    at += 1;
  }
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

const partChars = 16_384;

/** A value of a cell; dates are written as ISO 8601, `null` as an empty cell. */
export type CsvValue = string | number | bigint | boolean | Date | null | undefined;

/**
 * Writes rows as CSV in UTF-8 with a byte order mark, by which spreadsheets detect the encoding. A
 * string, or a part of one, that a spreadsheet would run as a formula is prefixed with an apostrophe.
 *
 * @param rows The rows; the first usually contains the column names.
 * @param options The separator. @default ","
 * @returns The bytes, for `c.download`.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { writeCsv } from "@fw/fw/data";
 *
 * const file = writeCsv([["name", "seats"], ["=1+1", 3]]);
 * assertEquals(await new Response(file).text(), "name,seats\r\n'=1+1,3\r\n");
 * ```
 */
export function writeCsv(
  rows: Iterable<readonly CsvValue[]> | AsyncIterable<readonly CsvValue[]>,
  options: { readonly separator?: "," | ";" | "\t" } = {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { separator = "," } = options;
  async function* write(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const encoder = new TextEncoder();
    // One chunk per row would take ten times as long.
    let part = "\uFEFF";
    for await (const row of rows) {
      const line = row.map((value) => cellText(value, separator)).join(separator);
      // Quoted, because an empty line would not be read as a record.
      part += `${line === "" && row.length === 1 ? '""' : line}\r\n`;
      if (part.length < partChars) continue;
      yield encoder.encode(part);
      part = "";
    }
    yield encoder.encode(part);
  }
  return ReadableStream.from(write());
}

function cellText(value: CsvValue, separator: Separator): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return value instanceof Date ? value.toISOString() : String(value);
  const isFormula = shielded.test(value) || (formula.test(value) && !plainNumber.test(value));
  const outer = isFormula ? `'${value}` : value;
  const text = mayHide.test(outer) ? outer.replace(inner[separator].bare, "$1$2'") : outer;
  return text.includes(separator) || /["\r\n]/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

/** Returns the fields with a cell: all except lists and structs. */
export function csvFields<T>(schema: StructSchema<T>): readonly FormFieldFacts[] {
  return readFormFields(schema).filter(({ kind }) => !/^(?:list|texts|struct)$/.test(kind));
}

/**
 * Writes rows as a CSV file that {@linkcode importCsv} reads: the first record names the fields.
 * Instants are written in UTC, amounts of money with a decimal point. Lists and structs are omitted.
 *
 * @param schema The struct of a row, whose fields are the columns.
 * @param rows The rows, for example from `inBatches`; properties that are not fields are ignored.
 * @returns The bytes, for `c.download`.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { exportCsv, money, struct, text } from "@fw/fw/data";
 *
 * const Line = struct({ title: text(), price: money("EUR") });
 * const file = exportCsv(Line, [{ title: "=1+1", price: 1250 }]);
 * assertEquals(await new Response(file).text(), "title,price\r\n'=1+1,12.50\r\n");
 * ```
 */
export function exportCsv<T>(
  schema: StructSchema<T>,
  rows: Iterable<T> | AsyncIterable<T>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const fields = csvFields(schema);
  async function* records(): AsyncGenerator<readonly CsvValue[]> {
    yield fields.map(({ name }) => name);
    for await (const row of rows) {
      const values = new Map(Object.entries(Object(row)));
      yield fields.map((field) => cellValue(values.get(field.path), field));
    }
  }
  // The server reads the rows after the handler returned; they may need its context (the tenant).
  const inCaller = AsyncLocalStorage.snapshot();
  const iterator = records();
  return writeCsv({
    [Symbol.asyncIterator]: () => ({
      next: () => inCaller(() => iterator.next()),
      return: () => inCaller(() => iterator.return(undefined)),
    }),
  });
}

function cellValue(value: unknown, { currency }: FormFieldFacts): CsvValue {
  if (typeof value === "number" && currency !== undefined) {
    return formatMoney(value, { currency, language: "en" });
  }
  return value as CsvValue;
}
