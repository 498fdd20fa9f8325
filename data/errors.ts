import { FieldErrors, HttpError, Problem } from "../mod.ts";
import { validationMessage } from "../runtime/addon.ts";
import { propertyName } from "./columns.ts";

/** Thrown when a row does not match its schema: a fault of the statement or of the stored data. */
export class RowError extends TypeError {
  /** The name of the class. */
  override readonly name: string = "RowError";
  /** The column. */
  readonly column: string;

  /**
   * Creates the error.
   *
   * @param column The name of the column.
   * @param why The reason, as a clause without a full stop.
   */
  constructor(column: string, why: string) {
    super(`Cannot read the column "${column}": ${why}.`);
    this.column = column;
  }
}

/**
 * The kind of violated constraint: a value already in use (`unique`), a missing referenced row
 * (`reference`), a row that others still reference (`referenced`), a missing value (`null`), or a
 * failed `check`, such as a number that the column cannot hold.
 */
export type ConstraintKind = "unique" | "reference" | "referenced" | "null" | "check";

const messageKeys: Readonly<Record<ConstraintKind, string>> = {
  unique: "taken",
  reference: "noSuch",
  referenced: "inUse",
  null: "required",
  check: "bindInvalid",
};

/** The details of a violated constraint, and the error of the driver. */
export type ConstraintInfo =
  & Pick<ConstraintError, "kind" | "table" | "columns">
  & Partial<Pick<ConstraintError, "constraint" | "path" | "cause">>;

/**
 * Thrown when a database constraint refuses a statement. If it is not caught, the response is a 409
 * (`unique`, `referenced`) or 422 with a message for each field.
 *
 * @example
 * ```ts
 * import { assertEquals, assertRejects } from "@std/assert";
 * import { ConstraintError } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * await using db = await openSqlite(":memory:");
 * await db.run`create table users (email text unique) strict`;
 * await db.run`insert into users values (${"ada@example.org"})`;
 * const again = db.run`insert into users values (${"ada@example.org"})`;
 * const error = await assertRejects(() => again, ConstraintError);
 * assertEquals([error.kind, error.table, error.columns], ["unique", "users", ["email"]]);
 * ```
 */
export class ConstraintError extends Problem {
  /** The name of the class. */
  override readonly name: string = "ConstraintError";
  /** The stable code of the class. */
  override readonly code: string = "constraint";
  /** Kind of the constraint. */
  readonly kind: ConstraintKind;
  /** The table whose constraint it is; `""` if the engine does not tell. */
  readonly table: string;
  /** Its columns, as far as they are known. */
  readonly columns: readonly string[];
  /** The name of the constraint or of its index; `undefined` without one. */
  readonly constraint: string | undefined;
  /** The place of the row inside another one, such as `lines.2`; `undefined` for the row itself. */
  readonly path: string | undefined;

  /**
   * Creates the error.
   *
   * @param info The kind, the place and the driver's error.
   */
  constructor(info: ConstraintInfo) {
    const { kind, table, columns, constraint, path, cause } = info;
    const fields = new FieldErrors();
    const message = validationMessage(messageKeys[kind]);
    for (const column of columns) fields.add(inside(path, propertyName(column)), message);
    const status = kind === "unique" || kind === "referenced" ? 409 : 422;
    super({ status, ...(fields.any() && { fields }), cause });
    this.kind = kind;
    this.table = table;
    this.columns = columns;
    this.constraint = constraint;
    this.path = path;
    this.message = `The database refused a change of "${table}": ${kind}` +
      (columns.length > 0
        ? ` (${columns.join(", ")})`
        : constraint === undefined
        ? ""
        : ` (${constraint})`);
  }
}

function inside(path: string | undefined, property: string): string {
  return path === undefined ? property : `${path}.${property}`;
}

/** Names the statement in an error of the driver, which contains only the place of the mistake. */
export function malformedError(cause: Error, text: string): Error {
  const statement = text.replace(/\s+/g, " ").trim().slice(0, 500);
  return new Error(`Cannot run "${statement}": ${cause.message}`, { cause });
}

/** Thrown when the database is busy, disconnected or full. The response is a 503 with `Retry-After`. */
export class BusyError extends HttpError {
  /** The name of the class. */
  override readonly name: string = "BusyError";

  /**
   * Creates the error.
   *
   * @param message The message for the log; clients see only the status.
   * @param options `cause`: the error of the driver.
   */
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(503, message, {
      code: "database_busy",
      headers: { "retry-after": "1" },
      cause: options.cause,
    });
  }
}

/**
 * Awaits a change and converts a violated constraint to error messages of a form.
 *
 * @param errors The errors to which the messages are added, such as `input.errors` of `c.tryBind`.
 * @param change The change, which must return a value: `undefined` means refused. Its other errors are passed on.
 * @param messages Messages by property or by the name of a constraint. @default the validation messages `taken`,
 * `noSuch`, `inUse`, `required` and `bindInvalid`
 * @returns The result of the change; `undefined` if a constraint refused it.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { FieldErrors } from "@fw/fw";
 * import { keep } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * await using db = await openSqlite(":memory:");
 * await db.run`create table users (email text unique) strict`;
 * const add = () => db.run`insert into users values (${"ada@example.org"})`;
 * const errors = new FieldErrors();
 * assertEquals(await keep(errors, add()), 1);
 * assertEquals(await keep(errors, add(), { email: "is used by another customer" }), undefined);
 * assertEquals(errors.get("email"), "is used by another customer");
 * ```
 */
export async function keep<T extends object | string | number | bigint | boolean | null>(
  errors: FieldErrors,
  change: Promise<T | undefined>,
  messages: Readonly<Record<string, string>> = {},
): Promise<T | undefined> {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    const { kind, columns, constraint, path } = error;
    const own = (name: string): string | undefined =>
      Object.hasOwn(messages, name) ? messages[name] : undefined;
    const named = constraint === undefined ? undefined : own(constraint);
    const properties = columns.map(propertyName);
    // A constraint over several columns is reported once: at a field named by the caller, else the first.
    const chosen = properties.filter((property) => own(property) !== undefined);
    const [first = constraint ?? ""] = properties;
    for (const property of chosen.length > 0 ? chosen : [first]) {
      const field = property === "" ? path ?? "" : inside(path, property);
      errors.add(field, named ?? own(property) ?? validationMessage(messageKeys[kind]));
    }
    return undefined;
  }
}

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
    super(`Cannot apply the migration "${quoted}": ${migrationTexts[code](detail)}`, { cause });
    this.code = code;
    this.migration = migration;
    this.line = line;
    this.detail = detail;
  }
}

const migrationTexts: Readonly<Record<MigrationErrorCode, (detail: string) => string>> = {
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
