import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { listFiles, listPackageFiles, root } from "../../../tools/workspace.ts";

interface ExportSources {
  readonly packages: ReadonlyMap<string, string>;
  /** Other users of the exports, such as benches; tests do not count. */
  readonly others: ReadonlyMap<string, string>;
  /** The tests, for which a file may export a value it uses itself. */
  readonly tests: ReadonlyMap<string, string>;
}

// A name with a hole is part of generated code.
const declared =
  /^export (?:abstract )?(?:async )?(?:function\*?|class|const|let) ([\w$]+)(?![\w${])/gm;
const word = /[A-Za-z_$][\w$]*/g;

/**
 * Lists exported functions, classes and values that no file imports, as `path name`. Types are
 * skipped, because the signatures of exported functions need them.
 *
 * @param published The names that applications may take.
 */
function findUnusedExports(
  { packages, others, tests }: ExportSources,
  published: ReadonlySet<string>,
): string[] {
  const uses = countFiles([...packages.values(), ...others.values()]);
  const testUses = countFiles([...tests.values()]);
  return [...packages].flatMap(([path, source]) =>
    [...source.matchAll(declared)]
      .map(([, name = ""]) => name)
      .filter((name) => {
        if (published.has(name) || (uses.get(name) ?? 0) > 1) return false;
        return !testUses.has(name) || countWord(source, name) === 1;
      })
      .map((name) => `${path} ${name}`)
  );
}

function countFiles(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const found of new Set(text.match(word))) counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  return counts;
}

function countWord(text: string, wanted: string): number {
  return (text.match(word) ?? []).filter((found) => found === wanted).length;
}

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
