/**
 * Ends processes with everything that they started.
 *
 * A signal to a step reaches `deno test` only. A browser, a server or a `deno task` that a test started
 * lives on, and a test that listens for SIGTERM keeps `deno test` itself alive. Process groups do not
 * hold them together either: browsers and `fw dev` make groups of their own, and a terminal would no
 * longer reach the steps. So the tree is read from the parents that the system knows.
 *
 * @module
 */

/** Options of {@linkcode endTrees}. */
export interface EndOptions {
  /** How long the processes have between SIGTERM and SIGKILL, in milliseconds. */
  readonly graceMs: number;
}

const pollMs = 50;

/** How long SIGKILL is repeated; a process that the system cannot end must not hold the runner. */
const maxKillMs = 5000;

/**
 * Ends processes and their descendants by SIGTERM, and after a while by SIGKILL.
 *
 * @param pids The processes at the top.
 * @returns When all have ended.
 */
export async function endTrees(pids: readonly number[], { graceMs }: EndOptions): Promise<void> {
  // Remembered, since a process whose parent has ended belongs to another parent.
  const known = new Set(pids);
  if (await signalLiving(known, "SIGTERM") === 0) return;
  const killAtMs = performance.now() + graceMs;
  while (performance.now() < killAtMs) {
    await delay(pollMs);
    if (await signalLiving(known) === 0) return;
  }
  const giveUpAtMs = performance.now() + maxKillMs;
  while (await signalLiving(known, "SIGKILL") > 0 && performance.now() < giveUpAtMs) {
    await delay(pollMs);
  }
}

/** Follows what is known, and signals what lives of it. @returns How many live. */
async function signalLiving(known: Set<number>, signal?: Deno.Signal): Promise<number> {
  followTrees(known, await listProcesses());
  if (signal !== undefined) { for (const pid of known) kill(pid, signal); }
  return known.size;
}

/**
 * Adds the descendants of the known processes, then drops those that have ended: the system may give the
 * number of one to a process that has nothing to do with the run.
 *
 * @param known The processes, which this changes.
 * @param parents The processes that run, each with its parent.
 */
export function followTrees(known: Set<number>, parents: ReadonlyMap<number, number>): void {
  let size = 0;
  while (size !== known.size) {
    size = known.size;
    for (const [pid, parent] of parents) if (known.has(parent)) known.add(pid);
  }
  for (const pid of known) if (!parents.has(pid)) known.delete(pid);
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function kill(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** Lists the processes that run, each with its parent. */
async function listProcesses(): Promise<Map<number, number>> {
  return Deno.build.os === "linux" ? readProc() : await readPs();
}

function readProc(): Map<number, number> {
  const parents = new Map<number, number>();
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    // The name of the program is in parentheses and may hold any character.
    const [, state = "Z", parent] = /\) (\S) (\d+) [^)]*$/.exec(readStat(name)) ?? [];
    // A zombie has ended; in a container without an init it stays.
    if (state !== "Z") parents.set(Number(name), Number(parent));
  }
  return parents;
}

function readStat(pid: string): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/stat`);
  } catch {
    return "";
  }
}

async function readPs(): Promise<Map<number, number>> {
  const { stdout } = await new Deno.Command("ps", { args: ["-A", "-o", "pid=,ppid=,stat="] })
    .output();
  const rows = new TextDecoder().decode(stdout).matchAll(/^\s*(\d+)\s+(\d+)\s+([^Z\s])/gm);
  return new Map([...rows].map(([, pid, parent]) => [Number(pid), Number(parent)]));
}
