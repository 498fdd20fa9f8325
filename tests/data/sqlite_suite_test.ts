import { assertEquals, assertRejects } from "@std/assert";
import { contains, int, readSchema, RowError, where } from "../../data/mod.ts";
import { openSqlite } from "../../data/sqlite/mod.ts";
import { openFile } from "./file_db.ts";
import { definitions, registerSuite } from "./suite.ts";

const subjects = [
  ["SQLite in memory", () => openSqlite(":memory:", { slowMs: 10_000 })],
  ["SQLite in a file", openFile],
] as const;
for (const [name, open] of subjects) {
  registerSuite({
    name,
    open: async () => {
      const db = await open();
      for (const text of definitions("sqlite")) db.raw.exec(text);
      return db;
    },
  });
}

Deno.test("readSchema: excludes a search index's own tables but not one with a similar name", async () => {
  await using db = await openSqlite(":memory:");
  await db.run`create virtual table notes_search using fts5 (text)`;
  await db.run`create table notes_search_log (query text) strict`;
  assertEquals((await readSchema(db)).match(/notes_\w+/g), ["notes_search", "notes_search_log"]);
});

Deno.test("search: of two characters, 2 MB of the newest text are compared, at least one row", async () => {
  await using db = await openSqlite(":memory:");
  await db.run`create table notes (id integer primary key, body text, title text) strict`;
  await db.run`create virtual table notes_search using fts5 (body, title)`;
  // Two bytes for each character.
  const bodies = [["zq", 1], ["zq", 500_000], ["", 500_001], ["zq", 1_500_000]] as const;
  for (const [end, count] of bodies) {
    await db.run`insert into notes (body, title) values (${"é".repeat(count)}, ${end})`;
  }
  const found = () => db.all(int())`select t.id from notes t ${where(contains("notes", "ZQ"))}`;
  assertEquals(await found(), [4]);
  await db.run`delete from notes where id = 4`;
  assertEquals(await found(), [2]);
});

Deno.test("rows: a fraction is named if the schema allows only whole numbers", async () => {
  await using db = await openSqlite(":memory:");
  await assertRejects(
    () => db.all(int())`select 2.5`,
    RowError,
    "int, not a number with a fraction",
  );
});

for (
  const text of [
    "attach ':memory:' as b",
    "CREATE TEMP TABLE b (n)",
    "create temporary view b as select 1",
  ]
) {
  for (const [name, open] of subjects) {
    Deno.test(`${name}: "${text}" runs only in a transaction, whose reads see it`, async () => {
      await using db = await open();
      const run = () => db.run(Object.assign([text], { raw: [text] }));
      await assertRejects(run, TypeError, "use tx for it and all that needs it");
      assertEquals(await db.tx(run), 0);
    });
  }
}

Deno.test("openSqlite: an error about a URL of another database hides the password", async () => {
  await assertRejects(
    () => openSqlite("postgres://ada:secret@127.0.0.1/events"),
    TypeError,
    'Cannot open "postgres://[hidden]@127.0.0.1/events": pass a path',
  );
});

Deno.test("openSqlite: a file that is not a database is named", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, "hello ".repeat(1_000));
  await assertRejects(
    () => openSqlite(path),
    Error,
    `Cannot open "${path}": file is not a database`,
  );
  await Deno.remove(path);
});
