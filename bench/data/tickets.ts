/** A table of tickets with any number of rows, on both engines. */
import type { Db } from "../../data/mod.ts";

/** The size of the vocabulary. The first word is in most rows, the last in few. */
const words = 4_000;

const syllables = "badecifogulamenoripusatevixozuhekydo";
const syllableCount = syllables.length / 2;

/** Returns word number n of the vocabulary. */
export function ticketWord(n: number): string {
  const syllable = (at: number): string => syllables.slice(at % syllableCount * 2).slice(0, 2);
  return [n, Math.floor(n / syllableCount), Math.floor(n / syllableCount ** 2), n * 7]
    .map(syllable).join("");
}

/** Returns an SQL expression equivalent to {@linkcode ticketWord}. */
function wordSql(n: string): string {
  const syllable = (at: string): string =>
    `substr('${syllables}', 1 + (${at}) % ${syllableCount} * 2, 2)`;
  return [n, `${n} / ${syllableCount}`, `${n} / ${syllableCount ** 2}`, `${n} * 7`]
    .map(syllable).join(" || ");
}

/** The definitions of a generated resource with a filter, a relation and a search. */
const sqlite = [
  `create table customers (id integer primary key, name text not null) strict`,
  `create table tickets (id integer primary key, title text not null, status text not null,
    customer_id integer not null references customers (id), note text not null) strict`,
];
const sqliteIndexes = [
  `create index tickets_by_status on tickets (status, id)`,
  `create index tickets_by_customer on tickets (customer_id, id)`,
  `create virtual table tickets_search using fts5 (title, note, content = 'tickets', content_rowid = 'id',
    tokenize = 'trigram remove_diacritics 1')`,
  `insert into tickets_search (tickets_search) values ('rebuild')`,
  `create trigger tickets_search_insert after insert on tickets begin
    insert into tickets_search (rowid, title, note) values (new.id, new.title, new.note);
  end`,
];
const postgres = [
  `create extension if not exists unaccent`,
  `create extension if not exists pg_trgm`,
  `create or replace function fw_plain(text) returns text language sql immutable parallel safe strict
    as $$ select lower(public.unaccent('public.unaccent', $1)) $$`,
  `create table customers (id bigint primary key, name text not null)`,
  `create table tickets (id bigint primary key, title text not null, status text not null,
    customer_id bigint not null references customers (id), note text not null,
    search text generated always as (fw_plain(title || chr(10) || note)) stored)`,
];
const postgresIndexes = [
  `create index tickets_by_status on tickets (status, id)`,
  `create index tickets_by_customer on tickets (customer_id, id)`,
  `create index tickets_search on tickets using gin (search gin_trgm_ops)`,
  `analyze`,
];

/** Fills a database. Word number n is in about one of n rows. */
export async function fillTickets(db: Db, rows: number): Promise<void> {
  const run = (text: string): Promise<number> => db.run(Object.assign([text], { raw: [text] }));
  const isSqlite = db.engine === "sqlite";
  for (const text of isSqlite ? sqlite : postgres) await run(text);
  const customers = 1_000;
  const series = (end: number): string =>
    isSqlite
      ? `(with recursive c (i) as (select 1 union all select i + 1 from c where i < ${end}) select i from c) s`
      : `(select i from generate_series(1::bigint, ${end}::bigint) i) s`;
  await run(
    `insert into customers (id, name) select i, 'Customer ' || i from ${series(customers)}`,
  );
  // Numbers spread over the rows, computed alike by both engines.
  const spread = (salt: number): string =>
    `((i * ${7919 + salt * 104_729} + ${salt} * 31) % 1000003)`;
  const word = (salt: number): string =>
    wordSql(`cast(${words} / (1 + ${spread(salt)} * ${words} / 1000003) as integer)`);
  const text = (from: number, count: number): string =>
    Array.from({ length: count }, (_, index) => word(from + index)).join(` || ' ' || `);
  await run(
    `insert into tickets (id, title, status, customer_id, note)
     select i, ${
      text(1, 4)
    }, case i % 10 when 0 then 'open' when 1 then 'pending' else 'closed' end,
       i % ${customers} + 1, ${text(5, 12)} from ${series(rows)}`,
  );
  for (const each of isSqlite ? sqliteIndexes : postgresIndexes) await run(each);
}
