import { assert, assertEquals } from "@std/assert";
import { runDeno } from "../../../tools/workspace.ts";

Deno.test("1,000 concurrent streamed runs stay under 400 MB", async () => {
  const run = async (): Promise<{ readonly peakBytes: number; readonly mostAtOnce: number }> => {
    const args = ["run", "-A", "--no-check", "bench/ai/runs_process.ts", "1000"];
    return JSON.parse((await runDeno(args)).stdout.trim().split("\n").at(-1) ?? "");
  };
  let { peakBytes, mostAtOnce } = await run();
  // On a busy machine the first may end before the last starts.
  for (let tries = 1; tries < 5 && mostAtOnce < 1_000; tries++) {
    ({ peakBytes, mostAtOnce } = await run());
  }
  assertEquals(mostAtOnce, 1000);
  assert(peakBytes < 400 * 1024 * 1024, `${Math.round(peakBytes / 1e6)} MB`);
});
