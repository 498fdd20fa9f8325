import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  among,
  bool,
  BusyError,
  date,
  day,
  type Db,
  exportCsv,
  importCsv,
  type ImportCsvOptions,
  type ImportedCsv,
  type Infer,
  int,
  int64,
  money,
  struct,
  text,
  values,
} from "../../data/mod.ts";
import { cpuMs } from "../cpu_time.ts";
import { useValidationPtBr } from "../../mod.ts";
import { setDefaults } from "../../runtime/schema/messages.ts";
import { openSqlite } from "../../data/sqlite/mod.ts";

const Lamp = struct({
  code: text("required,max=5"),
  note: text().optional(),
  kindId: int().optional(),
  watts: int64(),
  price: money("EUR"),
  done: bool(),
  made: day().optional(),
  seenAt: date().optional(),
});
type Lamp = Infer<typeof Lamp>;

const sql = `create table kinds (id integer primary key, name text) strict;
create table lamps (code text not null unique, note text, kind_id integer references kinds (id),
  watts integer not null, price integer not null, done integer not null, made text,
  seen_at integer) strict;
insert into kinds values (1, 'Oil'), (102, 'Gas'), (103, 'Gas'), (104, null);`;

const references = { kindId: { table: "kinds", label: "name" } };

const codes = Array.from({ length: 1_201 }, (_, at) => String(at));

async function openLamps(): Promise<Db> {
  return await openSqlite(":memory:", { migrations: [{ name: "0001_lamps", sql }], slowMs: 9_000 });
}

async function read(
  db: Db,
  file: string,
  options: Partial<ImportCsvOptions<Lamp>> = {},
): Promise<ImportedCsv<Lamp>> {
  return await importCsv(new Blob([file]).stream(), {
    db,
    rows: Lamp,
    add: (rows) => db.run`insert into lamps ${values(Lamp, rows)}`,
    ...options,
  });
}

const all = "code, note, kindId, watts, price, done, made, seenAt";

const refused: readonly [
  name: string,
  file: string,
  faults: readonly (readonly [line: number, field: string | undefined, message: string])[],
  options?: Partial<ImportCsvOptions<Lamp>>,
][] = [
  ["an unknown column", "code,colour\na,red\n", [
    [1, undefined, `has an unknown or repeated column "colour": ${all}`],
  ]],
  ["a long unknown column", `${"x".repeat(10_000)}\n`, [
    [1, undefined, `has an unknown or repeated column "${"x".repeat(200)}": ${all}`],
  ]],
  ["a repeated column", "code,code\na,b\n", [
    [1, undefined, `has an unknown or repeated column "code": ${all}`],
  ]],
  ["a row with another number of fields", "code,watts\na,1\nb\n", [
    [3, undefined, "must have 2 fields, as many as the first line"],
  ]],
  ["broken rules in every row", 'code,watts\n"a\nb",x\n\nlonger,2\nc,3\n', [
    [2, "watts", "must be a whole number"],
    [5, "code", "must have at most 5 characters"],
  ]],
  ["a missing required column", "watts\n1\n", [[2, "code", "is required"]]],
  ["a value that occurs twice in the file", "code\na\nb\na\n", [[4, "code", "is taken already"]]],
  ["a row that does not exist", "code,kindId\na,1\nb,7\n", [[3, "kindId", "does not exist"]]],
  [
    "labels of no row, of several rows and of another row than the id",
    "code,kindId,kindName\na,,Wax\nb,,Gas\nc,102,Oil\nd,102,Gas\ne,1,\nf,,Oil\ng,104,Oil\nh,9,Oil\n",
    [
      [2, "kindId", '"Wax" does not exist: correct the name or use the id'],
      [3, "kindId", 'there is more than one "Gas": use the id'],
      [4, "kindId", 'the id is not that of "Oil": correct or empty one of both'],
      [8, "kindId", 'the id is not that of "Oil": correct or empty one of both'],
    ],
    { references },
  ],
  ["a label and the id of a missing row", "code,kindId,kindName\na,9,Oil\nb,x,Oil\n", [
    [3, "kindId", "must be a whole number"],
  ], { references }],
  ["a column of labels without references", "code,kindName\na,Oil\n", [
    [1, undefined, `has an unknown or repeated column "kindName": ${all}`],
  ]],
  ["an unterminated quote", 'code\na\n"b\n', [[3, undefined, "a quote does not end"]]],
  ["too many rows", `code\n${"a\n".repeat(100_001)}`, [
    [100_002, undefined, "the file may have 100000 rows at most"],
  ]],
  [
    "more faults than are reported",
    `code\n${'""\n'.repeat(101)}`,
    Array.from({ length: 100 }, (_, at) => [at + 2, "code", "is required"] as const),
  ],
  [
    "rows with more faults than are reported",
    `code,watts,price\n${"longer,x,x\n".repeat(50)}`,
    Array.from({ length: 34 }, (_, at) =>
      [
        [at + 2, "code", "must have at most 5 characters"],
        [at + 2, "watts", "must be a whole number"],
        [at + 2, "price", "must be a number"],
      ] as const).flat().slice(0, 100),
  ],
];
for (const [name, file, faults, options] of refused) {
  Deno.test(`importCsv refuses ${name} and adds nothing`, async () => {
    await using db = await openLamps();
    const found = await read(db, file, options);
    assertEquals<unknown>(
      found.faults.map(({ line, field, message }) => [line, field, message]),
      faults,
    );
    assertEquals(found.count, 0);
    assertEquals(await db.one(int())`select count(*) from lamps`, 0);
  });
}

