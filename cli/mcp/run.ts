import type { DenoRun } from "../project/process/deno.ts";
import { type ForeignRunOptions, runForeign } from "../project/process/foreign.ts";

/** Limit of the project's output, in bytes. */
export const limits = { maxBytes: 4_194_304, isGroup: true } as const;

/** Runs `deno` within limits. A task runs with the project's own flags. */
export function runBounded(
  args: readonly string[],
  options: ForeignRunOptions & { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<DenoRun> {
  return runForeign(args, { ...limits, allowScripts: args[0] === "task", ...options });
}

/** Runs a function in its turn; rejects with the signal's reason if cancelled before. */
export type Enter = <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Creates a queue that runs one function at a time: parallel test runs would be slower. */
export function createQueue(): Enter {
  let last: Promise<unknown> = Promise.resolve();
  return (run, signal) => {
    const next = last.then(() => {
      // A cancelled call must not delay the next one, and must not write files.
      signal.throwIfAborted();
      return run();
    });
    last = next.catch(() => {});
    return next;
  };
}
