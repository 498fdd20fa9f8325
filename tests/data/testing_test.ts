import { assertRejects } from "@std/assert";
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

const statement = (...template: Parameters<Db["run"]>) => (db: Db): Promise<unknown> =>
  db.run(...template);
// Rows for every engine are in the suite.
const rows: [name: string, fault: string | undefined, run: (db: Db) => Promise<unknown>][] = [
  [
    "a capped count with an index",
    undefined,
    statement`select count(*) from (select 1 from notes where place = ${1} limit 1001)`,
  ],
  [
    "the index of a search",
    undefined,
    statement`select rowid from notes_search where notes_search match ${'"abc"'} limit 20`,
  ],
  ["a list of values", undefined, statement`select value from json_each('[1]')`],
  [
    "a filter of an audited table",
    "SCAN t",
    statement`select id from notes t
      where (t."deleted_at" is null) and (title = ${"a"}) order by id limit 20`,
  ],
];

for (const [name, fault, run] of rows) {
  Deno.test(`testDatabase ${fault === undefined ? "accepts" : "refuses"}: ${name}`, async () => {
    const db = await testDatabase({ migrations });
    await run(db);
    if (fault === undefined) await db.close();
    else await assertRejects(() => db.close(), Error, fault);
  });
}
