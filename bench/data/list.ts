// deno-lint-ignore-file no-import-prefix -- benches pin their peers
/**
 * List bench: one list with a filter, a join and a capped count over 100,000 rows, with the data
 * layer, Kysely and Drizzle; and its page, compared with Hono with JSX over the same SQL, in one
 * process. A page is measured twice: with the same rows each time, and with rows not read before,
 * for which a cache only has costs. On Postgres it is also measured with eight concurrent requests.
 *
 * `deno run -A bench/data/list.ts`
 *
 * @module
 */
import { join } from "@std/path";
import { and, asc, desc, eq, gt, sql as drizzleSql } from "npm:drizzle-orm@0.45.4";
import { drizzle } from "npm:drizzle-orm@0.45.4/sqlite-proxy";
import { integer, sqliteTable, text as drizzleText } from "npm:drizzle-orm@0.45.4/sqlite-core";
import { Hono } from "npm:hono@4.13.19";
import { jsx, type JSXNode } from "npm:hono@4.13.19/jsx";
import { type Generated, Kysely, SqliteDialect } from "npm:kysely@0.29.9";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import pg from "npm:pg@8.23.1";
import {
  type Db,
  type Infer,
  int,
  type ListQuery,
  sql,
  struct,
  TableStore,
  text,
} from "../../data/mod.ts";
import { openPostgres, type PgPool } from "../../data/postgres/mod.ts";
import { openSqlite } from "../../data/sqlite/mod.ts";
import * as h from "../../html/mod.ts";
import { App, createLogger, type Node, Off } from "../../mod.ts";
import { noPostgres, startPostgres } from "../../tests/data/postgres_server.ts";
import { median, medianRatio } from "../median.ts";
import { fillTickets } from "./tickets.ts";

const rounds = 15;
const callsPerRound = 60;
const rows = 100_000;

const Line = struct({ id: int(), title: text(), status: text(), customerName: text() });
type Line = Infer<typeof Line>;

/** The result of a list. */
interface List {
  readonly lines: readonly Line[];
  readonly total: number;
}

/** Reads the newest open tickets above an id. */
type Read = (above: number) => Promise<List>;

/** The store as written by `generate resource`. */
class Tickets extends TableStore<
  Line,
  Line,
  ListQuery & { readonly status?: string; readonly above?: number }
> {
  constructor(db: Db) {
    super(db, {
      table: "tickets",
      rows: Line,
      input: Line,
      read: sql`select t.id, t.title, t.status, c.name as customer_name
        from tickets t join customers c on c.id = t.customer_id`,
      orders: { newest: { id: [sql`t.id`, "desc"] } },
      matching: ({ status, above }) => [
        status && sql`t.status = ${status}`,
        above !== undefined && sql`t.id > ${above}`,
      ],
    });
  }
}

function byLayer(db: Db): Read {
  const store = new Tickets(db);
  return async (above) => {
    const { rows, total } = await store.list({ status: "open", above });
    return { lines: rows, total };
  };
}

const listText = (one: string, two: string): string =>
  `select t.id, t.title, t.status, c.name as customer_name
  from tickets t join customers c on c.id = t.customer_id where t.status = ${one} and t.id > ${two} order by t.id desc limit 21`;
const countText = (one: string, two: string): string =>
  `select count(*) as n from (select 1 from tickets t where t.status = ${one} and t.id > ${two} limit 1001) x`;

function toLine(row: Readonly<Record<string, unknown>>): Line {
  return {
    id: Number(row["id"]),
    title: String(row["title"]),
    status: String(row["status"]),
    customerName: String(row["customer_name"]),
  };
}

/** Reads with the bare driver and maps rows by hand. */
function bySqlite(database: DatabaseSync): Read {
  const list = database.prepare(listText("?", "?"));
  const count = database.prepare(countText("?", "?"));
  return (above) => {
    const lines = list.all("open", above).slice(0, 20).map(toLine);
    return Promise.resolve({ lines, total: Number(count.get("open", above)?.["n"]) });
  };
}

function byPg(pool: pg.Pool): Read {
  return async (above) => {
    const values = ["open", above];
    const list = await pool.query({ name: "list", text: listText("$1", "$2"), values });
    const count = await pool.query({ name: "count", text: countText("$1", "$2"), values });
    return { lines: list.rows.slice(0, 20).map(toLine), total: Number(count.rows[0]?.n) };
  };
}

interface Tables {
  customers: { id: Generated<number>; name: string };
  tickets: { id: Generated<number>; title: string; status: string; customer_id: number };
}

