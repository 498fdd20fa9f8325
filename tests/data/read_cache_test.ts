import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Db, int, int64, list, sql, struct, text } from "../../data/mod.ts";
import type { Result } from "../../data/engine.ts";
import { rolledBack } from "../../data/testing.ts";
import { Connection } from "../../data/sqlite/connection.ts";
import { openSqlite, type OpenSqliteOptions, type SqliteDb } from "../../data/sqlite/mod.ts";
import { openFile } from "./file_db.ts";

/** Opens a database of 2,000 rows, whose scan is slow enough to be cached. */
async function open(
  options: OpenSqliteOptions = {},
): Promise<SqliteDb & { readonly path: string }> {
  const db = await openFile(options);
  db.raw.exec(`create table t (n integer, s text, b blob) strict;
    with recursive c (i) as (select 1 union all select i + 1 from c where i < 2000)
    insert into t select i, 'row ' || i, x'00' from c;`);
  return db;
}

/** Counts the statements that reach SQLite while a function runs. */
async function statements(work: () => Promise<unknown>): Promise<number> {
  const { execute } = Connection.prototype;
  let count = 0;
  Connection.prototype.execute = function (call): Result {
    count++;
    return execute.call(this, call);
  };
  try {
    await work();
  } finally {
    Connection.prototype.execute = execute;
  }
  return count;
}

const odd = (db: Db): Promise<number> => db.one(int())`select count(*) from t where n % 2 = ${1}`;

/** Reads until the result is cached. */
async function warm(read: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < 3; time++) await read();
}

Deno.test("read cache: caches a repeated statement with its values", async () => {
  await using db = await open();
  // The first read measures the statement.
  assertEquals(await statements(() => odd(db)), 1);
  assertEquals(await statements(() => odd(db)), 1);
  assertEquals(await statements(() => odd(db)), 1);
  assertEquals(await statements(() => odd(db)), 0);
  assertEquals(await odd(db), 1_000);
});

Deno.test("read cache: keeps at most 1,000 results", async () => {
  await using db = await open();
  await warm(() => odd(db));
  assertEquals(await statements(() => odd(db)), 0);
  for (let n = 2; n < 1_002; n++) {
    await db.one(int())`select count(*) from t where n % 2 = ${n}`;
  }
  assertEquals(await statements(() => odd(db)), 1);
});

const writes: readonly [name: string, write: (db: SqliteDb, path: string) => unknown][] = [
  ["a write of its own", (db) => db.run`insert into t values (1, '', null)`],
  [
    "writes that share a transaction",
    (db) =>
      Promise.all([db.run`insert into t values (1, '', null)`, db.run`delete from t where n = 3`])
        .then(() => db.run`insert into t values (3, '', null)`),
  ],
  ["a transaction", (db) => db.tx(() => db.run`insert into t values (1, '', null)`)],
  ["a write through the connection", (db) => db.raw.exec("insert into t values (1, '', null)")],
  ["a second handle", async (_, path) => {
    await using other = await openSqlite(path);
    await other.run`insert into t values (1, '', null)`;
  }],
  ["a definition", async (db) => {
    await db.run`alter table t rename to old`;
    await db.run`create view t as select * from old union all select 1, '', null`;
  }],
];
for (const [name, write] of writes) {
  Deno.test(`read cache: the next read sees ${name}`, async () => {
    await using db = await open();
    for (let time = 0; time < 2; time++) {
      await warm(() => odd(db));
      if (time === 1) return;
      await write(db, db.path);
      assertEquals(await odd(db), 1_001);
      assertEquals(await odd(db), 1_001);
    }
  });
}

Deno.test("read cache: a transaction sees its own writes, and others see committed rows", async () => {
  await using db = await open();
  await warm(() => odd(db));
  const outside = Promise.withResolvers<void>();
  const reading = outside.promise.then(() => odd(db));
  const undone = new Error("undone");
  const rejected = await assertRejects(() =>
    db.tx(async () => {
      await db.run`delete from t where n = 1`;
      assertEquals(await odd(db), 999);
      outside.resolve();
      assertEquals(await reading, 1_000);
      throw undone;
    })
  );
  assertEquals(rejected, undone);
  assertEquals(await odd(db), 1_000);
  await rolledBack(db, async () => {
    await db.run`delete from t where n = 1`;
    assertEquals(await odd(db), 999);
  });
  assertEquals(await statements(() => odd(db)), 0);
});

