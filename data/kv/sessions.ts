import { createHash } from "node:crypto";
import type { SessionOwner, SessionStore, StoredSession } from "../../runtime/addon.ts";
import { checkPrefix, type Kv } from "./connection.ts";

/** Maximum number of retries after a conflicting write. */
const maxTries = 16;

/** Maximum number of entries of `Kv.getMany`. */
const entriesPerRead = 10;

/** Options of {@link kvSessionStore}. */
export interface KvSessionOptions {
  /** The first part of every key: 1 to 64 characters of printable ASCII. @default "fw_session" */
  readonly prefix?: string;
  /** Returns the time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: () => number;
}

/**
 * Keeps sign-in sessions in Deno KV, so that the replicas of an application share them. Sessions vanish
 * when they expire. Each is one entry of up to 64 KiB, with one or two small ones to find it by.
 *
 * @param kv The opened store, `await Deno.openKv()`; who opened it closes it.
 * @param options The prefix of the keys.
 * @returns The store, for `createSessions` of `@fw/fw/auth`.
 * @throws {TypeError} for a prefix that is empty, longer than 64 characters or not printable ASCII.
 * @example
 * ```ts
 * import { createSessions, type Sessions } from "@fw/fw/auth";
 * import { type Kv, kvSessionStore } from "@fw/fw/kv";
 *
 * function openSessions(kv: Kv): Sessions {
 *   return createSessions({ store: kvSessionStore(kv) });
 * }
 * console.assert(openSessions.length === 1);
 * ```
 */
export function kvSessionStore(kv: Kv, options: KvSessionOptions = {}): SessionStore {
  const { prefix = "fw_session", now = Date.now } = options;
  checkPrefix("sessions", prefix);
  return new KvSessionStore(kv, { prefix, now });
}

class KvSessionStore implements SessionStore {
  readonly #kv: Kv;
  readonly #prefix: string;
  readonly #now: () => number;

  constructor(kv: Kv, options: { readonly prefix: string; readonly now: () => number }) {
    this.#kv = kv;
    this.#prefix = options.prefix;
    this.#now = options.now;
  }

  async create(session: StoredSession): Promise<boolean> {
    const now = this.#now();
    const key = this.#keyOf(session.id);
    const atomic = this.#kv.atomic()
      .check({ key, versionstamp: null })
      .set(key, session, { expireIn: leftMs(session.expiresAtMs, now) });
    // What finds a session stays as long as it can last, so that its use need not be written there.
    const expireIn = leftMs(session.endsAtMs, now);
    for (const at of this.#indexKeys(session)) atomic.set(at, session.id, { expireIn });
    return (await atomic.commit()).ok;
  }

  async read(id: string): Promise<StoredSession | undefined> {
    return this.#live((await this.#kv.get(this.#keyOf(id))).value);
  }

  async touch(
    id: string,
    at: { readonly usedAtMs: number; readonly expiresAtMs: number },
  ): Promise<boolean> {
    const { usedAtMs, expiresAtMs } = at;
    const isThere = await this.#change(
      id,
      (session) => session.usedAtMs >= usedAtMs ? session : { ...session, usedAtMs, expiresAtMs },
    );
    return isThere !== undefined;
  }

  async replaceData(
    id: string,
    change: { readonly from: string | undefined; readonly to: string },
  ): Promise<boolean> {
    const { from, to } = change;
    return await this.#change(
      id,
      (session) => session.data === from ? { ...session, data: to } : undefined,
    ) !== undefined;
  }

  /** Changes a session that is there; never brings back one that was deleted meanwhile. */
  async #change(
    id: string,
    change: (session: StoredSession) => StoredSession | undefined,
  ): Promise<StoredSession | undefined> {
    const at = this.#keyOf(id);
    for (let tries = 0; tries < maxTries; tries++) {
      const { value, versionstamp } = await this.#kv.get(at);
      const session = this.#live(value);
      const changed = session === undefined ? undefined : change(session);
      if (changed === undefined || changed === session) return changed;
      const { ok } = await this.#kv.atomic()
        .check({ key: at, versionstamp })
        .set(at, changed, { expireIn: leftMs(changed.expiresAtMs, this.#now()) })
        .commit();
      if (ok) return changed;
    }
    throw conflict();
  }

  async delete(id: string): Promise<boolean> {
    const key = this.#keyOf(id);
    for (let tries = 0; tries < maxTries; tries++) {
      const { value, versionstamp } = await this.#kv.get(key);
      const session = this.#live(value);
      if (session === undefined) return false;
      const atomic = this.#kv.atomic().check({ key, versionstamp }).delete(key);
      for (const at of this.#indexKeys(session)) atomic.delete(at);
      if ((await atomic.commit()).ok) return true;
    }
    throw conflict();
  }

  async list(owner: SessionOwner): Promise<readonly StoredSession[]> {
    const ids = await this.#idsUnder(this.#subjectKey(owner));
    const sessions: StoredSession[] = [];
    for (let start = 0; start < ids.length; start += entriesPerRead) {
      const keys = ids.slice(start, start + entriesPerRead).map((id) => this.#keyOf(id));
      for (const { value } of await this.#kv.getMany(keys)) {
        const session = this.#live(value);
        if (session !== undefined) sessions.push(session);
      }
    }
    return sessions.sort((a, b) => b.usedAtMs - a.usedAtMs || b.issuedAtMs - a.issuedAtMs);
  }

  async deleteBySubject(
    owner: SessionOwner,
    options: { readonly except?: string } = {},
  ): Promise<number> {
    const ids = await this.#idsUnder(this.#subjectKey(owner));
    return await this.#deleteAll(ids.filter((id) => id !== options.except));
  }

  async deleteBySid(provider: string, sid: string): Promise<number> {
    return await this.#deleteAll(await this.#idsUnder(this.#sidKey(provider, sid)));
  }

  async #deleteAll(ids: readonly string[]): Promise<number> {
    let deleted = 0;
    for (const id of ids) if (await this.delete(id)) deleted++;
    return deleted;
  }

  async #idsUnder(prefix: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    for await (const { key } of this.#kv.list({ prefix })) ids.push(String(key.at(-1)));
    return ids;
  }

  #live(value: unknown): StoredSession | undefined {
    // The store holds what this class has written; it removes entries some time after they expired.
    const session = value === null || value === undefined ? undefined : value as StoredSession;
    return session !== undefined && session.expiresAtMs > this.#now() ? session : undefined;
  }

  #keyOf(id: string): readonly string[] {
    return [this.#prefix, "id", id];
  }

  #indexKeys({ id, provider, subject, sid }: StoredSession): (readonly string[])[] {
    const keys = [[...this.#subjectKey({ provider, subject }), id]];
    if (sid !== undefined) keys.push([...this.#sidKey(provider, sid), id]);
    return keys;
  }

  #subjectKey({ provider, subject }: SessionOwner): string[] {
    return [this.#prefix, "subject", digest(provider, subject)];
  }

  #sidKey(provider: string, sid: string): string[] {
    return [this.#prefix, "sid", digest(provider, sid)];
  }
}

/** One short part of a key for two texts of any length. */
function digest(provider: string, name: string): string {
  return createHash("sha256").update(JSON.stringify([provider, name])).digest("base64url");
}

function conflict(): Error {
  return new Error(`Cannot change a session: each of ${maxTries} tries met a conflicting change.`);
}

function leftMs(atMs: number, now: number): number {
  return Math.max(1, Math.ceil(atMs - now));
}
