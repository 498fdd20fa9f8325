import { type Application, httpError } from "../../mod.ts";
import { createHash, randomBytes } from "node:crypto";
import {
  appKeys,
  askStore,
  type Awaitable,
  equalSecrets,
  findStores,
  OpenCounter,
  perApplication,
  signText,
} from "../../runtime/addon.ts";

/** Looks up a value by application; `undefined` stands for a server outside an application. */
export type PerServer<T> = (app: Application | undefined) => T;

function perServer<T>(make: (app: Application | undefined) => T): PerServer<T> {
  const of = perApplication(make);
  let own: T | undefined;
  return (app) => app === undefined ? own ??= make(app) : of(app);
}

export interface StateBinding {
  readonly principal: string;
  readonly method: string;
  readonly params: unknown;
}

export interface KeptState {
  readonly id: string;
  readonly answers: Readonly<Record<string, unknown>>;
}

type WrittenState = KeptState & { readonly expires: number; readonly call: string };

/** Time for the user to answer the questions of one call, in milliseconds. */
const stateTtlMs = 3_600_000;

/** Maximum length of a state, in characters, because every retry reads it. */
export const maxStateChars = 262_144;

/** Signs state that a client keeps between two requests, bound to the caller, the call and a time. */
export type StatesOf = PerServer<{
  seal(state: KeptState, binding: StateBinding): string;
  /** Verifies a returned state; `undefined` if it is forged, expired or belongs to another call. */
  open(state: unknown, binding: StateBinding): KeptState | undefined;
}>;

/** Signs with the secret of the application, else with a random key of this process. @param ttlMs An hour by default. */
export function signedStates(
  purpose: string,
  { now = Date.now, ttlMs = stateTtlMs }: { readonly now?: () => number; readonly ttlMs?: number } =
    {},
): StatesOf {
  return perServer((app) => {
    const [first = randomBytes(32), ...rest] = app === undefined ? [] : appKeys(app, purpose);
    const keys = [first, ...rest];
    return {
      seal: (state, binding) => {
        const expires = now() + ttlMs;
        const body = JSON.stringify({ ...state, expires, call: digest(binding) });
        const payload = new TextEncoder().encode(body).toBase64({ alphabet: "base64url" });
        return `${payload}.${signText(payload, first)}`;
      },
      open: (state, binding) => {
        if (typeof state !== "string" || state.length > maxStateChars) return undefined;
        const dot = state.indexOf(".");
        const payload = state.slice(0, Math.max(dot, 0));
        const sent = state.slice(dot + 1);
        if (!keys.some((key) => equalSecrets(sent, signText(payload, key)))) return undefined;
        // The signature proves that `seal` wrote it; a new shape needs a new purpose, so a new key.
        const bytes = Uint8Array.fromBase64(payload, { alphabet: "base64url" });
        const { id, answers, expires, call }: WrittenState = JSON.parse(
          new TextDecoder().decode(bytes),
        );
        return expires > now() && call === digest(binding) ? { id, answers } : undefined;
      },
    };
  });
}

function digest({ principal, method, params }: StateBinding): string {
  const text = JSON.stringify([principal, method, params]);
  return createHash("sha256").update(text).digest("base64url");
}

export interface UsedIdsOptions {
  readonly now?: () => number;
  /** Maximum number of ids of all users, and of all anonymous callers. @default 100_000 */
  readonly maxIds?: number;
  /** Maximum number of ids of one caller; the anonymous callers of a site share twice as many. @default 10_000 */
  readonly maxCallerIds?: number;
}

export interface IdCaller {
  /** @default "", an anonymous caller */
  readonly user?: string;
  readonly ip?: string | undefined;
}

/** The used state ids in this process, each kept until its state expires, so that a flood evicts none. */
export class UsedIds {
  readonly #used: Map<string, { readonly free: () => void; readonly expiresMs: number }> =
    new Map();
  /** Separate counters, so that anonymous callers cannot use up the slots of users. */
  readonly #counters = { user: new OpenCounter(), stranger: new OpenCounter() };
  readonly #options: Required<UsedIdsOptions>;

  constructor({ now = Date.now, maxIds = 100_000, maxCallerIds = 10_000 }: UsedIdsOptions = {}) {
    this.#options = { now, maxIds, maxCallerIds };
  }

  /** Marks an id as used; `false` if it already was. @throws {HttpError} 503 if no further id can be stored. */
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
  /** Marks an id as used; `false` if it already was. @throws {HttpError} 503 if it cannot be stored. */
  take(id: string, caller?: IdCaller): Awaitable<boolean>;
}

export function usedIds(options?: UsedIdsOptions): PerServer<IdTaker> {
  return perServer((app) => {
    const once = app && findStores(app).once;
    if (once === undefined) return new UsedIds(options);
    return { take: (id) => askStore("ticket", () => once.take(`approval:${id}`, stateTtlMs)) };
  });
}
