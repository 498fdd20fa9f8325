/** What docs/database.md shows, made and run. */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { exists } from "@std/fs";
import { join } from "@std/path";
import { listText } from "../../../cli/project/migrations.ts";
import { root } from "../../../tools/workspace.ts";
import { deno, type Files } from "../../cli/support.ts";
import { checkGuideApp, inGuideApp } from "./app.ts";
import { readBlock } from "../guide.ts";
import { startApp } from "../running_app.ts";

const guide = "docs/database.md";
const folder = "--allow-read=public,.fw/spool --allow-write=.fw/spool";
const withData = (await readBlock(guide, { language: "text", holds: ",data" })).trim();
/** What the reader does after the section of the rows that belong to others: `Setup` and all migrations. */
const files: Files = {
  "app/setup.ts": (await readBlock(guide, { language: "ts", holds: "openNotes(app);" }))
    .replace("  openNotes(app);", "  openNotes(app);\n  openComments(app);")
    .replace(
      "import { openNotes",
      'import { openComments } from "../lib/comments.ts";\nimport { openNotes',
    ),
  "migrations/mod.ts": listText(
    ["0001_create_notes", "0002_create_photos", "0003_create_comments"]
      .map((name) => ({ name, file: `${name}.sql` })),
  ),
};

Deno.test("database guide: types are right; a test is told of its variable, and passes with it, in memory", async () => {
  await inGuideApp(guide, async ({ cwd }) => {
    const { code, output } = await deno(["task", "test", "--no-check"], cwd);
    assertNotEquals(code, 0);
    assertStringIncludes(output, "put the variable that names its place before the test task");
    const path = join(cwd, "deno.json");
    const manifest = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, manifest.replace('"deno test ', '"FW_DB=:memory: deno test '));
    await checkGuideApp(cwd, { tests: 3 });
    assert(!await exists(join(cwd, "data")));
  }, { files });
});

Deno.test("database guide: the boot names missing flags, a post outlives a restart, migrations run once", async () => {
  await inGuideApp(guide, async ({ cwd, task }) => {
    const start = await task("start");
    {
      await using app = startApp(start.replace(withData, folder), { cwd });
      assertNotEquals((await app.ended()).code, 0);
      assertStringIncludes(app.output(), "Add --allow-write=data to the start task in deno.json.");
    }
    for (const expected of [[], ["first"]]) {
      await using app = startApp(start, { cwd });
      const ready = await app.get("/_fw/health/ready").then((answer) => answer.json());
      assertEquals(ready.status, "pass");
      const page = await app.get("/notes");
      const html = await page.text();
      assertEquals([...html.matchAll(/<li>(.*?)<\/li>/g)].map(([, text]) => text), expected);
      const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? "";
      const body = new URLSearchParams({ _csrf: token, text: "first" });
      const [cookie = ""] = (page.headers.getSetCookie()[0] ?? "").split(";");
      const headers = { cookie };
      const init: RequestInit = { method: "POST", body, headers, redirect: "manual" };
      const posted = await app.get("/notes", init);
      assertEquals([posted.status, await posted.text()], [303, ""]);
      app.kill("SIGTERM");
      assertEquals((await app.ended()).code, 0);
    }
    const file = join(cwd, "open.ts");
    await Deno.writeTextFile(
      file,
      `import { int } from "@fw/fw/data";
import { openSqlite } from "@fw/fw/sqlite";
import { migrations } from "./migrations/mod.ts";
await using db = await openSqlite("data/new.sqlite", { migrations });
console.log(await db.one(int())\`select count(*) from fw_migrations\`);
`,
    );
    const outcomes = await Promise.all([1, 2, 3].map(() => deno(["run", "-A", file], cwd)));
    assertEquals(outcomes.map(({ output }) => output), ["1\n", "1\n", "1\n"]);
  }, { manifest: [[folder, withData]] });
});

Deno.test("database guide: the store over Deno KV answers and is checked", async () => {
  const code = await readBlock(guide, { language: "ts", holds: "openKv" });
  const route = `import { type Ctx, type Result, use } from "@fw/fw";
import { Kv } from "../setup.ts";
export async function GET(c: Ctx): Promise<Result> {
  await use(c, Kv).set(["notes", "1"], "kept");
  return c.text(200, (await use(c, Kv).get<string>(["notes", "1"])).value ?? "");
}
`;
  await inGuideApp(guide, async ({ cwd, task }) => {
    await using app = startApp(await task("start"), { cwd });
    assertEquals(await app.get("/kv").then((answer) => answer.text()), "kept");
    const ready = await app.get("/_fw/health/ready").then((answer) => answer.json());
    assertEquals(ready.status, "pass");
  }, {
    manifest: [[folder, withData], ['"no-legacy-abort"', '"no-legacy-abort", "kv"']],
    // The page of the recipe for SQLite goes without what it needs.
    files: {
      "app/setup.ts": code,
      "app/kv/route.ts": route,
      "app/notes/page.ts": "export function Page(): void {}\n",
      "app/notes/page_test.ts": "",
    },
  });
});

Deno.test("database guide: Kysely reads what the data layer wrote", async () => {
  const code = await readBlock(guide, { language: "ts", holds: "SqliteDialect" });
  const folder = await Deno.makeTempDir();
  const file = join(folder, "reports.ts");
  await Deno.writeTextFile(
    file,
    `${code}
import { openSqlite } from "@fw/fw/sqlite";
await using db = await openSqlite(":memory:");
await db.run\`create table notes (id integer primary key, text text not null, made_at integer not null)\`;
const kysely = openKysely(db);
await db.run\`insert into notes (text, made_at) values ('first', 1)\`;
await kysely.insertInto("notes").values({ text: "second", made_at: 2 }).execute();
console.log(JSON.stringify(await kysely.selectFrom("notes").select("text").orderBy("id").execute()));
`,
  );
  const config = join(root, "deno.json");
  const { output } = await deno(["run", "-A", "--no-lock", `--config=${config}`, file], folder);
  await Deno.remove(folder, { recursive: true });
  assertEquals(output, '[{"text":"first"},{"text":"second"}]\n');
});
