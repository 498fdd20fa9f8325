import type { Logger } from "./logger.ts";

/** What was noted and not logged yet. */
const notes = new Map<string, string>();

/**
 * Notes that something is kept in the memory of this thread alone. In production the application logs
 * all of it at boot: several threads (`deno serve --parallel`) and several processes each have their own.
 * Note it before the first request.
 *
 * @param setting What keeps it, such as `cache "events"`.
 * @param fix How the threads and processes can share it.
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
  notes.set(setting, fix);
}

/** Logs what was noted since the last application booted, with how it can be shared. */
export function logMemoryState(log: Logger): void {
  if (notes.size === 0) return;
  log.info("kept in memory: each thread and each process has its own", {
    settings: Object.fromEntries(notes),
  });
  notes.clear();
}