Deno.test("read cache: reads see every write across a checkpoint and a vacuum", async () => {
  await using db = await open();
  const rows = ["pragma wal_checkpoint(truncate)", "vacuum", "pragma journal_mode = delete"];
  for (const text of rows) {
    await warm(() => odd(db));
    await db.run`delete from t where n = (select min(n) from t where n % 2 = 1)`;
    const count = await odd(db);
    await warm(() => odd(db));
    try {
      db.raw.exec(text);
    } catch (error) {
      // The reader keeps the file open.
      assert(String(error).includes("locked"));
    }
    assertEquals(await odd(db), count);
    await db.run`delete from t where n = (select min(n) from t where n % 2 = 1)`;
    assertEquals(await odd(db), count - 1);
  }
});

const scan = "(select sum(n) from t)";
const unsteady: readonly string[] = [
  `select random() % 9 + ${scan}`,
  `select RANDOM /* x */ () % 9 + ${scan}`,
  `select random -- count (\n () % 9 + ${scan}`,
  `select '--', random\n() % 9 + ${scan}`,
  `select "random"() % 9 + ${scan}`,
  `select [random]() % 9 + ${scan}`,
  `select hex(randomblob(8)), ${scan}`,
  `select datetime('now'), ${scan}`,
  `select strftime('%f', 'now'), ${scan}`,
  `select unixepoch('now', 'subsec'), ${scan}`,
  `select current_timestamp, ${scan}`,
  `select count(*) from t where n > (select abs(random() % 10))`,
  `with c as (select random() % 9 as r) select r from c, t limit 1 offset 1999`,
  `select last_insert_rowid() + ${scan}`,
  `select total_changes() + ${scan}`,
  `select count(*), (select user_version from pragma_user_version) from t`,
  `select sqlite_version(), ${scan}`,
  `values (random() % 9, ${scan})`,
  `explain query plan select count(*) from t`,
];
for (const line of unsteady) {
  Deno.test(`read cache: does not cache ${JSON.stringify(line)}`, async () => {
    await using db = await open();
    const strings = Object.assign([line], { raw: [line] });
    const Any = struct({});
    const read = (): Promise<unknown> => db.all(Any)(strings);
    await warm(read);
    assertEquals(await statements(read), 1);
  });
}

Deno.test("read cache: does not cache a view that calls the clock until the view is dropped", async () => {
  await using db = await open();
  db.raw.exec("create view moments as select datetime('now') as m, count(*) as n from t");
  await warm(() => odd(db));
  assertEquals(await statements(() => odd(db)), 1);
  db.raw.exec("drop view moments");
  await warm(() => odd(db));
  assertEquals(await statements(() => odd(db)), 0);
  db.raw.exec("create view counts as select count(*) as n from t where n > 1");
  await warm(() => odd(db));
  assertEquals(await statements(() => odd(db)), 0);
});

Deno.test("read cache: distinguishes equal values of different types", async () => {
  await using db = await open();
  const Kind = struct({ kind: text(), n: int() });
  const read = (value: unknown): Promise<readonly { readonly kind: string }[]> =>
    db.all(Kind)`select typeof(${value}) as kind, sum(n) as n from t`;
  const values = ["1", 1, 1.5, "1.5", null, "null", new Uint8Array([49]), "a", "A", "é", "e\u0301"];
  const kinds: string[] = [];
  for (let time = 0; time < 4; time++) {
    for (const value of values) {
      const [row] = await read(value);
      if (time === 3) kinds.push(row?.kind ?? "");
    }
  }
  const found = "text integer real text null text blob text text text text".split(" ");
  assertEquals(kinds, found);
  // SQLite treats these as one value: 1.
  for (const value of [1, 1n, true]) assertEquals(await statements(() => read(value)), 0);
  const at = new Date(1);
  assertEquals(await statements(() => read(at)), 0);
  await assertRejects(() => read(NaN), TypeError);
  const two = (a: string, b: string): Promise<string> =>
    db.one(text())`select ${a} || '/' || ${b} from t order by n desc limit 1 offset 1999`;
  await warm(() => two("a|string1:b", "c"));
  await warm(() => two("a", "b|string1:c"));
  assertEquals(await two("a|string1:b", "c"), "a|string1:b/c");
  assertEquals(await two("a", "b|string1:c"), "a/b|string1:c");
});

