import { type MarkedEntries, type Marks, markTtlMs, nameMark } from "../stores/marked_cache.ts";
import { batches, claim, type Place, readAll } from "./connection.ts";

const maxChanges = 1_000;

interface CacheEntry {
  readonly value: Uint8Array;
  readonly marks: Marks;
  readonly expiresAt: number;
}

/** The version of a mark is the `versionstamp` of its key. Entries over 64 KiB are not stored. */
export function kvEntries(place: Place): MarkedEntries {
  const { kv, prefix, now } = place;
  const keyOf = (cache: string, ...rest: string[]): string[] => [prefix, "cache", cache, ...rest];
  return {
    read: async (cache, name, marks) => {
      const markKeys = (names: readonly string[]): string[][] =>
        names.map((mark) => keyOf(cache, "mark", mark));
      // The entry is read first, so that the versions are never older than the entry.
      const [first, ...found] = await readAll(kv, [
        keyOf(cache, "value", name),
        ...markKeys(marks),
      ]);
      const entry = readEntry(first?.value);
      const others = Object.keys(entry?.marks ?? {}).filter((mark) => !marks.includes(mark));
      found.push(...await readAll(kv, markKeys(others)));
      const versions = [...marks, ...others].map((mark, at) =>
        [mark, found[at]?.versionstamp ?? ""] as const
      );
      return {
        entry: entry && { ...entry, leftMs: entry.expiresAt - now() },
        versions: Object.fromEntries(versions),
      };
    },
    write: async (cache, name, { value, marks, ttlMs }) => {
      const entry: CacheEntry = { value: new Uint8Array(value), marks, expiresAt: now() + ttlMs };
      const key = keyOf(cache, "value", name);
      try {
        await kv.atomic().set(key, entry, { expireIn: ttlMs }).commit();
      } catch (error) {
        if (!(error instanceof TypeError && error.message.includes("too large"))) throw error;
      }
    },
    change: async (cache, marks) => {
      let version = "";
      // Half the limit, because each mark may also remove an entry.
      for (const batch of batches(marks, maxChanges / 2)) {
        const change = kv.atomic();
        for (const mark of batch) {
          change.set(keyOf(cache, "mark", mark), 1, { expireIn: markTtlMs });
          if (mark.startsWith(nameMark)) {
            change.delete(keyOf(cache, "value", mark.slice(nameMark.length)));
          }
        }
        version = (await change.commit()).versionstamp ?? "";
      }
      // Tagged entries are not searched: they are invalid from now on and will expire.
      if (!marks.includes("all")) return 0;
      let change = kv.atomic();
      let count = 0;
      for await (const { key, versionstamp } of kv.list({ prefix: keyOf(cache, "value") })) {
        if (versionstamp >= version) continue;
        // Deleting an entry that was rewritten in between only causes a cache miss.
        change.delete(key.map(String));
        if (++count % maxChanges > 0) continue;
        await change.commit();
        change = kv.atomic();
      }
      await change.commit();
      return 0;
    },
    claim: async (cache, name, ttlMs) => {
      const key = keyOf(cache, "claim", name);
      const versionstamp = await claim(place, key, ttlMs);
      // Unless another process holds the claim by now.
      return versionstamp === undefined
        ? undefined
        : async () => void await kv.atomic().check({ key, versionstamp }).delete(key).commit();
    },
  };
}

/** Validates a stored entry; returns `undefined` for a value not written by this module. */
function readEntry(found: unknown): CacheEntry | undefined {
  const { value, marks, expiresAt } = Object(found);
  const isEntry = value instanceof Uint8Array && typeof marks === "object" && marks !== null &&
    typeof expiresAt === "number";
  return isEntry ? { value, marks, expiresAt } : undefined;
}
