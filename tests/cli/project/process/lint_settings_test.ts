import { assertEquals } from "@std/assert";
import { hasLintPlugins, lintFlags } from "../../../../cli/project/process/tools.ts";

const rows: readonly [manifest: Record<string, unknown>, flags: string[], files: string[]][] = [
  [{}, [], []],
  [{ lint: "x", exclude: 3 }, [], []],
  [{ lint: { rules: { tags: [], exclude: [1, "", "a"] } } }, ["--rules-exclude=a"], []],
  [{ exclude: ["dist", "!dist/a"], lint: { exclude: ["b"] } }, ["--ignore=dist,b"], []],
  [
    { lint: { include: ["src/", "/etc", "../x", "a/../../x", "C:/x", "\\\\x", "a..b"] } },
    [],
    ["src/", "a..b"],
  ],
];
for (const [manifest, flags, files] of rows) {
  Deno.test(`lintFlags: ${JSON.stringify(manifest)}`, () => {
    assertEquals(lintFlags(manifest), { flags: ["--no-config", ...flags], files });
  });
}

Deno.test("hasLintPlugins: is true only for a non-empty list of names", () => {
  const lists = [["./a.ts"], [], undefined, "x", [3]];
  const counted = lists.filter((plugins) => hasLintPlugins({ lint: { plugins } }));
  assertEquals(counted, [["./a.ts"]]);
});
