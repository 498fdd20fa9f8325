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
  const exec = (text: string): Promise<void> => {
    // SQLite would ignore the text after it.
    if (text.includes("\0")) throw new Error("the text contains U+0000");
    return retryBusy(migrationWaitMs, () => database.exec(text));
  };
  const all = (text: string): readonly (readonly unknown[])[] =>
    database.prepare(text).all().map((row) => Object.values(row));
  // Set before the transaction, inside which it has no effect.
  database.exec("pragma foreign_keys = off");
  try {
    // `vacuum` cannot run in a transaction; if two processes run it at once, it may run twice.
    if (!alone) await exec("begin immediate");
    const value = await task({ exec, execAlone: exec, all });
    if (!alone) database.exec("commit");
    return value;
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw isBusy(error) ? toSqliteError(error, { database }) : error;
  } finally {
    database.exec("pragma foreign_keys = on");
  }
}
