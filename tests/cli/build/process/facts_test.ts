import { assert, assertEquals, assertStringIncludes, fail } from "@std/assert";
import { join } from "@std/path";
import { factsProgram, gatherBuildFacts } from "../../../../cli/build/facts.ts";
import { createProject } from "../../../../cli/project/project.ts";
import { shareFolder } from "../../shared_folder.ts";
import { deno, runCli, writeFiles } from "../../support.ts";

const usage = "Usage: shop --fw routes|…";

const shared = shareFolder("facts", async (folder) => {
  assertEquals((await runCli(["new", "shop"], { cwd: folder })).code, 0);
  const cwd = join(folder, "shop");
  const path = join(cwd, "deno.json");
  const manifest = JSON.parse(await Deno.readTextFile(path));
  Object.assign(manifest, { name: "@me/shop", version: "1.2.3", exports: undefined });
  await Deno.writeTextFile(path, JSON.stringify(manifest));
  await writeFiles(cwd, {
    "app/setup.ts": `export function Setup(): void {
  Deno.writeTextFileSync("ran.txt", "Setup ran");
}
`,
  });
  await runCli(["gen"], { cwd });
});

Deno.test("gatherBuildFacts: version, routes, policy and API document", async () => {
  const { facts, warnings } = await gatherBuildFacts(createProject(join(shared(), "shop")), "t");
  assertEquals(warnings, []);
  assertEquals(Object.keys(facts), ["version", "routes", "policy", "openapi"]);
  assertStringIncludes(facts["version"] ?? "", "@me/shop 1.2.3\nfw ");
  assertStringIncludes(facts["routes"] ?? "", "GET      /api/hello");
  assertStringIncludes(facts["policy"] ?? "", "GET /api/hello kind=api");
  assertEquals(Object.keys(JSON.parse(facts["openapi"] ?? "").paths), ["/api/hello"]);
});

const large = "x".repeat(300_000);
const rows: readonly (readonly [args: readonly string[], code: number, stdout: string])[] = [
  [["--fw", "version"], 0, "shop 1\n"],
  [["--fw=version"], 0, "shop 1\n"],
  [["--now", "--fw", "version"], 0, "shop 1\n"],
  [["--fw", "policy"], 0, '"`${1}\\\u2028\n'],
  [["--fw", "routes"], 0, large],
  [["--fw", "openapi"], 2, ""],
  [["--fw"], 2, ""],
  [["--fw", "version", "extra"], 2, ""],
  [["--fw", "toString"], 2, ""],
  [["--fw=", "version"], 2, ""],
];

for (const [args, want, out] of rows) {
  Deno.test(`the facts: ${args.join(" ")} ends with ${want} and starts no server`, async () => {
    const cwd = join(shared(), "shop");
    const facts = { version: "shop 1\n", routes: large, policy: '"`${1}\\\u2028\n' };
    await writeFiles(cwd, { ".fw/build/facts.ts": factsProgram(facts, usage) });
    // The entry runs with the module before it, as in the executable.
    const flags = ["--quiet", "--no-prompt", "--no-check", "--preload=./.fw/build/facts.ts"];
    const { code, stdout, stderr } = await deno(["run", ...flags, "fw_gen.ts", ...args], cwd);
    assertEquals([code, stdout], [want, out]);
    // The application itself does not run: it would fail here without permissions.
    assertEquals(stderr, want === 0 ? "" : `${usage}\n`);
    await Deno.lstat(join(cwd, "ran.txt")).then(
      () => fail("Setup ran"),
      (error) => assert(error instanceof Deno.errors.NotFound),
    );
  });
}
