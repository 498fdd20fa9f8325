// test: child, runs git
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { changedFiles, testsOf } from "../../../cli/check/changed.ts";
import { findBrokenLinks } from "../../../cli/check/links.ts";
import { readStamp, stampKey, writeStamp } from "../../../cli/check/stamp.ts";
import { findEmptyMigrations, listHead, listText } from "../../../cli/project/migrations.ts";
import { createProject } from "../../../cli/project/project.ts";
import { type Files, inProject, page, runCli, showPlace, writeFiles } from "../support.ts";

const pages: Files = {
  "app/page.ts": page,
  "app/events/page.ts": page,
  "app/events/id_/page.ts": page,
  "public/style.css": "",
};

/** A line of code, and what is wrong with its link. */
const links: readonly (readonly [code: string, fix: string | undefined])[] = [
  ['h.href("/events");', undefined],
  ['h.href("/events/7?x=1#top");', undefined],
  ["h.href(`/events/${id}`);", undefined],
  ['h.href("/style.css");', undefined],
  ['h.href("https://example.com/nowhere");', undefined],
  ['h.href("//example.com/nowhere");', undefined],
  ['c.href("/nowhere");', undefined],
  ['h.href("/_fw/health/live");', undefined],
  ['h.href("/evnts");', "Replace /evnts with /events, the nearest route."],
  ['h.href("/nowhere/at/all");', "Remove the link, or write the page"],
  ["h.href(`/evnts?page=${page}`);", "Replace /evnts with /events, the nearest route."],
  ['redirect("/evnts");', "Replace /evnts"],
  ['c.redirect("/evnts");', "Replace /evnts"],
  ['other.redirect("/evnts");', undefined],
  ['h.action("/evnts");', "Replace /evnts"],
  ['nav({ href: "/evnts" });', "Replace /evnts"],
  ['h.html`<a href="/evnts">x</a>`;', "Replace /evnts"],
  ['h.html`<a href="/events/${id}">x</a>`;', undefined],
  ['const text = "/evnts";', undefined],
];

Deno.test("findBrokenLinks: a link that leads nowhere has file, line and the nearest route", async () => {
  const code = links.map(([line]) => line).join("\n");
  const files = {
    ...pages,
    "lib/links.ts": `${code}\n`,
    "lib/nav.tsx": 'const a = <a href="/evnts">x</a>;\n',
    "views/a.tmpl": '<p>\n<a href="/evnts">x</a><a href="{{.url}}">y</a></p>\n',
    "lib/links_test.ts": 'h.href("/evnts");\n',
  };
  await inProject(files, async (root) => {
    const problems = await findBrokenLinks(createProject(root));
    links.forEach(([line, fix], index) => {
      const found = problems.find(({ place }) =>
        place?.file === "lib/links.ts" && place.line === index + 1
      );
      assertEquals(found?.fix?.slice(0, fix?.length), fix, line);
    });
    const others = problems.flatMap(({ place }) => place?.file === "lib/links.ts" ? [] : [place]);
    assertEquals(others.map((place) => `${place?.file}:${place?.line}`), [
      "lib/nav.tsx:1",
      "views/a.tmpl:2",
    ]);
    const only = await findBrokenLinks(createProject(root), { files: new Set(["views/a.tmpl"]) });
    assertEquals(only.map(({ place }) => place?.file), ["views/a.tmpl"]);
  });
});

/** The settings of languages, links, and whether they lead somewhere. */
const languageLinks: readonly (readonly [
  config: string,
  links: Readonly<Record<string, boolean>>,
])[] = [
  ['config.languages = ["en", "pt-PT"];', { "/events": true, "/en/events": false }],
  ['config.languages = ["en", "pt-PT"];\n  config.languagePrefix = true;', {
    "/events": true,
    "/en": true,
    "/en/events": true,
    "/pt-PT/events/7": true,
    "/pt-pt/": true,
    "/fr/events": false,
    "/en/nowhere": false,
    "/en/en/events": false,
    "/en/style.css": false,
    "/style.css": true,
  }],
  ["config.languages = tags();\n  config.languagePrefix = true;", {
    "/fr-CA/events": true,
    "/francais/events": false,
    "/fr/nowhere": false,
  }],
];

