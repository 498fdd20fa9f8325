import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { BusyError, int } from "../../../data/mod.ts";
import { openSqlite } from "../../../data/sqlite/mod.ts";
import { root } from "../../../tools/workspace.ts";

/** Starts a program that imports the package, and gives what it prints line by line. */
function start(
  source: string,
): { readonly child: Deno.ChildProcess; readonly lines: AsyncIterator<string> } {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--no-lock", `--config=${join(root, "deno.json")}`, "-"],
    cwd: root,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  writer.write(new TextEncoder().encode(source)).then(() => writer.close());
  async function* read(): AsyncGenerator<string> {
    let rest = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      yield* parts;
    }
  }
  return { child, lines: read() };
}

const program = (path: string, body: string): string =>
  `import { openSqlite } from ${JSON.stringify(join(root, "data/sqlite/mod.ts"))};
const db = await openSqlite(${JSON.stringify(path)});
${body}`;

Deno.test("a lock of another process: the loop goes on, reads go on, and a write is a 503 in the end", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "a.sqlite");
  await using db = await openSqlite(path, { busyTimeoutMs: 300 });
  await db.run`create table a (n integer) strict`;
  await db.run`insert into a values (1)`;
  const { child, lines } = start(
    program(
      path,
      `db.raw.exec("begin immediate"); console.log("locked"); setInterval(() => {}, 1000);`,
    ),
  );
  assertEquals((await lines.next()).value, "locked");
  let ticks = 0;
  const timer = setInterval(() => ticks++, 10);
  const writing = db.run`insert into a values (2)`;
  assertEquals(await db.one(int())`select count(*) from a`, 1);
  const error = await assertRejects(() => writing, BusyError);
  clearInterval(timer);
  assertEquals([error.status, error.headers["retry-after"]], [503, "1"]);
  assert(ticks > 3, `${ticks} ticks`);
  child.kill("SIGKILL");
  await child.status;
  await lines.return?.();
  // The lock is gone with the process.
  assertEquals(await db.run`insert into a values (3)`, 1);
  await db.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("three processes that read, add and write lose no change", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "a.sqlite");
  await using db = await openSqlite(path);
  await db.run`create table a (n integer) strict`;
  await db.run`insert into a values (0)`;
  const body = `const { int } = await import(${JSON.stringify(join(root, "data/mod.ts"))});
for (let i = 0; i < 100; i++) await db.tx(async () => {
  const n = await db.one(int())\`select n from a\`;
  await db.run\`update a set n = \${n + 1}\`;
});
console.log("done");`;
  const runs = [1, 2, 3].map(() => start(program(path, body)));
  for (const { child, lines } of runs) {
    assertEquals((await lines.next()).value, "done");
    await lines.return?.();
    await child.status;
  }
  assertEquals(await db.one(int())`select n from a`, 300);
  await db.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("kill -9: nothing that was acknowledged is lost, in ten rounds", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "a.sqlite");
  await using db = await openSqlite(path);
  await db.run`create table a (n integer primary key) strict`;
  let acknowledged = -1;
  for (let round = 0; round < 10; round++) {
    const first = acknowledged + 1;
    const body = `for (let n = ${first};; n += 4) {
  await Promise.all([0, 1, 2, 3].map((i) => db.run\`insert or ignore into a values (\${n + i})\`));
  console.log(n + 3);
}`;
    const { child, lines } = start(program(path, body));
    // Some acknowledgements, then the end in the middle of the next.
    for (let line = 0; line < 3 + round; line++) acknowledged = Number((await lines.next()).value);
    child.kill("SIGKILL");
    await child.status;
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      acknowledged = Number(line.value);
    }
    assertEquals(
      await db.one(int())`select count(*) from a where n <= ${acknowledged}`,
      acknowledged + 1,
    );
  }
  await db.close();
  await Deno.remove(folder, { recursive: true });
});
