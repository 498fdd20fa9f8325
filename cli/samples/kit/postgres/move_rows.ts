/**
 * Copies the rows of a SQLite file into empty tables of Postgres in one transaction: `deno run -A
 * scripts/move_rows.ts data/app.sqlite postgres://postgres@127.0.0.1:5432/postgres`
 *
 * @module
 */
import { type Db, int, name, type Sql, sql, struct, text } from "@fw/fw/data";
import { postgresStores } from "@fw/fw/postgres";
import { openSqlite } from "@fw/fw/sqlite";
import { connect } from "../lib/database.ts";

const Column = struct({ column: text(), type: text(), isGenerated: text() });
const Key = struct({ table: text(), other: text() });

/** The number of rows in one statement. */
const batchSize = 500;

/** Copies all tables that both databases have, and the passkeys; returns the row count of each table. */
export async function moveRows(file: string, to: Db): Promise<Readonly<Record<string, number>>> {
  const from = await openSqlite(file, { readOnly: true });
  try {
    // Creates the table of the passkeys.
    await postgresStores(to).passkeys.list("");
    return await to.tx(async () => {
      const moved: Record<string, number> = {};
      for (const table of await sortedTables(to)) {
        const isThere =
          from.raw.prepare("select 1 from sqlite_schema where type = 'table' and name = ?")
            .get(table) !== undefined;
        if (isThere) moved[table] = await moveTable(table, { from: from.raw, to });
      }
      return moved;
    });
  } finally {
    await from.close();
  }
}

/** Lists the tables, each after those that it refers to. */
async function sortedTables(to: Db): Promise<readonly string[]> {
  const tables = await to.all(text())`
    select table_name::text from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'
      and (table_name not like 'fw\\_%' or table_name = 'fw_passkeys') order by 1`;
  const keys = await to.all(Key)`
    select own.relname::text as "table", other.relname::text as "other"
    from pg_constraint join pg_class own on own.oid = conrelid
      join pg_class other on other.oid = confrelid
    where contype = 'f' and connamespace = current_schema()::regnamespace`;
  const sorted: string[] = [];
  const visit = (table: string, above: readonly string[]): void => {
    if (sorted.includes(table) || above.includes(table) || !tables.includes(table)) return;
    for (const key of keys) {
      if (key.table === table) visit(key.other, [...above, table]);
    }
    sorted.push(table);
  };
  for (const table of tables) visit(table, []);
  return sorted;
}

type Source = Awaited<ReturnType<typeof openSqlite>>["raw"];

async function moveTable(
  table: string,
  { from, to }: { readonly from: Source; readonly to: Db },
): Promise<number> {
  const columns = await to.all(Column)`
    select column_name::text as "column", data_type::text as "type",
      coalesce(identity_generation, '')::text as "is_generated"
    from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER'
    order by ordinal_position`;
  const present = await to.first(int())`select 1 from ${name(table)} limit 1`;
  if (present !== undefined) {
    const fix =
      "Fix: name an empty database. If these are the rows of an earlier run, all is done.";
    throw new Error(`Cannot copy the rows of "${table}": the table has rows already. ${fix}`);
  }
  const list = columns.map(({ column }) => quoted(column)).join(", ");
  const select = from.prepare(`select ${list} from ${quoted(table)} order by rowid`);
  const isExact = true;
  select.setReadBigInts(isExact);
  let count = 0;
  let batch: Sql[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    await to.run`
      insert into ${name(table)} (${joined(columns.map(({ column }) => name(column)))})
      overriding system value values ${joined(batch)}`;
    count += batch.length;
    batch = [];
  };
  for (const row of select.iterate()) {
    const values = columns.map(({ column, type }) => {
      const value = convert(row[column], type);
      // Accounts are found by their address in lower case.
      const isAddress = column === "email" && /^(?:users|password_links)$/.test(table);
      return isAddress && typeof value === "string" ? value.toLowerCase() : value;
    });
    batch.push(sql`(${joined(values.map((value) => sql`${value}`))})`);
    if (batch.length === batchSize) await flush();
  }
  await flush();
  // The next row gets the id after the last one.
  for (const { column, isGenerated } of columns) {
    if (isGenerated === "") continue;
    await to.one(int())`
      select setval(pg_get_serial_sequence(${quoted(table)}, ${column}),
        coalesce((select max(${name(column)}) from ${name(table)}), 0) + 1, false)`;
  }
  return count;
}

function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Converts a value: SQLite stores flags as 0 and 1, and instants as milliseconds. */
function convert(value: unknown, type: string): unknown {
  if (value === null || value === undefined) return null;
  if (type === "boolean") return Number(value) !== 0;
  return type.startsWith("timestamp") ? new Date(Number(value)) : value;
}

function joined(parts: readonly Sql[]): Sql {
  return parts.reduce((list, part) => sql`${list}, ${part}`);
}

if (import.meta.main) {
  const [file = "data/app.sqlite", url] = Deno.args;
  await using db = await connect(url);
  console.table(await moveRows(file, db));
}
