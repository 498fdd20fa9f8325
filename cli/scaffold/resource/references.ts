import type { ColumnKind } from "../database/postgres_sql.ts";
import { labelOf } from "../languages.ts";

export interface ReferencedTable {
  readonly table: string;
  readonly title: string;
  /** The pattern of the page of a row. @default no page */
  readonly page?: string | undefined;
  /** Its page needs a sign-in. @default false */
  readonly isGuarded?: boolean;
  /** The role of the users who see its rows. @default all who see the other rows */
  readonly role?: string | undefined;
  readonly isAudited: boolean;
  /** Statements that insert rows 1 and 2, and the rows that they refer to. */
  readonly inserts: readonly string[];
}

interface Column {
  readonly name: string;
  readonly rest: string;
}

const titles = ["name", "title", "headline", "label", "email"];

/** The kinds of columns by `table.column`, which the types of SQLite do not tell. */
type Kinds = ReadonlyMap<string, ColumnKind>;

export function findReferencedTable(
  sql: string,
  table: string,
  kinds: Kinds = new Map(),
): ReferencedTable | undefined {
  // An optional column cannot name a row.
  const named = (tableColumns(sql, table) ?? []).filter(({ rest }) =>
    /^(?:text|varchar|character|date)\b(?!.*\bdefault '')/i.test(rest)
  );
  const isDay = ({ name, rest }: Column): boolean =>
    /^date\b/i.test(rest) || kinds.get(`${table}.${name}`) === "day";
  const texts = named.filter((each) => !isDay(each));
  const title = titles.map((name) => texts.find((each) => each.name === name))
    .find((each) => each !== undefined) ??
    [...texts, ...named].find(({ rest }) => /\bnot null\b/i.test(rest)) ?? texts[0] ?? named[0];
  if (title === undefined) return undefined;
  const audited = new RegExp(`\\balter table "?${table}"? add column "?deleted_at\\b`, "i");
  // A deleted account leaves its table.
  const isAudited = table !== "users" && audited.test(sql);
  return {
    table,
    title: title.name,
    isAudited,
    inserts: insertsOf(sql, table, { kinds, above: [] }),
  };
}

/** Returns statements for rows 1 and 2 of a table, after the rows that they refer to. */
function insertsOf(
  sql: string,
  table: string,
  { kinds, above }: { readonly kinds: Kinds; readonly above: readonly string[] },
): readonly string[] {
  const all = tableColumns(sql, table) ?? [];
  const columns = all.filter(({ name, rest }) =>
    name !== "id" && /\bnot null\b/i.test(rest) && !/\bdefault\b|\bgenerated\b/i.test(rest)
  );
  const needed = columns.flatMap(({ rest }) => /\breferences "?(\w+)/i.exec(rest)?.[1] ?? [])
    .filter((each) => each !== table && !above.includes(each));
  const before = [...new Set(needed)].flatMap((each) =>
    insertsOf(sql, each, { kinds, above: [...above, table] })
  );
  // The database must count ids itself, or the next row would get the same id.
  const isCounted = columns.length > 0 &&
    all.some(({ name, rest }) =>
      name === "id" && /\bgenerated\b|\binteger primary key\b|serial\b/i.test(rest)
    );
  const key = isCounted ? [] : ["id"];
  const names = [...key, ...columns.map(({ name }) => name)].map((name) => `"${name}"`).join(", ");
  const rows = [1, 2].map((id) =>
    `(${
      [
        ...key.map(() => String(id)),
        ...columns.map((column) => valueOf(column, kinds.get(`${table}.${column.name}`), id)),
      ].join(", ")
    })`
  );
  const insert = `insert into "${table}" (${names}) values ${rows.join(", ")}`;
  return [...new Set([...before, insert])];
}

/** Returns a value for the template of a statement: the database converts those in `${}`. */
function valueOf({ name, rest }: Column, kind: ColumnKind | undefined, id: number): string {
  const [, choice] = /\bin \(\s*('[^']*')/i.exec(rest) ?? [];
  if (choice !== undefined) return choice;
  if (kind === "bool" || /^boolean/i.test(rest)) return "${true}";
  if (kind === "day" || /^date\b/i.test(rest)) return `'2026-05-0${id}'`;
  if (kind === "date" || /^timestamp/i.test(rest)) return `\${new Date("2026-05-0${id}")}`;
  if (/^json/i.test(rest)) return "'{}'";
  if (!/^(?:text|varchar|character)\b/i.test(rest)) return String(id);
  if (/(?:^|_)e?mail(?:_address)?$/.test(name)) return `'${name}${id}@example.org'`;
  if (/(?:^|_)(?:url|website|homepage)$/.test(name)) return `'https://example.org/${id}'`;
  return `'${labelOf(name)} ${id}'`;
}

export function tableNames(sql: string): readonly string[] {
  const made = sql.matchAll(/\bcreate table (?:if not exists )?"?(\w+)"?/gi);
  return [...made].flatMap(([, name]) => name ?? []);
}

export function referringTables(sql: string, table: string): readonly string[] {
  const refers = new RegExp(`\\breferences "?${table}\\b`, "i");
  return tableNames(sql).filter((each) =>
    each !== table && tableColumns(sql, each)?.some(({ rest }) => refers.test(rest)) === true
  );
}

function tableColumns(sql: string, table: string): readonly Column[] | undefined {
  const head = new RegExp(`\\bcreate table (?:if not exists )?"?${table}"?\\s*\\(`, "i").exec(sql);
  if (head === null) return undefined;
  const parts: string[] = [""];
  let depth = 0;
  const body = sql.slice(head.index + head[0].length).replaceAll(/--.*$/gm, "");
  for (const sign of body) {
    if (sign === ")" && depth === 0) break;
    if (sign === "(") depth++;
    if (sign === ")") depth--;
    if (sign === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${sign}`);
  }
  return parts.flatMap((part) => {
    const [, name, rest] = /^\s*"?(\w+)"?\s+([^]*)$/.exec(part) ?? [];
    const isConstraint = /^\s*(?:primary|foreign|unique|check|constraint)\b/i.test(part);
    return name === undefined || rest === undefined || isConstraint ? [] : [{ name, rest }];
  });
}
