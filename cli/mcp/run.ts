import { readText, spawnDeno, writeInput } from "../project/process/deno.ts";
import { withoutRegistries, withoutScripts } from "../project/process/foreign.ts";

export interface BoundedRun {
  /** The arguments of `deno`. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** Variables added to those that no secret is in. @default {} */
  readonly env?: Readonly<Record<string, string>>;
  /** The text for standard input. @default none */
  readonly input?: string;
  readonly timeoutMs: number;
  /** The most bytes of both outputs together. @default 4194304 */
  readonly maxBytes?: number;
  readonly signal: AbortSignal;
}

export interface BoundedResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Why the program was killed; `undefined` if it ended by itself. */
  readonly stopped: "timeout" | "output" | "cancelled" | undefined;
}

const defaultMaxBytes = 4_194_304;

const graceMs = 1_000;
const hasGroups = Deno.build.os !== "windows";

/** Runs `deno`, and kills it with everything that it started when it exceeds a limit. */
export async function runBounded(run: BoundedRun): Promise<BoundedResult> {
  const { args, cwd, env = {}, input, timeoutMs, maxBytes = defaultMaxBytes, signal } = run;
  // A group of its own: what the program starts is killed with it.
  const isTask = args[0] === "task";
  const closed = withoutRegistries(isTask ? args : await withoutScripts(args, cwd), cwd);
  const child = spawnDeno(closed.args, {
    cwd,
    env: { ...closed.env, ...env },
    clearEnv: true,
    hasInput: input !== undefined,
    detached: hasGroups,
  });
  let stopped: BoundedResult["stopped"];
  const stop = (why: NonNullable<BoundedResult["stopped"]>): void => {
    stopped ??= why;
    killAll(child.pid);
  };
  const timer = setTimeout(() => stop("timeout"), timeoutMs);
  const onAbort = (): void => stop("cancelled");
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const room = { left: maxBytes };
  const onFull = (): void => stop("output");
  // A program that left the group may keep the outputs open for ever.
  const over = new AbortController();
  let leaving: ReturnType<typeof setTimeout> | undefined;
  const read = (stream: ReadableStream<Uint8Array>) =>
    readText(stream, { room, onFull, signal: over.signal });
  try {
    const [status, stdout, stderr] = await Promise.all([
      child.status.finally(() => {
        killAll(child.pid);
        leaving = setTimeout(() => over.abort(), graceMs);
      }),
      read(child.stdout),
      read(child.stderr),
      input === undefined ? undefined : writeInput(child.stdin, input),
    ]);
    return { code: status.code, stdout, stderr, stopped };
  } finally {
    clearTimeout(timer);
    clearTimeout(leaving);
    signal.removeEventListener("abort", onAbort);
  }
}

function killAll(pid: number): void {
  try {
    Deno.kill(hasGroups ? -pid : pid, "SIGKILL");
  } catch {
    // All have ended.
  }
}

/** Runs a function when its turn comes; rejects with the signal's reason if it was cancelled before. */
export type Enter = <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Creates a queue that runs one function after the other: several test runs at once would be slower. */
export function createQueue(): Enter {
  let last: Promise<unknown> = Promise.resolve();
  return (run, signal) => {
    const next = last.then(() => {
      // A client that has given up must not make the next one wait, nor find files written.
      signal.throwIfAborted();
      return run();
    });
    last = next.catch(() => {});
    return next;
  };
}
