import type { Logger } from "./logger.ts";

/** What the modules of this process have noted: every application of the process may use it. */
const notes = new Map<string, string>();

/**
 * Notes that something is kept in the memory of this thread alone. In production each application logs
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

/** What one application keeps in memory: its own settings, and what the modules of the process noted. */
export class MemoryState {
  readonly #own: Map<string, string> = new Map();
  readonly #logged: Set<string> = new Set();

  /** Notes a setting of this application alone; see {@linkcode noteMemoryState}. */
  readonly note = (setting: string, fix: string): void => {
    this.#own.set(setting, fix);
  };

  /** Logs what was noted and what this application has not logged yet, with how it can be shared. */
  log(log: Logger): void {
    const settings = [...notes, ...this.#own].filter(([setting]) => !this.#logged.has(setting));
    if (settings.length === 0) return;
    log.info("kept in memory: each thread and each process has its own", {
      settings: Object.fromEntries(settings),
    });
    for (const [setting] of settings) this.#logged.add(setting);
  }
}