const lamps: readonly Lamp[] = [
  {
    code: "=1+1",
    note: 'two\nlines, and a "quote"',
    kindId: 1,
    watts: 9_007_199_254_740_993n,
    price: 1_250,
    done: true,
    made: "2026-03-01",
    seenAt: new Date("2026-03-29T01:30:00.120Z"),
  },
  {
    code: "b",
    note: null,
    kindId: null,
    watts: 0n,
    price: -5,
    done: false,
    made: null,
    seenAt: null,
  },
];

Deno.test("importCsv adds the rows that exportCsv wrote, and none in a preview", async () => {
  await using db = await openLamps();
  const file = await new Response(exportCsv(Lamp, lamps)).text();
  const preview = await read(db, file, { isPreview: true });
  assertEquals([preview.count, preview.first.length, preview.faults], [2, 2, []]);
  assertEquals(await db.one(int())`select count(*) from lamps`, 0);
  // A column without any value is text or null.
  const found = (await read(db, file)).first.map((row) => ({ ...row, note: row.note || null }));
  assertEquals(found, lamps);
  assertEquals(await db.one(int())`select count(*) from lamps`, 2);
});

Deno.test("importCsv reads spreadsheet exports: empty rows and columns, TRUE and FALSE", async () => {
  await using db = await openLamps();
  const { faults, first } = await read(db, "code,done,,\na,TRUE,,\n,,,\nb,False\n,,,\n");
  assertEquals(faults, []);
  assertEquals(first.map(({ code, done }) => [code, done]), [["a", true], ["b", false]]);
  const { faults: [fault] } = await read(db, "code,done,\na,TRUE,x\n");
  assertEquals([fault?.line, fault?.message], [2, "must have 2 fields, as many as the first line"]);
});

Deno.test("importCsv reads many empty columns at the end in linear time", async () => {
  await using db = await openLamps();
  const took = async (count: number): Promise<number> => {
    const startMs = cpuMs();
    const { faults } = await read(db, `code${",".repeat(count)}\n`);
    assertEquals(faults, []);
    return cpuMs() - startMs;
  };
  await took(1_000);
  const [small, large] = [await took(25_000), await took(200_000)];
  assert(large < small * 24 + 200, `${small} ms, then ${large} ms`);
});

Deno.test("importCsv adds rows in several statements and names the refused row", async () => {
  await using db = await openLamps();
  assertEquals((await read(db, `code\n${codes.join("\n")}`)).count, 1_201);
  const { faults } = await read(db, `code\n${codes.map((code) => `x${code}`).join("\n")}\n700\n`);
  assertEquals(faults, [{ line: 1_203, field: "code", message: "is taken already" }]);
  assertEquals(await db.one(int())`select count(*) from lamps`, 1_201);
});

Deno.test("importCsv adds no more rows one by one than it reports faults", async () => {
  await using db = await openLamps();
  let adds = 0;
  const add = (rows: readonly Lamp[]): Promise<number> => {
    adds++;
    return db.run`insert into lamps ${values(Lamp, rows)}`;
  };
  const rows = Array.from({ length: 499 }, (_, at) => `${at},7`);
  const { faults } = await read(db, `code,kindId\n${rows.join("\n")}`, { add });
  assertEquals([faults.length, adds], [100, 101]);
});

/** Runs work while each reading of the clock advances it by 100 ms. */
async function slowly<T>(work: () => Promise<T>): Promise<T> {
  let nowMs = 0;
  performance.now = () => nowMs += 100;
  try {
    return await work();
  } finally {
    Reflect.deleteProperty(performance, "now");
  }
}

const remove = (db: Db) => (codes: readonly string[]): Promise<unknown> =>
  db.run`delete from lamps where code ${among(codes)}`;
const addCodes = (db: Db) => (rows: readonly Lamp[]): Promise<readonly string[]> =>
  db.all(text())`insert into lamps ${values(Lamp, rows)} returning code`;
const file = (codes: readonly string[]): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new Blob([`code\n${codes.join("\n")}`]).stream();
const codeCount = (db: Db): Promise<number> => db.one(int())`select count(*) from lamps`;

