// deno-lint-ignore-file no-import-prefix -- benches pin their peers
/**
 * List bench: one list with a filter, a join and a capped count over 100,000 rows, by the data layer beside Kysely and
 * Drizzle; and its page beside Hono with JSX over the same SQL, in one process.
 *
 * `deno run -A bench/data/list.ts`
 *
 * @module
 */
import { join } from "@std/path";
import { asc, desc, eq, sql as drizzleSql } from "npm:drizzle-orm@0.45.4";
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

/** What a list gives. */
interface List {
  readonly lines: readonly Line[];
  readonly total: number;
}

type Read = () => Promise<List>;

/** The store that `generate resource` writes. */
class Tickets extends TableStore<Line, Line, ListQuery & { readonly status?: string }> {
  constructor(db: Db) {
    super(db, {
      table: "tickets",
      rows: Line,
      input: Line,
      read: sql`select t.id, t.title, t.status, c.name as customer_name
        from tickets t join customers c on c.id = t.customer_id`,
      orders: { newest: { id: [sql`t.id`, "desc"] } },
      matching: ({ status }) => [status && sql`t.status = ${status}`],
    });
  }
}

function byLayer(db: Db): Read {
  const store = new Tickets(db);
  return async () => {
    const { rows, total } = await store.list({ status: "open" });
    return { lines: rows, total };
  };
}

const listText = (one: string): string =>
  `select t.id, t.title, t.status, c.name as customer_name
  from tickets t join customers c on c.id = t.customer_id where t.status = ${one} order by t.id desc limit 21`;
const countText = (one: string): string =>
  `select count(*) as n from (select 1 from tickets t where t.status = ${one} limit 1001) x`;

function toLine(row: Readonly<Record<string, unknown>>): Line {
  return {
    id: Number(row["id"]),
    title: String(row["title"]),
    status: String(row["status"]),
    customerName: String(row["customer_name"]),
  };
}

/** The driver itself, with rows mapped by hand. */
function bySqlite(database: DatabaseSync): Read {
  const list = database.prepare(listText("?"));
  const count = database.prepare(countText("?"));
  return () => {
    const lines = list.all("open").slice(0, 20).map(toLine);
    return Promise.resolve({ lines, total: Number(count.get("open")?.["n"]) });
  };
}

function byPg(pool: pg.Pool): Read {
  return async () => {
    const list = await pool.query({ name: "list", text: listText("$1"), values: ["open"] });
    const count = await pool.query({ name: "count", text: countText("$1"), values: ["open"] });
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
      // The parameters of the query builder are those of the driver.
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
  return async () => {
    const lines = await db.selectFrom("tickets as t").innerJoin(
      "customers as c",
      "c.id",
      "t.customer_id",
    ).select(["t.id", "t.title", "t.status", "c.name as customerName"]).where(
      "t.status",
      "=",
      "open",
    ).orderBy("t.id", "desc").limit(21).execute();
    const { n } = await db.selectFrom((from) =>
      from.selectFrom("tickets as t").select((e) => e.lit(1).as("one")).where(
        "t.status",
        "=",
        "open",
      ).limit(1001).as("x")
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
  return async () => {
    const lines = await db.select({
      id: tickets.id,
      title: tickets.title,
      status: tickets.status,
      customerName: customers.name,
    }).from(tickets).innerJoin(customers, eq(customers.id, tickets.customerId)).where(
      eq(tickets.status, "open"),
    ).orderBy(desc(tickets.id), asc(customers.id)).limit(21);
    const some = db.select({ one: drizzleSql<number>`1`.as("one") }).from(tickets).where(
      eq(tickets.status, "open"),
    ).limit(1001).as("x");
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
    page: async () => view(await read()),
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
  app.get("/tickets", async (c) => c.html(`<!DOCTYPE html>${page(await read())}`));
  return (request) => app.fetch(request);
}

/** Runs subjects in turns. @returns The milliseconds of each call by subject, a number for each round. */
async function inTurns(
  subjects: ReadonlyMap<string, () => Promise<unknown>>,
): Promise<ReadonlyMap<string, number[]>> {
  const times = new Map([...subjects.keys()].map((name) => [name, [] as number[]]));
  const order = [...subjects];
  for (let round = -3; round < rounds; round++) {
    for (const [name, work] of round % 2 === 0 ? order : order.toReversed()) {
      const startedMs = performance.now();
      for (let call = 0; call < callsPerRound; call++) await work();
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

async function page(fetch: Fetch): Promise<string> {
  const response = await fetch(new Request("http://localhost/tickets"));
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
  const expected = JSON.stringify(await byLayer(db)());
  for (const [name, read] of reads) {
    if (JSON.stringify(await read()) !== expected) throw new Error(`${name} reads another list.`);
  }
  found.push(table("SQLite: the list", await inTurns(reads)));
  found.push(
    table("SQLite: its page", await pages(byLayer(db), bare)),
  );
  database.close();
  await db.close();
  await Deno.remove(folder, { recursive: true });
  if (noPostgres === undefined) {
    await using server = await startPostgres();
    const pool = new pg.Pool({ connectionString: server.url, max: 4, idleTimeoutMillis: 0 });
    const shared: unknown = pool;
    const db = await openPostgres(shared as PgPool, { slowMs: 60_000 });
    await fillTickets(db, rows);
    const subjects = new Map([["the data layer", byLayer(db)], [
      "`npm:pg`, mapped by hand",
      byPg(pool),
    ]]);
    found.push(table("Postgres: the list", await inTurns(subjects)));
    found.push(table("Postgres: its page", await pages(byLayer(db), byPg(pool))));
    await db.close();
  }
  return found.join("\n");
}

async function pages(own: Read, bare: Read): Promise<ReadonlyMap<string, number[]>> {
  const [fw, hono] = [pageByFw(own), pageByHono(bare)];
  const count = async (fetch: Fetch): Promise<number> => (await page(fetch)).split("<tr").length;
  if (await count(fw) !== await count(hono)) throw new Error("The pages differ.");
  return await inTurns(
    new Map([["fw", () => page(fw)], [
      "Hono and JSX, driver and mapping by hand",
      () => page(hono),
    ]]),
  );
}

if (import.meta.main) console.log(await run());
