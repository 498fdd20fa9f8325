import { enqueue } from "@fw/fw/jobs";
import { drainJobs } from "@fw/fw/jobs/testing";
import { testApp } from "@fw/fw/testing";
import { deepStrictEqual } from "node:assert/strict";
import { lendReminder } from "./lend_reminder.ts";

// Each test has an empty database.
const config = { variables: { FW_DB: ":memory:" } };

Deno.test("the job lend_reminder runs", async () => {
  await using app = await testApp({ config });
  await enqueue(app, lendReminder, { name: "Ada" });
  // The jobs that failed for good, with their errors.
  deepStrictEqual(await drainJobs(app), []);
});
