import { assertEquals, assertNotEquals } from "@std/assert";
import { join, toFileUrl } from "@std/path";
import { testUnless } from "../../tools/skip.ts";
import { isThere, listFiles, root } from "../../tools/workspace.ts";
import { catalogueKeys, compareCatalogues, findMissing, generationErrors } from "./command_line.ts";

const languages = ["en", "pt"];
const catalogues = languages.map((language) => `cli/messages/${language}.ts`);
const areThere = (await Promise.all(catalogues.map(isThere))).every(Boolean);

// A catalogue's export is named after its language, so the values are compared, not the modules.
async function readCatalogue(path: string): Promise<unknown> {
  const module: Record<string, unknown> = await import(toFileUrl(join(root, path)).href);
  return Object.values(module).find((value) => typeof value === "object");
}

testUnless(areThere ? undefined : "cli/messages/{en,pt}.ts are not written yet", {
  name: "messages: English and Portuguese have the same keys",
  fn: async () => {
    const [english, portuguese] = await Promise.all(catalogues.map(readCatalogue));
    assertNotEquals(catalogueKeys(english), []);
    assertEquals(compareCatalogues(english, portuguese), []);
  },
});

const cliTests = await listFiles("tests/cli", [".ts"]);

testUnless(cliTests.length > 0 ? undefined : "tests/cli is not written yet", {
  name: "generation errors: each of the specification is in a test of the command line",
  fn: async () => {
    const texts = await Promise.all(cliTests.map((path) => Deno.readTextFile(join(root, path))));
    assertEquals(findMissing(generationErrors, texts), []);
  },
});

const rows: [name: string, one: unknown, other: unknown, faults: number][] = [
  ["the same keys", { a: "a", b: () => "b" }, { b: () => "c", a: "d" }, 0],
  ["one key less", { a: "a", b: "b" }, { a: "a" }, 1],
  ["one key more", { a: "a" }, { a: "a", b: "b" }, 1],
  ["a nested key", { a: { b: "b" } }, { a: { c: "c" } }, 2],
  ["a missing catalogue", { a: "a" }, undefined, 1],
];

for (const [name, one, other, faults] of rows) {
  Deno.test(`compareCatalogues: ${name}`, () => {
    assertEquals(compareCatalogues(one, other).length, faults);
  });
}

Deno.test("findMissing: a code that only begins a longer word is missing", () => {
  assertEquals(findMissing(["E_NO_APP", "E_PARSE"], ["E_NO_APPS", "x E_PARSE:"]), ["E_NO_APP"]);
});
