/**
 * Data bench: the time of the data layer relative to bare driver calls with rows mapped by hand, in interleaved
 * rounds.
 *
 * `deno task bench data`
 *
 * @module
 */
import { join } from "@std/path";
import pg from "npm:pg@8.23.1";
import postgres from "npm:postgres@3.4.9";
import { type Db, type Infer, int, sql, struct, text, values, where } from "../../data/mod.ts";
import { openPostgres, type PgPool, type PostgresClient } from "../../data/postgres/mod.ts";
import { openSqlite } from "../../data/sqlite/mod.ts";
import { noPostgres, startPostgres } from "../../tests/data/postgres_server.ts";
import { rolledBack } from "../../data/testing.ts";
import { median, medianRatio } from "../median.ts";

const ROUNDS = 45;
const WARM_UP = 30;

const Ticket = struct({
  id: int(),
  title: text("required"),
  status: text("required,oneof=open closed"),
  customerId: int(),
  note: text().optional(),
});
type Ticket = Infer<typeof Ticket>;

/** One operation, with the data layer and with the bare driver. */
interface Operation {
  readonly name: string;
  /** Number of calls per round. */
  readonly calls: number;
  readonly layer: (call: number) => Promise<unknown>;
  readonly bare: (call: number) => unknown;
}

function toTicket(row: Readonly<Record<string, unknown>>): Ticket {
  return {
    id: Number(row["id"]),
    title: String(row["title"]),
    status: row["status"] === "open" ? "open" : "closed",
    customerId: Number(row["customer_id"]),
    note: row["note"] === null ? null : String(row["note"]),
  };
}

const names = "id, title, status, customer_id, note";

/** Runs the bench. @returns A Markdown section with the ratios. */
export async function run(): Promise<string> {
  const columns = new Map<string, Map<string, string>>();
  const folder = await Deno.makeTempDir();
  columns.set("SQLite, file", await measureSqlite(join(folder, "a.sqlite")));
  if (noPostgres === undefined) {
    await using server = await startPostgres();
    const pool = new pg.Pool({ connectionString: server.url, max: 4, idleTimeoutMillis: 0 });
    const named = (text: string, args: unknown[]) => ({
      text,
      values: args,
      ...args.length > 0 && { name: `bare_${text.length}` },
    });
    const fromPg: unknown = pool;
    columns.set(
      "npm:pg",
      await measurePostgres(await openPostgres(fromPg as PgPool), {
        query: async (text, args) => (await pool.query(named(text, args))).rows,
        tx: async (work) => {
          const client = await pool.connect();
          try {
            await client.query("begin");
            await work((text, args = []) => client.query(named(text, args)));
            await client.query("commit");
          } finally {
            client.release();
          }
        },
      }),
    );
    // One client for both: which processors run the server's processes differs by connection.
    const client = postgres(server.url, { max: 4, onnotice: () => {} });
    const fromPostgres: unknown = client;
    // deno-lint-ignore no-explicit-any -- the client's own types of parameters are narrower
    const params = (args: unknown[]): any[] => args;
    columns.set(
      "npm:postgres",
      await measurePostgres(await openPostgres(fromPostgres as PostgresClient), {
        query: async (text, args) => [
          ...await client.unsafe(text, params(args), { prepare: true }),
        ],
        tx: async (work) => {
          await client.begin((own) =>
            work((text, args = []) => own.unsafe(text, params(args), { prepare: args.length > 0 }))
          );
        },
      }),
    );
  }
  await Deno.remove(folder, { recursive: true });
  return report(columns);
}

