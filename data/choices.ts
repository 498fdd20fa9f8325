import { type Infer, int, struct, text } from "../mod.ts";
import type { StructSchema } from "../runtime/schema/mod.ts";
import {
  type AnyStruct,
  columnName,
  createStruct,
  quotedColumn,
  quoteName,
  structFields,
} from "./columns.ts";
import type { Db } from "./db.ts";
import { ConstraintError } from "./errors.ts";
import { cleanQuery, plainText } from "./search.ts";
import { among, name, rawText, type Sql, sql, where } from "./sql.ts";

/** A selectable row for a reference field of a form. */
export interface Choice {
  /** The id of the row. */
  readonly value: number;
  /** The label shown for the row. */
  readonly label: string;
}

/** The table whose rows a reference may select. */
export interface ChoiceSource {
  /** The table. */
  readonly table: string;
  /** The column that labels its rows. */
  readonly label: string;
  /** Whether deleted rows are kept and marked in the column `deleted_at`. @default false */
  readonly isAudited?: boolean;
  /** The condition of the rows that a new reference may select, such as users with a role. @default all */
  readonly only?: Sql;
}

/** The ids that rows have stored in a reference. */
export type StoredIds = readonly (number | bigint | null | undefined)[];

const Offered = struct({ value: int(), label: text() });

/** The newest rows that a form offers; in a form with several rows, each has all of them. */
const maxOffered = 1_000;
const maxOfferedEach = 200;

/**
 * Reads the rows that a reference may select: the newest 1,000 and the chosen one, or 50 of the newest 10,000
 * whose label contains a string. For the rows of a form pass the ids of all chosen ones: the newest 200 and
 * these.
 *
 * @param db The database.
 * @param source The table, and what is `asked`: a string to search for, or the chosen ids. A chosen row that a new
 * reference may not select is among the choices only if it is `stored`.
 * @returns The choices by label.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readChoices } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * await using db = await openSqlite(":memory:");
 * await db.run`create table cities (id integer primary key, name text) strict`;
 * await db.run`insert into cities (name) values ('Lisboa'), ('Porto')`;
 * const found = await readChoices(db, { table: "cities", label: "name", asked: "lis" });
 * assertEquals(found, [{ value: 1, label: "Lisboa" }]);
 * ```
 */
export async function readChoices(
  db: Db,
  { table, label, isAudited = false, only, asked, stored = [] }: ChoiceSource & {
    readonly asked?: number | bigint | string | readonly number[] | null | undefined;
    /** The ids that the shown rows have stored, which may be chosen even if the row is deleted. @default none */
    readonly stored?: StoredIds;
  },
): Promise<Choice[]> {
  // The value is shown and searched as text, whatever the column's type. A row may lack it.
  const text = sql`coalesce(nullif(cast(${name(label)} as text), ''), '#' || "id")`;
  const isLive = isAudited && sql`"deleted_at" is null`;
  const isOffered = isLive && only ? sql`${isLive} and (${only})` : isLive || only;
  const live = where(isOffered);
  if (typeof asked !== "string") {
    const chosen = Array.isArray(asked) ? asked : [asked];
    // A submitted id must not reveal the label of a row that the form does not offer.
    const kept = among(idsIn(stored));
    return await db.all(Offered)`
      -- scan: of 1,000 rows and the chosen ones
      select * from (
        select "id" as "value", ${text} as "label" from ${name(table)} ${live}
        order by "id" desc limit ${chosen === asked ? maxOfferedEach : maxOffered}) x
      union select "id", ${text} from ${name(table)}
      ${where(sql`"id" ${among(idsIn(chosen))}`, isOffered && sql`("id" ${kept} or ${isOffered})`)}
      order by 2`;
  }
  const query = cleanQuery(asked);
  const isSqlite = db.engine === "sqlite";
  const pattern = `%${(isSqlite ? plainText(query) : query).replace(/[\\%_]/g, "\\$&")}%`;
  // SQLite's `lower` handles only ASCII; Postgres follows the locale of the database.
  const lower = (part: unknown): Sql => isSqlite ? sql`fw_plain(${part})` : sql`lower(${part})`;
  return await db.all(Offered)`
    -- scan: of 10,000 rows
    select "id" as "value", ${text} as "label" from (
      select * from ${name(table)} ${live} order by "id" desc limit 10000) x
    where ${lower(text)} like ${lower(pattern)} escape ${"\\"} order by 2 limit 50`;
}

const Labelled = struct({ value: int(), label: text(), count: int() });

