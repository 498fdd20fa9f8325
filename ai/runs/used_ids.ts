import { httpError } from "../../mod.ts";
import { askStore, type Awaitable, findStores } from "../../runtime/addon.ts";
import { type PerApplication, perApplication } from "./per_application.ts";
import { stateTtlMs } from "./signed_state.ts";

export interface UsedIdsOptions {
  readonly now?: () => number;
  /** Maximum number of ids. @default 100_000 */
  readonly maxIds?: number;
  /** Maximum number of ids of one caller. @default 10_000 */
  readonly maxCallerIds?: number;
}

interface UsedId {
  readonly caller: string;
  readonly expiresMs: number;
}

/**
 * The ids of states that have been used, in the memory of this process: a client could send one twice. An
 * id is remembered until its state has expired, so a flood makes none usable again.
 */
export class UsedIds {
  readonly #used: Map<string, UsedId> = new Map();
  readonly #counts: Map<string, number> = new Map();
  readonly #options: Required<UsedIdsOptions>;

  constructor({ now = Date.now, maxIds = 100_000, maxCallerIds = 10_000 }: UsedIdsOptions = {}) {
    this.#options = { now, maxIds, maxCallerIds };
  }

  /**
   * Uses an id; returns `false` where it has been used.
   *
   * @throws {HttpError} 503 where no further id can be remembered.
   */
  take(id: string, caller = ""): boolean {
    const { now, maxIds, maxCallerIds } = this.#options;
    const nowMs = now();
    for (const [old, { expiresMs }] of this.#used) {
      if (expiresMs > nowMs) break;
      this.#forget(old);
    }
    if (this.#used.has(id)) return false;
    const count = this.#counts.get(caller) ?? 0;
    if (this.#used.size >= maxIds || caller !== "" && count >= maxCallerIds) {
      throw httpError(503, "Too many approvals were used in the last hour. Try again later.", {
        code: "ai_approvals_full",
      });
    }
    this.#used.set(id, { caller, expiresMs: nowMs + stateTtlMs });
    this.#counts.set(caller, count + 1);
    return true;
  }

  #forget(id: string): void {
    const used = this.#used.get(id);
    if (used === undefined) return;
    this.#used.delete(id);
    const count = (this.#counts.get(used.caller) ?? 0) - 1;
    if (count > 0) this.#counts.set(used.caller, count);
    else this.#counts.delete(used.caller);
  }
}

export interface IdTaker {
  /**
   * Uses an id of a caller; returns `false` where it has been used.
   *
   * @throws {HttpError} 503 where it cannot be remembered: a call must not run twice.
   */
  take(id: string, caller?: string): Awaitable<boolean>;
}

/** Returns what uses ids up: the store of the application that its replicas share, else this process. */
export function usedIds(options?: UsedIdsOptions): PerApplication<IdTaker> {
  return perApplication((app) => {
    const once = app && findStores(app).once;
    if (once === undefined) return new UsedIds(options);
    return { take: (id) => askStore("ticket", () => once.take(`approval:${id}`, stateTtlMs)) };
  });
}
