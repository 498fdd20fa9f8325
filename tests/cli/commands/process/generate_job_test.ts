/** `generate job`, `jobs` and `mail`, and `jobs` in the generated application. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { openSqlite } from "../../../../data/sqlite/mod.ts";
import { sqliteJobs } from "../../../../jobs/mod.ts";
import { startApp } from "../../../e2e/running_app.ts";
import { testRefusals } from "../../refusals.ts";
import { shareFolder } from "../../shared_folder.ts";
import { denoOutput, git, inProject, page, runCli } from "../../support.ts";

// The mail and the database are generated before the sign-in, which keeps existing files.
const commands: readonly (readonly string[])[] = [
  ["mail", "welcome"],
  ["job", "send_digest"],
  ["auth", "--passwords"],
  ["job", "job"],
  ["jobs"],
];

const shared = shareFolder("job_app", async (folder) => {
  assertEquals((await runCli(["new", "app", "--kit"], { cwd: folder })).code, 0);
  for (const args of commands) {
    const run = await runCli(["generate", ...args], { cwd: join(folder, "app") });
    assertEquals([run.code, run.stderr], [0, ""], args.join(" "));
  }
});

Deno.test("generate jobs: the generated test passes", async () => {
  // The other files are checked and run by the tests of `new`.
  await denoOutput(
    ["task", "test", "--no-check", "app/jobs"],
    join(shared(), "app"),
  );
});

Deno.test("generate job: the task work has the permissions of start and runs until it is stopped", async () => {
  const cwd = join(shared(), "app");
  const { tasks } = JSON.parse(await Deno.readTextFile(join(cwd, "deno.json")));
  const [start, work]: string[] = [tasks.start.command, tasks.work.command];
  assertEquals(work, start?.replace("fw_gen.ts", "work.ts"));
  await using jobs = startApp(work ?? "", { cwd, env: { FW_ENV: "dev", FW_DB: ":memory:" } });
  await jobs.saw("jobs run");
  jobs.kill("SIGTERM");
  assertEquals((await jobs.ended()).code, 0, jobs.output());
});

Deno.test("jobs: lists, retries and drops jobs, in both languages", async () => {
  const cwd = join(shared(), "app");
  {
    await using db = await openSqlite(join(cwd, "data/app.sqlite"));
    const engine = sqliteJobs(db);
    const entry = { name: "send_digest", queue: "default", payload: "{}", runAtMs: 0, priority: 0 };
    await engine.open([]);
    for (let n = 0; n < 3; n++) await engine.enqueue({ ...entry, attempts: 5 });
    await db.run`update fw_jobs set state = 'dead', error = ${"no\u001b[31m luck"} where id < 3`;
  }
  const run = (...args: string[]): ReturnType<typeof runCli> => runCli(["jobs", ...args], { cwd });
  const list = await run();
  // A busy machine is slow.
  const told = list.stderr.split("\n").filter((line) => !line.includes("slow statement"));
  assertEquals([list.code, told.join("\n")], [0, ""]);
  assertStringIncludes(list.stdout, "1 waiting, 0 running, 2 dead");
  assertStringIncludes(list.stdout, "no\\u001b[31m luck");
  const portuguese = await runCli(["jobs"], { cwd, env: { FW_LANG: "pt" } });
  assertStringIncludes(portuguese.stdout, "1 à espera, 0 a correr, 2 falhados");
  const retried = await run("retry", "1", "3");
  assertEquals([retried.code, retried.stdout], [1, "1 will run again.\n"]);
  assertStringIncludes(retried.stderr, "Cannot change job 3");
  assertEquals((await run("drop", "--all")).stdout, "2 was dropped.\n");
  const ran = await run("run", "send_digest", '{"name":"Ada"}');
  assertEquals(ran.stdout, "send_digest is in the queue.\n", ran.stderr);
  for (
    const [name, value, fault] of [
      ["digest", "{}", 'Cannot enqueue "digest": the jobs are job, send_digest'],
      ["send_digest", "{}", 'Cannot enqueue "send_digest": name'],
      ["send_digest", "{", "JSON"],
    ] as const
  ) {
    const { code, stderr } = await run("run", name, value);
    assertEquals(
      [code, stderr.includes(fault), stderr.includes("E_BOOT")],
      [1, true, false],
      stderr,
    );
  }
  const due = "3 waiting, 0 running, 0 dead; the oldest has been due for ";
  assertStringIncludes((await run("list")).stdout, due);
  await run("drop", "1", "3", "4");
  assertEquals((await run("list")).stdout, "0 waiting, 0 running, 0 dead.\n");
});

Deno.test("generate job leaves a setup that provides jobs as it is", () => {
  const setup = "export async function Setup(app) { await provideJobs(app, engine, {}); }\n";
  return inProject({ "app/page.ts": page, "app/setup.ts": setup }, async (cwd) => {
    const { stdout } = await runCli(["generate", "job", "second"], { cwd });
    assertStringIncludes(stdout, "Add secondJob to the list of jobs in app/setup.ts.");
    assertEquals(await Deno.readTextFile(join(cwd, "app/setup.ts")), setup);
  });
});

testRefusals("generate", [
  ["job", 2, "needs an argument", "precisa de um argumento"],
  [["job", "Send Digest"], 2, "lower-case words", "palavras minúsculas"],
  ["job mod", 2, "lower-case words", "palavras minúsculas"],
  ["job a b", 2, '"b"'],
  ["mail ../x", 2, "lower-case words", "palavras minúsculas"],
  ["jobs x", 2, '"x"'],
  ["jobs", 1, "generate job"],
]);
testRefusals(
  "jobs",
  ["frob", "retry", "drop 1 --all", "run", "run a b c", "run --all", "list 1"].map((
    line,
  ) => [line, 2, "retry <id>"]),
);

Deno.test("generate database postgres names the edited jobs kept in SQLite, and removes its schema", () =>
  inProject({ "app/page.ts": page, "migrations/schema.sql": "" }, async (cwd) => {
    assertEquals((await runCli(["generate", "job", "send_digest"], { cwd })).code, 0);
    const file = join(cwd, "jobs/mod.ts");
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(
      file,
      text.replace(/jobs,\s+schedule,/, "jobs, concurrency: 2, schedule,"),
    );
    await git(cwd, "init", "--quiet");
    await git(cwd, "add", "--all");
    await git(cwd, "commit", "--quiet", "--message", "all");
    const { code, stdout, stderr } = await runCli(["generate", "database", "postgres"], { cwd });
    assertEquals([code, stderr], [0, ""]);
    assertStringIncludes(stdout, 'change it (jobs: "Engines" of docs/jobs.md): jobs/mod.ts:');
    assertStringIncludes(stdout, "Removed migrations/schema.sql.");
  }));

Deno.test("generate on Postgres: mail tests pass on its schemas before and after, and jobs use pg-boss", () =>
  inProject({ "app/page.ts": page }, async (cwd) => {
    const run = (...args: string[]): ReturnType<typeof runCli> =>
      runCli(["generate", ...args], { cwd });
    assertEquals((await run("mail", "before")).code, 0);
    assertEquals((await run("job", "early")).code, 0);
    await git(cwd, "init", "--quiet");
    await git(cwd, "add", "--all");
    await git(cwd, "commit", "--quiet", "--message", "all");
    for (const args of [["database", "postgres"], ["mail", "after"]]) {
      const { code, stderr } = await run(...args);
      assertEquals([code, stderr], [0, ""], args.join(" "));
    }
    const moved = await Deno.readTextFile(join(cwd, "jobs/mod.ts"));
    assertStringIncludes(moved, "const jobs = [earlyJob];");
    const setup = await Deno.readTextFile(join(cwd, "app/setup.ts"));
    assertStringIncludes(setup, "import { closeJobs, openJobs } from");
    assertStringIncludes(setup, "await closeJobs(app);");
    assertStringIncludes(moved, "pgBossJobs(boss, { db: use(app, Database) })");
    assertStringIncludes(moved, "{ connectionString, query_timeout: 30_000 }");
    for (const name of ["before", "after"]) {
      const test = await Deno.readTextFile(join(cwd, `mails/${name}_test.ts`));
      assertStringIncludes(test, 'FW_DB: ":test:"');
    }
    const { code, stderr } = await run("job", "send_digest");
    assertEquals([code, stderr], [0, ""]);
    const read = (file: string): Promise<string> => Deno.readTextFile(join(cwd, file));
    assertStringIncludes(await read("jobs/mod.ts"), "pgBossJobs(boss, { db: use(app, Database) })");
    assertStringIncludes(await read("app/setup.ts"), "  await closeJobs(app);\n");
    // The list includes the jobs of another engine.
    const list = "export function openJobs(): void {}\n\nconst jobs = [];\nvoid jobs;\n";
    await Deno.writeTextFile(join(cwd, "jobs/mod.ts"), list);
    assertEquals((await run("job", "second")).code, 0);
    assertStringIncludes(await read("jobs/mod.ts"), "[secondJob]");
    const test = await read("jobs/send_digest_test.ts");
    assertStringIncludes(test, 'FW_DB: ":test:"');
  }));
