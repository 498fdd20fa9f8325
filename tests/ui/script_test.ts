// test: child, runs `deno fmt`
import { assertEquals, assertLessOrEqual } from "@std/assert";
import { basename, join } from "@std/path";
import { brotliCompressSync, constants } from "node:zlib";
import { checkScript, clientScripts, joinScript, withoutSpace } from "../../tools/client_script.ts";
import { listFiles, root } from "../../tools/workspace.ts";
import { chatScript, script } from "../../ui/files/mod.ts";

const files: readonly [name: string, text: string, maxBytes: number][] = [
  ["ui.js", script, 8 * 1024],
  ["ui.chat.js", chatScript, 5 * 1024],
];

for (const [name, text, maxBytes] of files) {
  Deno.test(`${name}: at most ${maxBytes} bytes in brotli, with everything`, () => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
    const size = brotliCompressSync(new TextEncoder().encode(text), { params }).length;
    assertLessOrEqual(size, maxBytes);
  });
}

for (const each of clientScripts) {
  Deno.test(`${basename(each.path)}: is what its modules make; else run \`deno task script\``, async () => {
    assertEquals(await Deno.readTextFile(each.path), await joinScript(each));
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
  ["a listener that keeps pages out of the cache", /\bunload\b|beforeunload/],
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

Deno.test("ui.chat.js: no HTML is parsed at all", () => {
  assertEquals(chatScript.match(/innerHTML|parseFromString|createContextualFragment/g), null);
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

const spaces: readonly [name: string, source: string, expected: string][] = [
  ["blocks", "if (a) {\n  b();\n\n\tc();\n}\n", "if(a){\nb();\nc();\n}\n"],
  ["words", "const  a = typeof b in c, $d = new E;\n", "const a=typeof b in c,$d=new E;\n"],
  ["names of other letters", "const é = ü in ñ;\n", "const é=ü in ñ;\n"],
  ["a line without its end", "a = b\n[c] = d\n", "a=b\n[c]=d\n"],
  ["signs", "a = b + +c - -d + e++ + ++f;\n", "a=b+ +c- -d+e++ + ++f;\n"],
  ["a pattern after a division", "a = b / /c d/.e;\n", "a=b/ /c d/.e;\n"],
  ["what would be a comment of HTML", "a < !--b, c-- > d;\n", "a< !--b,c-- >d;\n"],
  ["a text", "f(\" a  b \", ' c ');\n", "f(\" a  b \",' c ');\n"],
  ["a template", "  f(`\n  a\n  ${  b  }\n  c\n  `);\n", "f(`\n  a\n  ${b}\n  c\n  `);\n"],
  ["code in a template", "f(`${{\n  a: 1,\n}}`);\n", "f(`${{\na:1,\n}}`);\n"],
  ["a text over two lines", 'f("a\\\n  b");\n', 'f("a\\\n  b");\n'],
  ["a comment", "/*\n  a\n */\n  b();\n", "/*\n  a\n */\nb();\n"],
  ["a comment in a line", "a(); // b  c\n  d( /* e */ f );\n", "a(); // b  c\nd( /* e */ f);\n"],
];

for (const [name, source, expected] of spaces) {
  Deno.test(`withoutSpace: ${name}`, () => {
    assertEquals(withoutSpace(source), expected);
  });
}
