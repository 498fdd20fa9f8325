import { httpError } from "../../mod.ts";
import { askStore, type Awaitable, findStores, OpenCounter } from "../../runtime/addon.ts";
import { type PerApplication, perApplication } from "./per_application.ts";
import { stateTtlMs } from "./signed_state.ts";

export interface UsedIdsOptions {
  readonly now?: () => number;
  /** Maximum number of ids of the users, and of all strangers. @default 100_000 */
  readonly maxIds?: number;
  /** Maximum number of ids of one caller; the strangers of a site have twice as many. @default 10_000 */
  readonly maxCallerIds?: number;
}

export interface IdCaller {
  /** @default "", a stranger */
  readonly user?: string;
  readonly ip?: string | undefined;
}

/**
 * The ids of states that have been used, in the memory of this process: a client could send one twice. An
 * id is remembered until its state has expired, so a flood makes none usable again.
 */
export class UsedIds {
  readonly #used: Map<string, { readonly free: () => void; readonly expiresMs: number }> =
    new Map();
  /** Separates what strangers use up from what users need. */
  readonly #counters = { user: new OpenCounter(), stranger: new OpenCounter() };
  readonly #options: Required<UsedIdsOptions>;

  constructor({ now = Date.now, maxIds = 100_000, maxCallerIds = 10_000 }: UsedIdsOptions = {}) {
    this.#options = { now, maxIds, maxCallerIds };
  }

  /**
   * Uses an id; returns `false` where it has been used.
   *
   * @throws {HttpError} 503 where no further id can be remembered.
   */
  take(id: string, { user = "", ip }: IdCaller = {}): boolean {
    const { now, maxIds: all, maxCallerIds: client } = this.#options;
    const nowMs = now();
    for (const [old, { expiresMs, free }] of this.#used) {
      if (expiresMs > nowMs) break;
      this.#used.delete(old);
      free();
    }
    if (this.#used.has(id)) return false;
    const isUser = user !== "";
    const counter = this.#counters[isUser ? "user" : "stranger"];
    const who = isUser ? `of ${user}` : ip;
    const site = isUser ? Infinity : 2 * client;
    if (counter.reached(who, { client, site, all }) !== undefined) {
      throw httpError(503, "Too many approvals were used in the last hour. Try again later.", {
        code: "ai_approvals_full",
      });
    }
    this.#used.set(id, { free: counter.open(who), expiresMs: nowMs + stateTtlMs });
    return true;
  }
}

export interface IdTaker {
  /**
   * Uses an id of a caller; returns `false` where it has been used.
   *
   * @throws {HttpError} 503 where it cannot be remembered: a call must not run twice.
   */
  take(id: string, caller?: IdCaller): Awaitable<boolean>;
}

export function usedIds(options?: UsedIdsOptions): PerApplication<IdTaker> {
  return perApplication((app) => {
    const once = app && findStores(app).once;
    if (once === undefined) return new UsedIds(options);
    return { take: (id) => askStore("ticket", () => once.take(`approval:${id}`, stateTtlMs)) };
  });
}