/** Reads the rows with given ids, and one row for each given label, with the count of rows that may be selected. */
export async function readLabelled(
  db: Db,
  { table, label, isAudited = false, only, ids, labels }: ChoiceSource & {
    readonly ids: readonly number[];
    readonly labels: readonly string[];
  },
): Promise<Readonly<Record<"byId" | "byLabel", readonly Infer<typeof Labelled>[]>>> {
  const text = sql`coalesce(cast(${name(label)} as text), '')`;
  const read = db.all(Labelled);
  return {
    byId: ids.length === 0 ? [] : await read`
      select "id" as "value", ${text} as "label", 1 as "count" from ${name(table)}
      where "id" ${among(ids)}`,
    byLabel: labels.length === 0 ? [] : await read`
      -- scan: once for the labels of many rows
      select min("id") as "value", ${text} as "label", count(*) as "count" from ${name(table)}
      ${where(sql`${text} ${among(labels)}`, isAudited && sql`"deleted_at" is null`, only)}
      group by 2`,
  };
}

/** Returns the property with the label of a reference: `readerName` for `readerId`. */
export function labelProperty(property: string): string | undefined {
  return property.endsWith("Id") ? property.replace(/Id$/, "Name") : undefined;
}

/** Adds the labels that rows have to written columns, each after its reference. */
export function withLabels<Row>(
  columns: AnyStruct,
  { rows, references = {} }: {
    readonly rows: StructSchema<Row>;
    readonly references?: Readonly<Record<string, ChoiceSource>>;
  },
): StructSchema<Row> {
  const read = structFields(rows);
  const fields = [...structFields(columns)].flatMap(([property, field]) => {
    const shown = Object.hasOwn(references, property) ? labelProperty(property) : undefined;
    const label = shown && read.get(shown);
    return label ? [[property, field], [shown, label]] as const : [[property, field] as const];
  });
  return createStruct(new Map(fields)) as StructSchema<Row>;
}

/** Returns the values that may be ids, as one kind: a field may be an `int` or an `int64`. */
function idsIn(values: Iterable<unknown>): bigint[] {
  return [...values].flatMap((value) => {
    const id = Number.isSafeInteger(value) ? BigInt(Number(value)) : value;
    return typeof id === "bigint" && BigInt.asIntN(64, id) === id ? id : [];
  });
}

export function selectLabelled(
  { table, rows, references = {} }: {
    readonly table: string;
    readonly rows: AnyStruct;
    readonly references?: Readonly<Record<string, ChoiceSource>> | undefined;
  },
): Sql {
  const fields = structFields(rows);
  const labels = new Map(
    Object.entries(references).map(([property, source]) => [
      labelProperty(property),
      { ...source, property, alias: quoteName(property.replace(/Id$/, "")) },
    ]),
  );
  const joins = [...labels].flatMap(([shown, { table, alias, property }]) =>
    shown !== undefined && fields.has(shown)
      ? ` left join ${quoteName(table)} ${alias} on ${alias}."id" = t.${quotedColumn(property)}`
      : []
  );
  const columns = [...fields.keys()].map((property) => {
    const found = labels.get(property);
    return found === undefined
      ? `t.${quotedColumn(property)}`
      : `${found.alias}.${quoteName(found.label)} as ${quotedColumn(property)}`;
  });
  return rawText(`select ${columns.join(", ")} from ${quoteName(table)} t${joins.join("")}`);
}

/**
 * Refuses a reference to a row that is marked as deleted or may not be selected, as the database refuses a missing one.
 * Rows that already have the reference may keep it.
 */
export async function checkReferences(
  db: Db,
  { table, references = {}, written, ids }: {
    readonly table: string;
    readonly references?: Readonly<Record<string, ChoiceSource>>;
    readonly written: readonly object[];
    /** The ids of the changed rows; `undefined` for new rows. */
    readonly ids?: readonly number[];
  },
): Promise<void> {
  for (const [property, { table: target, isAudited, only }] of Object.entries(references)) {
    const isGone = isAudited === true && sql`"deleted_at" is not null`;
    // A condition that is null selects no row either.
    const isOther = only && sql`(${only}) is not true`;
    const isWrong = isGone && isOther ? sql`(${isGone} or ${isOther})` : isGone || isOther;
    if (!isWrong) continue;
    const named = new Set(written.map((row) => new Map(Object.entries(row)).get(property)));
    const values = idsIn(named);
    if (values.length === 0) continue;
    const column = columnName(property);
    const isNew = ids !== undefined && sql`exists (select 1 from ${name(table)} t
      where t."id" ${among(ids)} and t.${name(column)} is distinct from r."id")`;
    const gone = await db.first(int())`select r."id" from ${name(target)} r
      ${where(sql`r."id" ${among(values)}`, isWrong, isNew)} limit 1`;
    if (gone !== undefined) {
      throw new ConstraintError({ kind: "reference", table: target, columns: [column] });
    }
  }
}
