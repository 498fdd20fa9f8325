import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { changedFiles, testsOf } from "../../../../cli/check/changed.ts";
import { findEmptyMigrations, listHead, listText } from "../../../../cli/project/migrations.ts";
import { createProject } from "../../../../cli/project/project.ts";
import { type Files, git, inProject, page, runCli, showPlace, writeFiles } from "../../support.ts";

const pages: Files = {
  "app/page.ts": page,
  "app/events/page.ts": page,
  "app/events/id_/page.ts": page,
  "public/style.css": "",
};

const tested: Files = {
  ...pages,
  "fw_gen.ts": 'import "./app/page.ts";\nimport "./lib/used.ts";\n',
  "lib/used.ts": "export const used = 1;\n",
  "lib/alone.ts": "export const alone = 1;\n",
  "lib/app_test.ts": "import { app } from './app.ts';\n",
  "lib/app.ts": "export const app = () => testApp();\n",
  "lib/alone_test.ts": 'import { alone } from "./alone.ts";\n',
};

Deno.test("check --changed: the files that differ, and the tests that import them", async () => {
  await inProject(tested, async (root) => {
    assertEquals(await changedFiles(root), undefined);
    await git(root, "init", "-q");
    assertEquals(await changedFiles(root), undefined, "without a commit");
    await git(root, "add", "-A");
    await git(root, "commit", "-qm", "a");
    assertEquals([...await changedFiles(root) ?? []], []);
    await writeFiles(root, { "lib/alone.ts": "export const alone = 2;\n", "new.txt": "x" });
    await Deno.remove(`${root}/lib/used.ts`);
    const changed = await changedFiles(root);
    assertEquals([...changed ?? []].sort(), ["lib/alone.ts", "lib/used.ts", "new.txt"]);
    await writeFiles(root, { "lib/used.ts": "export const used = 3;\n" });
    const project = createProject(root);
    const of = async (...files: string[]): Promise<unknown> =>
      await testsOf(project, new Set(files));
    assertEquals(await of("lib/alone.ts"), ["lib/alone_test.ts"]);
    assertEquals(await of("lib/used.ts"), ["lib/app_test.ts"]);
    assertEquals(await of("lib/app_test.ts"), ["lib/app_test.ts"]);
    assertEquals(await of("public/style.css"), ["lib/app_test.ts"], "an app may read it");
    assertEquals(await of("README.md"), []);
    assertEquals(await of("deno.json"), undefined, "all");
  });
});

Deno.test("check: finds a test among more than fit on a command line", async () => {
  const name = "a".repeat(230);
  const many = Object.fromEntries(
    Array.from({ length: 450 }, (_, index) => [`lib/${name}${index}_test.ts`, ""]),
  );
  await inProject({ ...tested, ...many }, async (root) => {
    const found = await testsOf(createProject(root), new Set(["lib/alone.ts"]));
    assertEquals(found, ["lib/alone_test.ts"]);
  });
});

/** A migration, and whether it says nothing yet. */
const migrations: readonly (readonly [sql: string, isEmpty: boolean])[] = [
  ["", true],
  ["-- create_notes: write the statements here\n\n  -- and here\n", true],
  ["-- a note\r\n\r\n", true],
  ["/* later */ ;\n;;\n", true],
  ["/* never closed\ncreate table notes (text text);\n", true],
  ["create table notes (text text);\n", false],
  ["-- a note\ncreate table notes (text text);\n", false],
  ["/* a note */\ncreate table notes (text text);\n", false],
  ["/**/--\n/* a */select 1", false],
];

for (const [sql, isEmpty] of migrations) {
  Deno.test(`findEmptyMigrations: ${JSON.stringify(sql)} is ${isEmpty ? "" : "not "}empty`, () =>
    inProject({
      ...pages,
      "migrations/mod.ts": `${listHead}\n`,
      "migrations/0001_create_notes.sql": sql,
    }, async (root) => {
      const found = await findEmptyMigrations(createProject(root));
      assertEquals(
        found.map(showPlace),
        isEmpty ? ["migrations/0001_create_notes.sql:1:1 E_MIGRATION"] : [],
      );
    }));
}

Deno.test("findEmptyMigrations: a folder of another tool is not looked at", async () => {
  for (const files of [{}, { "migrations/mod.ts": "export {};\n" }]) {
    await inProject({ ...pages, ...files, "migrations/0001_a.sql": "" }, async (root) => {
      assertEquals(await findEmptyMigrations(createProject(root)), []);
    });
  }
});

Deno.test("check: an empty migration is one problem, before the tests", async () => {
  const files = {
    "migrations/mod.ts": listText([{ name: "0001_a", file: "" }]),
    "lib/a_test.ts": 'Deno.test("the tests run", () => {});\n',
  };
  await inProject({ ...pages, ...files, "migrations/0001_a.sql": "-- a\n" }, async (root) => {
    assertEquals((await runCli(["gen"], { cwd: root })).code, 0);
    const { code, stderr, stdout } = await runCli(["check"], { cwd: root });
    assertEquals(code, 1);
    assertStringIncludes(
      stdout + stderr,
      "migrations/0001_a.sql:1:1 E_MIGRATION: the migration has no statement",
    );
    assertEquals((stdout + stderr).match(/has no statement/g)?.length, 1);
    assert(!(stdout + stderr).includes("the tests run"));
    assertStringIncludes(stderr, "test");
  });
});
