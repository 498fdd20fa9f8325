/** The code of docs/database.md, generated and run. */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { exists } from "@std/fs";
import { join } from "@std/path";
import { listText } from "../../../cli/project/migrations.ts";
import { deno, type Files } from "../../cli/support.ts";
import { root } from "../../../tools/workspace.ts";
import { checkGuideApp, inGuideApp } from "./app.ts";
import { readBlock } from "../guide.ts";
import { startApp } from "../running_app.ts";

const guide = "docs/database.md";
const folder = "--allow-read=public,.fw/spool --allow-write=.fw/spool";
const deploying = await Deno.readTextFile(join(root, "docs/deploy.md"));
const [, withData = ""] = /a SQLite file +\| `([^`]+)`/.exec(deploying) ?? [];
/** The reader's result after the section on rows with owners: `Setup` and all migrations. */
const files: Files = {
  "app/setup.ts": (await readBlock(guide, { language: "ts", holds: "openNotes(app);" }))
    .replace("  openNotes(app);", "  openNotes(app);\n  openComments(app);")
    .replace(
      "import { openNotes",
      'import { openComments } from "../lib/comments.ts";\nimport { openNotes',
    ),
  "migrations/mod.ts": listText(
    ["0001_create_notes", "0002_create_comments"].map((name) => ({ name, file: `${name}.sql` })),
  ),
};

Deno.test("database guide: types are right, and a test names its missing variable and passes with it, in memory", () =>
  inGuideApp(guide, async ({ cwd }) => {
    const { code, output } = await deno(["task", "test", "--no-check"], cwd);
    assertNotEquals(code, 0);
    assertStringIncludes(output, "put the variable that names its place before the test task");
    const path = join(cwd, "deno.json");
    const manifest = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, manifest.replace('"deno test ', '"FW_DB=:memory: deno test '));
    await checkGuideApp(cwd, { tests: 3 });
    assert(!await exists(join(cwd, "data")));
  }, { files }));

Deno.test("database guide: boot names missing flags, a post survives a restart, and migrations run once", () =>
  inGuideApp(guide, async ({ cwd, task }) => {
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
    assertEquals(outcomes.map(({ output }) => output), ["2\n", "2\n", "2\n"]);
  }, { files, manifest: [[folder, withData]] }));
