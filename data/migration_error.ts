/**
 * The reason for refusing migrations: a malformed `name`; a missing or repeated `number`; a file
 * without a statement (`empty`); several statements in a file with `-- fw: alone` (`alone`); a
 * statement that begins or ends a transaction (`transaction`); a migration `changed` after it was
 * applied, or `missing` from the application; a statement that `failed`; or rows with broken
 * references afterwards (`foreign-key`).
 */
export type MigrationErrorCode =
  | "name"
  | "number"
  | "empty"
  | "alone"
  | "transaction"
  | "changed"
  | "missing"
  | "failed"
  | "foreign-key";

/**
 * Thrown when migrations cannot be applied. The named one is rolled back, unless it runs alone.
 *
 * @example
 * ```ts
 * import { assertEquals, assertRejects } from "@std/assert";
 * import { MigrationError } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const migrations = [{ name: "0001_create_notes", sql: "create tabel notes (text text);" }];
 * const error = await assertRejects(() => openSqlite(":memory:", { migrations }), MigrationError);
 * assertEquals([error.code, error.migration, error.line], ["failed", "0001_create_notes", 1]);
 * ```
 */
export class MigrationError extends Error {
  /** The name of the class. */
  override readonly name: string = "MigrationError";
  /** The reason, stable across versions. */
  readonly code: MigrationErrorCode;
  /** The name of the migration. */
  readonly migration: string;
  /** The line in its text, from 1; `undefined` for the whole file. */
  readonly line: number | undefined;
  /** The engine's message, the text found, or the name expected; otherwise `""`. */
  readonly detail: string;

  /**
   * Creates the error.
   *
   * @param code The reason.
   * @param options The name of the migration, its line from 1, the detail and the cause.
   */
  constructor(
    code: MigrationErrorCode,
    options: {
      readonly migration: string;
      readonly line?: number;
      readonly detail?: string;
      readonly cause?: unknown;
    },
  ) {
    const { migration, line, detail = "", cause } = options;
    const place = line === undefined ? `${migration}.sql` : `${migration}.sql:${line}`;
    const quoted = code === "name" || code === "missing" ? migration : place;
    super(`Cannot apply the migration "${quoted}": ${texts[code](detail)}`, { cause });
    this.code = code;
    this.migration = migration;
    this.line = line;
    this.detail = detail;
  }
}

const texts: Readonly<Record<MigrationErrorCode, (detail: string) => string>> = {
  name: () => "a name is four digits, then small letters, digits and _, such as 0001_create_notes.",
  number: (detail) => `this should be number ${detail}. Number the migrations consecutively.`,
  empty: () => "it has no statement. Write one, or delete the file if it was never applied.",
  alone: () =>
    "a second statement stands in a file with -- fw: alone. Write it as a migration of its own.",
  transaction: (detail) =>
    `remove "${detail}": all migrations that are missing run in one transaction, on one database.`,
  changed: () =>
    "it was changed after it was applied. Restore it, and write the change as a new migration; " +
    "a database of development may be deleted instead.",
  missing: (detail) =>
    `the database has it where the application has ${detail}. Restore its file under the ` +
    "name and number that it had.",
  failed: (detail) => `${detail}. Nothing of it stays, unless it runs alone.`,
  "foreign-key": (detail) => `${detail}. Nothing of it stays.`,
};
