import { int, struct, text } from "../../mod.ts";
import { digestOf } from "../../runtime/addon.ts";
import { among, or, sql } from "../sql.ts";
import { type MarkedEntries, type Marks, markTtlMs, nameMark } from "./marked_cache.ts";
import { giveBack, takeOnce } from "./once.ts";
import type { Tables } from "./tables.ts";

const CacheRow = struct({ value: text(), expiresAt: int(), marks: text() });
const MarkRow = struct({ name: text(), version: text() });

export function databaseEntries(tables: Tables): MarkedEntries {
  const { db } = tables;
  const rowName = (cache: string, mark: string): string => digestOf(`${cache} ${mark}`);
  return tables.after<MarkedEntries>({
    read: async (cache, name, marks) => {
      const row = await db.first(CacheRow)`select ${CacheRow} from fw_cache
        where cache = ${cache} and name = ${name}`;
      const entry = row && {
        value: Uint8Array.fromBase64(row.value),
        marks: JSON.parse(row.marks) as Marks,
        leftMs: row.expiresAt - tables.now(),
      };
      const wanted = new Map(
        [...marks, ...Object.keys(entry?.marks ?? {})].map((mark) => [rowName(cache, mark), mark]),
      );
      const rows = await db.all(MarkRow)`select ${MarkRow} from fw_cache_marks where name ${
        among([...wanted.keys()])
      }`;
      const versions = rows.map(({ name, version }) => [wanted.get(name) ?? "", version]);
      return { entry, versions: Object.fromEntries(versions) };
    },
    write: async (cache, name, { value, marks, ttlMs }) => {
      const expiresAt = Math.ceil(tables.now() + ttlMs);
      await db.run`insert into fw_cache (cache, name, value, expires_at, marks)
        values (${cache}, ${name}, ${value.toBase64()}, ${expiresAt}, ${JSON.stringify(marks)})
        on conflict (cache, name) do update set value = excluded.value, expires_at = excluded.expires_at,
          marks = excluded.marks`;
    },
    change: async (cache, marks) => {
      if (marks.length === 0) return 0;
      const expiresAt = tables.now() + markTtlMs;
      // Sorted, so that two invalidations do not deadlock.
      for (const name of marks.map((mark) => rowName(cache, mark)).sort()) {
        await db.run`insert into fw_cache_marks (name, version, expires_at)
          values (${name}, ${crypto.randomUUID()}, ${expiresAt})
          on conflict (name) do update set version = excluded.version, expires_at = excluded.expires_at`;
      }
      const names = marks.flatMap((mark) =>
        mark.startsWith(nameMark) ? [mark.slice(nameMark.length)] : []
      );
      const tags = marks.filter((mark) => !mark.startsWith(nameMark) && mark !== "all");
      return await db.run`-- scan: entries of one cache
        delete from fw_cache where cache = ${cache} and ${
        or(
          marks.includes("all") && sql`1 = 1`,
          names.length > 0 && sql`name ${among(names)}`,
          ...tags.map((mark) => sql`marks like ${`%${mark}%`}`),
        )
      }`;
    },
    claim: async (cache, name, ttlMs) => {
      const lease = `cache:${digestOf(`${cache} claim ${name}`)}`;
      const until = await takeOnce(tables, lease, ttlMs);
      return until === undefined ? undefined : () => giveBack(tables, lease, until);
    },
  });
}
