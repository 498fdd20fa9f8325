import { assert, assertEquals } from "@std/assert";
import { diffTexts, type ProjectTexts, readTexts } from "../../../cli/mcp/written.ts";
import { inProject } from "../support.ts";

function whole(files: readonly (readonly [path: string, text: string])[]): ProjectTexts {
  return { texts: new Map(files), isWhole: true };
}

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
    const { texts, isWhole } = await readTexts(root);
    assertEquals([[...texts.keys()].sort(), isWhole], [["app/page.ts", "deno.json"], true]);
  }));

const limits: readonly (readonly [options: Parameters<typeof readTexts>[1], isWhole: boolean])[] = [
  [{ files: 3 }, true],
  [{ files: 2 }, false],
  [{ totalBytes: 2 * 100 + 3 }, true],
  [{ totalBytes: 2 * 100 + 2 }, false],
  [{ entries: 4 }, true],
  [{ entries: 3 }, false],
];

for (const [options, isWhole] of limits) {
  Deno.test(`readTexts: ${JSON.stringify(options)} ${isWhole ? "is enough" : "stops"}`, () =>
    inProject({ "app/a.ts": "a".repeat(100), "app/b.ts": "b".repeat(100) }, async (root) => {
      const read = await readTexts(root, options);
      assertEquals([read.isWhole, read.texts.size === 3], [isWhole, isWhole]);
    }));
}

Deno.test("diffTexts: of a project that is too large, no file counts as new or deleted", () => {
  const before = whole([["a.ts", "1\n"], ["b.ts", "b\n"]]);
  const after = { texts: new Map([["a.ts", "2\n"], ["c.ts", "c\n"]]), isWhole: false };
  for (const [one, other] of [[before, after], [after, before]] as const) {
    const text = diffTexts(one, other);
    assertEquals(text.match(/###.*/g), ["### a.ts (changed)"]);
    assert(text.endsWith("… The project is too large to compare every file.\n"));
  }
});

Deno.test("diffTexts: a diff of many long lines ends", () => {
  const files = Array.from({ length: 20 }, (_, index): [string, string] => [
    `${String.fromCharCode(97 + index)}.ts`,
    "x".repeat(200_000),
  ]);
  const text = diffTexts(whole([]), whole(files));
  assertEquals(text.match(/###/g)?.length, 4);
  assert(text.endsWith("… 16 more files\n"));
});

Deno.test("diffTexts: a new, a changed and a deleted file, and nothing of one that is the same", () => {
  const before = whole([["a.ts", "1\n2\n3\n4\n"], ["b.ts", "b\n"], ["c.ts", "c\n"]]);
  const after = whole([["a.ts", "1\n2\nx\n4\n"], ["c.ts", "c\n"], ["d.ts", "d\n"]]);
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