async function measureSqlite(path: string): Promise<Map<string, string>> {
  // Without the read cache, which would answer the repeated reads.
  await using db = await openSqlite(path, { slowMs: 60_000, cacheBytes: 0 });
  const definitions =
    `create table tickets (id integer primary key, title text not null, status text not null,
      customer_id integer not null, note text) strict;
    create table writes (id integer primary key, title text not null) strict;
    create table bare_writes (id integer primary key, title text not null) strict;`;
  db.raw.exec(definitions);
  db.raw.exec(
    `insert into tickets with recursive c (i) as (select 1 union all select i + 1 from c where i < 2000)
    select i, 'Ticket ' || i, 'open', i % 50, null from c`,
  );
  const prepare = (text: string) => db.raw.prepare(text);
  const one = prepare(`select ${names} from tickets where id = ?`);
  const some = prepare(`select ${names} from tickets where customer_id >= ? order by id limit 26`);
  const all = prepare(`select ${names} from tickets`);
  const write = prepare("insert into bare_writes (title) values (?)");
  const transaction = (between: readonly string[]) => (): void => {
    db.raw.exec("begin immediate");
    write.run("a");
    for (const text of between.slice(0, 1)) db.raw.exec(text);
    write.run("b");
    for (const text of between.slice(1)) db.raw.exec(text);
    db.raw.exec("commit");
  };
  const migrations = Array.from({ length: 12 }, (_, at) => ({
    name: `${String(at + 1).padStart(4, "0")}_t`,
    sql: `create table t${at} (id integer primary key, title text not null) strict;`,
  }));
  const found = await measure([
    ...reads(db, {
      one: (id) => toTicket(one.get(id) ?? {}),
      some: (at) => some.all(at).map(toTicket),
      all: () => all.all().map(toTicket),
    }),
    ...changes(db, {
      insert: () => write.run("a"),
      many: () => Array.from({ length: 16 }, () => write.run("a")),
      transaction: transaction([]),
      saved: transaction(["savepoint one", "release one"]),
    }),
  ]);
  const open = async (): Promise<void> =>
    await (await openSqlite(":memory:", { migrations })).close();
  found.set("a database for a test", await medianMs(open));
  return found;
}

/** The driver without the layer. */
interface Bare {
  readonly query: (text: string, args: unknown[]) => Promise<unknown[]>;
  readonly tx: (work: (run: Run) => Promise<void>) => Promise<void>;
}
type Run = (text: string, args?: unknown[]) => PromiseLike<unknown>;

async function medianMs(work: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let call = 0; call < 41; call++) {
    const startedMs = performance.now();
    await work();
    times.push(performance.now() - startedMs);
  }
  return `${median(times).toFixed(2)} ms`;
}

async function measurePostgres(
  db: Db,
  { query, tx }: Bare,
): Promise<Map<string, string>> {
  await db.run`drop table if exists tickets, writes, bare_writes`;
  await db
    .run`create table tickets (id bigint primary key, title text not null, status text not null,
    customer_id bigint not null, note text)`;
  await db
    .run`create table writes (id bigint generated always as identity primary key, title text not null)`;
  await db
    .run`create table bare_writes (id bigint generated always as identity primary key, title text not null)`;
  await db
    .run`insert into tickets select i, 'Ticket ' || i, 'open', i % 50, null from generate_series(1, 2000) i`;
  await db.run`analyze`;
  const map = (rows: unknown[]): Ticket[] => rows.map((row) => toTicket(Object(row)));
  const insertText = "insert into bare_writes (title) values ($1)";
  const insert = (): Promise<unknown> => query(insertText, ["a"]);
  const found = await measure([
    ...reads(db, {
      one: (id) => query(`select ${names} from tickets where id = $1`, [id]).then(map),
      some: (at) =>
        query(`select ${names} from tickets where customer_id >= $1 order by id limit 26`, [at])
          .then(map),
      all: () => query(`select ${names} from tickets`, []).then(map),
    }),
    ...changes(db, {
      insert,
      many: () => Promise.all(Array.from({ length: 16 }, insert)),
      transaction: () =>
        tx(async (run) => {
          await run(insertText, ["a"]);
          await run(insertText, ["b"]);
        }),
      saved: () =>
        tx(async (run) => {
          await run(insertText, ["a"]);
          await run("savepoint one");
          await run(insertText, ["b"]);
          await run("release savepoint one");
        }),
    }),
  ]);
  const write = (): Promise<number> => db.run`insert into writes (title) values ('a')`;
  found.set("a database for a test", await medianMs(() => rolledBack(db, write)));
  const startedMs = performance.now();
  await db.tx(() => db.run`select pg_sleep(10)`, { timeoutMs: 500 }).catch(() => {});
  found.set("a deadline of 500 ms", `${Math.round(performance.now() - startedMs)} ms`);
  const lost = await db.tx(async () => {
    const own = await db.one(int())`select pg_backend_pid()`;
    await query("select pg_terminate_backend($1)", [own]);
    await write();
  }).then(() => "is not seen", () => "rejects");
  const next = await write().then(() => "the next call works", () => "the next call fails");
  found.set("a connection that is lost", `${lost}, ${next}`);
  await db.close();
  return found;
}

