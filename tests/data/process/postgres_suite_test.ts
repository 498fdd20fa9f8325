import { AsyncLocalStorage } from "node:async_hooks";
import pg from "npm:pg@8.23.1";
import postgres from "npm:postgres@3.4.9";
import { assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import {
  among,
  bool,
  BusyError,
  ConstraintError,
  contains,
  date,
  day,
  type Db,
  float,
  inBatches,
  int,
  json,
  keyset,
  list,
  readSchema,
  set,
  sql,
  struct,
  text,
  values,
  where,
} from "../../../data/mod.ts";
import { splitStatements } from "../../../data/statements.ts";
import type { EngineDb } from "../../../data/db.ts";
import { outside } from "../../../data/scope.ts";
import { openPostgres } from "../../../data/postgres/mod.ts";
import type { OpenPostgresOptions, PgPool, PostgresClient } from "../../../data/postgres/mod.ts";
import { testUnless } from "../../../tools/skip.ts";
import { noPostgres, startPostgres } from "../postgres_server.ts";
import { definitions, registerSuite } from "../suite.ts";
import { withMoreTime } from "../../until.ts";

/** The clients have different types; the package uses a part common to both. */
const clients: readonly (readonly [name: string, make: (url: string, max?: number) => unknown])[] =
  [
    ["npm:pg", (url, max = 4) => new pg.Pool({ connectionString: url, max, idleTimeoutMillis: 0 })],
    // A busy server closes a connection after its client has ended, and the connection's timer would
    // run until then.
    [
      "npm:postgres",
      (url, max = 4) => postgres(url, { max, max_lifetime: null, onnotice: () => {} }),
    ],
  ];

if (noPostgres !== undefined) {
  testUnless(noPostgres, { name: "Postgres: the suite of every engine", fn: () => {} });
} else {
  let server: Awaited<ReturnType<typeof startPostgres>> | undefined;
  let admin: Db | undefined;
  const runAll = async (texts: readonly string[]): Promise<void> => {
    for (const text of texts) await admin?.run(Object.assign([text], { raw: [text] }));
  };
  Deno.test.beforeAll(async () => {
    server = await startPostgres({ locale: "de_DE.UTF-8" });
    const connectionString = server.url;
    const pool: unknown = new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0 });
    admin = await openPostgres(pool as PgPool, { slowMs: 60_000 });
    await runAll([
      "alter database postgres set deadlock_timeout = '20ms'",
      ...definitions("postgres"),
    ]);
  });
  Deno.test.afterAll(async () => {
    await admin?.close();
    await server?.[Symbol.asyncDispose]();
  });
  Deno.test("npm:pg: query_timeout ends a statement, but no migration and no transaction with timeoutMs", () =>
    withMoreTime(async (factor) => {
      const limits = { max: 1, idleTimeoutMillis: 0, query_timeout: 500 * factor };
      const pool: unknown = new pg.Pool({ connectionString: server?.url ?? "", ...limits });
      const seconds = 0.75 * factor;
      const migrations = [{ name: "0001_slow", sql: `select pg_sleep(${seconds})` }];
      await runAll(["drop table if exists fw_migrations"]);
      await using db = await openPostgres(pool as PgPool, { slowMs: 60_000, migrations });
      await runAll(["drop table fw_migrations"]);
      const slow = (): Promise<unknown> => db.all(struct({}))`select from pg_sleep(${seconds})`;
      const late = "The database server is unavailable";
      await assertRejects(slow, BusyError, late);
      await db.tx(slow, { timeoutMs: 60_000 });
      const connection = (): Promise<unknown> =>
        db.one(struct({ pid: int() }))`select pg_backend_pid() as pid`;
      const before = await connection();
      await assertRejects(() => db.tx(slow), BusyError, late);
      // The statement still runs on the other one.
      assertNotEquals(await connection(), before);
    }));
  for (const [name, make] of clients) {
    const open = (options: OpenPostgresOptions = {}, max = 4): Promise<Db> =>
      openPostgres(make(server?.url ?? "", max) as PgPool | PostgresClient, {
        slowMs: 60_000,
        ...options,
      });
    registerSuite({
      name,
      open: async () => {
        await runAll([
          "drop table if exists shifting, extra, grown, misfits, one, bill_lines, bills, bills_changes, fw_migrations",
          ...["notes", "notes_changes", "tickets", "customers", "everything", "counters", "later"]
            .map((table) => `delete from ${table}`),
        ]);
        return await open();
      },
    });
    Deno.test(`${name}: deadlocked transactions end with a BusyError`, async () => {
      await runAll(["delete from counters", "insert into counters values (1, 0), (2, 0)"]);
      await using one = await open();
      await using other = await open();
      const both = [one, other] as const;
      const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
      const add = (db: Db, id: number): Promise<number> =>
        db.run`update counters set n = n + 1 where id = ${id}`;
      const cross = (from: 0 | 1): Promise<unknown> =>
        both[from].tx(async () => {
          await add(both[from], from + 1);
          begun[from].resolve();
          await Promise.all(begun.map(({ promise }) => promise));
          await add(both[1 - from] ?? one, 2 - from);
          throw new BusyError("over");
        });
      const ends = [cross(0), cross(1)].map((each) => assertRejects(() => each, BusyError));
      const messages = (await Promise.all(ends)).map(({ message }) => message);
      // The server ends one of them, or both.
      assertEquals(messages.toSorted()[0], "Another transaction is changing the same rows");
    });
    Deno.test(`${name}: a single statement ended by a deadlock runs again`, async () => {
      await runAll(["delete from counters", "insert into counters values (1, 0), (2, 0)"]);
      await using one = await open();
      await using other = await open({}, 1);
      await other.run`set deadlock_timeout = '500ms'`;
      const add = (db: Db, id: number): Promise<number> =>
        db.run`update counters set n = n + 1 where id = ${id}`;
      let single: Promise<number> | undefined;
      await one.tx(async () => {
        // The server ends the other statement.
        await one.run`set local deadlock_timeout = '1min'`;
        await add(one, 2);
        single = outside(() => other.run`update counters set n = n + 10 where id > 0`);
        single.catch(() => {});
        while (await one.one(int())`select count(*) from pg_locks where not granted` === 0);
        await add(one, 1);
      });
      assertEquals(await single, 2);
      assertEquals(await one.all(int())`select n from counters order by id`, [11, 11]);
    });
    for (const when of ["at once", "while it runs"]) {
      Deno.test(`${name}: an abort ${when} stops its statement although no connection is free`, async () => {
        await using db = await open({}, 1);
        const sleep = (seconds: number): Promise<number> => db.run`select pg_sleep(${seconds})`;
        await sleep(0);
        const abort = new AbortController();
        const gone = new Error("gone");
        const work = db.tx(() => {
          const sleeping = sleep(600);
          if (when === "at once") abort.abort(gone);
          return sleeping;
        }, { signal: abort.signal });
        const countAsleep = (): Promise<number> =>
          (admin ?? db).one(int())`select count(*) from pg_stat_activity
            where state = 'active' and query = 'select pg_sleep($1)'`;
        while (when !== "at once" && await countAsleep() === 0);
        abort.abort(gone);
        await assertRejects(() => work, Error, "gone");
        // The connection's next user runs the same statement.
        await sleep(0.01);
        assertEquals(await countAsleep(), 0);
      });
    }
    Deno.test(`${name}: a statement over the server's time limit ends with a BusyError`, async () => {
      await runAll(["alter database postgres set statement_timeout = 50"]);
      try {
        await using db = await open();
        await assertRejects(() => db.run`select pg_sleep(600)`, BusyError, "timeout");
      } finally {
        await runAll(["alter database postgres reset statement_timeout"]);
      }
    });
    Deno.test(`${name}: a pool of one connection runs statements while a channel is watched`, async () => {
      await using db = await open({}, 1) as EngineDb;
      const heard: (string | undefined)[] = [];
      const seen = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const stop = db.internals.listen?.("fw_heard", (payload) => {
        seen[heard.push(payload) - 1]?.resolve();
      });
      await seen[0]?.promise;
      await db.run`select pg_notify('fw_heard', 'x')`;
      await seen[1]?.promise;
      assertEquals(heard, [undefined, "x"]);
      stop?.();
    });
    for (
      const [setting, value] of [
        ["DateStyle", "German"],
        ["DateStyle", "'SQL, DMY'"],
        ["DateStyle", "'Postgres, MDY'"],
        ...(name === "npm:pg" ? [["extra_float_digits", "-14"]] as const : []),
        ["TimeZone", "'America/St_Johns'"],
        ["standard_conforming_strings", "off"],
        ["array_nulls", "off"],
        ["search_path", "pg_catalog, public"],
      ]
    ) {
      Deno.test(`${name}: ${setting} = ${value} of the server bends no value`, async () => {
        const Row = struct({
          f: float(),
          d: date(),
          old: date(),
          dy: day(),
          js: list(struct({ at: date(), f: float() })),
        });
        const at = new Date("1899-03-04T05:06:07.089Z");
        const js = [{ at, f: 0.1 + 0.2 }];
        await runAll([`alter database postgres set ${setting} = ${value}`]);
        try {
          const client = make(server?.url ?? "");
          // The pool has a connection already.
          if (name === "npm:pg") await Object(client).query("select 1");
          await using db = await openPostgres(client as PgPool | PostgresClient, {
            slowMs: 60_000,
          });
          const read = db.one(Row)`select ${
            0.1 + 0.2
          }::double precision as f, ${at}::timestamptz as d,
            '0101-02-03 04:05:06Z'::timestamptz as old, ${"2026-02-03"}::date as dy,
            ${json(js)}::jsonb as js`;
          assertEquals(await read, {
            f: 0.1 + 0.2,
            d: at,
            old: new Date("0101-02-03T04:05:06Z"),
            dy: "2026-02-03",
            js,
          });
          const hostile = "\\' ; -- \\";
          const got = await db.one(text())`select ${hostile} where ${hostile} ${among([hostile])}`;
          assertEquals(got, hostile);
          const find = db.one(int())`select count(*) from tickets t ${
            where(contains("tickets", "a\\_%"))
          }`;
          assertEquals(await find, 0);
          const Customer = struct({ email: text() });
          const twice = values(Customer, [{ email: "a" }, { email: "A" }]);
          const call = () => db.run`insert into customers ${twice}`;
          const error = await assertRejects(call, ConstraintError);
          assertEquals(error.columns, ["email"]);
        } finally {
          await runAll([`alter database postgres reset ${setting}`]);
        }
      });
    }
    Deno.test(`${name}: two databases on one pool have separate prepared statements`, async () => {
      const client = make(server?.url ?? "") as PgPool | PostgresClient;
      const one = await openPostgres(client);
      const other = await openPostgres(client);
      for (let round = 0; round < 2; round++) {
        assertEquals(await one.one(int())`select 1::bigint`, 1);
        assertEquals(await other.one(int())`select 2::bigint`, 2);
      }
      await one.close();
    });
    Deno.test(`${name}: pages by instants with microseconds skip and repeat no row, and such instants compare as read`, async () => {
      await using db = await open();
      const Row = struct({ id: int(), at: date("required") });
      await db.tx(async () => {
        await db.run`create table exact (id bigint, at timestamptz not null)`;
        await db.run`insert into exact select id, timestamptz '1969-12-31 23:59:59.999Z' +
          id * interval '7 microseconds' from generate_series(1, 60) id`;
        for (const way of ["asc", "desc"] as const) {
          const rows = inBatches(async (at) => {
            const page = keyset(at, {
              rows: Row,
              size: 7,
              by: { at: [sql`at`, way], id: [sql`id`, way] },
            });
            return page.cut(
              await db.all(Row)`select ${Row} from exact ${where(page.after)} ${page.order}`,
            );
          });
          const ids: number[] = [];
          for await (const { id } of rows) {
            ids.push(id);
            if (ids.length > 70) break;
          }
          const found = way === "asc" ? ids : ids.reverse();
          assertEquals(found, Array.from({ length: 60 }, (_, at) => at + 1));
        }
        const { at } = await db.one(Row)`select ${Row} from exact where id = 7`;
        assertEquals(await db.run`update exact set ${set(Row, { at })} where at = ${at}`, 1);
        await db.run`drop table exact`;
      });
    });
    Deno.test(`${name}: a caller's settings apply only to its own statements`, async () => {
      const tenant = new AsyncLocalStorage<string>();
      const settings = (): Readonly<Record<string, string>> => {
        const id = tenant.getStore();
        return id === undefined ? {} : { "app.tenant": id };
      };
      await using db = await open({ settings });
      const read = (): Promise<string> =>
        db.one(text())`select coalesce(current_setting('app.tenant', true), '')`;
      const ids = [..."12345678", "it's \\ E'"];
      const inBackground = (): Promise<string> =>
        db.background.one(text())`select current_setting('app.tenant')`;
      const readAll = async () => [await read(), await db.tx(read), await inBackground()];
      const seen = await Promise.all(ids.map((id) => tenant.run(id, readAll)));
      assertEquals(seen, ids.map((id) => [id, id, id]));
      assertEquals(await Promise.all(ids.map(read)), ids.map(() => ""));
      assertEquals(await db.tx(read), "");
      // A transaction has statements of several callers, and savepoints that roll back settings.
      const within = await db.tx(async () => [
        await read(),
        await tenant.run("7", read),
        await tenant.run("8", () =>
          db.tx(async () => {
            await read();
            throw new Error("undone");
          })).catch(() => "undone"),
        await tenant.run("8", read),
        await read(),
      ]);
      assertEquals(within, ["", "7", "undone", "8", ""]);
      await assertRejects(() => tenant.run("\ud800", read), TypeError, "lone surrogate");
      await using other = await open({ settings: () => ({ "search_path; drop table notes": "" }) });
      await assertRejects(() => other.run`select 1`, RangeError, "app.tenant");
    });
    Deno.test(`${name}: the guide's policy separates tenants, even on reused connections`, async () => {
      const guide = await Deno.readTextFile(new URL("../../../docs/database.md", import.meta.url));
      const [, policy = ""] = /### Tenants\n[^]*?```sql\n([^]*?)```/.exec(guide) ?? [];
      await runAll([
        "create role app login",
        "create table tenants (id bigint primary key)",
        "insert into tenants values (1), (2)",
        "create table invoices (title text)",
        ...splitStatements(policy, "postgres").map(({ sql }) => sql),
        "grant select, insert, update on invoices, tenants to app",
      ]);
      const tenant = new AsyncLocalStorage<number>();
      const url = server?.url.replace("//fw@", "//app@") ?? "";
      const db = await openPostgres(make(url) as PgPool | PostgresClient, {
        settings: () => ({ "app.tenant": String(tenant.getStore() ?? "") }),
      });
      try {
        const add = (title: string): Promise<number> =>
          db.run`insert into invoices (title) values (${title})`;
        const titles = (): Promise<string[]> => db.all(text())`select title from invoices`;
        for (const id of [1, 2]) await tenant.run(id, () => add(`of ${id}`));
        assertEquals(await tenant.run(1, titles), ["of 1"]);
        assertEquals(await tenant.run(2, () => db.tx(titles)), ["of 2"]);
        assertEquals(await Promise.all(Array.from({ length: 8 }, titles)), Array(8).fill([]));
        await assertRejects(() => add("of none"));
        const steal = (): Promise<number> => db.run`update invoices set tenant_id = 2`;
        await assertRejects(() => tenant.run(1, steal));
      } finally {
        await db.close();
        await runAll(["drop table invoices, tenants", "drop role app"]);
      }
    });
    Deno.test(`${name}: with settings a statement works after its table changes, and has a plan`, async () => {
      await using db = await open({ settings: () => ({ "app.least": "1" }) }) as EngineDb;
      await runAll(["create table settled (a integer)", "insert into settled values (1)"]);
      const read = (): Promise<number> => db.one(int())`select * from settled`;
      assertEquals(await read(), 1);
      await runAll(["alter table settled alter column a type bigint"]);
      assertEquals(await read(), 1);
      await runAll(["drop table settled"]);
      const plan = await db.internals.explain(
        "select id from tickets where id > current_setting('app.least')::bigint",
      );
      assertMatch(plan.join(), /app\.least/);
    });
    Deno.test(`${name}: a connection lost in a transaction rejects, and the database continues and closes`, async () => {
      const db = await open();
      const write = (): Promise<number> => db.run`insert into counters values (7, 0)`;
      for (const next of [write, () => db.tx(write)]) {
        const work = db.tx(async () => {
          const own = await db.one(int())`select pg_backend_pid()`;
          await (admin ?? db).all(bool())`select pg_terminate_backend(${own})`;
          await next();
        });
        await assertRejects(() => work, BusyError);
      }
      assertEquals(await db.one(int())`select count(*) from counters where id = 7`, 0);
      await db.close();
    });
  }
  Deno.test("readSchema: recreates Postgres's enums, references, views and policies, and names what it leaves out", async () => {
    const made = [
      "create table visits (id bigint primary key)",
      "create type mood as enum ('sad', 'it''s ok')",
      "create table events (day date) partition by range (day)",
      "create index by_day on events (day)",
      'create table rows (id bigint generated always as identity, mood mood, word text collate "C")',
      "create table tags (id bigint primary key, later bigint references visits (id))",
      "create materialized view seen as select id from rows",
      "create view mine with (security_invoker = true) as select id from rows",
      "alter table rows enable row level security, force row level security",
      "create policy own on rows for select using (id > 0)",
    ];
    const others = [
      ...["create domain size as integer check (value > 0)", "create sequence odd"],
      ...["create type pair as (a integer)", "create table rest partition of events default"],
    ];
    const read = async (texts: readonly string[]) => {
      await runAll(["create schema dump", "set search_path = dump, public", ...texts]);
      const found = admin && await readSchema(admin);
      await runAll(["set search_path = public", "drop schema dump cascade"]);
      const statements = splitStatements(found ?? "", "postgres").map(({ sql }) => sql);
      return [
        found?.match(/^-- Only in the migrations: .*/gm)?.map((line) => line.slice(27)),
        statements.filter((sql) => !sql.startsWith("create extension")),
      ] as const;
    };
    const [left, found] = await read([...made, ...others]);
    assertEquals(left, ["domain size", "partition rest", "sequence odd", "type pair"]);
    assertEquals(found.map((sql) => sql.replaceAll(/\s+/g, " ")), [
      "create type mood as enum ('sad', 'it''s ok')",
      "create table events ( day date ) partition by RANGE (day)",
      'create table rows ( id bigint generated always as identity not null, mood mood, word text collate "C" )',
      "create table tags ( id bigint not null, later bigint, constraint tags_pkey PRIMARY KEY (id) )",
      "create table visits ( id bigint not null, constraint visits_pkey PRIMARY KEY (id) )",
      "CREATE INDEX by_day ON dump.events USING btree (day)",
      "alter table tags add constraint tags_later_fkey FOREIGN KEY (later) REFERENCES visits(id)",
      "create view mine with (security_invoker=true) as SELECT rows.id FROM rows",
      "create materialized view seen as SELECT rows.id FROM rows",
      "alter table rows enable row level security, force row level security",
      "create policy own on rows as PERMISSIVE for SELECT to public using ((id > 0))",
    ]);
    assertEquals(await read(found), [undefined, found]);
  });
  Deno.test("Postgres: the suite runs on a server with German messages, if the system has them", async () => {
    const error = await assertRejects(() => runAll(["select nothing"]));
    assertMatch(String(error), /existiert nicht|does not exist/);
  });
  Deno.test("Postgres: a schema change inside another database's transaction ends with a BusyError", async () => {
    const open = (): Promise<Db> =>
      openPostgres(clients[0]?.[1](server?.url ?? "") as PgPool, { slowMs: 60_000 });
    await using one = await open();
    await using other = await open();
    const work = (): Promise<unknown> =>
      one.tx(async () => {
        await one.run`lock table later`;
        // It waits for the lock of the transaction that waits for it.
        await other.run`alter table later add column never text`;
      });
    assertEquals((await assertRejects(work, BusyError)).status, 503);
  });
}
