import { assertEquals } from "@std/assert";
import { listFiles } from "../../tools/workspace.ts";
import { findFullFolders, maxFiles } from "./folders.ts";

const texts = [".ts", ".tsx", ".js", ".mjs", ".css", ".md", ".json", ".tmpl", ".svg"];

Deno.test(`folders: none has more than ${maxFiles} files`, async () => {
  const paths = (await listFiles("", texts)).filter((path) =>
    // Outputs of a run, and the input of tests.
    !/(^|\/)\./.test(path) && !path.startsWith("tests/fixtures/")
  );
  assertEquals(findFullFolders(paths), []);
});

function filesIn(folder: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${folder}${index}.ts`);
}

const rows: [name: string, paths: string[], full: string[]][] = [
  ["exactly the limit", filesIn("ui/", maxFiles), []],
  ["one too many", filesIn("ui/", maxFiles + 1), [`ui: ${maxFiles + 1} files`]],
];

for (const [name, paths, full] of rows) {
  Deno.test(`findFullFolders: ${name}`, () => assertEquals(findFullFolders(paths), full));
}
