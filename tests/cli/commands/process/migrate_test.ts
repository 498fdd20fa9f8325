import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { joinSetup, setupParts } from "../../../../cli/scaffold/setup.ts";
import { createProject } from "../../../../cli/project/project.ts";
import { runGenerators } from "../../../../cli/gen/generate.ts";
import { findStaleSchema, listText } from "../../../../cli/project/migrations.ts";
import { addImports } from "../../../../cli/scaffold/imports.ts";
import { renderSample } from "../../../../cli/scaffold/sample.ts";
import { openSqlite } from "../../../../data/sqlite/mod.ts";
import { readBlock } from "../../../e2e/guide.ts";
import { type Refusal, testRefusals } from "../../refusals.ts";
import {
  denoOutput,
  type Files,
  inNewApp,
  inProject,
  page,
  runCli,
  writeFiles,
} from "../../support.ts";
import { checkTypes } from "../../type_check.ts";

const app = { "app/page.ts": page };
const notes = "create table notes (text text) strict;\n";

Deno.test("generate migration: the first migration adds the code that opens the database", () =>
  inNewApp([], async (cwd, run) => {
    const first = await run("migration create_notes");
    const made = ["migrations/0001_create_notes.sql", "migrations/mod.ts", "lib/database.ts"];
    for (const file of [...made, "app/setup.ts"]) {
      assertStringIncludes(first, `Wrote ${file}.\n`);
    }
    assertStringIncludes(first, "Changed deno.json.\n");
    const { tasks } = JSON.parse(await Deno.readTextFile(join(cwd, "deno.json")));
    assertStringIncludes(tasks.start.command, "--allow-write=.fw/spool,data");
    assertStringIncludes(tasks.test.command, "FW_DB=:memory: deno test");
    const starter = await Deno.readTextFile(join(cwd, made[0] ?? ""));
    assert(/^(?:-- .+\n){2}$/.test(starter), starter);
    // A file without a statement stops the boot instead of counting as applied.
    const empty = await runCli(["migrate"], { cwd });
    assertEquals(empty.code, 1);
    assertStringIncludes(
      empty.stderr,
      "migrations/0001_create_notes.sql E_MIGRATION: the migration",
    );
    await writeFiles(cwd, { "migrations/0001_create_notes.sql": notes });
    assert(!(await run("migration add_place")).includes("lib/database.ts"));
    await writeFiles(cwd, {
      "migrations/0002_add_place.sql": "alter table notes add column place text;\n",
      "lib/database_test.ts": `import { use } from "@fw/fw";
import { testApp } from "@fw/fw/testing";
import { Database } from "./database.ts";

Deno.test("the schema is up to date in memory", async () => {
  const app = await testApp();
  try {
    await use(app, Database).run\`select text, place from notes\`;
  } finally {
    await app.shutdown();
  }
});
`,
    });
    for (const args of [["fmt", "--check"], ["lint"], ["task", "test", "--no-check"]]) {
      await denoOutput(args, cwd);
    }
    const { code, output } = await checkTypes(["."], cwd);
    assertEquals(code, 0, output);
    assertEquals((await runCli(["gen", "--check"], { cwd })).code, 0);
  }, { name: "migrate" }));

Deno.test("generate migration writes the recipe from the guide", async () => {
  const guide = (file: string): Promise<string> =>
    readBlock("docs/database.md", { language: "ts", holds: `// ${file}\n` })
      .then((text) => text.replace(`// ${file}\n`, ""));
  const made = (file: string): string =>
    renderSample(`kit/${file}`, file, { parts: setupParts }).text;
  assertEquals(await guide("lib/database.ts"), made("lib/database.ts"));
  const setup = joinSetup(made("app/setup.ts"), "openNotes(app);") ?? "";
  const imported = 'import { openNotes } from "../lib/notes.ts";\n';
  assertEquals(await guide("app/setup.ts"), addImports(setup, imported));
  const list = listText([{ name: "0001_create_notes", file: "" }]);
  assertEquals(await guide("migrations/mod.ts"), list.replace(/^(\/\/.*\n)+/, ""));
});

