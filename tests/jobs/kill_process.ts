/** Runs jobs until it is killed or none is left: `kill_process.ts <database> <log> <mode>`. */
import { openSqlite } from "../../data/sqlite/mod.ts";
import { job, provideJobs, sqliteJobs } from "../../jobs/mod.ts";
import { drainJobs } from "../../jobs/testing.ts";
import { App, createLogger, int, Off, struct } from "../../mod.ts";

const [database = "", log = "", mode = ""] = Deno.args;

/** A working process is killed while four jobs run, however late the kill arrives. */
let ended = 0;
const most = mode === "work" ? 4 : Infinity;

const mark = job("mark", struct({ n: int("required") }), async ({ n }) => {
  await Deno.writeTextFile(log, `start ${n}\n`, { append: true });
  await new Promise((resolve) => setTimeout(resolve, 5));
  if (ended++ >= most) await new Promise(() => {});
  await Deno.writeTextFile(log, `end ${n}\n`, { append: true });
  console.log(n);
}, { attempts: 1_000 });

const app = new App({ logRequest: Off, logger: createLogger({ write: () => {} }) });
const db = await openSqlite(database, { durability: "process" });
const engine = sqliteJobs(db, { leaseMs: 100, pollMs: 10 });
await provideJobs(app, engine, { jobs: [mark], concurrency: 4 });
if (mode === "work") {
  await app.startWork();
} else {
  // Leases of the last killed process may still be valid.
  while ((await engine.counts()).waiting + (await engine.counts()).running > 0) {
    await drainJobs(app);
  }
  await db.close();
}
