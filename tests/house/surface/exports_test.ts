import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { listFiles, listPackageFiles, root } from "../../../tools/workspace.ts";
import { findUnusedExports } from "./exports.ts";

async function readAll(paths: readonly string[]): Promise<Map<string, string>> {
  const read = async (path: string): Promise<[string, string]> => {
    return [path, await Deno.readTextFile(join(root, path))];
  };
  return new Map(await Promise.all(paths.map(read)));
}

async function readFolders(...folders: string[]): Promise<Map<string, string>> {
  const lists = await Promise.all(folders.map((folder) => listFiles(folder, [".ts", ".tsx"])));
  return await readAll(lists.flat());
}

Deno.test("exports: every exported value of the packages is imported by another file", async () => {
  const api = await Deno.readTextFile(join(root, "api/current.txt"));
  const sources = {
    packages: await readAll(await listPackageFiles()),
    others: await readFolders("bench", "tools", "examples"),
    tests: await readFolders("tests"),
  };
  assertEquals(findUnusedExports(sources, new Set(api.match(/[\w$]+/g))), []);
});

const own = "export function a(): void {}\n";

const rows: readonly [
  name: string,
  files: { readonly other?: string; readonly test?: string; readonly source?: string },
  found: string[],
][] = [
  ["that another file imports", { other: "a();" }, []],
  ["that nobody takes", {}, ["one.ts a"]],
  ["that only tests import", { test: "a();" }, ["one.ts a"]],
  ["that its file and tests import", { source: own + "a();", test: "a();" }, []],
  ["of a type", { source: "export type a = 1;\nexport interface b {}" }, []],
  ["that is published", { source: "export const published = 1;" }, []],
];

for (const [name, { source = own, other = "", test = "" }, found] of rows) {
  Deno.test(`findUnusedExports: an export ${name}`, () => {
    const sources = {
      packages: new Map([["one.ts", source]]),
      others: new Map([["two.ts", other]]),
      tests: new Map([["one_test.ts", test]]),
    };
    assertEquals(findUnusedExports(sources, new Set(["published"])), found);
  });
}
