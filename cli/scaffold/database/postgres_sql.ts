/** Translates SQL of migrations from SQLite to Postgres: that of `generate`, and plain tables. */

/** The kind of a property whose SQLite column is a number or a text. */
export type ColumnKind = "bool" | "date" | "day" | "json";

const searchHead = `create extension if not exists unaccent schema public;
create extension if not exists pg_trgm schema public;
create or replace function fw_plain(text) returns text language sql immutable strict parallel safe
  as $$ select lower(public.unaccent('public.unaccent', $1)) $$;
`;

const types: Readonly<Record<string, string>> = {
  integer: "bigint",
  int: "bigint",
  real: "double precision",
  blob: "bytea",
};

const kindTypes: Readonly<Record<ColumnKind, string>> = {
  bool: "boolean",
  date: "timestamptz",
  day: "date",
  json: "jsonb",
};

/** Translates a migration. @param kinds The kinds of columns by `table.column`. */
export function toPostgresSql(
  source: string,
  kinds: ReadonlyMap<string, ColumnKind>,
): { readonly text: string; readonly unsure: readonly string[] } {
  // The code of the accounts stores addresses in lower case, and `on conflict` names the plain column.
  const isAccounts = source.includes("create table known_browsers");
  const sql = isAccounts
    ? source.replaceAll(" collate nocase", "").replaceAll("instr(", "strpos(")
    : source;
  const isSearched = /\busing fts5\b/i.test(sql);
  const unique: string[] = [];
  const folded = new Set(
    [...sql.matchAll(/^[ \t]*"?(\w+)"? .*\bcollate nocase\b/gim)].map(([, name]) => name),
  );
  // Statement by statement, so that an unterminated one is scanned only once.
  const text = sql.split(/^(?=create )/im).map((part) =>
    part
      .replace(/^create trigger\b[^]*?\bend;\n?/i, "")
      .replace(/^create virtual table "?(\w+)_search"? using fts5\s*\(([^]*?)\);\n?/i, searchSql)
      .replace(/^insert into "?\w+_search"? .*\('rebuild'\);\n?/im, "")
      .replace(
        /^(create table (?:if not exists )?("(?:[^"]|"")+"|\w+)\s*\()([^]*?)(\n?\)(?: strict)?(?:,? without rowid)?;)/i,
        (_, head: string, name: string, body: string) =>
          `${head}${tableBody(body, { table: bare(name), kinds, unique })}\n);`,
      )
      .replace(
        /^(create unique index .* \()("?(\w+)"?)(?=\))/i,
        (line, head: string, column: string, name: string) =>
          folded.has(name) ? `${head}lower(${column})` : line,
      )
      // Postgres uses the order of an index behind an equation, but not behind "is null".
      .replace(
        /^(create index "?\w+_by_no_(\w+?)(?:_and_\w+)?"? .*\()("?\2"?),/i,
        "$1($3 is null),",
      )
  ).join("")
    .replaceAll(
      /^(alter table "?(\w+)"? add column )(.*)$/gim,
      (_, head: string, table: string, column: string) =>
        head + tableBody(column, { table, kinds, unique }),
    )
    .replaceAll(/(?<!\s)\s+collate nocase\b/gi, "");
  const whole = [...isSearched ? [searchHead] : [], withFlags(text.trim(), kinds), ...unique].join(
    "\n",
  );
  const unsure = whole.split("\n").filter((line) =>
    /\b(?:pragma|autoincrement|unixepoch|strftime|julianday|json_each|rowid|virtual table|insert or|glob)\b/i
      .test(line)
  );
  return { text: `${whole}\n`, unsure };
}

/** Writes flags as words, for example in `where paid = 0` of an index. */
function withFlags(sql: string, kinds: ReadonlyMap<string, ColumnKind>): string {
  let table: string | undefined;
  return sql.split("\n").map((line) => {
    const start = /^(?:create (?:unique )?index .* on|update|delete from) "?(\w+)/i.exec(line);
    table = start?.[1] ?? table;
    const own = table;
    const changed = own === undefined ? line : line.replaceAll(
      /("?)\b(\w+)\1( *(?:=|<>|!=) *)([01])\b/g,
      (found, quote, column, sign, digit) =>
        kinds.get(`${own}.${column}`) === "bool"
          ? `${quote}${column}${quote}${sign}${digit === "1"}`
          : found,
    );
    if (line.trimEnd().endsWith(";")) table = undefined;
    return changed;
  }).join("\n");
}

function bare(name: string): string {
  return name.replaceAll(/^"|"$/g, "");
}

function searchSql(_: string, table: string, body: string): string {
  const columns = [...body.split(/\bcontent\s*=/i)[0]?.matchAll(/"?(\w+)"?\s*(?=,)/g) ?? []]
    .map(([, column]) => `coalesce("${column}", '')`);
  return `alter table "${table}" add column "search" text generated always as (fw_plain(${
    columns.join(" || e'\\n' || ")
  })) stored;
create index "${table}_search" on "${table}" using gin ("search" public.gin_trgm_ops);
`;
}

function tableBody(
  body: string,
  { table, kinds, unique }: {
    readonly table: string;
    readonly kinds: ReadonlyMap<string, ColumnKind>;
    readonly unique: string[];
  },
): string {
  return body
    .replaceAll(
      /\binteger primary key(?! references)(?: autoincrement)?\b/gi,
      "bigint generated always as identity primary key",
    )
    .replaceAll(/\(unixepoch\(\)\)/gi, "(extract(epoch from now())::bigint)")
    .replaceAll(
      /^([ \t]*("(?:[^"]|"")+"|\w+)[ \t]+)(\w+)\b(.*)$/gm,
      (line, start, name, type, rest: string) => {
        const column = bare(name);
        const kind = kinds.get(`${table}.${column}`);
        const wanted = kind === undefined ? types[type.toLowerCase()] : kindTypes[kind];
        if (/\bcollate nocase\b/i.test(rest) && /\bunique\b/i.test(rest)) {
          unique.push(
            `create unique index "${table}_${column}_key" on "${table}" (lower("${column}"));`,
          );
          return `${start}${wanted ?? type}${
            rest.replace(/(?<!\s)\s*\bunique\b/i, "").replace(/(?<!\s)\s*\bcollate nocase\b/i, "")
          }`;
        }
        return wanted === undefined ? line : `${start}${wanted}${rest}`;
      },
    );
}

/** Finds the kinds of the columns of a generated store: `lent: bool()`. */
export function findColumnKinds(store: string, table: string): ReadonlyMap<string, ColumnKind> {
  const kinds = new Map<string, ColumnKind>();
  for (const [, property = "", kind] of store.matchAll(/^\s+(\w+): (bool|date|day)\(/gm)) {
    const column = property.replaceAll(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);
    kinds.set(`${table}.${column}`, kind as ColumnKind);
  }
  return store.includes("isAudited: true") ? new Map([...kinds, ...auditKinds(table)]) : kinds;
}

/** Returns the kinds of the additional columns of a table with a history. */
export function auditKinds(table: string): ReadonlyMap<string, ColumnKind> {
  return new Map([
    [`${table}.deleted_at`, "date"],
    [`${table}_changes.at`, "date"],
    [`${table}_changes.fields`, "json"],
  ]);
}
