import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { listPackageFiles, root } from "../../../tools/workspace.ts";
import { findWrongVerbs, synchronousReads } from "./verbs.ts";

Deno.test("verbs: parseX is synchronous, and readX is asynchronous or listed", async () => {
  const found = (await listPackageFiles()).map(async (path) =>
    findWrongVerbs(await Deno.readTextFile(join(root, path)), path)
  );
  assertEquals((await Promise.all(found)).flat().sort(), Object.keys(synchronousReads).sort());
});

Deno.test("verbs: listed names are public", async () => {
  const api = await Deno.readTextFile(join(root, "api/current.txt"));
  const named = Object.entries(synchronousReads).filter(([, why]) => why.startsWith("public"));
  const missing = named.filter(([name]) => !api.includes(` function ${name}`));
  assertEquals(missing, []);
});

const rows: [name: string, source: string, wrong: string[]][] = [
  ["a synchronous parse", `export function parseA(): A {}`, []],
  ["an async parse", `export async function parseA(): Promise<A> {}`, ["parseA"]],
  ["an async read", `export async function readA(): Promise<A> {}`, []],
  ["a read that may wait", `export function readA(): A | Promise<A> {}`, []],
  ["a read that returns a stream", `export function readA(): AsyncIterable<A> {}`, []],
  ["a synchronous read", `export function readA(): A {}`, ["readA"]],
  ["another word", `export function readyA(): A {} export function parserA(): Promise<A> {}`, []],
];

for (const [name, source, wrong] of rows) {
  Deno.test(`findWrongVerbs: ${name}`, () => {
    assertEquals(findWrongVerbs(source, "a.ts"), wrong);
  });
}
