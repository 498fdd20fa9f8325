import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { listPackageFiles, root } from "../../../tools/workspace.ts";
import {
  countShared,
  exportedFunctions,
  findWrongVerbs,
  sharedNames,
  synchronousReads,
} from "./function_names.ts";

const paths = await listPackageFiles();
const sources = new Map(
  await Promise.all(
    paths.map(async (path) => [path, await Deno.readTextFile(join(root, path))] as const),
  ),
);

Deno.test("function names: only the listed names are exported twice", () => {
  // The functions of `html` have the names of HTML elements and are written `h.form`.
  const others = [...sources].filter(([path]) => !path.startsWith("html/"));
  assertEquals(countShared(new Map(others)), sharedNames);
});

Deno.test("verbs: parseX is synchronous, and readX is asynchronous or listed", () => {
  const found = [...sources].flatMap(([path, source]) => findWrongVerbs(source, path));
  assertEquals(found.sort(), Object.keys(synchronousReads).sort());
});

Deno.test("verbs: the listed names are public", async () => {
  const api = await Deno.readTextFile(join(root, "api/current.txt"));
  const named = Object.entries(synchronousReads).filter(([, why]) => why.startsWith("public"));
  assertEquals(named.filter(([name]) => !api.includes(` function ${name}`)), []);
});

const rows: [name: string, source: string, found: string[], wrong: string[]][] = [
  ["a function", `export function a(): void {}`, ["a"], []],
  ["overloads", `export function a(b: 1): 1;export function a(b: 2): 2;`, ["a"], []],
  ["an arrow", `export const a = (): void => {}, b = 1;`, ["a"], []],
  ["inside the file", `function readA(): A {} const b = () => {};`, [], []],
  ["an async parse", `export async function parseA(): Promise<A> {}`, ["parseA"], ["parseA"]],
  ["a parse that may wait", `export function parseA(): A | Promise<A> {}`, ["parseA"], []],
  ["an async read", `export async function readA(): Promise<A> {}`, ["readA"], []],
  ["a read of a stream", `export function readA(): AsyncIterable<A> {}`, ["readA"], []],
  ["a synchronous read", `export const readA = (): A => a;`, ["readA"], ["readA"]],
  ["another word", `export function readyA(): A {}`, ["readyA"], []],
];

for (const [name, source, found, wrong] of rows) {
  Deno.test(`exportedFunctions and findWrongVerbs: ${name}`, () => {
    assertEquals([...exportedFunctions(source, "a.ts").keys()], found);
    assertEquals(findWrongVerbs(source, "a.ts"), wrong);
  });
}

Deno.test("countShared: counts a name of two files but not of one", () => {
  const both = `export function a(): void {}`;
  const files = new Map([["a.ts", both], ["b.ts", `${both} export function b(): void {}`]]);
  assertEquals(countShared(files), { a: 2 });
});