Deno.test("importCsv with remove: other writes run between the rows of a long file", async () => {
  await using db = await openLamps();
  const counts: number[] = [];
  const options = { db, rows: Lamp, add: addCodes(db), remove: remove(db) };
  const found = await slowly(async () => {
    const importing = importCsv(file(codes), options);
    let isDone = false;
    importing.finally(() => isDone = true);
    while (!isDone) {
      await db.run`update kinds set id = 1 where id = 1`;
      counts.push(await codeCount(db));
    }
    return await importing;
  });
  assertEquals([found.count, found.faults], [1_201, []]);
  assert(counts.some((count) => count === 500 || count === 1_000), counts.join());
});

Deno.test("importCsv with remove: a fault or an error removes the rows of earlier transactions", async () => {
  await using db = await openLamps();
  const options = { db, rows: Lamp, add: addCodes(db), remove: remove(db) };
  const twice = [...codes, "7"];
  const { faults, count } = await slowly(() => importCsv(file(twice), options));
  assertEquals(faults, [{ line: 1_203, field: "code", message: "is taken already" }]);
  assertEquals([count, await codeCount(db)], [0, 0]);
  // Each transaction of a preview is rolled back before the next one.
  const preview = await slowly(() => importCsv(file(twice), { ...options, isPreview: true }));
  assertEquals([preview.faults, await codeCount(db)], [[], 0]);
  // A file read in one transaction has a complete preview.
  const short = await importCsv(file(["a", "b", "a"]), { ...options, isPreview: true });
  assertEquals(short.faults.map(({ line }) => line), [4]);
  const failed = new BusyError("busy");
  const add = async (rows: readonly Lamp[]): Promise<readonly string[]> => {
    if (rows.length < 500) throw failed;
    return await options.add(rows);
  };
  const busy = slowly(() => importCsv(file(codes), { ...options, add }));
  assertEquals(await busy.catch((error) => error), failed);
  assertEquals(await codeCount(db), 0);
});

Deno.test("importCsv with remove: a fault also removes rows added one by one", async () => {
  await using db = await openLamps();
  const add = async (rows: readonly Lamp[]): Promise<readonly string[]> => {
    // A batch with this row is refused, but each of its rows alone is accepted.
    if (rows.length > 1 && rows[0]?.code === "0") {
      await db.run`insert into lamps ${values(Lamp, [...rows, ...rows])}`;
    }
    return await addCodes(db)(rows);
  };
  const options = { db, rows: Lamp, add, remove: remove(db) };
  const { faults } = await slowly(() => importCsv(file([...codes, "7"]), options));
  assertEquals([faults.length, await codeCount(db)], [1, 0]);
});

Deno.test("importCsv with remove: a row that cannot be removed does not keep others", async () => {
  await using db = await openLamps();
  const failed = new Error("referenced");
  const options = { db, rows: Lamp, add: addCodes(db) };
  const removeOthers = (found: readonly string[]): Promise<unknown> => {
    if (found.includes("3")) throw failed;
    return remove(db)(found);
  };
  const source = file([...codes, "7"]);
  const importing = slowly(() => importCsv(source, { ...options, remove: removeOthers }));
  assertEquals(await importing.catch((error) => error), failed);
  assertEquals(await codeCount(db), 500);
});

Deno.test("importCsv with remove: an error is the cause of the error about remaining rows", async () => {
  await using db = await openLamps();
  const busy = new BusyError("busy");
  const add = async (rows: readonly Lamp[]): Promise<readonly string[]> => {
    if (rows.length < 500) throw busy;
    return await addCodes(db)(rows);
  };
  const remove = (): Promise<void> => Promise.reject(new Error("referenced"));
  const importing = slowly(() => importCsv(file(codes), { db, rows: Lamp, add, remove }));
  const error = await assertRejects(() => importing, Error, "Error: referenced");
  assertEquals(error.cause, busy);
});

Deno.test("importCsv reports an error in the language of the application", async () => {
  useValidationPtBr();
  try {
    await using db = await openLamps();
    assertEquals((await read(db, 'code\n"b\n')).faults, [
      { line: 2, field: undefined, message: "falta fechar uma aspa" },
    ]);
  } finally {
    setDefaults();
  }
});

Deno.test("exportCsv reads lazy rows in the async context of the caller", async () => {
  const tenant = new AsyncLocalStorage<string>();
  async function* rows(): AsyncGenerator<{ readonly name: string }> {
    yield { name: `${tenant.getStore()}` };
    await Promise.resolve();
    yield { name: `${tenant.getStore()}` };
  }
  const schema = struct({ name: text() });
  const file = tenant.run("Ada", () => exportCsv(schema, rows()));
  await pause(1);
  assertEquals(await new Response(file).text(), "name\r\nAda\r\nAda\r\n");
});
