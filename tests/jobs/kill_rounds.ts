/** Kills processes that run jobs, and counts the outcomes of the jobs. */
import { assert, assertEquals } from "@std/assert";
import { openSqlite } from "../../data/sqlite/mod.ts";
import { enqueue, job, provideJobs, sqliteJobs } from "../../jobs/mod.ts";
import { int, struct } from "../../mod.ts";
import { quietApp } from "./suite.ts";
import { newFolder } from "../new_folder.ts";

export interface KillCount {
  readonly jobs: number;
  /** The number of jobs restarted after a kill. */
  readonly again: number;
}

function start(folder: string, mode: "work" | "drain"): Deno.ChildProcess {
  const program = new URL("kill_process.ts", import.meta.url).pathname;
  const args = ["run", "-A", "--no-check", program, `${folder}/jobs.sqlite`, `${folder}/log`, mode];
  const streams = { stdin: "null", stdout: "piped", stderr: "inherit" } as const;
  return new Deno.Command(Deno.execPath(), { args, ...streams }).spawn();
}

/**
 * Kills a process in the middle of its work, once per round, then lets one finish.
 *
 * @throws if a job did not run to its end, or is not gone.
 */
export async function killRounds(rounds: number): Promise<KillCount> {
  await using folder = await newFolder();
  // At most four finish per round, so each round has work.
  const jobs = rounds * 8;
  await using db = await openSqlite(`${folder.path}/jobs.sqlite`, { durability: "process" });
  const mark = job("mark", struct({ n: int("required") }), () => {}, { attempts: 1_000 });
  const app = quietApp();
  const engine = sqliteJobs(db);
  await provideJobs(app, engine, { jobs: [mark] });
  await db.tx(async () => {
    for (let n = 1; n <= jobs; n++) await enqueue(app, mark, { n });
  });
  for (let round = 0; round < rounds; round++) {
    const child = start(folder.path, "work");
    const reader = child.stdout.getReader();
    // At least one job has finished, and others are running.
    await reader.read();
    child.kill("SIGKILL");
    while (!(await reader.read()).done);
    await child.status;
  }
  const last = start(folder.path, "drain");
  await last.stdout.pipeTo(new WritableStream());
  assertEquals((await last.status).code, 0);
  const lines = (await Deno.readTextFile(`${folder.path}/log`)).split("\n");
  const starts = lines.filter((line) => line.startsWith("start ")).length;
  const ended = new Set(lines.filter((line) => line.startsWith("end ")));
  assertEquals(ended.size, jobs);
  const { waiting, running, dead } = await engine.counts();
  assertEquals([waiting, running, dead], [0, 0, 0]);
  assert(starts >= jobs);
  return { jobs, again: starts - jobs };
}
