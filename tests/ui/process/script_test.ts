import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { basename, join } from "@std/path";
import { gzipSync } from "node:zlib";
import { checkScript, clientScripts } from "../../../tools/client_script.ts";
import { listFiles, root } from "../../../tools/workspace.ts";
import { parts, script } from "../../../ui/files/mod.ts";

const files: readonly [name: string, text: string, maxBytes: number][] = [
  ["ui.js", script, 10 * 1024],
  ["ui.parts.js", parts, 4 * 1024],
];

for (const [name, text, maxBytes] of files) {
  Deno.test(`${name}: at most ${maxBytes} bytes in gzip, with everything`, () => {
    assertLessOrEqual(gzipSync(new TextEncoder().encode(text)).length, maxBytes);
  });
}

Deno.test("ui/files: the scripts are what their modules make; else run `deno task script`", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", "tools/client_script.ts", folder],
      cwd: root,
    }).output();
    assert(success);
    for (const { path } of clientScripts) {
      for (const file of [path, `${path}.map`]) {
        const made = await Deno.readTextFile(join(folder, basename(file)));
        assertEquals(await Deno.readTextFile(file), made);
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

for (const [name, text] of files) {
  Deno.test(`${name}: is minified and names its map, which holds the modules as they are`, async () => {
    const path = new URL(`../../../ui/files/${name}.map`, import.meta.url);
    const { sources, sourcesContent } = JSON.parse(await Deno.readTextFile(path));
    assertEquals(text.trimEnd().split("\n").at(-1), `//# sourceMappingURL=${name}.map`);
    assertLessOrEqual(text.split("\n").length, 12);
    for (const [at, source] of sources.entries()) {
      assertEquals(sourcesContent[at], await Deno.readTextFile(join(root, source)));
    }
  });
}

Deno.test("ui.js: TypeScript at its strictest finds nothing in its modules", () => {
  assertEquals(checkScript(), []);
});

/** What a policy would stop, what keeps a page out of the back/forward cache, what nobody asked for. */
const absent: readonly [name: string, pattern: RegExp][] = [
  ["code from text", /\beval\(|\bFunction\(|setTimeout\(["'`]/],
  [
    "HTML from text, but for what is parsed apart",
    /\.outerHTML|insertAdjacentHTML|document\.write/,
  ],
  // One that is set while a form has unsaved changes is what browsers ask for.
  ["a listener that keeps pages out of the cache", /\bunload\b|Listener\(["'`]beforeunload/],
  ["another module or file", /\bimport\b|https?:\/\/(?!www\.w3)/],
  ["what is left of its making", /console\.|debugger|@ts-|@type/],
];

for (const [file, text] of files) {
  for (const [name, pattern] of absent) {
    Deno.test(`${file}: has none of: ${name}`, () => {
      assertEquals(pattern.exec(text)?.[0], undefined);
    });
  }
}

Deno.test("ui.js: HTML of an answer is parsed in one place, where no script runs", () => {
  assertEquals(script.match(/\.innerHTML=/g)?.length, 1);
  assertEquals(script.match(/parseFromString/g)?.length, 1);
});

Deno.test("ui/client: everything that a module exports says what it is for", async () => {
  const bare: string[] = [];
  for (const path of await listFiles("ui/client", [".js"])) {
    const source = await Deno.readTextFile(join(root, path));
    for (const [, before = "", line] of source.matchAll(/(.*)\n(?=(export [^{\n]+))/g)) {
      if (!before.endsWith("*/")) bare.push(`${path}: ${line}`);
    }
  }
  assertEquals(bare, []);
});