Deno.test("findBrokenLinks: a route is also behind each language of the application", async () => {
  for (const [config, links] of languageLinks) {
    const files = {
      ...pages,
      "app/setup.ts": `export function Config(config: Settings): void {\n  ${config}\n}\n`,
      "lib/links.ts": Object.keys(links).map((path) => `h.href("${path}");\n`).join(""),
    };
    await inProject(files, async (root) => {
      const faults = (await findBrokenLinks(createProject(root))).map(({ place }) => place?.line);
      const found = Object.keys(links).map((path, index) => [path, !faults.includes(index + 1)]);
      assertEquals(Object.fromEntries(found), links, config);
    });
  }
});

async function git(cwd: string, ...args: string[]): Promise<void> {
  const names = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  const { success, stderr } = await new Deno.Command("git", {
    args: [...names, ...args],
    cwd,
    stdin: "null",
  }).output();
  assert(success, new TextDecoder().decode(stderr));
}

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

Deno.test("check: a run is remembered until a file, a variable or a day changes", async () => {
  await inProject(tested, async (root) => {
    const project = createProject(root);
    assertEquals(await stampKey(project, {}), undefined, "without a repository");
    await git(root, "init", "-q");
    const key = await stampKey(project, {}) ?? "";
    assertEquals(await readStamp(root, key), undefined);
    await writeStamp(root, { key, problems: [] });
    assertEquals(await stampKey(project, {}), key, "its own file does not count");
    assertEquals((await readStamp(root, key))?.problems, []);
    assert(await stampKey(project, { FW_SECRET: "x" }) !== key);
    assertEquals(await stampKey(project, { HOME: "/x" }), key);
    await writeFiles(root, { "lib/used.ts": "export const used = 2;\n" });
    assert(await stampKey(project, {}) !== key);
    const old = { key, atMs: Date.now() - 25 * 60 * 60 * 1_000, problems: [] };
    for (const text of [JSON.stringify(old), "{", "null", '{"key":1}', ""]) {
      await writeFiles(root, { ".fw/check.json": text });
      assertEquals(await readStamp(root, key), undefined, text);
    }
  });
});

Deno.test("check: nothing is kept where a link leads out of the project", async () => {
  await inProject(pages, async (root) => {
    const outside = await Deno.makeTempDir();
    try {
      await Deno.symlink(outside, `${root}/.fw`);
      await writeStamp(root, { key: "key", problems: [] });
      assertEquals(await Array.fromAsync(Deno.readDir(outside)), []);
    } finally {
      await Deno.remove(outside, { recursive: true });
    }
  });
});

Deno.test("check: a file of a folder beside the project, whose name begins alike, counts", async () => {
  await inProject(tested, async (root) => {
    const beside = `${root}_shared`;
    await Deno.mkdir(beside);
    try {
      await Deno.writeTextFile(`${beside}/shared.ts`, "export const shared = 1;\n");
      const name = beside.slice(beside.lastIndexOf("/") + 1);
      await writeFiles(root, { "lib/alone.ts": `import "../../${name}/shared.ts";\n` });
      await git(root, "init", "-q");
      const project = createProject(root);
      const key = await stampKey(project, {});
      await Deno.writeTextFile(`${beside}/shared.ts`, "export const shared = 123;\n");
      assert(key !== undefined && await stampKey(project, {}) !== key);
    } finally {
      await Deno.remove(beside, { recursive: true });
    }
  });
});

Deno.test("check: too many tests for one command are all run, and no run is remembered", async () => {
  const name = "a".repeat(230);
  const many = Object.fromEntries(
    Array.from({ length: 450 }, (_, index) => [`lib/${name}${index}_test.ts`, ""]),
  );
  await inProject({ ...tested, ...many }, async (root) => {
    await git(root, "init", "-q");
    const project = createProject(root);
    assertEquals(await testsOf(project, new Set(["lib/alone.ts"])), undefined);
    assertEquals(await stampKey(project, {}), undefined);
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