function byKysely(database: DatabaseSync): Read {
  const prepare = (text: string) => {
    const statement = database.prepare(text);
    return {
      reader: statement.columns().length > 0,
      // The query builder passes parameters that the driver accepts.
      all: (args: readonly unknown[]) => statement.all(...args as Parameters<StatementSync["all"]>),
      run: (args: readonly unknown[]) => {
        const { changes, lastInsertRowid } = statement.run(
          ...args as Parameters<StatementSync["run"]>,
        );
        return { changes, lastInsertRowid };
      },
      iterate: (args: readonly unknown[]) =>
        statement.iterate(...args as Parameters<StatementSync["iterate"]>),
    };
  };
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: { close: () => {}, prepare } }),
  });
  return async (above) => {
    const lines = await db.selectFrom("tickets as t").innerJoin(
      "customers as c",
      "c.id",
      "t.customer_id",
    ).select(["t.id", "t.title", "t.status", "c.name as customerName"]).where(
      "t.status",
      "=",
      "open",
    ).where("t.id", ">", above).orderBy("t.id", "desc").limit(21).execute();
    const { n } = await db.selectFrom((from) =>
      from.selectFrom("tickets as t").select((e) => e.lit(1).as("one")).where(
        "t.status",
        "=",
        "open",
      ).where("t.id", ">", above).limit(1001).as("x")
    ).select((e) => e.fn.countAll<number>().as("n")).executeTakeFirstOrThrow();
    return { lines: lines.slice(0, 20), total: n };
  };
}

function byDrizzle(database: DatabaseSync): Read {
  const customers = sqliteTable("customers", {
    id: integer().primaryKey(),
    name: drizzleText().notNull(),
  });
  const tickets = sqliteTable("tickets", {
    id: integer().primaryKey(),
    title: drizzleText().notNull(),
    status: drizzleText().notNull(),
    customerId: integer("customer_id").notNull(),
  });
  const db = drizzle((text, args, method) => {
    const statement = database.prepare(text) as StatementSync & {
      setReturnArrays(isOn: boolean): void;
    };
    const isOn = true;
    statement.setReturnArrays(isOn);
    const found = statement.all(...args as Parameters<StatementSync["all"]>);
    return Promise.resolve({ rows: method === "get" ? Object(found[0]) : found });
  });
  return async (above) => {
    const open = and(eq(tickets.status, "open"), gt(tickets.id, above));
    const lines = await db.select({
      id: tickets.id,
      title: tickets.title,
      status: tickets.status,
      customerName: customers.name,
    }).from(tickets).innerJoin(customers, eq(customers.id, tickets.customerId)).where(open)
      .orderBy(desc(tickets.id), asc(customers.id)).limit(21);
    const some = db.select({ one: drizzleSql<number>`1`.as("one") }).from(tickets).where(open)
      .limit(1001).as("x");
    const [count] = await db.select({ n: drizzleSql<number>`count(*)` }).from(some);
    return { lines: lines.slice(0, 20), total: Number(count?.n) };
  };
}

function view({ lines, total }: List): Node {
  return h.fragment(
    h.h1("Tickets"),
    h.p(total > 1_000 ? "More than 1,000 tickets" : `${total} tickets`),
    h.table(
      h.thead(h.tr(h.th("Title"), h.th("Status"), h.th("Customer"))),
      h.tbody(h.map(lines, ({ id, title, status, customerName }) =>
        h.tr(
          h.class("row", status),
          h.td(h.a(h.href(`/tickets/${id}`), title)),
          h.td(status),
          h.td(customerName),
        ))),
    ),
  );
}

type Fetch = (request: Request) => Response | Promise<Response>;

function pageByFw(read: Read): Fetch {
  const app = new App({
    logRequest: Off,
    logger: createLogger({ write: () => {} }),
    security: { delegated: true },
  });
  app.route({
    pattern: "/tickets",
    page: async (c) => view(await read(Number(c.query("above") ?? 0))),
    layouts: [(_c, children) =>
      h.html(
        h.lang("en"),
        h.head(h.meta(h.charset("utf-8")), h.title("Tickets")),
        h.body(h.main(children)),
      )],
  });
  return app.fetch;
}

function pageByHono(read: Read): Fetch {
  const app = new Hono();
  const page = ({ lines, total }: List): JSXNode =>
    jsx(
      "html",
      { lang: "en" },
      jsx("head", {}, jsx("meta", { charset: "utf-8" }), jsx("title", {}, "Tickets")),
      jsx(
        "body",
        {},
        jsx(
          "main",
          {},
          jsx("h1", {}, "Tickets"),
          jsx("p", {}, total > 1_000 ? "More than 1,000 tickets" : `${total} tickets`),
          jsx(
            "table",
            {},
            jsx(
              "thead",
              {},
              jsx(
                "tr",
                {},
                jsx("th", {}, "Title"),
                jsx("th", {}, "Status"),
                jsx("th", {}, "Customer"),
              ),
            ),
            jsx(
              "tbody",
              {},
              ...lines.map(({ id, title, status, customerName }) =>
                jsx(
                  "tr",
                  { class: `row ${status}` },
                  jsx("td", {}, jsx("a", { href: `/tickets/${id}` }, title)),
                  jsx("td", {}, status),
                  jsx("td", {}, customerName),
                )
              ),
            ),
          ),
        ),
      ),
    );
  app.get(
    "/tickets",
    async (c) => c.html(`<!DOCTYPE html>${page(await read(Number(c.req.query("above") ?? 0)))}`),
  );
  return (request) => app.fetch(request);
}

