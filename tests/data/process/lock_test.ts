import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { BusyError, int } from "../../../data/mod.ts";
import { sqliteStores } from "../../../data/sqlite/mod.ts";
import type { Ctx } from "../../../mod.ts";
import { root } from "../../../tools/workspace.ts";
import { replica } from "../../runtime/base/stores/channel_suite.ts";
import { openFile } from "../file_db.ts";
import { program, start } from "../kill_rounds.ts";
import { withMoreTime } from "../../until.ts";

Deno.test("a lock of another process: the event loop, reads and probes continue, and writes end with 503", () =>
  withMoreTime(findLocked));

async function findLocked(factor: number): Promise<void> {
  await using db = await openFile({ busyTimeoutMs: 1_000 * factor });
  await db.run`create table a (n integer) strict`;
  await db.run`insert into a values (1)`;
  const { child, lines } = start(
    program(
      db.path,
      `db.raw.exec("begin immediate"); console.log("locked"); setInterval(() => {}, 1000);`,
    ),
  );
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => {
    child.kill("SIGKILL");
    await child.status;
    await lines.return?.();
  });
  assertEquals((await lines.next()).value, "locked");
  const app = replica(sqliteStores(db));
  const write = { POST: async (c: Ctx) => c.json(200, await db.run`insert into a values (4)`) };
  app.route({ pattern: "/rows", methods: write });
  const ask = (path: string, method = "GET"): Promise<Response> =>
    Promise.resolve(app.fetch(new Request(`http://localhost${path}`, { method })));
  const posting = ask("/rows", "POST");
  for (const probe of ["/_fw/health/live", "/_fw/health/ready"]) {
    assertEquals((await ask(probe)).status, 200);
  }
  const answered = await Promise.race([posting, Promise.resolve("the probes")]);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 10);
  const writing = db.run`insert into a values (2)`;
  assertEquals(await db.one(int())`select count(*) from a`, 1);
  const error = await assertRejects(() => writing, BusyError);
  clearInterval(timer);
  assertEquals([error.status, error.headers["retry-after"]], [503, "1"]);
  assert(ticks > 3, `${ticks} ticks`);
  assertEquals(answered, "the probes");
  const refused = await posting;
  assertEquals([refused.status, refused.headers.get("retry-after")], [503, "1"]);
  await stack.disposeAsync();
  // The lock ends with the process.
  assertEquals(await db.run`insert into a values (3)`, 1);
}

Deno.test("three processes that read, add and write lose no change", async () => {
  await using db = await openFile();
  await db.run`create table a (n integer) strict`;
  await db.run`insert into a values (0)`;
  const body = `const { int } = await import(${JSON.stringify(join(root, "data/mod.ts"))});
for (let i = 0; i < 100; i++) await db.tx(async () => {
  const n = await db.one(int())\`select n from a\`;
  await db.run\`update a set n = \${n + 1}\`;
});
console.log("done");`;
  const runs = [1, 2, 3].map(() => start(program(db.path, body)));
  for (const { child, lines } of runs) {
    assertEquals((await lines.next()).value, "done");
    await lines.return?.();
    await child.status;
  }
  assertEquals(await db.one(int())`select n from a`, 300);
});

Deno.test("a cached read sees the commits of another process", async () => {
  await using db = await openFile();
  await db.run`create table a (n integer) strict`;
  await db.run`insert into a select value from json_each(${JSON.stringify(Array(2_000).fill(1))})`;
  const sum = (): Promise<number> => db.one(int())`select sum(n) from a`;
  for (let time = 0; time < 4; time++) assertEquals(await sum(), 2_000);
  const body = `for (let more = 1; more <= 5; more++) {
  await db.run\`insert into a values (1)\`;
  console.log(more);
  await new Promise((resolve) => setTimeout(resolve, 20));
}`;
  const { child, lines } = start(program(db.path, body));
  assertEquals(await sum(), 2_000);
  for (let more = 1; more <= 5; more++) {
    assertEquals((await lines.next()).value, String(more));
    for (let time = 0; time < 3; time++) assert(await sum() >= 2_000 + more);
  }
  assertEquals(await sum(), 2_005);
  await child.status;
  await lines.return?.();
});
