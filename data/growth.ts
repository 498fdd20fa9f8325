import { float, int, struct, text } from "../mod.ts";
import { columnName } from "./columns.ts";
import type { Db } from "./db.ts";
import { type Condition, name, type Sql, sql, where } from "./sql.ts";

const Week = struct({ age: int(), count: int(), sum: float() });
const Share = struct({ value: text().optional(), count: int() });

/** The growth of a table, for the overview page of an application. */
export interface Growth {
  /** The number of rows. */
  readonly total: number;
  /** The number of rows added in each of the last 13 weeks. */
  readonly added: readonly number[];
  /** The number of rows after each week. */
  readonly counts: readonly number[];
  /** The sum of a column after each week. */
  readonly sums: readonly number[];
  /** The number of rows for each value of a column; `""` stands for null. */
  readonly shares: ReadonlyMap<string, number>;
}

const weeks = 13;
const weekSeconds = 7 * 24 * 60 * 60;

/** Reads the {@linkcode Growth} of the rows that match a condition. */
export async function readGrowth(
  db: Db,
  { table, live, share, sum }: {
    readonly table: Sql;
    readonly live: Condition;
    readonly share?: string | undefined;
    readonly sum?: string | undefined;
  },
): Promise<Growth> {
  const column = sum === undefined ? sql`0` : name(columnName(sum));
  // The sum of two maximum amounts exceeds the safe integers of JavaScript.
  const total = sql`coalesce(sum(cast(${column} as double precision)), 0.0)`;
  const figures = sql`count(*) as "count", ${total} as "sum"`;
  const all = await db.one(Week)`
    -- scan: the page says how many there are
    select 0 as "age", ${figures} from ${table} ${where(live)}`;
  const now = Math.floor(Date.now() / 1_000);
  const recent = await db.all(Week)`
    select (${now} - "added_at") / ${weekSeconds} as "age", ${figures}
    from ${table} ${where(sql`"added_at" > ${now - weeks * weekSeconds}`, live)} group by 1`;
  const shares = share === undefined ? [] : await db.all(Share)`
    -- scan: the page says how many there are
    select ${name(columnName(share))} as "value", count(*) as "count"
    from ${table} ${where(live)} group by 1`;
  const [added, counts, sums]: [number[], number[], number[]] = [[], [], []];
  let { count, sum: amount } = all;
  for (let age = 0; age < weeks; age++) {
    const week = recent.find((each) => each.age === age) ?? { count: 0, sum: 0 };
    added.unshift(week.count);
    counts.unshift(count);
    sums.unshift(amount);
    count -= week.count;
    amount -= week.sum;
  }
  const byValue = new Map(shares.map(({ value, count }) => [value ?? "", count]));
  return { total: all.count, added, counts, sums, shares: byValue };
}
