import { assert, assertEquals } from "@std/assert";
import { diffTexts, readTexts } from "../../../cli/mcp/generate.ts";
import { inProject } from "../support.ts";

Deno.test("readTexts: leaves out links, hidden, binary and large files, and folders of data", () =>
  inProject({
    "app/page.ts": "page\n",
    ".env": "SECRET=1\n",
    ".git/config": "x\n",
    "app/.env.local": "SECRET=2\n",
    "data/rows.txt": "x\n",
    "photo.bin": "a\0b",
    "large.txt": "x".repeat(262_145),
    "link.ts": "-> app/page.ts",
    "gone.ts": "-> nowhere.ts",
  }, async (root) => {
    const texts = await readTexts(root);
    assertEquals([...texts?.keys() ?? []].sort(), ["app/page.ts", "deno.json"]);
  }));

Deno.test("readTexts: a project that is too large is not compared", () =>
  inProject({ "app/a.ts": "a", "app/b.ts": "b" }, async (root) => {
    const texts = await readTexts(root, 4);
    assertEquals(texts?.size, 3);
    assertEquals(await readTexts(root, 3), undefined);
    assertEquals(diffTexts(texts, undefined), "The project is too large to compare.\n");
  }));

Deno.test("diffTexts: a diff of many long lines ends", () => {
  const files = Array.from({ length: 20 }, (_, index): [string, string] => [
    `${String.fromCharCode(97 + index)}.ts`,
    "x".repeat(200_000),
  ]);
  const text = diffTexts(new Map(), new Map(files));
  assertEquals(text.match(/###/g)?.length, 4);
  assert(text.endsWith("… 16 more files\n"));
});

Deno.test("diffTexts: a new, a changed and a deleted file, and nothing of one that is the same", () => {
  const before = new Map([["a.ts", "1\n2\n3\n4\n"], ["b.ts", "b\n"], ["c.ts", "c\n"]]);
  const after = new Map([["a.ts", "1\n2\nx\n4\n"], ["c.ts", "c\n"], ["d.ts", "d\n"]]);
  assertEquals(diffTexts(before, after).split("\n").filter((line) => line !== ""), [
    "### a.ts (changed)",
    "  1",
    "  2",
    "- 3",
    "+ x",
    "  4",
    "### b.ts (deleted)",
    "- b",
    "### d.ts (new file)",
    "+ d",
  ]);
});
