import { quoteName } from "./columns.ts";
import { type Condition, Part, type Sql, sql, type StatementWriter } from "./sql.ts";

/** The maximum length of a search; the rest is ignored. */
const maxLength = 200;
/** The number of newest hits, or of newest rows if a search is too short for the index. */
const newest = 10_000;
/** The bytes of text that such a search compares on SQLite, because a process reads it without a pause. */
const mostBytes = 2_000_000;

/** Returns a text without accents and case, for comparison. */
export function plainText(text: string): string {
  // Decomposing takes fifty times as long as looking for what can be decomposed.
  const fold = (part: string): string => part.normalize("NFKD").replace(/\p{M}/gu, "");
  return text.replace(/[^\0-\x7f]+/g, fold).toLowerCase();
}

/**
 * Creates a condition that finds rows of a table with a text anywhere in one of its searched
 * columns, ignoring case and the accents of Latin letters. Postgres also ignores other accents that
 * `unaccent` knows, such as those of Greek and the dots of ё, and finds ß as ss and ø as o. `%`, `_`
 * and quotes are literal. It covers the newest 10,000 hits or, for a search of one or two
 * characters, the newest 10,000 rows, on SQLite up to 2 MB of text. The table's migration must
 * create the index (`<table>_search` on SQLite, the column `search` on Postgres).
 *
 * @param table The table, whose key is `id` and whose alias is `t`.
 * @param query The search text. A blank text finds every row.
 * @returns The condition, for `where`.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { contains, text, where } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * await using db = await openSqlite(":memory:");
 * await db.run`create table tickets (id integer primary key, title text not null) strict`;
 * await db.run`create virtual table tickets_search using fts5 (title, content = 'tickets',
 *   content_rowid = 'id', tokenize = 'trigram remove_diacritics 1')`;
 * await db.run`insert into tickets values (1, ${"Café is closed"})`;
 * await db.run`insert into tickets_search (rowid, title) select id, title from tickets`;
 * const found = db.all(text())`select t.title from tickets t ${where(contains("tickets", "CAFE"))}`;
 * assertEquals(await found, ["Café is closed"]);
 * ```
 */
export function contains(table: string, query: string): Sql {
  return new Search({ table: quoteName(table), query: cleanQuery(query), most: newest });
}

/** Composes the characters of a search text, removes those that a database refuses, and limits its length. */
export function cleanQuery(query: string): string {
  const text = query.toWellFormed().normalize("NFC").replaceAll("\0", "").trim();
  return [...text].slice(0, maxLength).join("").trim();
}

interface Searched {
  readonly table: string;
  readonly query: string;
  readonly most: number;
}

class Search extends Part {
  readonly limited: (most: number) => Search;

  constructor(at: Searched) {
    super((writer) => {
      if (at.query === "") writer.write("1 = 1");
      else if (writer.dialect.engine === "sqlite") writeSqlite(writer, at);
      else writePostgres(writer, at);
    });
    this.limited = (most) => new Search({ ...at, most });
  }
}

function isShort(query: string): boolean {
  return [...query.replace(/\p{M}/gu, "")].length < 3;
}

function writeSqlite(writer: StatementWriter, { table, query, most }: Searched): void {
  const index = `${table.slice(0, -1)}_search"`;
  if (!isShort(query)) {
    writer.write(`t."id" in (select rowid from ${index} where ${index} match `);
    writer.bind(`"${query.replaceAll('"', '""')}"`);
    writer.write(` order by rowid desc limit ${most})`);
    return;
  }
  const columns = writer.dialect.columns(index.slice(1, -1));
  // A line break keeps a hit from spanning two columns.
  const text = columns.map((column) => `coalesce("${column}", '')`).join(" || char(10) || ") ||
    "''";
  const bytes = columns.map((column) => `coalesce(octet_length("${column}"), 0)`).join(" + ") ||
    "0";
  const sizes = `select id, sum(size) over (order by id desc) - size as before from (
    select id, ${bytes} as size from ${table} order by id desc limit ${newest})`;
  writer.write(`t."id" in (select id from ${table} where id >= (select min(id) from (${sizes})
    where before < ${mostBytes}) and instr(fw_plain(${text}), `);
  writer.bind(plainText(query));
  writer.write(") > 0)");
}

function writePostgres(writer: StatementWriter, { table, query, most }: Searched): void {
  // For a frequent word a scan is the best plan, for a rare one the index.
  writer.isVaried = true;
  const rows = isShort(query)
    ? `(select id, search from ${table} order by id desc limit ${newest}) s`
    : table;
  // An array keeps Postgres from scanning the primary key to find a few rows in key order.
  writer.write(
    `t."id" = any(array(select id from ${rows} where search like '%' || regexp_replace(fw_plain(`,
  );
  writer.bind(query);
  // Escaped after the folding, which turns full-width signs into wildcards.
  writer.write(String.raw`), E'([\\\\%_])', E'\\\\\\1', 'g')`);
  writer.write(` || '%' order by id desc limit ${most}))`);
}

/** The condition that a row of an audited table is among the 10,000 most recently deleted. */
export class Gone extends Part {
  constructor(table: Sql) {
    const ids = sql`(select "id" from ${table} where "deleted_at" is not null
      order by "deleted_at" desc limit 10000)`;
    super((writer) => {
      const isSqlite = writer.dialect.engine === "sqlite";
      // An array for the same reason as in a search.
      (isSqlite ? sql`t."id" in ${ids}` : sql`t."id" = any(array${ids})`).writeTo(writer);
    });
  }
}

/** Limits a search without other conditions, so that it reads no more hits than are shown. */
export function limited(conditions: readonly Condition[], most: number): readonly Condition[] {
  const kept = conditions.filter((each) => each);
  const [only] = kept;
  return kept.length === 1 && only instanceof Search ? [only.limited(most)] : conditions;
}

/** Marks a sort of search hits or deleted rows as allowed, because their number is limited. */
export function bound(conditions: readonly Condition[]): Sql {
  return conditions.some((each) => each instanceof Search || each instanceof Gone)
    ? sql`-- scan: of 10,000 rows at most\n`
    : sql``;
}
