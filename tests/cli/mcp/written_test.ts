import { assertEquals } from "@std/assert";
import { diffTexts, readTexts } from "../../../cli/mcp/written.ts";
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
    assertEquals([...(await readTexts(root)).keys()].sort(), ["app/page.ts", "deno.json"]);
  }));

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
