import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { findOrigin, scaffoldProject } from "../../../../cli/scaffold/project.ts";
import { git, inScratch, listTree, runCli, writeFiles } from "../../support.ts";

const files = [
  ...".gitattributes .gitignore README.md app/api/hello/route.ts app/error.ts app/layout.ts".split(
    " ",
  ),
  ..."app/not_found.ts app/page.ts app/page_test.ts deno.json fw_gen.ts".split(" "),
  "public/style.css",
];

Deno.test("new writes exactly the specified files and prints the next steps", () =>
  inScratch(async (cwd) => {
    const { code, stdout, stderr } = await runCli(["new", "my-app"], { cwd });
    assertEquals([code, stderr], [0, ""]);
    assertEquals(await listTree(cwd), files.map((file) => `my-app/${file}`));
    assert(
      stdout.endsWith(`
Next:
  cd my-app
  deno task dev
then open http://localhost:3000 and edit app/page.ts.
`),
      stdout,
    );
    assertEquals((await runCli(["gen", "--check"], { cwd: join(cwd, "my-app") })).code, 0);
  }));

Deno.test("new --agents adds AGENTS.md and CLAUDE.md", () =>
  inScratch(async (cwd) => {
    assertEquals((await runCli(["new", "x", "--agents"], { cwd })).code, 0);
    assertEquals(await listTree(join(cwd, "x")), [...files, "AGENTS.md", "CLAUDE.md"].sort());
  }));

Deno.test("new --kit adds the files of the kit and a layout that uses them", () =>
  inScratch(async (cwd) => {
    const { code, stdout } = await runCli(["new", "x", "--kit"], { cwd });
    assertEquals(code, 0);
    const own = ["ui.css", "ui.js", "ui.live.js", "ui.parts.js", "ui.swap.js"]
      .flatMap((name) => [name, `${name}.map`]);
    const kit = [...own, "geist.woff2", "geist.OFL.txt", "ui.theme.css"]
      .map((name) => `public/${name}`);
    assertEquals(
      await listTree(join(cwd, "x")),
      [...files.filter((file) => file !== "public/style.css"), "app/nav.ts", ...kit].sort(),
    );
    for (const file of kit) assertStringIncludes(stdout, `  ${file}\n`);
    const layout = await Deno.readTextFile(join(cwd, "x/app/layout.ts"));
    for (const part of ["ui.font(c,", "ui.head(c)", "ui.shell(", "ui.themeToggle()"]) {
      assertStringIncludes(layout, part);
    }
    const again = await runCli(["ui"], { cwd: join(cwd, "x") });
    assertEquals([again.code, again.stderr], [0, ""]);
  }));

Deno.test("new ignores secrets, data and outputs in git and commits an example of .env", () =>
  inScratch(async (cwd) => {
    await runCli(["new", "x"], { cwd });
    const root = join(cwd, "x");
    await git(root, "init", "-q");
    const ignored = [".env", ".env.local", ".fw/spool/a", "coverage/a", "data/app.db", "dist/x"];
    const kept = [".env.example", "fw_gen.ts", "app/data/page.ts", "public/style.css"];
    assertEquals(
      (await git(root, "check-ignore", "--no-index", ...ignored, ...kept)).split("\n"),
      ignored,
    );
    // A clone by Git for Windows keeps the line endings that deno fmt expects.
    await git(root, "add", "-A");
    await git(root, "-c", "core.autocrlf=true", "checkout-index", "-f", "--prefix=clone/", "-a");
    const page = await Deno.readTextFile(join(root, "clone/app/page.ts"));
    assertEquals([page.includes("\n"), page.includes("\r")], [true, false]);
  }));

Deno.test("new accepts a path and uses the folder's own name", () =>
  inScratch(async (cwd) => {
    const { code, stdout } = await runCli(["new", "work/sub/shop"], { cwd });
    assertEquals(code, 0);
    assertStringIncludes(stdout, "  cd work/sub/shop\n");
    const layout = await Deno.readTextFile(join(cwd, "work/sub/shop/app/layout.ts"));
    assertStringIncludes(layout, 'const site = "shop";');
  }));

Deno.test("new . uses the working directory, even in a git repository", () =>
  inScratch(async (folder) => {
    const cwd = join(folder, "site");
    await writeFiles(cwd, { ".git/HEAD": "x" });
    const { code, stdout } = await runCli(["new", "."], { cwd });
    assertEquals(code, 0);
    assert(!stdout.includes("  cd "), stdout);
    assertEquals(await listTree(cwd), [".git/HEAD", ...files]);
  }));

const badNames = ["", "My-App", "-x", "a b", "é", "a".repeat(61), "nul", "com1.x", "x/..", "/"];
Deno.test("new refuses names that are invalid for a package or a system", (t) =>
  inScratch(async (folder) => {
    const cwd = join(folder, "Upper");
    await Deno.mkdir(cwd);
    for (const name of badNames) {
      await t.step(JSON.stringify(name), async () => {
        const args = name.startsWith("-") ? ["new", "--", name] : ["new", name];
        const { code, stdout, stderr } = await runCli(args, { cwd });
        assertEquals([code, stdout], [2, ""]);
        assertMatch(stderr, /as a project name/);
        assertEquals(await listTree(folder), []);
      });
    }
  }));

