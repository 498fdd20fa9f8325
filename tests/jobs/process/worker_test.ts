import { assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { startWatched, type WatchedProcess } from "../../watched_process.ts";

const script = fromFileUrl(new URL("../worker_process.ts", import.meta.url));

function startWorker(...args: readonly string[]): WatchedProcess {
  const env = { FW_ENV: "" };
  return startWatched(Deno.execPath(), { args: ["run", "--no-check", "-A", script, ...args], env });
}

Deno.test("runJobs: the repeated SIGTERM of a group lets the running job end", async () => {
  await using worker = startWorker();
  await worker.saw("the job began");
  worker.kill("SIGTERM");
  await worker.saw("shutting down");
  worker.kill("SIGTERM");
  assertEquals((await worker.ended()).code, 0);
  assertStringIncludes(worker.output(), "the job ended");
});

Deno.test("runJobs: a stuck Shutdown is abandoned after shutdownMs, and the process exits with 1", async () => {
  await using worker = startWorker("stuck-shutdown");
  await worker.saw("the job began");
  worker.kill("SIGTERM");
  assertEquals((await worker.ended()).code, 1);
  assertStringIncludes(worker.output(), "Shutdown of app/setup.ts has not ended after 300 ms");
});
