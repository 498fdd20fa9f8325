import type { Logger } from "./logger.ts";

/** The variable in which the threads of one process detect each other: they share the environment. */
const variable = "FW_THREAD";

/** The maximum number of kinds of state that the warning lists. */
const maxNotes = 16;

const notes = new Map<string, string>();
let hasLooked = false;

/**
 * Notes that something is kept in the memory of this thread alone. An application that finds itself in
 * several threads of one process (`deno serve --parallel`) then logs a warning, since each thread has its
 * own. Note it before the first request.
 *
 * @param setting What keeps it, such as `cache "events"`.
 * @param fix How the threads can share it.
 * @example
 * ```ts
 * import { noteMemoryState } from "@fw/fw";
 *
 * const seats = new Map<string, number>();
 * noteMemoryState("the free seats", "keep them in a database");
 * seats.set("night-ferry", 80);
 * ```
 */
export function noteMemoryState(setting: string, fix: string): void {
  if (notes.size < maxNotes) notes.set(setting, fix);
}

/** Warns of what is kept in memory where another thread runs this program too; once a process. */
export function warnOfSplitState(log: Logger): void {
  if (hasLooked || notes.size === 0) return;
  hasLooked = true;
  if (!isOneOfMany()) return;
  for (const [setting, fix] of notes) {
    log.warn("each thread of this process keeps its own copy of this; share it between them", {
      setting,
      fix,
    });
  }
}

/**
 * Checks whether another thread runs the same program and has not warned yet. Deno identifies the threads
 * of `deno serve --parallel` only in their output, but they share the environment. The variable is
 * removed when a thread ends, as when `--watch` restarts the program.
 */
function isOneOfMany(): boolean {
  // A worker has no main module: `deno serve` did not start it.
  const program: string | undefined = Deno.mainModule;
  if (program === undefined) return false;
  // A warning must not cause a permission prompt.
  const { state } = Deno.permissions.querySync({ name: "env", variable });
  if (state !== "granted") return false;
  // A child process inherits the environment, and each copy of this module is in the same thread.
  const thread = performance.timeOrigin;
  const [pid, first, ...rest] = Deno.env.get(variable)?.split(" ") ?? [];
  if (pid === String(Deno.pid) && rest.join(" ") === program) {
    if (first === String(thread) || first === "told") return false;
    Deno.env.set(variable, `${pid} told ${program}`);
    return true;
  }
  Deno.env.set(variable, `${Deno.pid} ${thread} ${program}`);
  globalThis.addEventListener("unload", () => Deno.env.delete(variable));
  return false;
}
