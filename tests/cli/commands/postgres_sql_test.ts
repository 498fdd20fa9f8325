import { assertEquals } from "@std/assert";
import { findColumnKinds, toPostgresSql } from "../../../cli/scaffold/database/postgres_sql.ts";

const kinds = findColumnKinds(
  "const fields = {\n  isDone: bool(),\n  due: day(),\n  madeAt: date(),\n};\nisAudited: true,\n",
  "notes",
);

const rows:
  readonly (readonly [name: string, sqlite: string, postgres: string, unsure?: number])[] = [
    [
      "integers, booleans, days, instants and bytes",
      "create table notes (\n  id integer primary key,\n  is_done integer not null,\n  due text,\n" +
      "  made_at integer,\n  size real,\n  data blob\n) strict;\n",
      "create table notes (\n  id bigint generated always as identity primary key,\n" +
      "  is_done boolean not null,\n  due date,\n  made_at timestamptz,\n  size double precision,\n" +
      "  data bytea\n);\n",
    ],
    [
      "an address that is unique regardless of case",
      'create table a (\n  "mail" text not null unique collate nocase\n) strict;\n',
      'create table a (\n  "mail" text not null\n);\n' +
      'create unique index "a_mail_key" on "a" (lower("mail"));\n',
    ],
    [
      "a table with a history, and an address that is unique among its live rows",
      "create table notes (\n  mail text collate nocase\n) strict;\n" +
      "alter table notes add column deleted_at integer;\n" +
      "create unique index a on notes (mail) where deleted_at is null;\n" +
      "create table notes_changes (\n  at integer not null,\n  fields text not null\n) strict;\n",
      "create table notes (\n  mail text\n);\n" +
      "alter table notes add column deleted_at timestamptz;\n" +
      "create unique index a on notes (lower(mail)) where deleted_at is null;\n" +
      "create table notes_changes (\n  at timestamptz not null,\n  fields jsonb not null\n);\n",
    ],
    [
      "a reference and an index",
      "create table b (\n  a_id integer not null references a (id)\n) strict;\ncreate index b_a on b (a_id);\n",
      "create table b (\n  a_id bigint not null references a (id)\n);\ncreate index b_a on b (a_id);\n",
    ],
    [
      "a key that is a foreign key",
      "create table b (\n  a_id integer primary key references a (id)\n) strict;\n",
      "create table b (\n  a_id bigint primary key references a (id)\n);\n",
    ],
    [
      "an index of a nullable date",
      'create index "a_by_no_due_day_and_b" on "a" ("due_day", "b", "id");\n' +
      'create index "a_by_due" on "a" ("due", "id");\n',
      'create index "a_by_no_due_day_and_b" on "a" (("due_day" is null), "b", "id");\n' +
      'create index "a_by_due" on "a" ("due", "id");\n',
    ],
    [
      "quoted names",
      `create table "a ""b" (\n  "x y" int,\n  "a""z" text unique collate nocase\n) strict;\n`,
      `create table "a ""b" (\n  "x y" bigint,\n  "a""z" text\n);\n` +
      `create unique index "a ""b_a""z_key" on "a ""b" (lower("a""z"));\n`,
    ],
    [
      "booleans in conditions and assignments",
      'create index a on notes (id)\n  where "is_done" = 0 and due is not null;\n' +
      "update notes set is_done = 1 where is_done <> 1;\n" +
      "create index b on others (id) where is_done = 0;\n",
      'create index a on notes (id)\n  where "is_done" = false and due is not null;\n' +
      "update notes set is_done = true where is_done <> true;\n" +
      "create index b on others (id) where is_done = 0;\n",
    ],
    [
      "features that only SQLite has",
      "pragma user_version = 2;\n",
      "pragma user_version = 2;\n",
      1,
    ],
  ];

for (const [name, sqlite, postgres, unsure = 0] of rows) {
  Deno.test(`toPostgresSql: ${name}`, () => {
    const made = toPostgresSql(sqlite, kinds);
    assertEquals([made.text, made.unsure.length], [postgres, unsure]);
  });
}

const endless = ["create trigger x\n", "create table a (\n", "update notes\n", " ", "\n"];
for (const part of endless) {
  Deno.test(`toPostgresSql: reads an unterminated statement in one pass: ${JSON.stringify(part)}`, () => {
    const text = part.repeat(1_000_000 / part.length);
    // Reading the rest again from each line would take minutes.
    assertEquals(toPostgresSql(text, kinds).text, `${text.trim()}\n`);
  });
}