Deno.test("read cache: schemas of bigints and of numbers can read the same text", async () => {
  await using db = await open();
  const read = (schema: ReturnType<typeof int> | ReturnType<typeof int64>): Promise<unknown> =>
    db.one(schema as ReturnType<typeof int>)`select max(n) from t`;
  for (let time = 0; time < 4; time++) {
    assertEquals(await read(int()), 2_000);
    assertEquals(await read(int64()), 2_000n);
  }
});

Deno.test("read cache: a caller's changes to its rows do not affect the cache", async () => {
  await using db = await open();
  const Item = struct({ n: int(), items: list(struct({ s: text() })) });
  const read = (): Promise<{ n: number; items: { s: string }[] }[]> =>
    db.all(Item)`select n, json_array(json_object('s', s)) as items from t order by -n limit 2`;
  await warm(read);
  const rows = await read();
  rows.pop();
  Object.assign(rows[0] ?? {}, { n: 0 });
  rows[0]?.items.splice(0);
  assertEquals(await statements(read), 0);
  const want = [{ n: 2_000, items: [{ s: "row 2000" }] }, { n: 1_999, items: [{ s: "row 1999" }] }];
  assertEquals(await read(), want);
});

const oldest = sql`(select n from t order by -n limit 1)`;

const kept: readonly [name: string, read: (db: Db) => Promise<unknown>, isKept: boolean][] = [
  [
    "a plain function",
    (db) => db.one(int())`select abs(-1) + count(*) from t where n > 1 or "n" in (select 1)`,
    true,
  ],
  [
    "a word with a parenthesis in a comment",
    (db) =>
      db.one(int())`select count(*) from t -- random (or not)
      where n > 1`,
    false,
  ],
  ["200 rows", (db) => db.all(int())`select n from t order by -n limit 200`, true],
  ["201 rows", (db) => db.all(int())`select n from t order by -n limit 201`, false],
  ["60 KiB", (db) => db.all(text())`select printf('%30000d', n) from ${oldest}`, true],
  ["70 KiB", (db) => db.all(text())`select printf('%35000d', n) from ${oldest}`, false],
  ["bytes", (db) => db.all(struct({}))`select b from t order by -n limit 1`, false],
  ["a text", (db) => db.one(int())`select count(*) from t where s <> ${"x".repeat(2_000)}`, false],
];
for (const [name, read, isKept] of kept) {
  Deno.test(`read cache: ${name} ${isKept ? "is" : "is not"} cached`, async () => {
    await using db = await open();
    await warm(() => read(db));
    assertEquals(await statements(() => read(db)), isKept ? 0 : 1);
  });
}

Deno.test("read cache: evicts the least recently used result", async () => {
  await using db = await open({ cacheBytes: 30_000 });
  const read = (n: number): Promise<string> =>
    db.one(text())`select printf('%4000d', ${n}) from t order by -n limit 1`;
  for (const n of [1, 1, 1, 2, 2, 3, 3]) await read(n);
  assertEquals(await statements(() => read(1)), 0);
  for (const n of [4, 4]) await read(n);
  assertEquals(await statements(() => read(1)), 0);
  assertEquals(await statements(() => read(2)), 1);
});

Deno.test("read cache: counts the overhead of many short rows", async () => {
  await using db = await open({ cacheBytes: 25_000 });
  const read = (n: number): Promise<unknown> =>
    db.all(int())`select n from t where n <> ${n} order by -n limit 200`;
  for (const n of [1, 1, 1, 2, 2]) await read(n);
  assertEquals(await statements(() => read(1)), 1);
});

Deno.test("read cache: is off for a cacheBytes of 0 and for an in-memory database", async () => {
  await using db = await open({ cacheBytes: 0 });
  await warm(() => odd(db));
  assertEquals(await statements(() => odd(db)), 1);
  for (const cacheBytes of [-1, 0.5, NaN]) {
    await assertRejects(() => openSqlite(":memory:", { cacheBytes }), RangeError, "cacheBytes");
  }
  await using memory = await openSqlite(":memory:");
  await memory.run`create table t (n integer) strict`;
  await warm(() => odd(memory));
  assertEquals(await statements(() => odd(memory)), 1);
});

Deno.test("read cache: a closed database rejects a cached read", async () => {
  const db = await open();
  await warm(() => odd(db));
  await db.close();
  await assertRejects(() => odd(db), Error, "closed");
});
