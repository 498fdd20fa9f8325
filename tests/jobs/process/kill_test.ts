import { assert } from "@std/assert";
import { killRounds } from "../kill_rounds.ts";

Deno.test("sqliteJobs: ten processes are killed, and every job runs to its end", async () => {
  const { again } = await killRounds(10);
  assert(again > 0, "No process was killed in the middle of a job.");
});
