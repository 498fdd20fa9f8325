import { assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { deno, type Files, listTree, page, runCli, writeFiles } from "../../support.ts";
import { app, bundleOf, mount, testBundles as test } from "../project.ts";

/** A source that cannot be bundled, and the reported error. */
const faults: readonly (readonly [name: string, says: readonly RegExp[], files: Files])[] = [
  [
    "a module that does not parse",
    [
      /^lib\/b\.ts:2:9 E_BUNDLE: the islands cannot be bundled: Expression expected\n {4}Fix: Correct/,
    ],
    {
      "islands/a.ts": 'import "../lib/b.ts";\nexport default 1;\n',
      "lib/b.ts": "\nlet x = = 1;\n",
    },
  ],
  [
    "an import of a missing file",
    [/^islands\/a\.ts:2:19 E_BUNDLE: .*Module not found "islands\/b\.ts"/],
    { "islands/a.ts": '\nimport { b } from "./b.ts";\nexport default b;\n' },
  ],
  [
    "an import of a missing export",
    [/^islands\/a\.ts:1:10 E_BUNDLE: .*No matching export in "lib\/b\.ts" for import "no"/],
    {
      "islands/a.ts": 'import { no } from "../lib/b.ts";\nexport default () => no();\n',
      "lib/b.ts": "export const yes = 1;\n",
    },
  ],
  [
    "an import missing from the import map",
    [
      /^islands\/a\.ts:2:20 E_BUNDLE: .*"no-such-name" not a dependency\n {4}Fix: Add it with "deno add/,
    ],
    {
      // The types are not in the code that Deno bundles.
      "islands/a.ts":
        'interface A {}\nimport { no } from "no-such-name";\nexport default () => no();\n',
    },
  ],
  [
    "two faults at once",
    [/^islands\/a\.ts:1:8 E_BUNDLE/m, /^islands\/b\.ts:1:8 E_BUNDLE/m, /^2 problems;/m],
    {
      "islands/a.ts": 'import "./no.ts";\nexport default 1;\n',
      "islands/b.ts": 'import "./none.ts";\nexport default 1;\n',
    },
  ],
  [
    "a module of Node",
    [/^lib\/b\.ts:2:30 E_BUNDLE: an island imports node:fs, which no page loads/],
    {
      "islands/a.ts": 'export { b as default } from "../lib/b.ts";\n',
      "islands/c.ts": 'export { b as default } from "../lib/b.ts";\n',
      "lib/b.ts":
        '// "node:fs"\nimport { readFileSync } from "node:fs";\nexport const b = () => readFileSync("x");\n',
    },
  ],
  [
    "a style sheet",
    [/^islands\/a\.ts:1:8 E_BUNDLE: an island imports \.css, which no page loads/],
    {
      "islands/a.ts": 'import "./a.css";\nexport default () => {};\n',
      "islands/a.css": "a { color: red }\n",
    },
  ],
  [
    "an import that is a link out of the project",
    [/^lib\/b\.ts:1:1 E_OUTSIDE_LINK: this link leads out of the project/],
    {
      "islands/a.ts": 'import "../lib/b.ts";\nexport default 1;\n',
      "lib/b.ts": "-> ../../theirs/b.ts",
      "../theirs/b.ts": "console.log(1);\n",
    },
  ],
  [
    "a folder of bundles that leads out of the project",
    [/^public\/islands:1:1 E_OUTSIDE_LINK: a link in this path leads out of the project/],
    {
      "islands/a.ts": "export default 1;\n",
      "../theirs/keep": "",
      "public/islands": "-> ../../theirs",
    },
  ],
  [
    "a user's own file in the way",
    [/^public\/islands\/a\.js:1:1 E_BUNDLE_TAKEN: this file was not generated.*islands\/a\.ts/],
    { "islands/a.ts": "export default 1;\n", "public/islands/a.js": "export default 2;\n" },
  ],
];

for (const [name, says, files] of faults) {
  test(`gen refuses islands with ${name} and keeps the existing bundles`, {
    "app/page.ts": page,
    ...files,
  }, async (root) => {
    const before = await listTree(root);
    for (const language of ["en", "pt"]) {
      const { code, stderr } = await runCli(["gen"], { cwd: root, env: { FW_LANG: language } });
      assertEquals(code, 1);
      for (const line of language === "en" ? says : []) assertMatch(stderr, line);
      assertMatch(stderr, language === "en" ? /were not bundled/ : /não foram empacotadas/);
    }
    assertEquals(await listTree(root), [...before, "fw_gen.ts"].sort());
  });
}

test("gen keeps the older bundles if the sources cannot be bundled", app, async (root) => {
  await runCli(["gen"], { cwd: root });
  const before = await bundleOf(root, "alone.js");
  await writeAlone(root, 'import "./no.ts";\nexport default () => 2;\n');
  assertEquals((await runCli(["gen"], { cwd: root })).code, 1);
  assertEquals(await bundleOf(root, "alone.js"), before);
});

test("gen ignores text that resembles an import of Node", {
  "app/page.ts": page,
  "islands/a.ts":
    "export default (el: { textContent: string }) => void (el.textContent = `'node:fs'`);\n",
}, async (root) => {
  assertEquals((await runCli(["gen"], { cwd: root })).code, 0);
  assertEquals(await mount(root, "a.js"), "'node:fs'");
});

test(
  "gen prints the fix for a missing bundler and keeps existing bundles",
  app,
  async (root) => {
    await runCli(["gen"], { cwd: root });
    const before = await bundleOf(root, "alone.js");
    await writeFiles(root, { "islands/new.ts": "export default () => {};\n" });
    const { code, stderr } = await genWithoutRegistry(root);
    assertEquals(code, 1);
    assertMatch(
      stderr,
      /^E_NO_BUNDLER: cannot bundle islands\/new\.ts: .*esbuild.*check the network/s,
    );
    assertEquals(await bundleOf(root, "alone.js"), before);
    await Deno.remove(join(root, "islands/new.ts"));
    const { code: again, stderr: warning } = await genWithoutRegistry(root);
    assertEquals(again, 0, "bundles that are all there may be up to date");
    assertMatch(warning, /warning E_NO_BUNDLER: /);
  },
);

/** Runs `gen` in a process that cannot download anything. */
async function genWithoutRegistry(
  root: string,
): Promise<{ readonly code: number; readonly stderr: string }> {
  const args = ["run", "-A", "--no-check", "--config", `${checkout}/deno.json`, script];
  return await deno(args, root, { FW_LANG: "en" });
}

const checkout = fromFileUrl(new URL("../../../..", import.meta.url)).replace(/\/$/, "");
const script = fromFileUrl(new URL("../gen_without_registry.ts", import.meta.url));

function writeAlone(root: string, text: string): Promise<void> {
  return writeFiles(root, { "islands/alone.tsx": text });
}
