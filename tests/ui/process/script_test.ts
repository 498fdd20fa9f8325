import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { basename, join } from "@std/path";
import { gzipSync } from "node:zlib";
import { checkScript, clientScripts } from "../../../tools/client_script.ts";
import { listFiles, root } from "../../../tools/workspace.ts";
import { liveScript, parts, script, swapScript } from "../../../ui/files/mod.ts";
import { newFolder } from "../../new_folder.ts";

const files: readonly [name: string, text: string][] = [
  ["ui.js", script],
  ["ui.swap.js", swapScript],
  ["ui.live.js", liveScript],
  ["ui.parts.js", parts],
];

const gzipped = (text: string): number =>
  gzipSync(new TextEncoder().encode(text), { level: 9 }).length;

Deno.test("the script: its core has at most 8 KB in gzip, 15 with swaps and navigation, each other part 4", () => {
  assertLessOrEqual(gzipped(script), 8 * 1024);
  assertLessOrEqual(gzipped(script) + gzipped(swapScript), 15 * 1024);
  for (const part of [liveScript, parts]) assertLessOrEqual(gzipped(part), 4 * 1024);
});

Deno.test("ui/client: has at most 3,000 lines", async () => {
  const files = await listFiles("ui/client", [".js"]);
  const texts = await Promise.all(files.map((path) => Deno.readTextFile(join(root, path))));
  assertLessOrEqual(texts.join("").split("\n").length, 3_000);
});

Deno.test("ui/files: the scripts match their modules; else run `deno task script`", async () => {
  await using folder = await newFolder();
  const args = ["run", "-A", "--quiet", "tools/client_script.ts", folder.path];
  const { success } = await new Deno.Command(Deno.execPath(), { args, cwd: root }).output();
  assert(success);
  for (const { path } of clientScripts) {
    for (const file of [path, `${path}.map`]) {
      const made = await Deno.readTextFile(join(folder.path, basename(file)));
      assertEquals(await Deno.readTextFile(file), made);
    }
  }
});

for (const example of ["assistant", "events", "gallery"]) {
  Deno.test(`ui/files: examples/${example} has them; else run \`deno task ui --force\` in it`, async () => {
    for (const name of [...files.map(([name]) => name), "ui.css"]) {
      const own = await Deno.readTextFile(join(root, "ui/files", name));
      const copy = await Deno.readTextFile(join(root, "examples", example, "public", name));
      assert(copy.endsWith(own), name);
    }
  });
}

for (const [name, text] of files) {
  Deno.test(`${name}: is minified and names its map, which contains the original modules`, async () => {
    const path = new URL(`../../../ui/files/${name}.map`, import.meta.url);
    const { sources, sourcesContent } = JSON.parse(await Deno.readTextFile(path));
    assertEquals(text.trimEnd().split("\n").at(-1), `//# sourceMappingURL=${name}.map`);
    assertLessOrEqual(text.split("\n").length, 12);
    for (const [at, source] of sources.entries()) {
      // The map names the library but contains no more of its text than the script does.
      if (sourcesContent[at] === null) continue;
      assertEquals(sourcesContent[at], await Deno.readTextFile(join(root, source)));
    }
  });
}

Deno.test("ui.js: its modules pass TypeScript in strict mode", () => {
  assertEquals(checkScript(), []);
});

/** Code that a policy would block, that disables the back/forward cache, or that is unwanted. */
const absent: readonly [name: string, pattern: RegExp][] = [
  ["code from text", /\beval\(|\bFunction\(|setTimeout\(["'`]/],
  ["HTML written from text", /\.outerHTML|insertAdjacentHTML|document\.write/],
  // Browsers recommend setting it only while a form has unsaved changes.
  ["a listener that keeps pages out of the cache", /\bunload\b|Listener\(["'`]beforeunload/],
  ["a module or file that is not a part", /\bimport\b(?!\(|\.meta\.url)|https?:\/\/(?!www\.w3)/],
  ["comments or debugging code", /console\.(?!error)|debugger|@ts-|@type/],
];

for (const [file, text] of files) {
  for (const [name, pattern] of absent) {
    Deno.test(`${file}: does not contain ${name}`, () => {
      assertEquals(pattern.exec(text)?.[0], undefined);
    });
  }
}

Deno.test("ui.js: parses response HTML in one place, where no script runs", () => {
  const all = script + swapScript;
  assertEquals([all.match(/\.innerHTML=/g)?.length, all.match(/parseFromString/g)?.length], [1, 1]);
});

Deno.test("ui/client: every export has a doc comment", async () => {
  const bare: string[] = [];
  for (const path of await listFiles("ui/client", [".js"])) {
    const source = await Deno.readTextFile(join(root, path));
    for (const [, before = "", line] of source.matchAll(/(.*)\n(?=(export [^{\n]+))/g)) {
      if (!before.endsWith("*/")) bare.push(`${path}: ${line}`);
    }
  }
  assertEquals(bare, []);
});