Deno.test("migrate applies migrations, reports the status and refuses changed migrations", () =>
  inProject({ ...app, "migrations/0001_notes.sql": notes }, async (cwd) => {
    const run = (...args: string[]): ReturnType<typeof runCli> =>
      runCli(["migrate", ...args], { cwd, env: { FW_DB: "db/a.sqlite" } });
    assertEquals((await run("--status")).stdout, `pending  ${" ".repeat(16)}  0001_notes\n`);
    assertEquals((await run()).stdout, "Applied 0001_notes.\nWrote migrations/schema.sql.\n");
    assertEquals((await run()).stdout, "db/a.sqlite is up to date.\n");
    assert(
      /^applied {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}0001_notes\n$/.test((await run("--status")).stdout),
    );
    await writeFiles(cwd, { "migrations/0002_x.sql": "create table a (x text);\n\nselec 1;\n" });
    const failed = await run();
    assertEquals(failed.code, 1);
    assertStringIncludes(
      failed.stderr,
      'migrations/0002_x.sql:3 E_MIGRATION: near "selec": syntax',
    );
    await writeFiles(cwd, { "migrations/0001_notes.sql": `${notes}-- more\n` });
    for (const args of [[], ["--status"]]) assertEquals((await run(...args)).code, 1);
    assertStringIncludes((await run()).stderr, "was changed after it was applied");
    assertStringIncludes((await run("--status")).stdout, "changed");
    await Deno.remove(join(cwd, "migrations/0001_notes.sql"));
    await writeFiles(cwd, { "migrations/0001_other.sql": notes });
    for (const args of [[], ["--status"]]) {
      const { code, stderr } = await run(...args);
      assertEquals(code, 1);
      assertStringIncludes(stderr, "has this migration where the project has 0001_other");
    }
  }));

Deno.test("migrate writes the schema; check finds a stale one, and --status a table created by hand", () =>
  inProject({ ...app, "migrations/0001_notes.sql": notes }, async (cwd) => {
    const file = "migrations/schema.sql";
    await runCli(["migrate"], { cwd });
    const project = createProject(cwd);
    const text = await Deno.readTextFile(join(cwd, file));
    assertMatch(text, /^-- Written by .* after 0001_notes: \w{16}\n\nCREATE TABLE notes/);
    assertEquals(await findStaleSchema(project), []);
    await writeFiles(cwd, { [file]: text.replace("notes (", "note (") });
    assertEquals((await findStaleSchema(project)).length, 1, "changed by hand");
    await writeFiles(cwd, { [file]: text, "migrations/0002_a.sql": "create table a (x text);\n" });
    assertEquals((await findStaleSchema(project))[0]?.code, "E_STALE", "a migration more");
    const generated = await runGenerators(project);
    assertEquals(generated.ok && generated.problems.map(({ place }) => place?.file), [file]);
    const { stderr, stdout } = await runCli(["audit"], { cwd });
    assertMatch(stderr + stdout, /schema\.sql.*\n? *warning|warning schema.*changed since/);
    await runCli(["migrate"], { cwd });
    assertEquals(await findStaleSchema(project), []);
    const db = await openSqlite(join(cwd, "data/app.sqlite"));
    await db.run`create index by_hand on a (x)`;
    await db.close();
    const status = await runCli(["migrate", "--status"], { cwd });
    assertEquals(status.code, 1);
    assertStringIncludes(
      status.stderr + status.stdout,
      "schema of the database differs from this file",
    );
  }));

const first = { "migrations/0001_a.sql": notes };
const refused: readonly (readonly [files: Files, row: Refusal])[] = [
  [first, ["migrate --db :memory:", 1, "Name a file", "Indique um"]],
  [first, ["migrate --status --db :memory:", 1, "Name a file", "Indique um"]],
  [{ "migrations/0002_a.sql": notes }, [
    "migrate --status",
    1,
    "number 0001 is missing",
    "falta o número 0001",
  ]],
  [{ ...first, "x.db": "text" }, ["migrate --db x.db", 1, "x.db: file is not"]],
  [{ ...first, "migrations/0001_b.sql": notes }, [
    "generate migration c",
    1,
    "to 0002_…",
    "para 0002_…",
  ]],
  [{ "migrations/1-a.sql": notes }, ["migrate", 1, "four digits", "quatro dígitos"]],
  [{}, ["generate migration ../x", 2, 'the migration "../x"', '"../x" (migration)']],
  [{}, ["generate migration", 2, "needs an argument", "precisa de um argumento"]],
  [{}, ["generate migration a b", 2, '"b"']],
  [{}, ["migrate --statu", 2, "--status"]],
  [{}, ["generate database mysql", 2, "fw generate database postgres"]],
];
for (const [files, row] of refused) testRefusals("", [row], { ...app, ...files });