function reads(
  db: Db,
  bare: {
    readonly one: (id: number) => unknown;
    readonly some: (at: number) => unknown;
    readonly all: () => unknown;
  },
): Operation[] {
  return [
    {
      name: "row by id",
      calls: 100,
      layer: (call) => db.one(Ticket)`select ${Ticket} from tickets where id = ${call % 2000 + 1}`,
      bare: (call) => bare.one(call % 2000 + 1),
    },
    {
      name: "26 rows",
      calls: 70,
      layer: (call) =>
        db.all(Ticket)`select id, title, status, customer_id, note from tickets
          where customer_id >= ${call % 20} order by id limit 26`,
      bare: (call) => bare.some(call % 20),
    },
    {
      name: "26 rows by fragments",
      calls: 70,
      layer: (call) =>
        db.all(Ticket)`select ${Ticket} from tickets ${
          where(sql`customer_id >= ${call % 20}`)
        } order by id limit 26`,
      bare: (call) => bare.some(call % 20),
    },
    {
      name: "2,000 rows",
      calls: 2,
      layer: () => db.all(Ticket)`select id, title, status, customer_id, note from tickets`,
      bare: () => bare.all(),
    },
  ];
}

const Write = struct({ title: text("required") });

function changes(
  db: Db,
  bare: {
    readonly insert: () => unknown;
    readonly many: () => unknown;
    readonly transaction: () => unknown;
    readonly saved: () => unknown;
  },
): Operation[] {
  const insert = (): Promise<number> => db.run`insert into writes ${values(Write, { title: "a" })}`;
  return [
    { name: "insert alone", calls: 10, layer: insert, bare: bare.insert },
    {
      name: "16 inserts at once",
      calls: 2,
      layer: () => Promise.all(Array.from({ length: 16 }, insert)),
      bare: bare.many,
    },
    {
      name: "transaction of two inserts",
      calls: 8,
      layer: () => db.tx(async () => void (await insert(), await insert())),
      bare: bare.transaction,
    },
    {
      name: "the same, one in a savepoint",
      calls: 8,
      layer: () => db.tx(async () => void (await insert(), await db.tx(insert))),
      bare: bare.saved,
    },
  ];
}

async function measure(operations: readonly Operation[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { name, calls, layer, bare } of operations) {
    const times = { layer: [] as number[], bare: [] as number[] };
    // The rounds below zero warm up: the layer has more code to compile than a bare call.
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const sides = round % 2 === 0 ? (["layer", "bare"] as const) : (["bare", "layer"] as const);
      for (const side of sides) {
        const work = side === "layer" ? layer : bare;
        const startedMs = performance.now();
        for (let call = 0; call < calls; call++) await work(call * 7 + Math.max(round, 0));
        if (round >= 0) times[side].push(performance.now() - startedMs);
      }
    }
    found.set(name, medianRatio(times.layer, times.bare).toFixed(2));
  }
  return found;
}

function report(columns: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  const subjects = [...columns.keys()];
  const operations = [...new Set([...columns.values()].flatMap((cells) => [...cells.keys()]))];
  const lines = operations.map((name) =>
    `| ${name} | ${subjects.map((subject) => columns.get(subject)?.get(name) ?? "–").join(" | ")} |`
  );
  return `## Data

Time of a call by the data layer, against the bare driver with rows mapped by hand = 1.00 (lower is faster);
medians of ${ROUNDS} interleaved rounds.

| Operation | ${subjects.join(" | ")} |
| --- | ${subjects.map(() => "---:").join(" | ")} |
${lines.join("\n")}
`;
}

if (import.meta.main) console.log(await run());
