import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { createProject } from "../../../../cli/project/project.ts";
import { findStaleKit } from "../../../../cli/scaffold/kit.ts";
import { script, scriptMap, style, theme } from "../../../../ui/files/mod.ts";
import {
  type CliOutput,
  deno,
  type Files,
  inProject,
  listTree,
  page,
  runCli,
} from "../../support.ts";

const scripts = ["ui.js", "ui.live.js", "ui.parts.js", "ui.swap.js"].flatMap((
  name,
) => [name, `${name}.map`]);
const owned = ["ui.css", "ui.css.map", ...scripts];
const names = ["ui.theme.css", ...owned];

async function inPublic(
  files: Files,
  run: (project: {
    root: string;
    ui: (...args: string[]) => Promise<CliOutput>;
    read: (name: string) => Promise<string>;
    write: (name: string, text: string) => Promise<void>;
  }) => Promise<void>,
): Promise<void> {
  const inside = Object.entries(files).map(([name, text]) => [`public/${name}`, text]);
  await inProject({ "app/page.ts": page, ...Object.fromEntries(inside) }, async (root) => {
    const at = (name: string): string => join(root, "public", name);
    await run({
      root,
      ui: (...args) => runCli(["ui", ...args], { cwd: join(root, "app") }),
      read: (name) => Deno.readTextFile(at(name)),
      write: (name, text) => Deno.writeTextFile(at(name), text),
    });
  });
}

const written = names.map((name) => `Wrote public/${name}.\n`).join("");
const fresh = "public/ui.theme.css belongs to the application and was not changed.\n" +
  owned.map((name) => `public/${name} is up to date.\n`).join("");

Deno.test("ui writes the files and prints the next steps", () =>
  inPublic({}, async ({ ui, read }) => {
    const { code, stdout, stderr } = await ui();
    assertEquals([code, stderr], [0, ""]);
    assert(stdout.startsWith(`${written}Next: add ui.head(c)`), stdout);
    assertStringIncludes(stdout, "public/style.css has lower precedence than the kit");
    assertEquals(await read("ui.theme.css"), theme);
    for (const [name, body] of [["ui.css", style], ["ui.js", script]] as const) {
      const [first = "", ...rest] = (await read(name)).split("\n");
      assertMatch(first, /^\/\* fw \d+\.\d+\.\d+ [0-9a-f]{16} written by `fw ui`, .* \*\/$/);
      assertEquals(rest.join("\n"), body);
    }
  }));

Deno.test("ui writes a source map that matches the script and its first line", () =>
  inPublic({}, async ({ ui, read }) => {
    await ui();
    const [first = "", ...rest] = (await read("ui.js.map")).split("\n");
    // ECMA-426: a first line that starts with )]}' is not part of the JSON.
    assertMatch(first, /^\)\]\}' fw \d+\.\d+\.\d+ [0-9a-f]{16} written by `fw ui`, /);
    const map = JSON.parse(rest.join("\n"));
    const bare = JSON.parse(scriptMap);
    assertEquals(map, { ...bare, mappings: `;${bare.mappings}` });
    assertStringIncludes(await read("ui.js"), "\n//# sourceMappingURL=ui.js.map\n");
  }));

Deno.test("ui leaves current files unchanged", () =>
  inPublic({}, async ({ ui, read }) => {
    await ui();
    const before = await Promise.all(names.map(read));
    assertEquals(await ui(), { code: 0, stdout: fresh, stderr: "" });
    assertEquals(await Promise.all(names.map(read)), before);
  }));

Deno.test("ui never changes the theme, even with --force", () =>
  inPublic({ "ui.theme.css": ":root { --primary: red; }" }, async ({ ui, read }) => {
    for (const args of [[], ["--force"]]) {
      const { stdout } = await ui(...args);
      assertStringIncludes(stdout, "public/ui.theme.css belongs to the application");
      assert(!stdout.includes("Next:"), stdout);
      assertEquals(await read("ui.theme.css"), ":root { --primary: red; }");
    }
  }));

/** A file of an earlier version: the hash in the first line is that of the rest. */
const older = "/* fw 0.0.1 a948904f2f0f479b written by `fw ui`, which replaces it unless it was " +
  "edited */\nhello world\n";

const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
const updated = "Updated public/ui.css.";
const upToDate = "public/ui.css is up to date.";
const kept = "Warning: public/ui.css was edited and was not changed.";

/** The existing file, the message of `ui`, and whether it replaces the file. */
const states: readonly (readonly [
  what: string,
  there: (own: string) => string,
  said: string,
  isReplaced: boolean,
])[] = [
  ["an edited file", (own) => `${own}/* mine */\n`, kept, false],
  ["a file without its first line", () => "/* mine */\n", kept, false],
  ["an older file without edits", () => older, updated, true],
  ["an older file with other line endings", () => crlf(older), updated, true],
  ["a current file with other line endings", crlf, upToDate, false],
  ["a file that only contains the text", () => style, upToDate, false],
];
for (const [what, there, said, isReplaced] of states) {
  Deno.test(`ui reports ${what}: ${said}`, () =>
    inPublic({}, async ({ root, ui, read, write }) => {
      await ui();
      const own = await read("ui.css");
      await write("ui.css", there(own));
      assertEquals((await findStaleKit(createProject(root))).length, Number(isReplaced));
      const { code, stdout, stderr } = await ui();
      assertEquals(code, 0);
      assertStringIncludes(said === kept ? stderr : stdout, said);
      assertEquals(stderr === "", said !== kept);
      assertEquals(await read("ui.css"), isReplaced ? own : there(own));
    }));
}

Deno.test("ui replaces edited files with --force", () =>
  inPublic({}, async ({ ui, read, write }) => {
    await ui();
    const own = await read("ui.js");
    await write("ui.js", `${own}/* mine */\n`);
    const forced = await ui("--force");
    assertStringIncludes(forced.stdout, "Updated public/ui.js.");
    assertEquals([forced.stderr, await read("ui.js")], ["", own]);
  }));

Deno.test("ui writes files that the application's formatter and linter skip", () =>
  inProject({ "app/page.ts": page }, async (root) => {
    await runCli(["ui"], { cwd: root });
    const files = owned.map((name) => join(root, "public", name));
    for (const args of [["fmt", ...files], ["lint", "--quiet", join(root, "public/ui.js")]]) {
      const { stderr } = await deno(args, root);
      assert(!/rror/.test(stderr), stderr);
    }
    const { stderr } = await runCli(["ui"], { cwd: root });
    assertEquals(stderr, "");
  }));

Deno.test("ui writes nothing through a link out of the project", () =>
  inProject({ "app/page.ts": page, "public": "-> ../outside", "../outside/a": "" }, async (cwd) => {
    for (const args of [["ui"], ["generate", "auth", "--passkeys"]]) {
      const { code, stderr } = await runCli(args, { cwd });
      assertEquals(code, 1);
      assertStringIncludes(stderr, "Cannot write to public: it is a link out of the project.");
      assertEquals(await listTree(join(cwd, "../outside")), ["a"]);
    }
  }));
