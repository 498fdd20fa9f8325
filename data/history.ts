import { AsyncLocalStorage } from "node:async_hooks";
import { date, int, list, struct, text } from "../mod.ts";
import { cutText } from "../runtime/addon.ts";
import type { StructSchema } from "../runtime/schema/mod.ts";
import { type FieldDef, structFields } from "./columns.ts";
import type { Db } from "./db.ts";
import { values } from "./row_parts.ts";
import { name, sql } from "./sql.ts";
import { rowJson } from "./values.ts";

/** A change of a row. */
export interface Change {
  /** The id of the row. */
  readonly rowId: number;
  /** The time of the change. */
  readonly at: Date;
  /** The author, as {@linkcode changedBy} named them. */
  readonly by: string | null;
  /** The kind of change. */
  readonly act: "added" | "changed" | "deleted" | "restored";
  /** The changed fields; values are cut to 200 characters. */
  readonly fields: {
    readonly name: string;
    readonly from: string | null;
    readonly to: string | null;
  }[];
}

export const ChangeRow: StructSchema<Change> = struct({
  rowId: int(),
  at: date("required"),
  by: text().optional(),
  act: text("required,oneof=added changed deleted restored"),
  fields: list(struct({ name: text(), from: text().optional(), to: text().optional() })),
});

const actors = new AsyncLocalStorage<string | undefined>();

/**
 * Records the changes of audited tables by a function under a name. A middleware calls it around handlers.
 *
 * @param who The name or the email address of the user; `undefined` if unknown.
 * @param work The function; it may be asynchronous.
 * @returns The result of the function.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { changedBy } from "@fw/fw/data";
 *
 * assertEquals(await changedBy("ada@example.com", async () => "done"), "done");
 * ```
 */
export function changedBy<T>(who: string | undefined, work: () => T): T {
  return actors.run(who, work);
}

interface ChangedRow {
  readonly id: number;
}

const maxValueChars = 200;

/**
 * Records a change of rows in the same transaction; unchanged rows are not recorded. A reference is
 * recorded as the name of its row if the query reads that name and it is not itself a field.
 */
export async function recordChange(
  db: Db,
  { table, input }: { readonly table: string; readonly input: StructSchema<unknown> },
  { act, rows, fields = [], after = [] }: {
    readonly act: Change["act"];
    /** The rows before the change; for added rows, their ids. */
    readonly rows: readonly ChangedRow[];
    /** The written fields. @default they are not recorded */
    readonly fields?: readonly string[];
    /** The rows after the change. */
    readonly after?: readonly ChangedRow[];
  },
): Promise<void> {
  const at = new Date();
  const by = actors.getStore() ?? null;
  const written = new Map(after.map((row) => [row.id, row]));
  const own = structFields(input);
  const changes = rows.flatMap((row): Change[] => {
    const before = new Map<string, unknown>(Object.entries(row));
    const now = new Map<string, unknown>(Object.entries(written.get(row.id) ?? {}));
    const changed = fields.flatMap((name) => {
      const item = itemFields(own.get(name));
      return item === undefined
        ? compareFields([name], { before, now, own })
        : compareRows(name, { before: before.get(name), now: now.get(name), own: item });
    });
    const isSame = fields.length > 0 && changed.length === 0;
    return isSame ? [] : [{ rowId: row.id, at, by, act, fields: changed }];
  });
  if (changes.length === 0) return;
  await db.run`insert into ${name(`${table}_changes`)} ${values(ChangeRow, changes)}`;
}

type Fields = Change["fields"];

type Values = ReadonlyMap<string, unknown>;

function compareFields(
  names: Iterable<string>,
  { before, now, own, prefix = "" }: {
    readonly before: Values;
    readonly now: Values;
    readonly own: Values;
    readonly prefix?: string;
  },
): Fields {
  return [...names].flatMap((name) => {
    if (valueText(before.get(name)) === valueText(now.get(name))) return [];
    const title = name.replace(/Id$/, "Name");
    const shown = (row: Values): string | null => {
      const text = valueText((own.has(title) ? undefined : row.get(title)) ?? row.get(name));
      return text && cutText(text, maxValueChars);
    };
    return [{ name: prefix + name, from: shown(before), to: shown(now) }];
  });
}

/** Compares child rows by their ids: the fields of changed ones, and the first text of the others. */
function compareRows(
  name: string,
  { before, now, own }: { readonly before: unknown; readonly now: unknown; readonly own: Values },
): Fields {
  const old = new Map(readRows(before).map((row) => [row.get("id"), row]));
  const rowTitle = (row: Values): string => {
    const title = [...row.values()].find((value) => typeof value === "string");
    return cutText(title ?? `#${row.get("id")}`, maxValueChars);
  };
  const kept = readRows(now).flatMap((row) => {
    const id = row.get("id");
    const was = old.get(id);
    if (!old.delete(id) || was === undefined) return [{ name, from: null, to: rowTitle(row) }];
    return compareFields(own.keys(), { before: was, now: row, own, prefix: `${name}.` });
  });
  const gone = [...old.values()].map((row) => ({ name, from: rowTitle(row), to: null }));
  return [...kept, ...gone];
}

function readRows(value: unknown): Map<string, unknown>[] {
  return Array.isArray(value) ? value.map((row) => new Map(Object.entries(row))) : [];
}

/** Returns the fields of child rows; `undefined` for other fields. */
function itemFields(def: FieldDef | undefined): Values | undefined {
  return def?.kind === "list" && def.item.kind === "struct" && def.item.fields.has("id")
    ? def.item.fields
    : undefined;
}

function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? rowJson(value) : String(value);
}

/**
 * Renames a user in the history of every audited table, or removes the name after the account is
 * deleted. It applies to the author of changes and to references recorded as the name.
 *
 * @param who The name that was passed to {@linkcode changedBy}.
 * @param to The new name; `null` removes the name.
 *
 * @example
 * ```ts
 * import { renameAuthor } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * await using db = await openSqlite(":memory:");
 * await renameAuthor(db, "ada@example.com", "ada@example.org");
 * ```
 */
export async function renameAuthor(db: Db, who: string, to: string | null): Promise<void> {
  const isSqlite = db.engine === "sqlite";
  const tables = isSqlite
    ? await db.all(text())`-- scan: of the schema
      select t.name from sqlite_schema t
      where t.type = 'table' and t.name like '%\\_changes' escape '\\' and (
        select count(*) from pragma_table_info(t.name) c
        where c.name in ('row_id', 'by', 'act', 'fields')) = 4`
    : await db.all(text())`-- scan: of the catalog
      select table_name::text from information_schema.columns
      where table_schema = current_schema() and table_name like '%\\_changes'
        and column_name in ('row_id', 'by', 'act', 'fields')
      group by table_name having count(*) = 4`;
  const fields = isSqlite ? sql`"fields"` : sql`"fields"::text`;
  const [colon, back] = isSqlite ? [":", sql``] : [": ", sql`::jsonb`];
  const value = (key: string, name: string | null): string =>
    `"${key}"${colon}${JSON.stringify(name)}`;
  const renamed = ["from", "to"].reduce(
    (text, key) => sql`replace(${text}, ${value(key, who)}, ${value(key, to)})`,
    fields,
  );
  for (const table of tables) {
    await db.run`-- scan: the whole history, once for an account
      update ${name(table)}
      set "by" = case when "by" = ${who} then ${to} else "by" end, "fields" = ${renamed}${back}
      where "by" = ${who} or ${renamed} <> ${fields}`;
  }
}
