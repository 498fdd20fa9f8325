import type { Stores } from "../../mod.ts";
import {
  type ChannelSource,
  copyChannels,
  digestOf,
  newEpoch,
  type OnceStore,
  type Passkey,
  type PasskeyStore,
} from "../../runtime/addon.ts";
import { pollChannels } from "../stores/channel_poll.ts";
import { markedCache } from "../stores/marked_cache.ts";
import { kvEntries } from "./cache.ts";
import { conflict, type Kv, leftMs, type Place, readAll, retry } from "./connection.ts";
import { KvRateLimitStore } from "./rate_limit.ts";
import { sessionStore } from "./sessions.ts";

/** Options of {@linkcode kvStores}. */
export interface KvStoresOptions {
  /** The first part of every key: 1 to 64 characters of printable ASCII. @default "fw" */
  readonly prefix?: string;
  /** The time between two polls for messages of other replicas, in milliseconds. @default 500 */
  readonly pollMs?: number;
  /** Returns the time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: () => number;
}

/**
 * Keeps limits, caches, sessions, passkeys, used tickets and channels in Deno KV. Values of caches travel by structured
 * clone: an instance of a class comes back as a plain object, and what holds a function cannot be kept. The replicas'
 * clocks should agree.
 *
 * @param kv The opened store, `await Deno.openKv()`; who opened it closes it.
 * @param options The prefix of the keys and how often it looks for messages.
 * @returns The stores, for `provideStores`.
 * @throws {TypeError} for a malformed prefix; `RangeError` for a `pollMs` that is none.
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
export function kvStores(kv: Kv, options: KvStoresOptions = {}): Required<Stores> {
  const { prefix = "fw", pollMs = 500, now = Date.now } = options;
  if (!/^[\x21-\x7e]{1,64}$/.test(prefix)) {
    throw new TypeError(
      `Cannot make stores with the prefix "${prefix}": use 1 to 64 characters of printable ASCII.`,
    );
  }
  if (!Number.isSafeInteger(pollMs) || pollMs < 1) {
    throw new RangeError(`Cannot make stores: pollMs is ${pollMs}; use an integer from 1.`);
  }
  const place: Place = { kv, prefix, now };
  const sessions = sessionStore(place);
  return {
    limits: new KvRateLimitStore(place),
    cache: markedCache(kvEntries(place)),
    sessions,
    mcp: sessions,
    passkeys: passkeyStore(place),
    once: onceStore(place),
    channels: copyChannels(channelSource(place, pollMs)),
    check: async () => {
      await kv.get([prefix, "check"]);
    },
  };
}

function onceStore({ kv, prefix, now }: Place): OnceStore {
  return {
    take: async (name, ttlMs) => {
      const key = [prefix, "once", name];
      const { value, versionstamp } = await kv.get(key);
      const until = now() + ttlMs;
      if (typeof value === "number" && value > now()) return false;
      const expireIn = leftMs(until, now());
      // The faster replica has it.
      return (await kv.atomic().check({ key, versionstamp }).set(key, until, { expireIn }).commit())
        .ok;
    },
  };
}

/** The passkeys of a subject are one entry, so that none is one too many; another one names the subject of a passkey. */
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

/** The number of characters of a message in one entry of 64 KiB, and the maximum number of entries. */
const partChars = 30_000;
const maxParts = 3;

/** The lifetime of the number of the newest message. */
const metaTtlMs = 31 * 86_400_000;

interface Meta {
  readonly epoch: string;
  readonly last: number;
}

interface Part {
  readonly text: string;
  readonly expiresAt: number;
}

function channelSource({ kv, prefix, now }: Place, pollMs: number): ChannelSource {
  const metaKey = (channel: string): string[] => [prefix, "channel", channel];
  const logKey = (channel: string, ...rest: string[]): string[] => [
    prefix,
    "message",
    channel,
    ...rest,
  ];
  // Keys are in the order of their texts.
  const numberPart = (number: number): string => String(number).padStart(16, "0");
  /** Publishing by this process, one after the other: only other replicas are faster then. */
  let turn: Promise<unknown> = Promise.resolve();
  return {
    publish: (channel, { text, keep, keepMs }) => {
      const publish = () =>
        retry("a channel", async () => {
          const key = metaKey(channel);
          const { value, versionstamp } = await kv.get(key);
          const { epoch, last } = (value ?? { epoch: newEpoch(), last: 0 }) as Meta;
          const number = last + 1;
          const atomic = kv.atomic().check({ key, versionstamp })
            .set(key, { epoch, last: number }, { expireIn: metaTtlMs });
          for (let part = 0; part < maxParts; part++) {
            const [start, name] = [part * partChars, String(part)];
            const piece: Part = {
              text: text.slice(start, start + partChars),
              expiresAt: now() + keepMs,
            };
            const at = logKey(channel, numberPart(number), name);
            if (part === 0 || piece.text !== "") atomic.set(at, piece, { expireIn: keepMs });
            if (number > keep) atomic.delete(logKey(channel, numberPart(number - keep), name));
          }
          return (await atomic.commit()).ok ? { epoch, number } : conflict;
        });
      const published = turn.then(publish, publish);
      turn = published;
      return published;
    },
    read: async (channel, after, count) => {
      const { value } = await kv.get(metaKey(channel));
      const { epoch, last } = (value ?? { epoch: "", last: 0 }) as Meta;
      const texts = new Map<number, string>();
      if (after < last) {
        const start = logKey(channel, numberPart(after + 1));
        for await (const listed of kv.list({ prefix: logKey(channel), start })) {
          const number = Number(listed.key.at(-2));
          if (texts.size === count && !texts.has(number)) break;
          const { text, expiresAt } = listed.value as Part;
          if (expiresAt > now()) texts.set(number, (texts.get(number) ?? "") + text);
        }
      }
      const messages = [...texts].map(([number, text]) => ({ number, text }));
      // One that came between both reads counts.
      return { epoch, last: Math.max(last, messages.at(-1)?.number ?? 0), messages };
    },
    listen: (onChange, watched) =>
      pollChannels({ onChange, watched, pollMs }, async (names) => {
        const found = await readAll(kv, names.map(metaKey));
        return names.map((name, at) => [name, found[at]?.versionstamp ?? ""]);
      }),
  };
}
