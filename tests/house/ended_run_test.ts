// test: child, ends a run of steps
import { assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { startWatched } from "../watched_process.ts";

const program = fromFileUrl(new URL("stubborn_run.ts", import.meta.url));

Deno.test("a run that gets SIGTERM ends steps that ignore it, and what they started", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const args = ["run", "-A", "--no-check", program, "run"];
    await using run = startWatched(Deno.execPath(), { args, env: { TMPDIR: folder } });
    const pids = [await readPid(folder, "step"), await readPid(folder, "server")];
    assertEquals(pids.map(isRunning), [true, true]);
    run.kill("SIGTERM");
    run.kill("SIGTERM");
    assertEquals((await run.ended()).code, 1);
    assertEquals(pids.map(isRunning), [false, false]);
    assertMatch(run.output(), /==> stubborn, ended by SIGTERM\n+ended by SIGTERM\n$/);
    const left = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    assertEquals(left.sort(), ["server.pid", "step.pid"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

async function readPid(folder: string, role: string): Promise<number> {
  const path = join(folder, `${role}.pid`);
  for (let tries = 0; tries < 600; tries++) {
    try {
      const text = await Deno.readTextFile(path);
      if (text !== "") return Number(text);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Cannot find "${path}": the process did not start`);
}

/** Whether a process runs; one that has ended may stay as a zombie. */
function isRunning(pid: number): boolean {
  const { stdout } = new Deno.Command("ps", { args: ["-o", "stat=", "-p", String(pid)] })
    .outputSync();
  return /^[^Z\s]/.test(new TextDecoder().decode(stdout).trim());
}
