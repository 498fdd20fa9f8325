import { formatFrame, readFrame } from "../../../../runtime/addon.ts";
import { frameOf } from "../../../../runtime/base/diagnose/code_frame.ts";
import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { root as checkout } from "../../../../tools/workspace.ts";
import { inScratch, writeFiles } from "../../../cli/support.ts";

const frames: readonly (readonly [
  name: string,
  source: string,
  place: readonly [line: number, column: number],
  frame: string | undefined,
])[] = [
  [
    "the middle of a file",
    "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n",
    [8, 1],
    "   5 | 5\n   6 | 6\n   7 | 7\n>  8 | 8\n     | ^\n   9 | 9\n  10 | 10",
  ],
  ["a tab before the place", "\tx = 1", [1, 2], "> 1 |   x = 1\n    |   ^"],
  ["Windows line ends", "a\r\nbc\r\n", [2, 2], "  1 | a\n> 2 | bc\n    |  ^"],
  ["an empty file", "", [1, 1], "> 1 |\n    | ^"],
  ["a line beyond the end", "a\n", [3, 1], undefined],
];

for (const [name, source, [line, column], text] of frames) {
  Deno.test(`frameOf shows ${name}`, () => {
    const frame = frameOf(source, { line, column });
    assertEquals(frame === undefined ? undefined : formatFrame(frame), text);
  });
}

const framed: readonly (readonly [file: string, isFramed: boolean])[] = [
  ["app/page.ts", true],
  ["app/page.tsx", true],
  ["lib/words.mjs", true],
  ["app/.well-known/x/route.ts", true],
  ["deno.json", true],
  ["deno.jsonc", true],
  ["migrations/0001_create_notes.sql", true],
  ["migrations/dump.sql", false],
  ["dump.sql", false],
  [".env", false],
  [".env.ts", false],
  ["lib/.env", false],
  [".secrets/keys.ts", false],
  ["key.json", false],
  ["lib/deno.json", false],
  ["server.pem", false],
  ["notes.txt", false],
  ["data.db", false],
  ["link.ts", false],
  ["../outside.ts", false],
];

Deno.test("readFrame shows only sources of the project", async (t) => {
  await inScratch(async (folder) => {
    const root = join(folder, ".cache/project");
    for (const [file] of framed) {
      await writeFiles(root, { [file]: file === "link.ts" ? "-> .env" : "FW_SECRET=x" });
    }
    for (const [file, isFramed] of framed) {
      await t.step(`readFrame: ${file} is ${isFramed ? "shown" : "hidden"}`, () => {
        const frame = readFrame(root, { file, line: 1, column: 1 });
        assertEquals(frame !== undefined, isFramed);
      });
    }
  });
});

Deno.test("frameOf truncates a long line around the place", () => {
  const frame = frameOf("a".repeat(5_000) + "!" + "b".repeat(5_000), { line: 1, column: 5_001 });
  const text = frame?.lines[0]?.text ?? "";
  assertEquals([text.length, text[(frame?.column ?? 0) - 1]], [200, "!"]);
});

/** Permissions that hide the code, without a prompt for more. */
const denied: readonly [name: string, read: Deno.PermissionOptionsObject["read"]][] = [
  ["no file", false],
  ["another folder", [join(checkout, "docs")]],
  ["the file alone", [join(checkout, "mod.ts")]],
];

for (const [name, read] of denied) {
  Deno.test({
    name: `readFrame shows nothing if the process may read ${name}`,
    permissions: read === undefined ? {} : { read },
    fn: () => {
      assertEquals(readFrame(checkout, { file: "mod.ts", line: 1, column: 1 }), undefined);
    },
  });
}
