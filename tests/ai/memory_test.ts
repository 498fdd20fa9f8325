// test: child, measures a process
import { assert, assertEquals } from "@std/assert";
import { runDeno } from "../../tools/workspace.ts";

Deno.test("1,000 streamed runs at the same time stay under 400 MB", async () => {
  const { stdout } = await runDeno(["run", "-A", "--no-check", "bench/ai/runs_process.ts", "1000"]);
  const { peakBytes, mostAtOnce } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  assertEquals(mostAtOnce, 1000);
  assert(peakBytes < 400 * 1024 * 1024, `${Math.round(peakBytes / 1e6)} MB`);
});