Deno.test("gen keeps the list of migrations and refuses a gap", async () => {
  const first =
    "// Generated by @fw/cli from the files beside it. Do not edit: run `deno task gen`.\n";
  const files = { "migrations/mod.ts": first, "migrations/0001_a.sql": notes };
  await inProject({ ...app, ...files }, async (cwd) => {
    await runCli(["gen"], { cwd });
    const list = await Deno.readTextFile(join(cwd, "migrations/mod.ts"));
    assertStringIncludes(list, '  { name: "0001_a", sql: m0001 },\n');
    await writeFiles(cwd, { "migrations/0002_b.sql": notes });
    assertEquals((await runCli(["gen", "--check"], { cwd })).code, 1);
    assertEquals((await runCli(["gen"], { cwd })).code, 0);
    assertEquals((await runCli(["gen", "--check"], { cwd })).code, 0);
    await Deno.remove(join(cwd, "migrations/0001_a.sql"));
    const gap = await runCli(["gen"], { cwd });
    assertEquals(gap.code, 1);
    assertStringIncludes(gap.stderr, "E_MIGRATION");
  });
  // The list of another tool is kept.
  await inProject({ ...app, ...files, "migrations/mod.ts": "export {};\n" }, async (cwd) => {
    await runCli(["gen"], { cwd });
    assertEquals(await Deno.readTextFile(join(cwd, "migrations/mod.ts")), "export {};\n");
  });
});

const calls = "openDatabase(app);\ncloseDatabase(app);";
const setups:
  readonly (readonly [name: string, text: string, want: readonly string[] | undefined])[] = [
    [
      "one without Shutdown",
      `import {\n  type Application,\n  provide,\n} from "@fw/fw";\n\n` +
      "export async function Setup(site: Application): Promise<void> {\n  await 1;\n}\n",
      [
        "  await 1;\n  openDatabase(site);\n}\n",
        "export function Shutdown(app: Application): void {\n  closeDatabase(app);\n}\n",
      ],
    ],
    [
      "one with both",
      'import type { Application } from "@fw/fw";\n' +
      "export function Setup(app: Application): void {\n}\n" +
      "export function Shutdown(app: Application): void {\n  a(app);\n}\n",
      ["void {\n  openDatabase(app);\n}\n", "  closeDatabase(app);\n  a(app);\n}\n"],
    ],
    ["another form", "export const Setup = (app) => {};\n", undefined],
    [
      "one that opens the database already",
      'import type { Application } from "@fw/fw";\n' +
      "export function Setup(app: Application): void {\n  a(app);\n  openDatabase(app);\n}\n",
      ["void {\n  a(app);\n  openDatabase(app);\n}\n", "  closeDatabase(app);\n"],
    ],
    ["an empty one", "export function Setup(): void {}\n", ["app: Application): void {\n  openD"]],
  ];
for (const [name, text, want] of setups) {
  Deno.test(`joinSetup: ${name}`, () => {
    const joined = joinSetup(text, calls);
    if (want === undefined) assertEquals(joined, undefined);
    for (const part of want ?? []) assertStringIncludes(joined ?? "", part);
  });
}

Deno.test("generate database: adds Postgres once to an application without a database, and no other engine", () =>
  inProject({ ...app, "deno.json": '{"tasks":{"start":"deno run -R fw_gen.ts"}}' }, async (cwd) => {
    const run = (engine: string): ReturnType<typeof runCli> =>
      runCli(["generate", "database", engine], { cwd });
    const first = await run("postgres");
    assertEquals([first.code, first.stderr], [0, ""]);
    assertStringIncludes(first.stdout, "Wrote lib/database_testing.ts.");
    assertStringIncludes(first.stdout, "it needs --allow-env=PG*.");
    assertStringIncludes(await Deno.readTextFile(join(cwd, "lib/database.ts")), "openPostgres(");
    const again = await run("postgres");
    assertEquals(again.code, 1);
    assertStringIncludes(again.stderr, "already uses Postgres");
  }));

Deno.test("migrate: uses the database of .env, as dev does, unless the shell sets another", () =>
  inNewApp([], async (cwd) => {
    await writeFiles(cwd, { "migrations/0001_notes.sql": notes, ".env": "FW_DB=file.sqlite\n" });
    for (const [env, file] of [[{}, "file"], [{ FW_DB: "shell.sqlite" }, "shell"]] as const) {
      const { code, stderr } = await runCli(["migrate"], { cwd, env });
      assertEquals([code, stderr], [0, ""]);
      await Deno.stat(join(cwd, `${file}.sqlite`));
    }
  }));

Deno.test("migrate: reports a server that cannot be reached, with the reason", async () => {
  const database = `import "@fw/fw/postgres"; // openPostgres
export const connect = () => {
  const cause = new Error("connect ECONNREFUSED 127.0.0.1:5432");
  throw new Error("Cannot open the database. Fix: start it.", { cause });
};
`;
  const files = { "migrations/0001_notes.sql": notes, "lib/database.ts": database };
  await inNewApp([], async (cwd) => {
    await writeFiles(cwd, files);
    const { code, stderr } = await runCli(["migrate"], { cwd });
    assertEquals(code, 1);
    assertStringIncludes(stderr, "Postgres: connect ECONNREFUSED 127.0.0.1:5432.");
    assertStringIncludes(stderr, "Fix: Check");
  });
});
