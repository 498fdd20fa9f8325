import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { listPackageFiles, root } from "../../../tools/workspace.ts";
import { countShared, exportedFunctions, sharedNames } from "./function_names.ts";

Deno.test("function names: only those that are listed are exported twice", async () => {
  // The functions of `html` have the names of HTML and are written `h.form`.
  const paths = (await listPackageFiles()).filter((path) => !path.startsWith("html/"));
  const texts = paths.map(async (path) =>
    [path, await Deno.readTextFile(join(root, path))] as const
  );
  assertEquals(countShared(new Map(await Promise.all(texts))), sharedNames);
});

const rows: [name: string, source: string, found: string[]][] = [
  ["a function", `export function a(): void {}`, ["a"]],
  ["overloads", `export function a(b: 1): 1;export function a(b: 2): 2;`, ["a"]],
  ["an arrow", `export const a = (): void => {}, b = 1;`, ["a"]],
  ["one inside the file", `function a(): void {} const b = () => {};`, []],
];

for (const [name, source, found] of rows) {
  Deno.test(`exportedFunctions: ${name}`, () => {
    assertEquals(exportedFunctions(source, "a.ts"), found);
  });
}

Deno.test("countShared: a name of two files, not of one", () => {
  const both = `export function a(): void {}`;
  const sources = new Map([["a.ts", both], ["b.ts", `${both} export function b(): void {}`]]);
  assertEquals(countShared(sources), { a: 2 });
});
