import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Call } from "../engine.ts";
import type { ConstraintInfo } from "../errors.ts";
import { blankStrings, changedTable } from "../statements.ts";

interface ForeignKey {
  readonly id: number;
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
  const changed = call === undefined ? undefined : changedTable(call.plan.text, "sqlite");
  if (call === undefined || changed === undefined) return findAtCommit(database);
  const { verb, table } = changed;
  const isInside = database.isTransaction;
  database.exec("savepoint fw_reference");
  try {
    database.exec("pragma defer_foreign_keys = on");
    const isSame = (name: string): boolean => name.toLowerCase() === table.toLowerCase();
    const isMissing = ({ parent, from, to }: ForeignKey) => (row: Row): boolean => {
      const values = from.map((column) => row[column]);
      return !values.includes(null) && !hasRow(database, { table: parent, columns: to, values });
    };
    const isUsed = ({ table, from, to }: ForeignKey) => (row: Row): boolean =>
      hasRow(database, { table, columns: from, values: to.map((column) => row[column]) });
    const keys = foreignKeys(database);
    const users = keys.filter((key) => isSame(key.parent));
    let used: ForeignKey | undefined;
    if (verb === "delete") {
      const rows = deletedRows(database, call);
      used = users.find((key) => rows.some(isUsed(key)));
    } else {
      const rows = changedRows(database, call);
      const missing = keys.find((key) => isSame(key.table) && rows.some(isMissing(key)));
      if (missing !== undefined || rows.length >= maxRows) {
        return { kind: "reference", table, columns: missing?.from ?? [] };
      }
    }
    if (users.length === 1) [used] = users;
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
  const row = database.prepare("select * from pragma_foreign_key_check limit 1").get();
  const table = String(row?.["table"] ?? "");
  const key = foreignKeys(database).find((key) => key.table === table && key.id === row?.["fkid"]);
  return { kind: "reference", table, columns: key?.from ?? [] };
}

function changedRows(database: DatabaseSync, { plan, values }: Call): Row[] {
  const text = `${withoutReturning(plan.text)} returning *`;
  return take(database, text, values);
}

/** Reads the rows to be deleted, because `on delete restrict` cannot be deferred. */
function deletedRows(database: DatabaseSync, { plan, values }: Call): Row[] {
  const text = withoutReturning(plan.text);
  const found = /\bdelete\s+from\b/i.exec(blankStrings(text, "sqlite"));
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
  const at = blankStrings(text, "sqlite").search(/\breturning\b(?![^]*\breturning\b)/i);
  return at < 0 ? text : text.slice(0, at);
}

/** Reads all foreign keys; one without columns refers to the primary key. */
function foreignKeys(database: DatabaseSync): ForeignKey[] {
  const rows = database.prepare(`
    select t.name as "table", f.id, f."table" as parent,
      json_group_array(f."from" order by f.seq) as "from",
      json_group_array(coalesce(f."to", (
        select i.name from pragma_table_info(f."table", t.schema) i where i.pk = f.seq + 1
      ), 'rowid') order by f.seq) as "to"
    from pragma_table_list t, pragma_foreign_key_list(t.name, t.schema) f
    where t.type = 'table' group by t.schema, t.name, f.id`).all();
  return rows.map((row) => ({
    id: Number(row["id"]),
    table: String(row["table"]),
    parent: String(row["parent"]),
    from: JSON.parse(String(row["from"])),
    to: JSON.parse(String(row["to"])),
  }));
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
