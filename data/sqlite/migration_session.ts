import type { DatabaseSync } from "node:sqlite";
import { type MigrationSession, migrationWaitMs } from "../engine.ts";
import { retryBusy } from "./connection.ts";
import { isBusy, toSqliteError } from "./errors.ts";

/** Runs a task and checks foreign keys only at its end, so that a table can be rebuilt. */
export async function runMigrationTask<T>(
  database: DatabaseSync,
  task: (session: MigrationSession) => Promise<T>,
  { alone }: { readonly alone: boolean },
): Promise<T> {
  // Set before the transaction, inside which it has no effect.
  database.exec("pragma foreign_keys = off");
  try {
    // `vacuum` cannot run in a transaction; if two processes run it at once, it may run twice.
    if (!alone) await retryBusy(migrationWaitMs, () => database.exec("begin immediate"));
    const value = await task(migrationSession(database));
    if (!alone) database.exec("commit");
    return value;
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw isBusy(error) ? toSqliteError(error, { database }) : error;
  } finally {
    database.exec("pragma foreign_keys = on");
  }
}

function migrationSession(database: DatabaseSync): MigrationSession {
  const exec = (text: string): Promise<void> =>
    retryBusy(migrationWaitMs, () => runMigration(database, text));
  return {
    exec,
    execAlone: exec,
    all: async (text) => {
      await undefined;
      return database.prepare(text).all().map((row) => Object.values(row));
    },
    findViolation: async () => {
      await undefined;
      return findViolation(database);
    },
    errorOffset,
  };
}

function runMigration(database: DatabaseSync, text: string): void {
  // SQLite would ignore the text after it.
  if (text.includes("\0")) throw new Error("the text contains U+0000");
  database.exec(text);
}

/** Describes a row with a broken reference; `undefined` if there is none. */
function findViolation(database: DatabaseSync): string | undefined {
  const row = database.prepare("pragma foreign_key_check").get();
  return row &&
    `row ${row["rowid"]} of "${row["table"]}" points at a row of "${row["parent"]}" ` +
      "that does not exist";
}

/** Returns the position of an error in a statement, in characters from 0. */
function errorOffset(error: unknown, text: string): number {
  const [, offset] = / at offset (\d+)$/.exec(error instanceof Error ? error.message : "") ?? [];
  // The offset counts bytes.
  const before = new TextEncoder().encode(text).subarray(0, Number(offset ?? 0));
  return new TextDecoder().decode(before).length;
}
