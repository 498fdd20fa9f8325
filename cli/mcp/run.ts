import type { DenoRun } from "../project/process/deno.ts";
import { type ForeignRunOptions, runForeign } from "../project/process/foreign.ts";

/** What the project may write, in bytes; what it starts is killed with it. */
export const limits = { maxBytes: 4_194_304, isGroup: true } as const;

/** Runs `deno` within limits. A task runs as the project says. */
export function runBounded(
  args: readonly string[],
  options: ForeignRunOptions & { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<DenoRun> {
  return runForeign(args, { ...limits, allowScripts: args[0] === "task", ...options });
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
