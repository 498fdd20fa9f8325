import { assertEquals, assertRejects } from "@std/assert";
import { int, text } from "../../data/mod.ts";
import { testDatabase } from "../../data/testing.ts";
import type { Db } from "../../data/mod.ts";

const migrations = [{
  name: "0001_notes",
  sql: `create table notes (id integer primary key, title text not null, place integer not null,
      deleted_at integer) strict;
    create index notes_place on notes (place, id);
    create virtual table notes_search using fts5 (title, content = 'notes', content_rowid = 'id',
      tokenize = 'trigram remove_diacritics 1');`,
}];

const rows: [name: string, fault: string | undefined, run: (db: Db) => Promise<unknown>][] = [
  ["a key", undefined, (db) => db.all(int())`select id from notes where id = ${1}`],
  ["index", undefined, (db) => db.all(int())`select id from notes where place = ${1} order by id`],
  ["a limit", undefined, (db) => db.all(int())`select id from notes order by id desc limit 20`],
  [
    "a capped count",
    undefined,
    (db) => db.one(int())`select count(*) from (select 1 from notes limit 1001)`,
  ],
  [
    "a capped count behind an index",
    undefined,
    (db) =>
      db.one(int())`
      select count(*) from (select 1 from notes where place = ${1} limit 1001)`,
  ],
  [
    "rows that are written together",
    undefined,
    (db) => db.run`insert into notes (title, place) values ('a', 1), ('b', 2)`,
  ],
  [
    "the index of a search",
    undefined,
    (db) =>
      db.all(int())`select rowid from notes_search where notes_search match ${'"abc"'} limit 20`,
  ],
  ["a list of values", undefined, (db) => db.all(int())`select value from json_each('[1]')`],
  ["a scan that is allowed", undefined, (db) =>
    db.all(int())`-- scan: a report, once a month
      select count(*) from notes where title = ${"a"}`],
  ["without index", "SCAN notes", (db) => db.all(int())`select id from notes where title = ${"a"}`],
  [
    "a limit behind a filter",
    "SCAN notes",
    (db) => db.all(int())`select id from notes where title like ${"%a%"} limit 20`,
  ],
  [
    "a sort of all hits",
    "USE TEMP B-TREE FOR ORDER BY",
    (db) => db.all(text())`select title from notes where place = ${1} order by title limit 20`,
  ],
  [
    "a filter of an audited table",
    "SCAN t",
    (db) =>
      db.all(int())`select id from notes t
        where (t."deleted_at" is null) and (title = ${"a"}) order by id limit 20`,
  ],
  ["a whole table", "SCAN notes", (db) => db.all(int())`select id from notes`],
  ["all changed", "SCAN notes", (db) => db.run`update notes set place = ${1} where title = ${"a"}`],
];

for (const [name, fault, run] of rows) {
  Deno.test(`testDatabase ${fault === undefined ? "accepts" : "refuses"}: ${name}`, async () => {
    const db = await testDatabase({ migrations });
    await run(db);
    if (fault === undefined) await db.close();
    else await assertRejects(() => db.close(), Error, fault);
  });
}

Deno.test("testDatabase: checksPlans false looks at no plan", async () => {
  const db = await testDatabase({ migrations, checksPlans: false });
  assertEquals(await db.all(int())`select id from notes`, []);
  await db.close();
});
