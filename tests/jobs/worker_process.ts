/** A worker with one job of a second: `worker_process.ts [stuck-shutdown]`. */
import { openSqlite } from "../../data/sqlite/mod.ts";
import { enqueue, job, provideJobs, runJobs, sqliteJobs } from "../../jobs/mod.ts";
import { App, struct } from "../../mod.ts";

const slow = job("slow", struct({}), async (_, { log }) => {
  log.info("the job began");
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  log.info("the job ended");
});

const isStuck = Deno.args.includes("stuck-shutdown");
const db = await openSqlite(":memory:");
const app = new App({ timeouts: { shutdownMs: 300 } }, {
  setup: { Shutdown: () => isStuck ? new Promise(() => {}) : db.close() },
});
await provideJobs(app, sqliteJobs(db), { jobs: [slow], runsWhileServing: false });
await enqueue(app, slow, {});
await runJobs(app);
