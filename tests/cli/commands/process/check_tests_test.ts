import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { runTests, type StepResult } from "../../../../cli/check/tests.ts";
import { createProject } from "../../../../cli/project/project.ts";
import { type Files, inProject, page } from "../../support.ts";

const start = "deno run --allow-env=PORT fw_gen.ts";
const readsPort = 'Deno.test("reads", () => void Deno.env.get("PORT"));\n';
const writesFile = 'Deno.test("writes", () => Deno.writeTextFileSync("taken.txt", ""));\n';
const loud = 'Deno.test("loud", () => {\n' +
  '  const line = new TextEncoder().encode("x".repeat(1 << 20) + "\\n");\n' +
  "  for (let count = 0; count < 2_000; count++) Deno.stdout.writeSync(line);\n});\n";

/** A test and the expected problem; none if the tests pass. */
type Row = [name: string, tasks: Readonly<Record<string, string>>, test: string, problem?: RegExp];

const rows: readonly Row[] = [
  ["no test task, and a read allowed by the start task", { start }, readsPort],
  ["no test task, and a refused write", { start }, writesFile, /NotCapable: Requires write access/],
  ["neither a test nor a start task", {}, writesFile, /NotCapable: Requires write access/],
  ["a test task that allows the write", { test: "deno test -A" }, writesFile],
  [
    "output over the limit",
    { test: "deno test -A" },
    loud,
    /^The tests printed more than 32 MiB and were ended\.$/,
  ],
];

async function run(files: Files): Promise<StepResult & { readonly hasWritten: boolean }> {
  let result: (StepResult & { readonly hasWritten: boolean }) | undefined;
  await inProject(files, async (root) => {
    const pages = join(root, ".fw", "pages");
    const { signal } = new AbortController();
    const options = { fix: false, isOwn: true, signal, pages };
    const step = await runTests(createProject(root), options);
    const names = (await Array.fromAsync(Deno.readDir(root))).map(({ name }) => name);
    result = { ...step, hasWritten: names.includes("taken.txt") };
  });
  assert(result !== undefined);
  return result;
}

for (const [name, tasks, test, problem] of rows) {
  Deno.test(`check, tests: ${name}`, async () => {
    const { problems, hasWritten } = await run({
      "deno.json": JSON.stringify({ tasks }),
      "app/page.ts": page,
      "app/a_test.ts": test,
    });
    assertEquals(problems.length, problem === undefined ? 0 : 1, JSON.stringify(problems));
    if (problem !== undefined) assertMatch(problems[0]?.message ?? "", problem);
    assertEquals(hasWritten, test === writesFile && problem === undefined);
  });
}
