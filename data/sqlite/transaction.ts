/**
 * A change that happens as a whole or not at all.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";

/**
 * Runs a change in a transaction. When it throws, nothing of it stays. Other processes that write wait
 * until it has ended.
 *
 * @param db The database, outside of a transaction.
 * @param change Must be synchronous: other requests would write inside the transaction meanwhile.
 * @returns What the change returns.
 * @throws {TypeError} if the change returns a promise; whatever the change throws.
 * @example
 * ```ts
 * import { assertEquals, assertThrows } from "@std/assert";
 * import { inTransaction, openSqliteSync } from "@fw/fw/sqlite";
 *
 * const db = openSqliteSync(":memory:");
 * db.exec("create table seats (left integer not null)");
 * assertThrows(() =>
 *   inTransaction(db, () => {
 *     db.exec("insert into seats values (3)");
 *     throw new Error("sold out");
 *   })
 * );
 * assertEquals(db.prepare("select * from seats").all(), []);
 * db.close();
 * ```
 */
export function inTransaction<T>(db: DatabaseSync, change: () => T): T {
  db.exec("begin immediate");
  try {
    const result = change();
    if (result instanceof Promise) {
      result.catch(() => {});
      throw new TypeError(
        "Cannot commit the transaction: its function returned a promise. Make it synchronous, " +
          "and do what must be awaited before it.",
      );
    }
    db.exec("commit");
    return result;
  } catch (error) {
    // After some errors, such as a full disk, SQLite has rolled back already.
    if (db.isTransaction) db.exec("rollback");
    throw error;
  }
}