Deno.test("new refuses a non-empty folder and changes nothing in it", () =>
  inScratch(async (cwd) => {
    await writeFiles(cwd, { "full/notes.txt": "mine", "file": "" });
    const full = await runCli(["new", "full"], { cwd });
    assertEquals(full.code, 1);
    assertStringIncludes(full.stderr, "is not empty");
    const file = await runCli(["new", "file"], { cwd });
    assertEquals(file.code, 1);
    assertStringIncludes(file.stderr, "a file has that name");
    const inside = await runCli(["new", "file/x"], { cwd });
    assertEquals(inside.code, 1);
    assertEquals(await listTree(cwd), ["file", "full/notes.txt"]);
    await Deno.mkdir(join(cwd, "empty"));
    assertEquals((await runCli(["new", "empty"], { cwd })).code, 0);
  }));

for (const present of [[], ["site/.git/HEAD"]]) {
  Deno.test(`new reports a full disk and leaves the folder as it was: ${present}`, () =>
    inScratch(async (cwd) => {
      await writeFiles(cwd, Object.fromEntries(present.map((path) => [path, "x"])));
      const { writeTextFile } = Deno;
      try {
        Deno.writeTextFile = async (path, data, options) => {
          await writeTextFile(path, data, options);
          if (String(path).endsWith("error.ts")) throw new Error("No space left on device");
        };
        const target = present.length === 0 ? "sites/site" : "site";
        const { code, stderr } = await runCli(["new", target], { cwd });
        assertEquals(code, 1);
        assertStringIncludes(stderr, "No space left on device");
      } finally {
        Deno.writeTextFile = writeTextFile;
      }
      assertEquals(await listTree(cwd), present);
      assertEquals(await Array.fromAsync(Deno.readDir(cwd), ({ name }) => name), [
        ...present.length === 0 ? [] : ["site"],
      ]);
    }));
}

interface Manifest {
  readonly tasks: Readonly<
    Record<string, { readonly command: string; readonly description: string }>
  >;
  readonly links?: readonly string[];
  readonly imports: Readonly<Record<string, string>>;
}

function manifestOf(url?: string): Manifest {
  const options = url === undefined ? {} : { origin: findOrigin(url) };
  const manifest = scaffoldProject("x", options).find(({ file }) => file === "deno.json");
  return JSON.parse(manifest?.text ?? "");
}

Deno.test("deno.json: each task is described, and its command exists", async () => {
  for (const [name, { command, description }] of Object.entries(manifestOf().tasks)) {
    assert(description.length > 10, name);
    const args = command.split(" ");
    if (!args.some((arg) => arg.endsWith("/main.ts"))) continue;
    assertEquals((await runCli([name, "--help"], { cwd: "/" })).code, 0);
  }
});

Deno.test("deno.json: check covers the whole project, and tests run without -A", () => {
  const { check, test } = manifestOf().tasks;
  assertMatch(check?.command ?? "", /^deno run -A .* check$/);
  assert(!/ (?:-A|--allow-(?:all|net|run|ffi|write|sys|import))\b/.test(test?.command ?? "-A"));
});

Deno.test("deno.json: start may only listen, read its settings and files, and spool uploads", () => {
  assertEquals(
    manifestOf().tasks["start"]?.command,
    "deno run --no-prompt --allow-net=0.0.0.0,127.0.0.1,[::] --allow-env=FW_*,PORT,ADDR " +
      "--allow-read=public,.fw/spool --allow-write=.fw/spool fw_gen.ts",
  );
});

/** The URL that the command line runs from, and the resulting imports of a project. */
const origins: readonly [url: string, run: string, read: string, links?: readonly string[]][] = [
  // `testApp` loads the app at run time, and with it modules of the checkout.
  ["file:///home/me/fw/", "/home/me/fw/cli/main.ts", "--allow-read=.,/home/me/fw", ["/home/me/fw"]],
  [
    "file:///home/me/my%20fw/",
    '"/home/me/my fw/cli/main.ts"',
    '"--allow-read=.,/home/me/my fw"',
    ["/home/me/my fw"],
  ],
  ["https://jsr.io/@fw/0.1.0/", "jsr:@fw/cli@^0.1", "--allow-read=."],
];
for (const [url, run, read, wanted] of origins) {
  Deno.test(`deno.json of a command line at ${url}`, () => {
    const { tasks, links, imports } = manifestOf(`${url}cli/project/origin.ts`);
    assertEquals(links, wanted);
    assertEquals(imports, { "@/": "./", "@fw/fw": "jsr:@fw/fw@^0.1" });
    assertEquals(tasks["gen"]?.command, `deno run -A ${run} gen`);
    assert(tasks["test"]?.command.endsWith(` ${read}`), tasks["test"]?.command);
  });
}
