import { int, struct, text } from "../mod.ts";
import { columnName } from "./columns.ts";
import type { Db } from "./db.ts";
import { ConstraintError } from "./errors.ts";
import { cleanQuery, plainText } from "./search.ts";
import { among, name, type Sql, sql, where } from "./sql.ts";

/** A row that a form offers for a reference. */
export interface Choice {
  /** The id. */
  readonly value: number;
  /** The name. */
  readonly label: string;
}

/** The source of the rows for a reference. */
export interface ChoiceSource {
  /** The table. */
  readonly table: string;
  /** The column that names its rows. */
  readonly label: string;
  /** Whether its deleted rows stay, in the column `deleted_at`. @default false */
  readonly isAudited?: boolean;
}

const Offered = struct({ value: int(), label: text() });

/**
 * Reads the newest 1,000 rows of a table and the chosen one, or 50 of the newest 10,000 whose label holds a text.
 */
export async function readChoices(
  db: Db,
  { table, label, isAudited = false, asked }: ChoiceSource & {
    readonly asked?: number | string | null | undefined;
  },
): Promise<Choice[]> {
  // Whatever the type of the column, its value is shown and searched as a text.
  const text = sql`cast(${name(label)} as text)`;
  const live = where(isAudited && sql`"deleted_at" is null`);
  if (typeof asked !== "string") {
    return await db.all(Offered)`
      -- scan: of 1,001 rows
      select * from (
        select "id" as "value", ${text} as "label" from ${name(table)} ${live}
        order by "id" desc limit 1000) x
      union select "id", ${text} from ${name(table)} where "id" = ${asked ?? null} order by 2`;
  }
  const query = cleanQuery(asked);
  const isSqlite = db.engine === "sqlite";
  const pattern = `%${(isSqlite ? plainText(query) : query).replace(/[\\%_]/g, "\\$&")}%`;
  // SQLite's own function knows ASCII alone, and a server that of its locale.
  const lower = (part: unknown): Sql => isSqlite ? sql`fw_plain(${part})` : sql`lower(${part})`;
  return await db.all(Offered)`
    -- scan: of 10,000 rows
    select "id" as "value", ${text} as "label" from (
      select * from ${name(table)} ${live} order by "id" desc limit 10000) x
    where ${lower(text)} like ${lower(pattern)} escape ${"\\"} order by 2 limit 50`;
}

/**
 * Refuses a reference to a row that was deleted and stays, as the database refuses one to a row that does not exist. A
 * row that has it already keeps it.
 *
 * @throws {ConstraintError} of the kind `reference`.
 */
export async function checkReferences(
  db: Db,
  { table, references = {}, written, ids }: {
    readonly table: string;
    readonly references?: Readonly<Record<string, ChoiceSource>>;
    readonly written: readonly object[];
    /** The rows that are changed; `undefined` for rows that are added. */
    readonly ids?: readonly number[];
  },
): Promise<void> {
  for (const [property, { table: target, isAudited }] of Object.entries(references)) {
    if (isAudited !== true) continue;
    const named = new Set(written.map((row) => new Map(Object.entries(row)).get(property)));
    const values = [...named].filter(Number.isSafeInteger);
    if (values.length === 0) continue;
    const column = columnName(property);
    const isNew = ids !== undefined && sql`exists (select 1 from ${name(table)} t
      where t."id" ${among(ids)} and t.${name(column)} is distinct from r."id")`;
    const gone = await db.first(int())`select r."id" from ${name(target)} r
      ${where(sql`r."id" ${among(values)}`, sql`r."deleted_at" is not null`, isNew)} limit 1`;
    if (gone !== undefined) {
      throw new ConstraintError({ kind: "reference", table: target, columns: [column] });
    }
  }
}
