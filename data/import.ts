import { FieldErrors } from "../mod.ts";
import { bindTexts, type FormFieldFacts, validationMessage } from "../runtime/addon.ts";
import type { StructSchema } from "../runtime/schema/mod.ts";
import { CsvError, csvFields, readCsv } from "./csv.ts";
import { type ChoiceSource, labelProperty, readLabelled } from "./choices.ts";
import type { Db } from "./db.ts";
import { takeTurn } from "./engine.ts";
import { keep } from "./errors.ts";

/** Options of {@linkcode importCsv}. */
export interface ImportCsvOptions<T, Added = unknown> {
  /** The database. */
  readonly db: Db;
  /** The struct of a row. */
  readonly rows: StructSchema<T>;
  /** Adds up to 500 rows and returns the argument for `remove`, such as their ids. */
  readonly add: (rows: readonly T[]) => Promise<Added>;
  /**
   * Removes added rows. If it is given, each transaction ends after 20 ms and another continues, so
   * that other writes wait no longer on SQLite; a later fault removes all rows again.
   *
   * @default one transaction for all rows
   */
  readonly remove?: (added: Added) => Promise<unknown>;
  /** Whether rows are only checked and not stored. @default false */
  readonly isPreview?: boolean;
  /**
   * The referenced tables by property. For `readerId` the file may also have a column `readerName` with the label
   * of the row: beside the id both must match, without an id exactly one row must have the label. @default none
   */
  readonly references?: Readonly<Record<string, ChoiceSource>>;
}

/** An error in a line of a file. */
export interface CsvFault<T> {
  /** The line on which the record starts, from 1. */
  readonly line: number;
  /** The field; `undefined` for the whole line. */
  readonly field: (keyof T & string) | undefined;
  /** The message, in the language of the request. */
  readonly message: string;
}

/** The result of an import. */
export interface ImportedCsv<T> {
  /** Number of rows added, or to be added after a preview; 0 if there are faults. */
  readonly count: number;
  /** The first five rows. */
  readonly first: readonly T[];
  /** Faults by line, up to 100; if there are any, nothing was added. */
  readonly faults: readonly CsvFault<T>[];
}

/** Rows per statement. FTS5 writes its index at each statement, so fewer rows would be slower. */
const batchRows = 500;

/** The time after which a transaction ends to let other writes run. */
const holdMs = 20;

const maxRows = 100_000;
const shownRows = 5;
const maxFaults = 100;

const maxShownChars = 200;

/**
 * Adds the rows of a CSV file, at most 100,000: all or none. The first record names fields of the struct, in
 * any order; the others are read like forms. Empty rows and empty trailing columns, which spreadsheets write,
 * are skipped. A violated constraint is a fault of its line. SQLite has one writer, so other writes wait for
 * the import, about a second for 50,000 rows; reads do not. With `remove` writes do not wait either, but
 * other requests see rows before the import has ended, a process that ends during the import leaves them
 * behind, rows that others have referenced meanwhile stay and cause an error, and a preview of a long file
 * does not find duplicates of a unique value.
 *
 * @param source The bytes of the file in UTF-8.
 * @param options The database, the struct of a row and the functions that add and remove rows.
 * @returns The number of added rows, 0 with faults, the first rows, and the faults.
 * @throws Errors of `add` other than violated constraints; with `remove`, the error of unremovable rows.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { importCsv, int, struct, text, values } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const City = struct({ name: text("required"), peopleCount: int("min=1") });
 * await using db = await openSqlite(":memory:");
 * await db.run`create table cities (name text unique, people_count integer) strict`;
 * const file = new Blob(["name,peopleCount\nLisboa,567131\nPorto,0\n"]);
 * const { faults } = await importCsv(file.stream(), {
 *   db,
 *   rows: City,
 *   add: (rows) => db.run`insert into cities ${values(City, rows)}`,
 * });
 * assertEquals(faults, [{ line: 3, field: "peopleCount", message: "must be at least 1" }]);
 * ```
 */
