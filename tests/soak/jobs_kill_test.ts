import { assert } from "@std/assert";
import { killRounds } from "../jobs/kill_rounds.ts";

Deno.test("sqliteJobs: 200 processes are killed, and every job runs to its end", async () => {
  const { jobs, again } = await killRounds(200);
  console.log(`${jobs} jobs ended; ${again} were started again`);
  assert(again > 0);
});
