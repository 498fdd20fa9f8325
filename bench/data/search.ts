// deno-lint-ignore-file no-import-prefix -- benches pin their peers
/**
 * Search bench: lists and capped counts for searches with few and many hits, on both engines; and
 * the waiting time of requests during an import of 50,000 CSV rows.
 *
 * `deno run -A bench/data/search.ts 1000000`
 *
 * @module
 */
import { join } from "@std/path";
import pg from "npm:pg@8.23.1";
import {
  among,
  contains,
  type Db,
  importCsv,
  type Infer,
  int,
  type ListQuery,
  sql,
  struct,
  TableStore,
  text,
  values,
  writeCsv,
} from "../../data/mod.ts";
import { openPostgres, type PgPool } from "../../data/postgres/mod.ts";
import { openSqlite } from "../../data/sqlite/mod.ts";
import { noPostgres, startPostgres } from "../../tests/data/postgres_server.ts";
import { median } from "../median.ts";
import { fillTickets, ticketWord } from "./tickets.ts";

const Line = struct({ id: int(), title: text() });

/** The searched words: one in no row, rarer and more frequent ones, and one in nearly every row. */
const searches: readonly (readonly [name: string, query: string])[] = [
  ["no hit", "zzqqzz"],
  ["a rare word", ticketWord(1_000)],
  ["one row in 250", ticketWord(100)],
  ["one row in 7", ticketWord(10)],
  ["nearly every row", ticketWord(1)],
];

/** Measures a list. @returns The first and the median time, in milliseconds. */
async function time(work: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let call = 0; call < 6; call++) {
    const startedMs = performance.now();
    await work();
    times.push(performance.now() - startedMs);
  }
  return `${times[0]?.toFixed(1)} / ${median(times.slice(1)).toFixed(1)}`;
}

/** The store whose lists are measured. */
class Tickets extends TableStore<
  Infer<typeof Line>,
  Infer<typeof Line>,
  ListQuery & { readonly q?: string; readonly status?: string }
> {
  constructor(db: Db) {
    super(db, {
      table: "tickets",
      rows: Line,
      input: Line,
      read: sql`select t.id, t.title from tickets t`,
      orders: { newest: { id: [sql`t.id`, "desc"] } },
      matching: (
        { q, status },
      ) => [q && contains("tickets", q), status && sql`t.status = ${status}`],
    });
  }
}

/** Measures the searches of a database: lists with their counts, and counts alone. @returns Rows of a table. */
export async function measureSearches(db: Db): Promise<string[]> {
  const found: string[] = [];
  const store = new Tickets(db);
  for (const [name, q] of [["one filter", ""] as const, ...searches]) {
    const open = { q, status: "open" };
    const cells = [
      () => store.list({ q }),
      () => store.cappedCount({ q }),
      () => store.list(open),
      () => store.cappedCount(open),
      () => store.list({ q, at: "last" }),
    ];
    const times: string[] = [];
    for (const cell of cells) times.push(await time(cell));
    found.push(`| ${db.engine}, ${name} | ${times.join(" | ")} |`);
  }
  return found;
}

const Imported = struct({
  id: int(),
  title: text("required,max=200"),
  status: text("required,oneof=open pending closed"),
  customerId: int(),
  note: text("max=500"),
});

/** Imports rows while requests read. @returns A row of a table. */
export async function measureImport(db: Db, rows: number): Promise<string> {
  const first = await db.one(int())`select max(id) from tickets` + 1;
  function* records(): Generator<(string | number)[]> {
    yield ["id", "title", "status", "customerId", "note"];
    for (let i = 0; i < rows; i++) {
      yield [
        first + i,
        `${ticketWord(i % 4_000)} ${ticketWord(i % 97)}`,
        "open",
        i % 1_000 + 1,
        `"${ticketWord(i % 31)}", ${ticketWord(i % 7)}`,
      ];
    }
  }
  const file = await new Response(writeCsv(records())).blob();
  let isDone = false;
  /** Measures statements of another request during the import, in milliseconds. */
  const measureOther = async (act: (id: number) => Promise<unknown>): Promise<number[]> => {
    const waits: number[] = [];
    for (let id = 1; !isDone; id++) {
      const startedMs = performance.now();
      await act(id);
      await new Promise((resolve) => setTimeout(resolve, 1));
      waits.push(performance.now() - startedMs);
    }
    return waits.toSorted((a, b) => a - b);
  };
  const reads = measureOther(() =>
    db.all(Line)`select t.id, t.title from tickets t order by t.id desc limit 20`
  );
  const writes = measureOther((id) =>
    db.run`update customers set name = ${`A ${id}`} where id = ${id % 100}`
  );
  const startedMs = performance.now();
  const { faults } = await importCsv(file.stream(), {
    db,
    rows: Imported,
    add: (batch) => db.all(int())`insert into tickets ${values(Imported, batch)} returning id`,
    // As in a table store, so that other writes run in between on SQLite.
    ...(db.engine === "sqlite" && {
      remove: (ids: readonly number[]) => db.run`delete from tickets where id ${among(ids)}`,
    }),
  });
  const seconds = (performance.now() - startedMs) / 1_000;
  if (faults.length > 0) throw new Error(`The import has faults: ${faults[0]?.message}`);
  isDone = true;
  const cells = [await reads, await writes].flatMap((waits) => [
    waits[Math.floor(waits.length * 0.99)],
    waits.at(-1),
  ]);
  return `| ${db.engine} | ${seconds.toFixed(1)} | ${
    cells.map((ms) => ms?.toFixed(0)).join(" | ")
  } |`;
}

const head =
  `| Search, ms first / then | list and count | count | filtered list and count | filtered count | last page and count |
| --- | ---: | ---: | ---: | ---: | ---: |`;
const importHead =
  `| Import of 50,000 rows | s | p99 of reads, ms | longest | p99 of writes | longest |
| --- | ---: | ---: | ---: | ---: | ---: |`;

/** Runs the bench. @returns Markdown tables. */
export async function run(rows: number): Promise<string> {
  const folder = await Deno.makeTempDir();
  // Without the read cache, so that the searches themselves are measured.
  const db = await openSqlite(join(folder, "a.sqlite"), { slowMs: 60_000, cacheBytes: 0 });
  await fillTickets(db, rows);
  const found = await measureSearches(db);
  const imports = [await measureImport(db, 50_000)];
  await db.close();
  await Deno.remove(folder, { recursive: true });
  if (noPostgres === undefined) {
    await using server = await startPostgres();
    const pool: unknown = new pg.Pool({ connectionString: server.url, max: 4 });
    await using db = await openPostgres(pool as PgPool, { slowMs: 60_000 });
    await fillTickets(db, rows);
    found.push(...await measureSearches(db));
    imports.push(await measureImport(db, 50_000));
    await db.close();
  }
  return [head, ...found, "", importHead, ...imports, ""].join("\n");
}

if (import.meta.main) console.log(await run(Number(Deno.args[0] ?? 100_000)));