export async function importCsv<T, Added = unknown>(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  options: ImportCsvOptions<T, Added>,
): Promise<ImportedCsv<T>> {
  const read = await readRows(source, options);
  const faults = read.faults.length > 0 ? read.faults : await addRows(read.rows, options);
  return {
    count: faults.length > 0 ? 0 : read.rows.length,
    first: read.rows.slice(0, shownRows).map(({ value }) => value),
    faults: faults.slice(0, maxFaults),
  };
}

interface Row<T> {
  readonly line: number;
  readonly value: T;
}

async function readRows<T>(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  options: Omit<ImportCsvOptions<T>, "add" | "remove">,
): Promise<{ readonly rows: readonly Row<T>[]; readonly faults: readonly CsvFault<T>[] }> {
  const { db, rows: schema, references = {} } = options;
  const rows: Row<T>[] = [];
  const faults: CsvFault<T>[] = [];
  const fail = (line: number, message: string): void =>
    void faults.push({ line, field: undefined, message });
  const own = csvFields(schema);
  const labels = labelColumns(own, references);
  const known = [...own, ...labels].map(({ name }) => name);
  const flags = new Set(own.flatMap(({ kind, name }) => kind === "bool" ? name : []));
  let names: readonly string[] | undefined;
  const records: CsvRecord[] = [];
  const bind = async (): Promise<void> => {
    const some = records.splice(0);
    const unknown = new Set<number>();
    for (const column of labels) {
      for (const fault of await findReferences<T>(db, column, some)) {
        faults.push(fault);
        unknown.add(fault.line);
      }
    }
    for (const { line, texts } of some) {
      if (unknown.has(line)) continue;
      const bound = await bindTexts(schema, texts);
      if (bound.ok) rows.push({ line, value: bound.value });
      else faults.push(...faultsOf(schema, line, bound.errors));
    }
    await takeTurn();
  };
  try {
    for await (const { line, fields } of readCsv(source)) {
      if (names === undefined) {
        const all = fields.map((name) => name.trim());
        names = all.slice(0, Math.max(all.findLastIndex((name) => name !== ""), 0) + 1);
        const unknown = names.find((name, at) =>
          !known.includes(name) || names?.indexOf(name) !== at
        );
        if (unknown === undefined) continue;
        const param = `"${unknown.slice(0, maxShownChars)}": ${known.join(", ")}`;
        fail(line, validationMessage("csvColumn", { param }));
        break;
      }
      if (faults.length >= maxFaults) break;
      if (rows.length + records.length >= maxRows) {
        fail(line, validationMessage("csvRows", { param: String(maxRows) }));
        break;
      }
      // Spreadsheets also write emptied cells.
      if (fields.length > 1 && fields.every((field) => field === "")) continue;
      if (
        fields.length < names.length || fields.slice(names.length).some((field) => field !== "")
      ) {
        fail(line, validationMessage("csvWidth", { param: String(names.length) }));
        continue;
      }
      const texts = names.map((name, at) => {
        const text = fields[at] ?? "";
        // Spreadsheets save `true` as `TRUE`.
        return [name, [flags.has(name) ? text.toLowerCase() : text]] as const;
      });
      records.push({ line, texts: new Map(texts) });
      if (records.length === batchRows) await bind();
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    fail(error.line, error.message.replace(/^Line \d+: /, ""));
  }
  await bind();
  return { rows, faults: faults.sort((a, b) => a.line - b.line) };
}

interface CsvRecord {
  readonly line: number;
  readonly texts: Map<string, readonly string[]>;
}

interface LabelColumn {
  readonly name: string;
  readonly field: FormFieldFacts;
  readonly source: ChoiceSource;
}

function labelColumns(
  fields: readonly FormFieldFacts[],
  references: Readonly<Record<string, ChoiceSource>>,
): readonly LabelColumn[] {
  return Object.entries(references).flatMap(([property, source]) => {
    const name = labelProperty(property);
    const field = fields.find(({ path }) => path === property);
    const isOwn = fields.some((other) => other.name === name);
    return name === undefined || field === undefined || isOwn ? [] : [{ name, field, source }];
  });
}

/** Sets the ids of the rows that labels name. Returns a fault for each label that names not exactly one. */
async function findReferences<T>(
  db: Db,
  { name, field, source }: LabelColumn,
  records: readonly CsvRecord[],
): Promise<readonly CsvFault<T>[]> {
  const asked = records.flatMap(({ line, texts }) => {
    const [[label = ""] = [], [id = ""] = []] = [texts.get(name), texts.get(field.name)];
    return label === "" ? [] : [{ line, texts, label, id: id.trim() }];
  });
  const { byId, byLabel } = await readLabelled(db, {
    ...source,
    ids: asked.flatMap(({ id }) => /^\d{1,15}$/.test(id) ? Number(id) : []),
    // Postgres refuses text with a NUL.
    labels: asked.flatMap(({ id, label }) => id === "" && !label.includes("\0") ? label : []),
  });
  const labels = new Map(byId.map(({ value, label }) => [String(value), label]));
  const found = new Map(byLabel.map((row) => [row.label, row]));
  return asked.flatMap(({ line, texts, label, id }) => {
    const { value, count = 0 } = found.get(label) ?? {};
    if (id === "" && count === 1) {
      texts.set(field.name, [String(value)]);
      return [];
    }
    // The database refuses the id of a missing row.
    if (id !== "" && (labels.get(id) ?? label) === label) return [];
    const code = id !== "" ? "csvLabelOther" : count > 1 ? "csvLabelTwice" : "csvLabel";
    const message = validationMessage(code, { param: `"${label.slice(0, maxShownChars)}"` });
    return [{ line, field: field.path as keyof T & string, message }];
  });
}

async function addRows<T, Added>(
  rows: readonly Row<T>[],
  options: ImportCsvOptions<T, Added>,
): Promise<readonly CsvFault<T>[]> {
  const { rows: schema, db, add, remove, isPreview = false } = options;
  const faults: CsvFault<T>[] = [];
  /** Adds rows with one statement or, if it is refused, one by one to find the faulty row. */
  const addSome = async (some: readonly Row<T>[], slice: Added[]): Promise<void> => {
    const errors = new FieldErrors();
    const values = some.map(({ value }) => value);
    const done = await keep(errors, db.tx(async () => ({ added: await add(values) })));
    if (done !== undefined) return void slice.push(done.added);
    const [row, second] = some;
    if (row !== undefined && second === undefined) {
      return void faults.push(...faultsOf(schema, row.line, errors));
    }
    for (const each of some) {
      if (faults.length >= maxFaults) return;
      await addSome([each], slice);
      // Finding the key of a refused row takes milliseconds.
      await takeTurn();
    }
  };
  let at = 0;
  const addSlice = async (): Promise<Added[]> => {
    const slice: Added[] = [];
    const endMs = remove === undefined ? Infinity : performance.now() + holdMs;
    do {
      await addSome(rows.slice(at, at += batchRows), slice);
      await takeTurn();
    } while (at < rows.length && faults.length < maxFaults && performance.now() < endMs);
    if (faults.length > 0 || isPreview) throw new Undone();
    return slice;
  };
  const added: Added[] = [];
  try {
    while (at < rows.length && faults.length < maxFaults) {
      try {
        added.push(...await db.tx(addSlice));
      } catch (error) {
        if (!(error instanceof Undone)) throw error;
      }
    }
  } catch (error) {
    const failure = await removeAll(added, remove);
    if (failure === undefined) throw error;
    const message = `Cannot remove the rows of an import that failed: ${failure}`;
    throw new Error(message, { cause: error });
  }
  const failure = faults.length > 0 && await removeAll(added, remove);
  if (failure) throw failure;
  return faults;
}

/** Removes added rows one by one. Returns an error if other users have referenced one meanwhile, so that it stays. */
async function removeAll<Added>(
  added: readonly Added[],
  remove: ((added: Added) => Promise<unknown>) | undefined,
): Promise<unknown> {
  let failure: unknown;
  for (const each of added) {
    await Promise.try(() => remove?.(each)).catch((error) => failure ??= error);
  }
  return failure;
}

class Undone extends Error {}

function faultsOf<T>(
  schema: StructSchema<T>,
  line: number,
  errors: FieldErrors,
): readonly CsvFault<T>[] {
  return [...errors].map(([name, message]) => {
    const known = csvFields(schema).find((each) => each.name === name);
    // The path of a field in a flat struct is a property name.
    return { line, field: known?.path as (keyof T & string) | undefined, message };
  });
}