/**
 * Runs subjects in turn, with `width` concurrent calls. @returns The milliseconds per call by
 * subject and round.
 */
async function inTurns(
  subjects: ReadonlyMap<string, (call: number) => Promise<unknown>>,
  width: number = 1,
): Promise<ReadonlyMap<string, number[]>> {
  const times = new Map([...subjects.keys()].map((name) => [name, [] as number[]]));
  const order = [...subjects];
  const calls = new Map<string, number>();
  for (let round = -3; round < rounds; round++) {
    for (const [name, work] of round % 2 === 0 ? order : order.toReversed()) {
      const startedMs = performance.now();
      let left = callsPerRound;
      const runSome = async (): Promise<void> => {
        while (left-- > 0) {
          const count = (calls.get(name) ?? 0) + 1;
          calls.set(name, count);
          await work(count);
        }
      };
      await Promise.all(Array.from({ length: width }, runSome));
      if (round >= 0) times.get(name)?.push((performance.now() - startedMs) / callsPerRound);
    }
  }
  return times;
}

function table(title: string, times: ReadonlyMap<string, number[]>): string {
  const [base = []] = times.values();
  const lines = [...times].map(([name, each]) =>
    `| ${name} | ${medianRatio(each, base).toFixed(2)} | ${(median(each) * 1_000).toFixed(0)} |`
  );
  return `| ${title} | Time | µs |\n| --- | ---: | ---: |\n${lines.join("\n")}\n`;
}

async function page(fetch: Fetch, above: number): Promise<string> {
  const response = await fetch(new Request(`http://localhost/tickets?above=${above}`));
  return await response.text();
}

/** Runs the bench. @returns Markdown tables. */
export async function run(): Promise<string> {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "a.sqlite");
  const found: string[] = [];
  await using db = await openSqlite(path, { slowMs: 60_000 });
  await fillTickets(db, rows);
  const database = new DatabaseSync(path, { readOnly: true });
  const bare = bySqlite(database);
  const reads = new Map([
    ["the data layer", byLayer(db)],
    ["`node:sqlite`, mapped by hand", bare],
    ["Kysely", byKysely(database)],
    ["Drizzle", byDrizzle(database)],
  ]);
  const expected = JSON.stringify(await byLayer(db)(0));
  for (const [name, read] of reads) {
    if (JSON.stringify(await read(0)) !== expected) throw new Error(`${name} reads another list.`);
  }
  for (const seen of [true, false]) {
    const rows = seen ? "rows seen again" : "rows never seen";
    const lists = new Map(
      [...reads].map(([name, read]) => [name, (call: number) => read(seen ? 0 : call)] as const),
    );
    found.push(table(`SQLite: the list, ${rows}`, await inTurns(lists)));
    const times = await pages(byLayer(db), { bare, seen });
    found.push(table(`SQLite: its page, ${rows}`, times));
  }
  database.close();
  await db.close();
  await Deno.remove(folder, { recursive: true });
  if (noPostgres === undefined) {
    await using server = await startPostgres();
    const pool = new pg.Pool({ connectionString: server.url, max: 4, idleTimeoutMillis: 0 });
    const shared: unknown = pool;
    const db = await openPostgres(shared as PgPool, { slowMs: 60_000 });
    await fillTickets(db, rows);
    // A server does this itself within a minute; without it, a count would read the table instead of the
    // index.
    await db.run`vacuum analyze`;
    const [own, bare] = [byLayer(db), byPg(pool)];
    const subjects = new Map([
      ["the data layer", () => own(0)],
      ["`npm:pg`, mapped by hand", () => bare(0)],
    ]);
    for (const width of [1, 8]) {
      const at = `${width} at once`;
      found.push(table(`Postgres: the list, ${at}`, await inTurns(subjects, width)));
      const times = await pages(own, { bare, seen: true, width });
      found.push(table(`Postgres: its page, ${at}`, times));
    }
    await db.close();
  }
  return found.join("\n");
}

async function pages(
  own: Read,
  { bare, seen, width = 1 }: {
    readonly bare: Read;
    readonly seen: boolean;
    readonly width?: number;
  },
): Promise<ReadonlyMap<string, number[]>> {
  const [fw, hono] = [pageByFw(own), pageByHono(bare)];
  const count = async (fetch: Fetch): Promise<number> => (await page(fetch, 0)).split("<tr").length;
  if (await count(fw) !== await count(hono)) throw new Error("The pages differ.");
  // A number for each call that no earlier measurement has used.
  const above = (call: number): number => seen ? 0 : 10_000 + call;
  return await inTurns(
    new Map([
      ["fw", (call) => page(fw, above(call))],
      ["Hono and JSX, driver and mapping by hand", (call) => page(hono, above(call))],
    ]),
    width,
  );
}

if (import.meta.main) console.log(await run());
