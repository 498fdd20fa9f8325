import type { Application } from "../mod.ts";
import { askStore, type Awaitable, perApplication, type SessionStore } from "../runtime/addon.ts";
import { providedStore } from "./memory_store.ts";

/** Options of `createSessions`. */
export interface SessionOptions {
  /**
   * Store that keeps the sessions on the server, so that they can be listed and ended, or a function that
   * returns an application's store. @default a signed cookie contains the session, valid on any replica but
   * not revocable
   */
  readonly store?: SessionStore | ((app: Application) => SessionStore);
  /** Keeps the sessions in the store of `provideStores`; in memory without one. @default false */
  readonly stored?: boolean;
  /** Lifetime of a session after the sign-in, in milliseconds. @default 43200000 (12 hours) */
  readonly absoluteMs?: number;
  /**
   * Lifetime without a request, in milliseconds, at least 2 minutes. Use is recorded once a minute, so a
   * session may end up to a minute early. @default 7200000 (2 hours)
   */
  readonly idleMs?: number;
  /** Path to which guards redirect anonymous browsers, without the base path. @default "/login" */
  readonly loginPath?: string;
  /** The role that `requireAdmin` requires. @default "admin" */
  readonly adminRole?: string;
  /** Maximum number of stored sessions per subject; a new one evicts the least recently used. @default 100 */
  readonly maxPerSubject?: number;
  /**
   * Name of the cookie. Over HTTPS it gets the prefix `__Host-`, or `__Secure-` under a base path.
   * @default "fw_session"
   */
  readonly cookie?: string;
  /** Returns the time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: () => number;
}

export type SessionSettings =
  & Required<Omit<SessionOptions, "store" | "stored">>
  & Pick<SessionOptions, "store">;

/** Minimum interval between two updates of a session's last use, in milliseconds. */
export const renewEveryMs = 60_000;

export const longestMs = 366 * 86_400_000;

/** Fills in the defaults. @throws {RangeError} naming the invalid option, its value and the fix. */
export function sessionSettings(options: SessionOptions): SessionSettings {
  const { absoluteMs = 12 * 3_600_000, idleMs = 2 * 3_600_000, maxPerSubject = 100 } = options;
  const { loginPath = "/login", adminRole = "admin", cookie = "fw_session" } = options;
  const { now = Date.now, stored = false, store = stored ? providedStore("sessions") : undefined } =
    options;
  const settings: SessionSettings = {
    ...{ absoluteMs, idleMs, maxPerSubject, loginPath, adminRole, cookie, now },
    ...(store && { store }),
  };
  const fail = (name: keyof SessionSettings, fix: string): never => {
    throw new RangeError(`Cannot create sessions with ${name} "${settings[name]}": use ${fix}.`);
  };
  for (const name of ["absoluteMs", "idleMs"] as const) {
    const isInRange = settings[name] >= 2 * renewEveryMs && settings[name] <= longestMs;
    if (!isInRange) fail(name, `120000 (2 minutes) to ${longestMs} (a year) milliseconds`);
  }
  if (!Number.isSafeInteger(maxPerSubject) || maxPerSubject < 1) {
    fail("maxPerSubject", "an integer from 1 up");
  }
  // A guard of a blank role lets users pass whose roles were read from an empty text.
  if (adminRole.trim() === "") fail("adminRole", 'the name of a role such as "admin"');
  if (!isAppPath(loginPath)) fail("loginPath", 'a path of the application such as "/login"');
  if (!/^(?!__(?:host|secure)-)[a-z0-9_.-]{1,64}$/i.test(cookie)) {
    fail("cookie", 'letters, digits, "_", "." and "-"; fw adds the prefixes');
  }
  return settings;
}

export function isAppPath(path: string): boolean {
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(path);
}

/**
 * Returns the function that finds an application's store, whose failures become 503 `<kind>_store_failed` and sign
 * users neither in nor out; `undefined` without a store.
 */
export function openStores(
  given: SessionOptions["store"],
  kind: "session" | "token" = "session",
): ((app: Application) => SessionStore) | undefined {
  return given && perApplication((app) => {
    const store = typeof given === "function" ? given(app) : given;
    const ask = <T>(act: () => Awaitable<T>): Awaitable<T> => askStore(kind, act);
    return {
      create: (session) => ask(() => store.create(session)),
      read: (id) => ask(() => store.read(id)),
      touch: (id, at) => ask(() => store.touch(id, at)),
      replaceData: (id, change) => ask(() => store.replaceData(id, change)),
      delete: (id) => ask(() => store.delete(id)),
      list: (owner) => ask(() => store.list(owner)),
      deleteBySubject: (owner, options) => ask(() => store.deleteBySubject(owner, options)),
      deleteBySid: (provider, sid) => ask(() => store.deleteBySid(provider, sid)),
    };
  });
}
