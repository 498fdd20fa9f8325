import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { startApp } from "../../../e2e/running_app.ts";
import { shareFolder } from "../../shared_folder.ts";
import { denoOutput, inScratch, runCli, writeFiles } from "../../support.ts";
import { checkTypes } from "../../type_check.ts";
import { runTests, writeWorkspace } from "../../workspace.ts";

const pages: readonly (readonly string[])[] = [
  ["page", "/about"],
  ["page", "/blog/{slug}"],
  ["page", "/wiki/{page_id}/{rest...}"],
  ["page", "/contact", "--form"],
  ["page", "/team/{id}/join-us-for-a-very-long-lunch", "--form"],
  ["page", "/posts/{id}", "--methods", "POST,PUT,PATCH,DELETE"],
  ["page", "/notes/{id}", "--methods", "POST,PUT,PATCH,DELETE", "--bind"],
  ["route", "/api/things"],
  ["route", "/api/things/{id}", "--methods", "GET,POST,PUT,PATCH,DELETE,OPTIONS"],
  // The schema has a name too.
  ["route", "/api/bound/{name}", "--methods", "GET,POST,PUT,PATCH,DELETE", "--bind"],
  ["route", "/api/bound", "--methods", "POST", "--bind"],
  ["route", "/feed.xml"],
];

/** Code that is not generated for any URL. Its files use some of the names. */
const others: readonly (readonly string[])[] = [
  ...["send_digest", "schedule", "text", "every"].map((name) => ["job", name]),
  ...["welcome", "pick", "h"].map((name) => ["mail", name]),
];

const wrong = 'import { href } from "@fw/fw";\nexport const url = href("/nope");\n';

const apps = ["plain-app", "kit-app"];

// A new application, and a workspace of two for generated code.
const shared = shareFolder("new_app", async (folder) => {
  const both = join(folder, "apps");
  await Deno.mkdir(both);
  for (
    const [cwd, name, flag] of [
      [folder, "my-app", "--agents"],
      [both, "plain-app", "--agents"],
      [both, "kit-app", "--kit"],
    ] as const
  ) {
    assertEquals((await runCli(["new", name, flag], { cwd })).code, 0);
  }
  await generateAll(join(both, "plain-app"));
  await generateWithKit(join(both, "kit-app"));
  await Deno.writeTextFile(join(both, "plain-app/wrong.ts"), wrong);
  await writeWorkspace(both, { members: apps, like: "kit-app" });
});

async function generateAll(cwd: string): Promise<void> {
  for (const args of [...pages, ["test", "/api/hello"]]) {
    const made = await runCli(["generate", ...args], { cwd });
    assertEquals(made.code, 0, made.stderr);
    if (args[0] === "test" || args.includes("--form") || args.includes("--bind")) continue;
    const tested = await runCli(["generate", "test", args[1] ?? ""], { cwd });
    assertEquals(tested.code, 0, tested.stderr);
  }
}

async function generateWithKit(cwd: string): Promise<void> {
  for (const args of others) {
    const made = await runCli(["generate", ...args], { cwd });
    assertEquals([made.code, made.stderr], [0, ""]);
  }
  for (const args of pages.filter(([what]) => what === "page")) {
    const made = await runCli(["generate", ...args], { cwd });
    assertEquals(made.code, 0, made.stderr);
    if (!args.includes("--form")) continue;
    const file = made.stdout.split(/[ \n]/)[1] ?? "";
    const text = await Deno.readTextFile(join(cwd, file.replace(/\.$/, "")));
    assertStringIncludes(text, "ui.form(c, ");
    assert(!text.includes("class"), text);
  }
}

Deno.test("a new app is formatted, lint-free, tested and served", async (t) => {
  const cwd = join(shared(), "my-app");
  // Its types are checked together with the generated code.
  for (const args of [["fmt", "--check"], ["lint"], ["task", "test", "--no-check"]]) {
    await t.step(`deno ${args.join(" ")}`, async () => void await denoOutput(args, cwd));
  }
  await t.step("deno task start serves requests", async () => await serves(cwd));
});

Deno.test("a new app accepts TSX as the guides write it", () =>
  inScratch(async (folder) => {
    assertEquals((await runCli(["new", "x"], { cwd: folder })).code, 0);
    await writeFiles(folder, {
      "x/app/new/page.tsx": `export function Page() {
  return <form>{["a", "b"].map((name) => <input name={name} />)} <button>Send</button></form>;
}
`,
    });
    await denoOutput(["lint"], join(folder, "x"));
  }));

Deno.test("the name of an app does not affect its formatting", async () => {
  for (const name of ["a", "x".repeat(60)]) {
    await inScratch(async (folder) => {
      assertEquals((await runCli(["new", name, "--agents"], { cwd: folder })).code, 0);
      await denoOutput(["fmt", "--check"], join(folder, name));
    });
  }
});

Deno.test("generated code, with and without the kit, is formatted, lint-free and typed, and its tests pass", async (t) => {
  const cwd = join(shared(), "apps");
  for (const args of [["fmt", "--check"], ["lint"]]) {
    await t.step(`deno ${args.join(" ")}`, async () => void await denoOutput(args, cwd));
  }
  await t.step("deno check: only a URL without a route fails to compile", async () => {
    const { code, output } = await checkTypes(["."], cwd);
    assertEquals(code, 1, output);
    assertStringIncludes(output, '"/nope"');
    const places = [...output.matchAll(/^ +at file:\S*\/apps\/(\S+?):(\d+):\d+$/gm)];
    assertEquals(
      places.map(([, file, line]) => `${file}:${line}`),
      ["plain-app/wrong.ts:2"],
      output,
    );
    assertEquals(output.match(/^TS\d+ \[ERROR\]/gm)?.length, 1, output);
  });
  await t.step("deno task test", async () => {
    const { code, output } = await runTests(cwd, apps);
    assertEquals(code, 0, output);
  });
});

async function serves(cwd: string): Promise<void> {
  const { tasks } = JSON.parse(await Deno.readTextFile(join(cwd, "deno.json")));
  await using app = startApp(tasks.start.command, { cwd });
  const read = async (path: string): Promise<string> => {
    const response = await app.get(path);
    return `${response.status} ${await response.text()}`;
  };
  const html = await read("/");
  assertStringIncludes(html, "200 ");
  assertStringIncludes(html, "Your app is running");
  assertStringIncludes(html, '<link rel="icon" href="data:image/png,">');
  const style = /href="(\/style\.css[^"]*)"/.exec(html)?.[1] ?? "";
  assertStringIncludes(await read(style), "--starter-accent");
  assertStringIncludes(await read("/api/hello"), "Hello, world!");
  assertMatch(await read("/nope"), /^404 .*There is no such page/s);
}
