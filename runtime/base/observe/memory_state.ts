import type { Stores } from "../stores/stores.ts";
import type { Logger } from "./logger.ts";

interface Note {
  readonly fix: string;
  /** The store that takes it; `undefined` where none does. */
  readonly store: keyof Stores | undefined;
}

const notes = new Map<string, Note>();

/** What only some users will meet, with the fix, and was not logged yet. */
const warnings = new Map<string, string>();

/** The one line that moves all of it; other stores are in the guide. */
const storesFix = "provideStores(app, sqliteStores(db)) in Setup";

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
  notes.set(setting, { fix, store: undefined });
}

/** Notes that something is kept in memory unless the application provides a store for it. */
export function noteStoreState(setting: string, store: keyof Stores): void {
  notes.set(setting, { fix: storesFix, store });
}

/** Notes what only some users will meet, such as a session that is too large: the application warns of it at boot. */
export function noteBootWarning(message: string, fix: string): void {
  warnings.set(message, fix);
}

/** Logs what was noted since the last application booted and is in no store of this one, with the fix. */
export function logBootNotes(log: Logger, stores: Stores): void {
  for (const [message, fix] of warnings) log.warn(message, { fix });
  warnings.clear();
  const left = [...notes].filter(([, { store }]) =>
    store === undefined || stores[store] === undefined
  );
  notes.clear();
  if (left.length === 0) return;
  log.info("kept in memory: each thread and each process has its own", {
    settings: Object.fromEntries(left.map(([setting, { fix }]) => [setting, fix])),
  });
}
