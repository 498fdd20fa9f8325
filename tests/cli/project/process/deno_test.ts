import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { runDeno } from "../../../../cli/project/process/deno.ts";
import { groupArguments, runForeign } from "../../../../cli/project/process/foreign.ts";
import { testUnless } from "../../../../tools/skip.ts";
import { inProject } from "../../support.ts";
import { until } from "../../../until.ts";

const waiting = `await Deno.writeTextFile("started", "");
setTimeout(() => Deno.writeTextFileSync("survived", ""), 60_000);
`;

Deno.test("runDeno: an abort ends deno task and the command it started", () =>
  inProject({
    "deno.json": '{ "tasks": { "wait": "deno run -A wait.ts" } }',
    "wait.ts": waiting,
  }, async (root) => {
    const abort = new AbortController();
    const running = runDeno(["task", "wait"], { cwd: root, signal: abort.signal });
    await until(() => hasFile(join(root, "started")), "the start of the task");
    const abortMs = performance.now();
    abort.abort();
    const { code } = await running;
    assert(code !== 0);
    assert(performance.now() - abortMs < 30_000, "the command went on");
    assert(!await hasFile(join(root, "survived")));
  }));

testUnless(Deno.build.os === "linux" ? undefined : "only Linux tells the memory of a process", {
  name: "runForeign: ends a process at its memory limit and names the limit",
  fn: async () => {
    const program = "const kept = []; for (;;) kept.push(new Uint8Array(4_194_304).fill(1));";
    const { stopped, code, stderr } = await runForeign(["eval", program], {
      cwd: Deno.cwd(),
      allowScripts: true,
      maxMemoryBytes: 268_435_456,
    });
    assertEquals(stopped, "memory");
    assert(code !== 0);
    assertStringIncludes(stderr, "deno eval was stopped after 268435456 bytes of memory");
  },
});

Deno.test("runForeign: an invalid deno.json is an error of Deno", () =>
  inProject({ "deno.json": "{", "a.ts": "" }, async (root) => {
    const { code, stderr } = await runForeign(["run", "a.ts"], { cwd: root });
    assert(code !== 0);
    assertStringIncludes(stderr, "deno.json");
  }));

async function hasFile(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

Deno.test("groupArguments keeps each command line below the limit of Windows", () => {
  assertEquals(groupArguments([]), [[]]);
  assertEquals(groupArguments(["a.ts", "b.ts"]), [["a.ts", "b.ts"]]);
  const files = Array.from({ length: 5_000 }, (_, at) => `app/api/group/route_${at}/route.ts`);
  const groups = groupArguments(files);
  assertEquals(groups.flat(), files);
  for (const group of groups) assert(group.join(" ").length < 30_000);
  assertEquals(groupArguments(["x".repeat(40_000), "y"]).length, 2);
});
