import { float, type RateLimitStore } from "../../mod.ts";
import type { OnceStore } from "../../runtime/addon.ts";
import { sql } from "../sql.ts";
import type { Tables } from "./tables.ts";

export function databaseLimits(tables: Tables): RateLimitStore {
  const { db } = tables;
  return tables.after<RateLimitStore>({
    take: async (key, { rate, burst }) => {
      const tokenMs = 1_000 / rate;
      const now = db.engine === "sqlite"
        ? sql`${tables.now()}`
        : sql`(extract(epoch from clock_timestamp()) * 1000)::double precision`;
      const full = sql`fw_limits.full_at`;
      // No bucket is emptier than empty, unless the clock has been set back.
      const start = sql`case when ${full} > ${now} + ${tokenMs * burst + 1}
        then ${now} + ${tokenMs * (burst - 1)} when ${full} > ${now} then ${full} else ${now} end`;
      // Tolerates rounding errors in sums of fractional milliseconds. A refusal writes nothing.
      const taken = await db
        .run`insert into fw_limits (key, full_at) values (${key}, ${now} + ${tokenMs})
        on conflict (key) do update set full_at = ${start} + ${tokenMs}
        where ${start} - ${now} <= ${tokenMs * (burst - 1) + 0.001}`;
      if (taken > 0) return 0;
      const leftMs = await db.first(
        float(),
      )`select full_at - ${now} from fw_limits where key = ${key}`;
      return Math.max(1, (leftMs ?? 0) - tokenMs * (burst - 1));
    },
  });
}

export function databaseOnce(tables: Tables): OnceStore {
  return tables.after<OnceStore>({
    take: async (name, ttlMs) => await takeOnce(tables, name, ttlMs) !== undefined,
  });
}

/** Marks a name as used; returns the time of its expiry, or `undefined` if it was already used. */
export async function takeOnce(
  tables: Tables,
  name: string,
  ttlMs: number,
): Promise<number | undefined> {
  const now = tables.now();
  const until = Math.ceil(now + ttlMs);
  const count = await tables.db
    .run`insert into fw_once (name, expires_at) values (${name}, ${until})
    on conflict (name) do update set expires_at = excluded.expires_at
    where fw_once.expires_at <= ${now}`;
  return count > 0 ? until : undefined;
}

/** Releases a name, unless another caller has used it since. */
export async function giveBack(tables: Tables, name: string, until: number): Promise<void> {
  await tables.db.run`delete from fw_once where name = ${name} and expires_at = ${until}`;
}
