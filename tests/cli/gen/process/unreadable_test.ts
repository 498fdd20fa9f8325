import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { testUnless } from "../../../../tools/skip.ts";
import { inProject, page, runCli } from "../../support.ts";

/** A route that is not passed to a parser, and the reported reason. */
const rows: readonly (readonly [name: string, text: string, says: string])[] = [
  ["brackets", `export const GET = ${"[".repeat(20_000)}${"]".repeat(20_000)};\n`, "too deeply"],
  ["calls", `export const GET = ${"f(".repeat(20_000)}${")".repeat(20_000)};\n`, "too deeply"],
  ["9 MB", `export const GET = "${"x".repeat(9_000_000)}";\n`, "larger than 8 MiB"],
];
/**
 * Most have 3,000 levels, which a parser reads without recursion; the others have fewer but would
 * take the compiler minutes.
 */
const chains: Readonly<Record<string, string>> = {
  "calls of a chain": `x${".a()".repeat(3_000)}`,
  "members": `x${".a".repeat(3_000)}`,
  "sums": `x${" + 1".repeat(3_000)}`,
  "conditions": `${"x ? 1 : ".repeat(3_000)}2`,
  "assertions": `x${" as string".repeat(3_000)}`,
  "arrays": `${"[".repeat(3_000)}${"]".repeat(3_000)}`,
  "templates": `${"`${".repeat(3_000)}1${"}`".repeat(3_000)}`,
  "members of members": `x${"?.[x]".repeat(150)}`,
  "types": `1 as ${"[".repeat(3_000)}1${"]".repeat(3_000)}`,
};
const deep = Object.entries(chains).map(([name, code]) =>
  [name, `export const GET = () => ${code};\n`, "too deeply"] as const
);
for (const [name, text, says] of [...rows, ...deep]) {
  Deno.test(`gen: reports a route of ${name} with the name of its file`, () =>
    inProject({ "app/page.ts": page, "app/x/route.ts": text }, async (root) => {
      for (const command of [["gen"], ["routes"], ["ctx"], ["policy"]]) {
        const { code, stdout, stderr } = await runCli(command, { cwd: root });
        assertEquals(code, 1, `${command} ${stdout}`);
        assertStringIncludes(stderr, "app/x/route.ts:1:1 E_PARSE: ");
        assertStringIncludes(stderr, says);
      }
    }));
}

Deno.test("ctx, openapi and policy: name a chain of 3,000 exports without a stack", () => {
  const files: Record<string, string> = { "app/x/route.ts": 'export { GET } from "./m1.ts";\n' };
  for (let at = 1; at < 3_000; at++) {
    files[`app/x/m${at}.ts`] = `export { GET } from "./m${at + 1}.ts";\n`;
  }
  return inProject({ ...files, "app/x/m3000.ts": "export const GET = 1;\n" }, async (cwd) => {
    for (const command of ["ctx", "openapi", "policy"]) {
      const { code, stderr } = await runCli([command], { cwd });
      assertEquals([code, /bug in fw|^ +at /m.test(stderr)], [1, false], stderr);
    }
  });
});

const noRawNames = Deno.build.os === "linux"
  ? undefined
  : "only Linux takes names that are not UTF-8";
testUnless(noRawNames, {
  name: "gen: a folder name that is not UTF-8 is a problem with its place",
  fn: () =>
    inProject({ "app/page.ts": page, "lib/a.ts": "" }, async (root) => {
      const script = `for at in app lib; do mkdir "$at/$(printf 'caf\\351')"; done`;
      const { success } = await new Deno.Command("sh", { args: ["-c", script], cwd: root })
        .output();
      assert(success);
      const { code, stderr } = await runCli(["gen"], { cwd: root });
      assertEquals(code, 1);
      assertStringIncludes(stderr, "app/caf\ufffd:1:1 E_BAD_SEGMENT: ");
      assertStringIncludes(stderr, "Fix: Rename the folder.");
    }),
});
