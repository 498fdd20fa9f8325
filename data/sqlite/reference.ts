import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Call } from "../engine.ts";
import type { ConstraintInfo } from "../errors.ts";
import { blankStrings, changedTable } from "../statements.ts";

interface ForeignKey {
  /** The table with the foreign key. */
  readonly table: string;
  readonly from: readonly string[];
  readonly parent: string;
  readonly to: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;

/** Maximum number of rows to check; beyond it, the error names no column. */
const maxRows = 1_000;

export function tableColumns(database: DatabaseSync, table: string): string[] {
  return database.prepare("select name from pragma_table_info(?)").all(table).map((row) =>
    String(row["name"])
  );
}

/**
 * Finds the foreign key that refused a statement or, without a statement, a commit, because SQLite
 * does not name it. The statement runs again with deferred keys, inside a savepoint that is rolled
 * back, and its rows are checked.
 */
export function findReference(database: DatabaseSync, call: Call | undefined): ConstraintInfo {
  const changed = call === undefined ? undefined : changedTable(call.plan.text);
  if (call === undefined || changed === undefined) return findAtCommit(database);
  const { verb, table } = changed;
  const isInside = database.isTransaction;
  database.exec("savepoint fw_reference");
  try {
    database.exec("pragma defer_foreign_keys = on");
    const missing = verb === "delete"
      ? undefined
      : findMissing(database, table, changedRows(database, call));
    if (missing !== undefined) return { kind: "reference", table, columns: missing.from };
    const rows = verb === "delete" ? deletedRows(database, call) : [];
    const used = findUsed(database, table, rows);
    return { kind: "referenced", table: used?.table ?? table, columns: used?.from ?? [] };
  } catch {
    // If a trigger or a clause prevents the repetition, only the kind is known.
    return { kind: verb === "delete" ? "referenced" : "reference", table, columns: [] };
  } finally {
    database.exec("rollback to fw_reference; release fw_reference");
    if (isInside) database.exec("pragma defer_foreign_keys = off");
  }
}

function findAtCommit(database: DatabaseSync): ConstraintInfo {
  const row = database.prepare("pragma foreign_key_check").get();
  const table = String(row?.["table"] ?? "");
  const keys = foreignKeys(database, table);
  return { kind: "reference", table, columns: keys.get(Number(row?.["fkid"]))?.from ?? [] };
}

function changedRows(database: DatabaseSync, { plan, values }: Call): Row[] {
  const text = `${withoutReturning(plan.text)} returning *`;
  return take(database, text, values);
}

/** Reads the rows to be deleted, because `on delete restrict` cannot be deferred. */
function deletedRows(database: DatabaseSync, { plan, values }: Call): Row[] {
  const text = withoutReturning(plan.text);
  const found = /\bdelete\s+from\b/i.exec(blankStrings(text));
  if (found === null) return [];
  const query = `${text.slice(0, found.index)}select * from${
    text.slice(found.index + found[0].length)
  }`;
  return take(database, query, values);
}

function take(database: DatabaseSync, text: string, values: Call["values"]): Row[] {
  const rows: Row[] = [];
  const statement = database.prepare(text);
  // Without bigints, iterating would silently stop at an unsafe integer.
  const isOn = true;
  statement.setReadBigInts(isOn);
  for (const row of statement.iterate(...values as readonly SQLInputValue[])) {
    rows.push(row);
    if (rows.length >= maxRows) break;
  }
  return rows;
}

function withoutReturning(text: string): string {
  const at = blankStrings(text).search(/\breturning\b(?![^]*\breturning\b)/i);
  return at < 0 ? text : text.slice(0, at);
}

function foreignKeys(database: DatabaseSync, table: string): Map<number, ForeignKey> {
  const keys = new Map<number, ForeignKey & { from: string[]; to: string[] }>();
  const rows = database.prepare("select * from pragma_foreign_key_list(?) order by id, seq").all(
    table,
  );
  for (const row of rows) {
    const id = Number(row["id"]);
    const key = keys.get(id) ?? { table, parent: String(row["table"]), from: [], to: [] };
    key.from.push(String(row["from"]));
    key.to.push(
      row["to"] === null ? primaryKey(database, key.parent, key.to.length) : String(row["to"]),
    );
    keys.set(id, key);
  }
  return keys;
}

/** Returns the primary key column to which a foreign key without columns refers. */
function primaryKey(database: DatabaseSync, table: string, index: number): string {
  const row = database.prepare("select name from pragma_table_info(?) where pk = ?").get(
    table,
    index + 1,
  );
  return String(row?.["name"] ?? "rowid");
}

function findMissing(
  database: DatabaseSync,
  table: string,
  rows: readonly Row[],
): ForeignKey | undefined {
  return [...foreignKeys(database, table).values()].find(({ parent, from, to }) =>
    rows.some((row) => {
      const values = from.map((column) => row[column]);
      return !values.includes(null) && !hasRow(database, { table: parent, columns: to, values });
    })
  );
}

function findUsed(
  database: DatabaseSync,
  table: string,
  rows: readonly Row[],
): ForeignKey | undefined {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  const keys = tables.flatMap((row) => [...foreignKeys(database, String(row["name"])).values()])
    .filter(({ parent }) => parent.toLowerCase() === table.toLowerCase());
  const used = keys.find(({ table, from, to }) =>
    rows.some((row) =>
      hasRow(database, { table, columns: from, values: to.map((column) => row[column]) })
    )
  );
  return used ?? (keys.length === 1 ? keys[0] : undefined);
}

function hasRow(
  database: DatabaseSync,
  wanted: {
    readonly table: string;
    readonly columns: readonly string[];
    readonly values: readonly unknown[];
  },
): boolean {
  const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  const condition = wanted.columns.map((column) => `${quote(column)} = ?`).join(" and ");
  const statement = database.prepare(
    `select 1 from ${quote(wanted.table)} where ${condition} limit 1`,
  );
  return statement.get(...wanted.values as readonly SQLInputValue[]) !== undefined;
}
