/** The values of caches in tables. */
import { int, struct, text } from "../../mod.ts";
import { type CacheRead, type CacheStore, digestOf } from "../../runtime/addon.ts";
import { among, or, sql } from "../sql.ts";
import { giveBack, takeOnce } from "./once.ts";
import { markTtlMs, maxTtlMs, type Tables } from "./tables.ts";

const maxValueBytes = 1_048_576;

const CacheRow = struct({ value: text(), expiresAt: int(), marks: text() });
const MarkRow = struct({ name: text(), version: text() });

type Marks = Readonly<Record<string, string>>;

/**
 * Keeps an entry with the versions that its marks (its cache, its name, its tags) had before its value was made. An
 * invalidation changes the version of a mark, so that an older value is never given, even where it is written later.
 */
export function databaseCache(tables: Tables): CacheStore {
  const { db } = tables;
  const readMarks = async (names: readonly string[]): Promise<Marks> => {
    const rows = await db.all(MarkRow)`select ${MarkRow} from fw_cache_marks where name ${
      among(names)
    }`;
    return Object.fromEntries(rows.map(({ name, version }) => [name, version]));
  };
  const change = async (names: readonly string[]): Promise<void> => {
    await tables.ready();
    const expiresAt = tables.now() + markTtlMs;
    // In one order, so that two invalidations do not wait for each other.
    for (const name of [...names].sort()) {
      await db.run`insert into fw_cache_marks (name, version, expires_at)
        values (${name}, ${crypto.randomUUID()}, ${expiresAt})
        on conflict (name) do update set version = excluded.version, expires_at = excluded.expires_at`;
    }
  };
  const ownMarks = (cache: string, name: string): readonly [string, string] => [
    markName(cache, "all"),
    markName(cache, "name", name),
  ];
  return {
    read: async ({ cache, name, tags }): Promise<CacheRead> => {
      await tables.ready();
      const row = await db.first(CacheRow)`select ${CacheRow} from fw_cache
        where cache = ${cache} and name = ${digestOf(name)}`;
      const stored: Marks = row === undefined ? {} : JSON.parse(row.marks);
      const wanted = [...ownMarks(cache, name), ...tags.map((tag) => markName(cache, "tag", tag))];
      const marks = await readMarks([...new Set([...wanted, ...Object.keys(stored)])]);
      const leftMs = (row?.expiresAt ?? 0) - tables.now();
      const isCurrent = Object.entries(stored).every(([mark, version]) =>
        (marks[mark] ?? "") === version
      );
      if (row !== undefined && leftMs > 0 && isCurrent) {
        const { deserialize } = await import("node:v8");
        const { value, tags } = deserialize(Uint8Array.fromBase64(row.value));
        return { kind: "hit", value, leftMs, tags };
      }
      return { kind: "miss", version: marks };
    },
    write: async ({ cache, name, tags }, { value, ttlMs, version }) => {
      await tables.ready();
      const seen = version as Marks;
      // Values come back as they were, dates and maps too.
      const { serialize } = await import("node:v8");
      const bytes = serialize({ value, tags });
      if (bytes.length > maxValueBytes) return;
      const names = [...ownMarks(cache, name), ...tags.map((tag) => markName(cache, "tag", tag))];
      const marks = Object.fromEntries(names.map((mark) => [mark, seen[mark] ?? ""]));
      const expiresAt = Math.ceil(tables.now() + Math.min(ttlMs, maxTtlMs));
      await db.run`insert into fw_cache (cache, name, value, expires_at, marks)
        values (${cache}, ${digestOf(name)}, ${bytes.toBase64()}, ${expiresAt}, ${
        JSON.stringify(marks)
      })
        on conflict (cache, name) do update set value = excluded.value, expires_at = excluded.expires_at,
          marks = excluded.marks`;
    },
    claim: async ({ cache, name }, { version, ttlMs }) => {
      const lease = `cache:${markName(cache, "claim", JSON.stringify([name, version]))}`;
      const until = await takeOnce(tables, lease, ttlMs);
      return until === undefined ? undefined : () => giveBack(tables, lease, until);
    },
    invalidate: async (cache, tags) => {
      const names = tags.map((tag) => markName(cache, "tag", tag));
      await change(names);
      const rows = names.length === 0 ? 0 : await db.run`-- scan: entries of one cache
        delete from fw_cache where cache = ${cache} and (${
        or(...names.map((name) => sql`marks like ${`%${name}%`}`))
      })`;
      return rows;
    },
    delete: async (cache, names) => {
      await change(names.map((name) => markName(cache, "name", name)));
      if (names.length === 0) return;
      await db.run`delete from fw_cache where cache = ${cache} and name ${
        among(names.map(digestOf))
      }`;
    },
    clear: async (cache) => {
      await change([markName(cache, "all")]);
      await db.run`delete from fw_cache where cache = ${cache}`;
    },
  };
}

function markName(cache: string, kind: string, text = ""): string {
  return digestOf(`${cache} ${kind} ${text}`);
}
