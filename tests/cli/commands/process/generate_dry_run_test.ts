import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { dryRun } from "../../../../cli/scaffold/dry_run.ts";
import { testRefusals } from "../../refusals.ts";
import { type CliOutput, git, inProject, listTree, page, runCli, testIo } from "../../support.ts";

const app = { "app/page.ts": page, "lib/keep.ts": "export const kept = 1;\n" };

const generate = (cwd: string, ...args: readonly string[]): Promise<CliOutput> =>
  runCli(["generate", ...args], { cwd });

/** Returns the text of every file of a project, without git's own files. */
async function snapshot(root: string): Promise<Map<string, string>> {
  const files = (await listTree(root)).filter((path) => !path.startsWith(".git/"));
  const entries = files.map(async (path): Promise<[string, string]> => {
    const info = await Deno.lstat(join(root, path));
    return [path, info.isFile ? await Deno.readTextFile(join(root, path)) : "-"];
  });
  return new Map(await Promise.all(entries));
}

const subjects: readonly (readonly string[])[] = [
  ["page", "/contact", "--form"],
  ["route", "/api/items", "--bind"],
  ["test", "/"],
  ["island", "counter"],
  ["job", "send_digest"],
  ["mail", "welcome"],
  ["migration", "add_notes"],
  ["resource", "notes", "title:text,required"],
  ["auth", "--passwords"],
  ["database", "postgres"],
];

const migration = "migrations/0001_notes.sql";
const notes = "create table notes (at integer) strict;\n";

/** Writes and commits a migration, which `generate database` replaces. */
async function commitMigration(root: string): Promise<void> {
  await generate(root, "migration", "notes");
  await Deno.writeTextFile(join(root, migration), notes);
  for (const line of ["init --quiet", "add --all", "commit --quiet --message all"]) {
    await git(root, ...line.split(" "));
  }
}

for (const args of subjects) {
  Deno.test(`generate ${args.join(" ")} --dry-run prints what the command would do and writes nothing`, () =>
    inProject(app, async (root) => {
      if (args[0] === "database") await commitMigration(root);
      const before = await snapshot(root);
      const dry = await generate(root, ...args, "--dry-run");
      assertEquals([dry.code, dry.stderr], [0, ""]);
      assertEquals(await snapshot(root), before);
      assertStringIncludes(dry.stdout, "Nothing was written");

      const { code, stdout, stderr } = await generate(root, ...args);
      assertEquals([code, stderr], [0, ""]);
      const expected: string[] = [];
      for (const [path, text] of await snapshot(root)) {
        const old = before.get(path);
        if (text === "-" || old === text || path.endsWith("/")) continue;
        expected.push(`Would ${old === undefined ? "write" : "change"} ${path}.`);
      }
      const told = dry.stdout.split("\n").filter((line) => line.startsWith("Would "));
      assertEquals(told.sort(), expected.sort());
      const done = told.filter((line) => !line.endsWith(" fw_gen.ts."))
        .map((line) => line.replace("Would write", "Wrote").replace("Would change", "Changed"));
      assertEquals(
        stdout.split("\n").filter((line) => /^(?:Wrote|Changed) /.test(line)).sort(),
        done.sort(),
      );
    }));
}

/** Changes to a file after the commit that make replacing it unsafe. */
const unsafe: Readonly<Record<string, (root: string) => Promise<void>>> = {
  "was never committed": async (root) => {
    await git(root, "rm", "--quiet", "--cached", migration);
    await git(root, "commit", "--quiet", "--message", "gone");
  },
  "was edited": (root) => Deno.writeTextFile(join(root, migration), `${notes}-- mine\n`),
  "was edited and staged": async (root) => {
    await Deno.writeTextFile(join(root, migration), `${notes}-- mine\n`);
    await git(root, "add", "--all");
  },
  "was edited behind git's back": async (root) => {
    await git(root, "update-index", "--assume-unchanged", migration);
    await Deno.writeTextFile(join(root, migration), `${notes}-- mine\n`);
  },
  "is in no repository": (root) => Deno.remove(join(root, ".git"), { recursive: true }),
};

for (const [what, prepare] of Object.entries(unsafe)) {
  Deno.test(`generate database postgres keeps a file that ${what}; --dry-run prints what would change`, () =>
    inProject(app, async (root) => {
      await commitMigration(root);
      await prepare(root);
      const before = await snapshot(root);
      const { code, stderr } = await generate(root, "database", "postgres");
      assertEquals(code, 1);
      assertStringIncludes(stderr, "Cannot overwrite ");
      const dry = await generate(root, "database", "postgres", "--dry-run");
      assertStringIncludes(dry.stdout, `Would change ${migration}.`);
      assertEquals(await snapshot(root), before);
    }));
}

testRefusals("generate page", [
  ["/ --dry-run", 1, "app/page.ts already handles /", "app/page.ts já responde a /"],
], app);
testRefusals(
  "generate page /x --dry-run",
  [["", 1, "a deno.json and an app/ folder", "deno.json"]],
  {},
);

Deno.test("generate --dry-run writes nothing through a link", () =>
  inProject({ ...app, "lib/browser/_keep.ts": "" }, async (root) => {
    await Deno.symlink(join(root, "lib/browser"), join(root, "islands"));
    const before = await snapshot(root);
    const dry = await generate(root, "island", "counter", "--dry-run");
    assertEquals([dry.code, await snapshot(root)], [0, before]);
  }));

Deno.test("generate does not change a list of migrations behind a link out of the project", () =>
  inProject(app, async (root) => {
    await generate(root, "migration", "add_notes");
    const outside = `${root}_outside`;
    try {
      await Deno.rename(join(root, "migrations"), outside);
      await Deno.symlink(outside, join(root, "migrations"));
      const list = join(outside, "mod.ts");
      const stale = `${await Deno.readTextFile(list)}// stale\n`;
      await Deno.writeTextFile(list, stale);
      for (const flags of [["--dry-run"], []]) {
        await generate(root, "page", "/hello", ...flags);
        assertEquals(await Deno.readTextFile(list), stale);
      }
    } finally {
      await Deno.remove(outside, { recursive: true });
    }
  }));

Deno.test("dryRun: copies neither .env files nor installed npm packages, at any depth", () =>
  inProject({
    ...app,
    ".env": "API_KEY=secret",
    ".env.local": "API_KEY=secret",
    "sub/.env": "API_KEY=secret",
    ".env.example": "API_KEY=",
    "sub/node_modules/a/index.js": "1",
  }, async (root) => {
    const listed: string[] = [];
    const io = testIo({ cwd: root });
    const code = await dryRun(io, async ({ cwd }) => {
      listed.push(...await listTree(cwd));
      return 0;
    });
    assertEquals(code, 0);
    assertEquals(listed.filter((path) => path.includes(".env")), [".env.example"]);
    assertEquals(listed.filter((path) => path.includes("node_modules")), []);
    assert(listed.includes("lib/keep.ts"));
    // Files that were not copied are not differences.
    assertEquals(io.printed.stdout.split("\n").filter((line) => line.includes(".env")), []);
  }));
