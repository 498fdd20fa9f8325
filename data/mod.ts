/**
 * Typed rows, transactions, constraint errors, search and pages over SQL, the same on SQLite and Postgres. It is
 * not an ORM: an application writes SQL, and this package binds values and checks rows.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int, struct, text, values } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const City = struct({ name: text("required"), peopleCount: int() });
 * await using db = await openSqlite(":memory:");
 * await db.run`create table cities (name text not null, people_count integer not null) strict`;
 * await db.tx(async () => {
 *   await db.run`insert into cities ${values(City, { name: "Lisboa", peopleCount: 567_131 })}`;
 * });
 * assertEquals((await db.one(City)`select ${City} from cities`).peopleCount, 567_131);
 * ```
 *
 * @module
 */
export {
  bool,
  date,
  day,
  float,
  type Infer,
  int,
  int64,
  list,
  money,
  struct,
  text,
  texts,
} from "../mod.ts";
export { CsvError, type CsvRecord, type CsvValue, exportCsv, readCsv, writeCsv } from "./csv.ts";
export { type CsvFault, importCsv, type ImportCsvOptions, type ImportedCsv } from "./import.ts";
export type { Db, DbOptions, Query, Reads, TxOptions } from "./db.ts";
export type { RowSchema } from "./rows.ts";
export {
  BusyError,
  ConstraintError,
  type ConstraintInfo,
  type ConstraintKind,
  keep,
  MigrationError,
  type MigrationErrorCode,
  RowError,
} from "./errors.ts";
export { migrate, type Migration, type MigrationStatus, readMigrationStatus } from "./migrate.ts";
export { readSchema } from "./schema.ts";
export {
  inBatches,
  type Keyset,
  keyset,
  type KeysetOptions,
  type OrderKey,
  type Page,
} from "./pages.ts";
export { type Change, changedBy, renameAuthor } from "./history.ts";
export { type FileName, pictureTypes, type RowFile, type RowFiles, tableFiles } from "./files.ts";
export { contains } from "./search.ts";
export { type Choice, type ChoiceSource, readChoices, type StoredIds } from "./choices.ts";
export type { ChildTable } from "./child_rows.ts";
export type { Growth, ListQuery, TableOptions } from "./table_list.ts";
export { TableStore } from "./table_store.ts";
export { columns, rowTag, set, values } from "./row_parts.ts";
export { among, and, type Condition, json, name, notAmong, or, Sql, sql, where } from "./sql.ts";
