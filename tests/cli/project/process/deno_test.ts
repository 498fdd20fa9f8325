import { assert } from "@std/assert";
import { join } from "@std/path";
import { runDeno } from "../../../../cli/project/process/deno.ts";
import { inProject } from "../../support.ts";

const waiting = `await Deno.writeTextFile("started", "");
setTimeout(() => Deno.writeTextFileSync("survived", ""), 60_000);
`;

Deno.test("runDeno: an abort ends deno task and the command that it started", async () => {
  const files = {
    "deno.json": '{ "tasks": { "wait": "deno run -A wait.ts" } }',
    "wait.ts": waiting,
  };
  await inProject(files, async (root) => {
    const abort = new AbortController();
    const startMs = performance.now();
    const running = runDeno(["task", "wait"], { cwd: root, signal: abort.signal });
    while (!(await hasFile(join(root, "started")))) {
      assert(performance.now() - startMs < 60_000, "the task does not start");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const abortMs = performance.now();
    abort.abort();
    const { code } = await running;
    assert(code !== 0);
    assert(performance.now() - abortMs < 30_000, "the command went on");
    assert(!await hasFile(join(root, "survived")));
  });
});

async function hasFile(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
