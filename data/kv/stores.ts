import type { Stores } from "../../mod.ts";
import { digestOf, type Passkey, type PasskeyStore } from "../../runtime/addon.ts";
import { markedCache } from "../stores/marked_cache.ts";
import { kvEntries } from "./cache.ts";
import { claim, conflict, type Kv, type Place, retry } from "./connection.ts";
import { kvLimits } from "./rate_limit.ts";
import { sessionStore } from "./sessions.ts";

/** Options of {@linkcode kvStores}. */
export interface KvStoresOptions {
  /** The first part of every key: 1 to 64 characters of printable ASCII. @default "fw" */
  readonly prefix?: string;
  /** Returns the time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: () => number;
}

/**
 * Keeps limits, caches, sessions, passkeys and used tickets in Deno KV; channels stay in memory.
 * Cached values are serialised by structured clone: class instances are restored as plain objects,
 * and values with functions cannot be cached. The replicas' clocks should agree.
 *
 * @param kv The opened store, `await Deno.openKv()`; the application closes it.
 * @returns The stores, for `provideStores`.
 * @throws {TypeError} for a malformed prefix.
 * @example
 * ```ts
 * import { type Application, provideStores } from "@fw/fw";
 * import { type Kv, kvStores } from "@fw/fw/kv";
 *
 * // const kv = await Deno.openKv(); with "unstable": ["kv"] in deno.json
 * export function share(app: Application, kv: Kv): void {
 *   provideStores(app, kvStores(kv));
 * }
 * ```
 */
export function kvStores(
  kv: Kv,
  options: KvStoresOptions = {},
): Required<Omit<Stores, "channels">> {
  const { prefix = "fw", now = Date.now } = options;
  if (!/^[\x21-\x7e]{1,64}$/.test(prefix)) {
    throw new TypeError(
      `Cannot create stores with the prefix "${prefix}": use 1 to 64 characters of printable ASCII.`,
    );
  }
  const place: Place = { kv, prefix, now };
  const sessions = sessionStore(place);
  const limits = kvLimits(place);
  return {
    limits,
    attempts: limits,
    cache: markedCache(kvEntries(place)),
    sessions,
    tokens: sessions,
    passkeys: passkeyStore(place),
    once: {
      take: async (name, ttlMs) => await claim(place, [prefix, "once", name], ttlMs) !== undefined,
    },
    check: async () => {
      await kv.get([prefix, "check"]);
    },
  };
}

/** One entry holds a subject's passkeys, which enforces their maximum; others map ids to subjects. */
function passkeyStore({ kv, prefix }: Place): PasskeyStore {
  const subjectKey = (subject: string): string[] => [prefix, "passkeys", digestOf(subject)];
  const idKey = (id: string): string[] => [prefix, "passkey", digestOf(id)];
  const read = async (
    subject: string,
  ): Promise<{ all: Passkey[]; versionstamp: string | null }> => {
    const { value, versionstamp } = await kv.get(subjectKey(subject));
    return { all: (value ?? []) as Passkey[], versionstamp };
  };
  const find = async (id: string): Promise<Passkey | undefined> => {
    const { value } = await kv.get(idKey(id));
    if (typeof value !== "string") return undefined;
    return (await read(value)).all.find((passkey) => passkey.id === id);
  };
  return {
    add: (passkey, { max }) =>
      retry("passkeys", async () => {
        const { id, subject, userHandle } = passkey;
        const { all, versionstamp } = await read(subject);
        const taken = await kv.get(idKey(id));
        if (taken.value !== null) return "exists";
        if (all.some((other) => other.userHandle !== userHandle)) return "handle";
        if (all.length >= max) return "too-many";
        const { ok } = await kv.atomic()
          .check({ key: subjectKey(subject), versionstamp })
          .check({ key: idKey(id), versionstamp: null })
          .set(subjectKey(subject), [...all, passkey])
          .set(idKey(id), subject)
          .commit();
        return ok ? "added" : conflict;
      }),
    find,
    list: async (subject) =>
      (await read(subject)).all.sort((a, b) => a.createdAtMs - b.createdAtMs),
    use: (id, use) =>
      retry("a passkey", async () => {
        const found = await find(id);
        if (found === undefined) return false;
        const key = subjectKey(found.subject);
        const { all, versionstamp } = await read(found.subject);
        const passkey = all.find((other) => other.id === id);
        if (passkey === undefined || passkey.challengedAtMs >= use.challengedAtMs) return false;
        const changed = all.map((other) => other.id === id ? { ...other, ...use } : other);
        const { ok } = await kv.atomic().check({ key, versionstamp }).set(key, changed).commit();
        return ok || conflict;
      }),
    remove: (subject, id) =>
      retry("passkeys", async () => {
        const key = subjectKey(subject);
        const { all, versionstamp } = await read(subject);
        const rest = all.filter((passkey) => passkey.id !== id);
        if (rest.length === all.length) return false;
        const { ok } = await kv.atomic().check({ key, versionstamp }).set(key, rest)
          .delete(idKey(id)).commit();
        return ok || conflict;
      }),
  };
}
