import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { join } from "@std/path";
import { parseFields } from "../../../../cli/scaffold/resource/fields.ts";
import { columnSql } from "../../../../cli/scaffold/resource/columns.ts";
import {
  findReferencedTable,
  referringTables,
} from "../../../../cli/scaffold/resource/references.ts";
import { nameResource } from "../../../../cli/scaffold/resource/names.ts";
import { limits, listFields, shownField } from "../../../../cli/scaffold/resource/resource.ts";
import { isAccepted, refusedValue } from "../../../../cli/scaffold/resource/samples.ts";
import { openSqlite } from "../../../../data/sqlite/mod.ts";
import { int } from "../../../../runtime/schema/mod.ts";
import * as seed from "../../../../cli/samples/kit/seeds/values.ts";
import { resourceFiles } from "../../../../cli/scaffold/resource/files.ts";
import { sampleFields } from "../../../../cli/scaffold/resource/sample_fields.ts";
import { type Refusal, testRefusals } from "../../refusals.ts";
import { bareResource } from "../bare_resource.ts";
import {
  denoOutput,
  inNewApp,
  inProject,
  listTree,
  page,
  runCli,
  writeFiles,
} from "../../support.ts";

// The written files are checked and run by the tests of generated apps.

const app = {
  "app/layout.ts": "export function Layout() {}\n",
  "app/api/shelves/x/route.ts": "export function GET() {}\n",
  "app/taken/x/route.ts": "export function GET() {}\n",
  "app/members-/cards/slug_/page.ts": page,
  "migrations/0001_a.sql": 'create table "notes" (a text);\ncreate table logs_bytes (a text);\n',
};

const refused: readonly Refusal[] = [
  ["", 2, "needs an argument", "precisa de um argumento"],
  ["../x a:text", 2, 'resource "../x"', 'recurso "../x"'],
  ["Events a:text", 2, "lower-case letters", "letras minúsculas"],
  ["__proto__ a:text", 2, "lower-case letters", "letras minúsculas"],
  ["constructor a:text", 2, "such as events", "como events"],
  ["event a:text", 2, "such as events", "como events"],
  ["news a:text", 2, "with --singular", "com --singular"],
  ["data a:text", 2, "its singular is not known", "não se conhece o singular"],
  ["bus a:text", 2, "its singular is not known", "não se conhece o singular"],
  ["events a:text --guard --public", 2, "pass one of them", "use só um deles"],
  ["events a:text --guard=x --writers=y --public", 2, "pass one of them", "use só um deles"],
  ["news a:text --singular ../x", 2, 'resource "../x"', 'recurso "../x"'],
  ["testdata a:text --singular x", 2, "fw uses this name", "o fw usa este nome"],
  ["node a:text --singular x", 2, "fw uses this name", "o fw usa este nome"],
  ["events a:text --csv x", 2, "such as x:text", "como x:text"],
  ["events a:text --seed x", 2, "from 1 to 1000", "de 1 a 1000"],
  ["events a:text --seed 0", 2, "such as --seed 50", "como --seed 50"],
  ["events a:text --seed=1001", 2, "Cannot seed 1001 rows", "criar 1001 linhas"],
  ["fw_migrations a:text", 2, "fw uses this name", "o fw usa este nome"],
  ["events title", 2, "such as title:text", "como title:text"],
  [
    "events a:txt",
    2,
    "Types: text, long, email, url, oneof=draft/public, int, int64, float, money=EUR, bool, date, day, datetime, ref=customers, image, file, pdf.",
    "Tipos: text",
  ],
  ["events a:constructor", 2, "Types: text", "Tipos: text"],
  [
    "events a:text,requird",
    2,
    "Its rules, each once: required, optional, unique, min, max",
    "cada",
  ],
  ["events a:text,required,required", 2, "each once", "uma vez cada"],
  ["events a:int,even", 2, "Its rules, each once: required", "As do tipo, uma vez cada: required"],
  ["events a:int,min=x", 2, "min=1", "min=1"],
  ["events a:date,min=1", 2, "min=2026-01-31", "min=2026-01-31"],
  ['events a:oneof=a"b', 2, "oneof=draft/public", "oneof=draft/public"],
  [
    "events cover:image score:file",
    2,
    'Cannot generate the resource from "cover", "score": add a field that is neither an image nor a file, such as title:text,required.',
    'Não é possível gerar o recurso a partir de "cover", "score": acrescente um campo que não seja imagem nem ficheiro, como title:text,required.',
  ],
  ["events a:text b:image,max=3gb", 2, "max=2mb", "max=2mb"],
  ["events a:text b:file,max=100mb", 2, "max=2mb", "max=2mb"],
  ["events a:text b:image,min=1", 2, "required, optional, max", "required, optional, max"],
  ["events a:text edit:image", 2, "edit_value", "edit_value"],
  ["events b_type:text b:image", 2, '"b_type" occurs twice', '"b_type" aparece duas vezes'],
  ["events my_b_type:text my_b:image", 2, '"my_b_type" occurs', '"my_b_type" aparece'],
  ["boxes title:text testdata:file", 2, '"testdata"', '"testdata"'],
  ["boxes title:text con:image", 2, '"con"', '"con"'],
  ["kind --singular sort title:text --api", 2, "kind", "kind"],
  [
    `events ${"abcdefghijklmnopqrstuvwxyz".replace(/./g, "$&:int ")}${
      "abcdefghijklmno".replace(/./g, "x$&:int ")
    }`,
    2,
    "up to 40 fields",
    "até 40 campos",
  ],
  [`events ${"a".repeat(41)}:text`, 2, "first_name", "first_name"],
  [`${"a".repeat(40)}s a:text`, 2, "lower-case letters", "letras minúsculas"],
  [`events a:text --guard=${"a".repeat(61)}`, 2, "such as --guard=editor", "como --guard=editor"],
  ["events a:text --guard", 2, "--guard needs a sign-in", "--guard"],
  ["parts up:ref=parts/null", 1, "without that field", "sem esse campo"],
  ["response --singular respond title:text", 2, "response", "response"],
  ["tables title:text", 2, "uses this name", "usa este nome"],
  ["events a:oneof", 2, "oneof=draft/public", "oneof=draft/public"],
  ["events a:enum", 2, "Did you mean a:oneof=draft/public?", 'tipo desconhecido "enum"'],
  ["events title:string", 2, "Did you mean title:text?", "Queria dizer title:text?"],
  ["events body:string", 2, "Did you mean body:long?", "Queria dizer body:long?"],
  ["events a:boolen", 2, "Did you mean a:bool?", "Queria dizer a:bool?"],
  ["events a:text,long", 2, "which is a type: write a:long.", "que é um tipo: escreva a:long."],
  ["events a:text,max=9,email", 2, "write a:email,max=9.", "escreva a:email,max=9."],
  ["events a:int,min=5,max=2", 2, "min above its max", "min acima do max"],
  [
    "events a:date,required,min=2026-02-30",
    2,
    'the rules of the field "a"',
    'as regras do campo "a"',
  ],
  ["events __proto__:text", 2, "first_name", "first_name"],
  ["events a-b:text", 2, "first_name", "first_name"],
  ["events constructor:text", 2, "constructor_value", "constructor_value"],
  ["events id:int", 2, "id_value", "id_value"],
  ["events rank:text", 2, "rank_value", "rank_value"],
  ["events a:text A:text", 2, '"A"', '"A"'],
  ["events aB:text a_b:text", 2, "twice", "duas vezes"],
  ["events a:ref", 2, "ref=customers", "ref=customers"],
  ["events a:ref=../x", 2, "ref=customers", "ref=customers"],
  ["events a:money=euro", 2, "money=EUR", "money=EUR"],
  ["events a:ref=guests", 1, 'refer to "guests"', 'referir "guests"'],
  ["events a:ref=note", 1, 'Did you mean "notes"?', 'Queria dizer "notes"?'],
  ["taken a:text --singular x", 1, "app/taken already exists", "app/taken já existe"],
  ["shelves a:text --api", 1, "app/api/shelves already exists", "app/api/shelves já existe"],
  ["cards a:text", 1, "already handles /cards/{slug}", "já responde a /cards/{slug}"],
  ["notes a:text", 1, "0001_a.sql already creates the table", "já cria uma tabela"],
  ["events a:text --guard=a/b", 2, "such as --guard=editor", "como --guard=editor"],
  ["events a:text --writers=a/b", 2, "such as --writers=editor", "como --writers=editor"],
  ["events a:text --writers editor", 2, "pass --guard or --public too", "use também --guard ou"],
  ["events n:ref=notes --inside", 2, "ref=invoices/cascade", "ref=invoices/cascade"],
  ["events n:ref=notes/cascade --inside", 2, "ref=invoices/cascade", "ref=invoices/cascade"],
  ["events n:ref=notes/cascade --inside --api", 2, "not go with --api", "não aceita --api"],
  ["events n:ref=notes/cascade --inside --seed 5", 2, "with --seed", "aceita --seed"],
  ["events n:ref=notes/cascade b:file --inside", 2, "not go with b:", "não aceita b:"],
  ["events n:ref=notes/cascade b:file --inside", 2, "without --inside", "sem --inside"],
  ["events n:ref=notes/cascade position:int --inside", 2, "position_value", "position_value"],
  ["events n:ref=notes/cascade --inside --undo", 2, "use `git restore .`", "use `git restore .`"],
  ["logs a:text b:file", 1, 'the table "logs_bytes"', 'uma tabela "logs_bytes"'],
];

testRefusals("generate resource", refused, app);

testRefusals("generate resource events", [["a:text", 1, "views/event_form.ts"]], {
  "app/page.ts": page,
  "views/event_form.ts": "mine",
});

for (const file of ["lib/database.ts", "migrations/mod.ts"]) {
  testRefusals(
    "generate resource events",
    [["a:text", 1, `${file} was not written by`, "não é o que"]],
    { "app/page.ts": page, [file]: "export {};\n" },
  );
}

Deno.test("generate resource: keeps a custom setup and prints the missing parts", () =>
  inProject({ "app/page.ts": page }, async (cwd) => {
    const setup = "export const Setup = () => {};\n";
    await writeFiles(cwd, { "app/setup.ts": setup });
    const run = await runCli(["generate", "resource", "events", "a:text"], { cwd });
    assertEquals(run.code, 0, run.stderr);
    assertStringIncludes(run.stdout, "app/setup.ts belongs to the application");
    assertStringIncludes(run.stdout, "openEvents(app); // in Setup");
    assertEquals(await Deno.readTextFile(join(cwd, "app/setup.ts")), setup);
  }));

Deno.test("generate resource: prints the entry for a custom navigation", () =>
  inProject({ "app/page.ts": page, "app/nav.ts": "export const nav = [];\n" }, async (cwd) => {
    const { stdout } = await runCli(["generate", "resource", "events", "a:text"], { cwd });
    assertStringIncludes(
      stdout,
      'Add this entry to app/nav.ts: { label: c.t(eventMessages, "title"), href: c.href("/events"), ',
    );
    assert(!stdout.includes("ui.navLink"));
  }));

const limited: readonly (readonly [fields: readonly string[], max: readonly string[]])[] = [
  [["a:text", "b:long"], ["255", "10000"]],
  [["a:text,max=900", "b:long,max=20"], ["900", "20"]],
  [["a:text,min=3", "b:text,min=300", "c:long,min=9000"], ["255", "600", "18000"]],
  [["b:oneof=x/y", "c:email", "d:url"], ["", "", ""]],
  [["a:int", "b:bool", "c:date", "d:float", "e:int64"], ["", "", "", "", ""]],
];
for (const [texts, max] of limited) {
  Deno.test(`parseFields: reads ${texts.join(" ")} with a max of ${max.join(" ")}`, () => {
    const parsed = parseFields(texts);
    assertEquals(parsed.fields.map(({ rules }) => rules.get("max") ?? ""), max);
  });
}

const singulars =
  "events event, book-loans book_loan, categories category, boxes box, dishes dish, movies movie, " +
  "people person, keys key, order-statuses order_status, shelves shelf, houses house";
for (const [plural = "", one] of singulars.split(", ").map((pair) => pair.split(" "))) {
  Deno.test(`nameResource: the singular of ${plural} is ${one}`, () => {
    assertEquals(nameResource(plural).file, one);
  });
}

for (
  const type of "text long email url int int64 float money=EUR bool date day datetime ref=users"
    .split(" ")
) {
  for (const rules of ["", ",required", ...boundsOf(type)]) {
    Deno.test(`sampleOf: the samples of a ${type}${rules} pass its rules`, async () => {
      const parsed = parseFields([`a:${type}${rules}`]);
      for (const field of parsed.fields) assert(await isAccepted(field));
    });
  }
}

/** Limits in the unit that users type: an amount of money has a decimal point. */
function boundsOf(type: string): readonly string[] {
  if (type.startsWith("money")) return [",min=1", ",min=0.50", ",min=5.00,max=500", ",max=0.01"];
  return /^(?:int|float)/.test(type) ? [",min=5", ",min=-9,max=-3", ",max=0"] : [];
}

const columns: readonly (readonly [field: string, sql: string])[] = [
  ["code:text,unique", '"code" text unique'],
  ["due_at:day,required", '"due_at" text not null'],
  ["at:datetime", '"at" integer'],
  ["price:money=EUR", '"price" integer not null'],
  ["mail:email,required,unique", '"mail" text not null unique collate nocase'],
  ["kind:oneof=a/b", `"kind" text not null check ("kind" in ('a', 'b'))`],
  ["owner:ref=users", '"owner_id" integer not null references "users" ("id") on delete restrict'],
  ["owner:ref=users/null", '"owner_id" integer references "users" ("id") on delete set null'],
];
for (const [text, sql] of columns) {
  Deno.test(`columnSql: ${text}`, () => {
    assertEquals(
      parseFields([text]).fields.map((field) => columnSql(field, { isAudited: false })),
      [sql],
    );
  });
}

Deno.test("findReferencedTable and referringTables: tables that refer to each other and to themselves", () => {
  const sql = ["a", "b"].map((name) =>
    `create table ${name} (id integer primary key,
    name text not null, up integer not null references "${name}" ("id"),
    other integer not null references "${name === "a" ? "b" : "a"}" ("id"));`
  ).join("\n");
  assertEquals(findReferencedTable(sql, "a")?.inserts.length, 2);
  assertEquals(referringTables(sql, "a"), ["b"]);
});

Deno.test("findReferencedTable: adds the rows of a test after those that they reference", () => {
  const sql = `create table "kinds" ("id" integer primary key, "title" text not null);
create table lamps (
  id integer primary key, -- a comment, with a comma
  kind_id integer not null references kinds (id),
  state text not null check (state in ('on', 'off')),
  label text not null, made integer not null default 0,
  unique (state, label)
) strict;`;
  const found = findReferencedTable(sql, "lamps");
  assertEquals([found?.title, found?.inserts], ["label", [
    `insert into "kinds" ("title") values ('Title 1'), ('Title 2')`,
    `insert into "lamps" ("kind_id", "state", "label") values ` +
    `(1, 'on', 'Label 1'), (2, 'on', 'Label 2')`,
  ]]);
  assertEquals(findReferencedTable(sql, "kind"), undefined);
});

const named: readonly (readonly [columns: string, title: string, values: string])[] = [
  ["week text not null, open integer not null", "week", "'2026-05-01', ${true}"],
  ["week date not null, open boolean not null", "week", "'2026-05-01', ${true}"],
  ["week text not null, note text not null", "note", "'2026-05-01', 'Note 1'"],
  ["begins integer not null, note text", "note", '${new Date("2026-05-01")}'],
  ["begins timestamptz not null, note text", "note", '${new Date("2026-05-01")}'],
  ["billing_email text not null", "billing_email", "'billing_email1@example.org'"],
  ["website text not null", "website", "'https://example.org/1'"],
  ["seats bigint not null, size double precision not null, week date", "week", "1, 1"],
];
for (const [columns, title, values] of named) {
  Deno.test(`findReferencedTable: labels ${columns} by ${title}, and a test adds ${values}`, () => {
    const kinds = new Map([["b.week", "day"], ["b.open", "bool"], ["b.begins", "date"]] as const);
    const sql = `create table b (id integer primary key, ${columns});`;
    const found = findReferencedTable(sql, "b", kinds);
    assertEquals(found?.title, title);
    assertStringIncludes(found?.inserts.join() ?? "", ` values (${values}), (`);
  });
}

const unfit: readonly (readonly [fields: string, name: string | undefined, fitsForm?: boolean])[] =
  [
    ["state:oneof=on/off,required title:text,required", "title", true],
    ["order:ref=orders/null title:text,required", "title", true],
    ["state:oneof=on/off,required", "state", false],
    ["order:ref=orders", "orderId", false],
    ["done:bool note:text,optional,max=10", "note", true],
    ["done:bool", undefined],
  ];
for (const [fields, name, fitsForm] of unfit) {
  Deno.test(`refusedValue: finds a value for ${fields} that ${fitsForm ? "its form" : "no form"} can send`, () => {
    const found = refusedValue(parseFields(fields.split(" ")).fields);
    assertEquals([found?.name, found?.fitsForm], [name, fitsForm]);
  });
}

const filtered: readonly (readonly [fields: string, filters: string])[] = [
  ["a:ref=users b:ref=users c:ref=users d:ref=users", "aId bId cId"],
  ["a:ref=users b:ref=users c:ref=users state:oneof=open/closed", "aId bId state"],
  ["a:ref=users done:bool rank:oneof=first/last", "aId rank done"],
];
for (const [list, names] of filtered) {
  Deno.test(`listFields: a list of ${list} filters by ${names}`, () => {
    const { filters } = listFields(parseFields(list.split(" ")).fields, limits);
    assertEquals(filters.map(({ name }) => name).join(" "), names);
  });
}

Deno.test("shownField: without a text, the tests recognise a row by a number other than an int64", () => {
  assertEquals(shownField(parseFields(["big:int64", "seats:int"]).fields)?.name, "seats");
});

/** Returns the text of the example rows of a resource that may refer to users. */
function seedsText(parsed: ReturnType<typeof parseFields>): string {
  const files = resourceFiles({
    ...bareResource,
    ...parsed,
    names: nameResource("book-loans"),
    references: [{ table: "users", title: "email", isAudited: false, inserts: [] }],
  }, { number: "0002", seeds: 60 });
  return files.find(({ file }) => file === "seeds/book_loans.ts")?.text ?? "";
}

const titles: readonly (readonly [fields: string, names: string])[] = [
  ["name:text day:day reader:ref=users", "name"],
  ["reader:ref=users day:day cover:image", "readerName coverName day"],
  ["count:int", ""],
];
for (const [fields, names] of titles) {
  Deno.test(`generate resource ${fields}: a row is titled by ${names || "its number"}`, () => {
    const files = resourceFiles({
      ...bareResource,
      ...parseFields(fields.split(" ")),
      names: nameResource("book-loans"),
      references: [{ table: "users", title: "email", isAudited: false, inserts: [] }],
    }, { number: "0002" });
    const store = files.find(({ file }) => file === "lib/book_loans.ts")?.text ?? "";
    const found = [...store.matchAll(/^ {2}if \(row\.(\w+)\) return row\.\1;$/gm)];
    assertEquals(found.map(([, name]) => name).join(" "), names);
  });
}

for (const [fields, wanted] of [["title:text", false], ["title:text cover:image", true]] as const) {
  Deno.test(`generate resource ${fields}: the API mentions uploads: ${wanted}`, () => {
    const parsed = parseFields(fields.split(" "));
    const resource = { ...bareResource, ...parsed, hasApi: true };
    const route = resourceFiles(resource, { number: "0002" })
      .find(({ file }) => /^app\/api\/.*id_\/route\.ts$/.test(file))?.text ?? "";
    assertEquals([/^\/\*\* Replaces /m, "uploads"].map((part) => route.search(part) >= 0), [
      true,
      wanted,
    ]);
  });
}

Deno.test("generate resource --seed prints a command that reads the variables of .env", () =>
  inProject({ "app/page.ts": page, ".env": "FW_DB=data/own.db\n" }, async (cwd) => {
    const generated = ["generate", "resource", "events", "title:text", "--seed", "5"];
    const { stdout } = await runCli(generated, { cwd });
    assertStringIncludes(stdout, "deno run --env-file=.env --allow-env=FW_DB ");
  }));

Deno.test("seeds: rows pass the rules, unique values differ, and references are spread", async () => {
  const parsed = parseFields([
    ...sampleFields,
    ...("isbn:text,min=8,max=8,unique owner:text,unique mail:email,unique place:int,unique " +
      "number:text,max=8").split(" "),
    ...("least:int,min=5,max=9 rank:int64 due:date,max=2025-01-01 " +
      "cost:money=EUR,min=5.00,max=9 fixed:money=EUR,min=0.50,max=0.50").split(" "),
  ]);
  const text = seedsText(parsed);
  assertStringIncludes(text, "count: number = 60");
  const [, members = ""] = /=> \((\{[^]*\})\)\);\n {2}await db\.tx/.exec(text) ?? [];
  const rowOf = new Function("at", "count", "seed", "readerIds", `return ${members}`);
  const rows = Array.from({ length: 60 }, (_, at) => rowOf(at, 60, seed, [3, 4]));
  for (const row of rows) {
    for (const field of parsed.fields.filter(({ name }) => row[name] !== null)) {
      const value = row[field.name];
      const json = value instanceof Date
        ? value.toISOString()
        : typeof value === "bigint"
        ? String(value)
        : value;
      assert(await isAccepted(field, json), `${field.name}: ${json}`);
    }
  }
  for (const name of ["isbn", "owner", "mail"]) {
    // Every fourth row has no value.
    const values = rows.map((row) => row[name]).filter((value) => value !== null);
    assertEquals([values.length, new Set(values).size], [45, 45], name);
  }
  for (const name of ["place", "number"]) {
    assertEquals(new Set(rows.map((row) => row[name])).size, 60, name);
  }
  assertEquals(new Set(rows.map(({ readerId }) => readerId)), new Set([3, 4]));
});

Deno.test("seeds: only a required reference needs a row", () => {
  const fields = ["title:text,required", "owner:ref=users", "first_helper:ref=users/null"];
  const text = seedsText(parseFields(fields));
  assertEquals(text.match(/(?<=if \()\w+(?=\.length === 0\) throw)/g), ["ownerIds"]);
  assertStringIncludes(text, "firstHelperId: firstHelperIds.length === 0 || at % 4 === 0 ? null :");
});

Deno.test("generate resource --guard=<role>: the guards, the start page and the navigation require the role", () =>
  inNewApp(["--kit"], async (cwd, run) => {
    const shared = ["app/nav.ts", "app/page.ts"];
    const read = async (files: readonly string[]): Promise<readonly string[]> =>
      await Promise.all(files.map((file) => Deno.readTextFile(join(cwd, file))));
    await run("resource pens name:text");
    await run("auth --passwords");
    // From before the sign-in, without a guard.
    assertStringIncludes(await run("resource pens name:text --undo"), "Removed lib/pens.ts");
    await run("resource notes title:text --guard");
    const before = await read(shared);
    // Others see the entry of neither: it would lead them to the sign-in.
    assertMatch(before[0] ?? "", /await sessions\.user\(c\)[^?]*\? \[\{[^}]*"\/notes"/);
    const same = "--api --guard=manager --writers=manager";
    for (const flags of ["--api --audit --guard=manager", "--api --guard=manager", same]) {
      const members = `resource members name:text ${flags}`;
      await run(members);
      const guards = ["app/members/middleware.ts", "app/api/members/middleware.ts"];
      const [guard = "", other = ""] = await read(guards);
      assertStringIncludes(guard, 'sessions.requireRole("manager")');
      assertStringIncludes(other, 'export { Middleware } from "@/app/members/middleware.ts"');
      for (const text of await read(shared)) {
        assertEquals(text.split('?.roles.includes("manager")').length, 2, text);
      }
      await run(`${members} --undo`);
      assertEquals(await read(shared), before);
    }
  }));

Deno.test("generate resource --writers=<role>: others may read, and the generated tests pass with and without a history", () =>
  inNewApp(["--kit"], async (cwd, run) => {
    await run("auth --passwords");
    await run("resource notes title:text,required --guard --writers editor --api");
    await run("resource books title:text,required --guard=member --writers=editor --audit --csv");
    await run("resource tales title:text,required --public --writers=editor --audit --csv --api");
    await run("resource tags title:text,required note:ref=notes --public --writers=editor");
    const guard = await Deno.readTextFile(join(cwd, "app/notes/middleware.ts"));
    assertNotMatch(guard, /changedBy/);
    // Others would read the names of users, and the titles of guarded rows.
    const fields = "name:text owner:ref=users note:ref=notes book:ref=books";
    const others = {
      pets: ["public", "users,notes,books", "all clients"],
      hens: ["guard", "books", "users"],
    };
    for (const [rows, [flag, tables, who]] of Object.entries(others)) {
      const told = await run(`resource ${rows} ${fields} --${flag}`);
      const shown = [...told.matchAll(/of each row of "(\w+)" to\s+(all clients|users)/g)];
      assertEquals(shown.map(([, table]) => table).join(), tables);
      assert(shown.every(([, , each]) => each === who));
    }
    const folders = ["notes", "books", "tales", "tags", "pets", "api"].map((folder) =>
      `app/${folder}`
    );
    await denoOutput(["task", "test", ...folders], cwd);
    for (const args of [["lint"], ["fmt", "--check"]]) await denoOutput(args, cwd);
  }));

Deno.test("generate resource: the page of a row shows the rows that refer to it, to users who may see them", () =>
  inNewApp([], async (cwd, run) => {
    const read = (file: string): Promise<string> => Deno.readTextFile(join(cwd, file));
    await run("auth --passwords --users");
    await run("resource invoices number:text,required note:long --guard --audit");
    await run("resource drawers name:text,required --guard=boss --audit");
    const page = "app/invoices/id_/page.ts";
    // The developer's own changes stay.
    const own = (await read(page)).replace("  c.title =", "  // Mine.\n  c.title =");
    await writeFiles(cwd, { [page]: own });
    const lines = "resource lines text:text,required invoice:ref=invoices --guard=clerk";
    const payments = "resource payments sum:money=EUR first_payer:ref=users invoice:ref=invoices " +
      "drawer:ref=drawers --guard --writers=clerk";
    await run(lines);
    await run(payments);
    const calls = (await read(page)).match(/await \w+Rows\(.*?\)/g);
    assertEquals(calls, [
      "await lineRows(c, { invoiceId: row.id }, Boolean(row.deletedAt)",
      "await paymentRows(c, { invoiceId: row.id }, Boolean(row.deletedAt)",
    ]);
    // A list has no link to a page that its readers may not see.
    const texts = await read("lib/payment_messages.ts");
    assertEquals(texts.match(/"\/\w+\/\{id\}"/g), ['"/invoices/{id}"']);
    assertStringIncludes(await read("app/drawers/id_/page.ts"), "await paymentRows(");
    assertStringIncludes(await read("app/users/id_/page.ts"), "await paymentRows(");
    await denoOutput(["task", "test", "--no-check"], cwd);
    await run(`${payments} --undo`);
    await run(`${lines} --undo`);
    assertEquals(await read(page), own);
    await writeFiles(cwd, { [page]: own.replace("ui.detailPage(", "ui.listPage(") });
    assertStringIncludes(
      await run(lines),
      "Show the rows on app/invoices/id_/page.ts, as the last argument of ui.detailPage: " +
        "await lineRows(c, { invoiceId: row.id }, Boolean(row.deletedAt))",
    );
  }));

Deno.test("generate resource --inside: rows join the form, the page, the API and the tests of their parent", () =>
  inNewApp(["--kit", "--db", "sqlite"], async (cwd, run) => {
    const read = (file: string): Promise<string> => Deno.readTextFile(join(cwd, file));
    await run("language pt");
    const products = "resource products name:text,required,unique --seed 2";
    await run(products);
    const invoices =
      "resource invoices number:text,required customer:ref=products --audit --api --csv --seed 3";
    await run(invoices);
    const lines =
      "resource lines invoice:ref=invoices/cascade product:ref=products what:text,required " +
      "hours:float kind:oneof=goods/work vat:bool begins:datetime amount:money=EUR --inside";
    const notes = "resource children invoice:ref=invoices/cascade text:long quantity:int,min=1 " +
      "price:money=USD --inside";
    const told = await run(lines);
    assertStringIncludes(told, "All who see a row of /invoices see these rows too");
    assertStringIncludes(told, "export and the import of /invoices leave these rows");
    await run(notes);
    // The files of the others would not compile without these.
    const undone = [[invoices, "lines, children"], [products, "invoices, lines"]] as const;
    for (const [resource, tables] of undone) {
      const undo = await runCli(["generate", ...resource.split(" "), "--undo"], { cwd });
      assertEquals(undo.code, 1);
      assertMatch(undo.stderr, new RegExp(`^Cannot undo: other rows .*: ${tables}\n$`));
    }
    for (const rows of ["products", "invoices"]) {
      await denoOutput(["run", "-A", `seeds/${rows}.ts`], cwd);
    }
    {
      await using db = await openSqlite(join(cwd, "data/app.sqlite"));
      const counts = db.all(
        int(),
      )`select count(*) from lines union all select count(*) from children`;
      assertEquals(await counts, [6, 6]);
    }
    // The choices of its rows have the route of the parent, which gets one if it has no references.
    const sizes = "resource sizes product:ref=products/cascade invoice:ref=invoices name:text " +
      "--inside";
    await run(sizes);
    const routes = async (): Promise<readonly string[]> =>
      (await listTree(cwd)).filter((path) => path.includes("choices"));
    const own = "app/invoices/choices/name_/route.ts";
    const added = "app/products/choices/name_/route.ts";
    assertEquals(await routes(), [own, added]);
    assertStringIncludes(await read(added), "use(c, Products).choices(");
    assertStringIncludes(await read("views/line_list.ts"), 'sums: ["hours", "amount"]');
    assertMatch(
      await read("views/child_list.ts"),
      /"children\.total"\),\s+currency: "USD",\s+value: \(row\) => \(row\.quantity \?\? 0\) \* row\.price,/,
    );
    assertStringIncludes(
      await read("lib/invoices.ts"),
      "lists: { lines: lineTable, children: childTable },",
    );
    assertStringIncludes(await read("lib/invoice_messages.ts"), '"lines.amount": "Quantia",');
    assertNotMatch(await read("app/nav.ts"), /"\/lines"/);
    const output = await denoOutput(["task", "test"], cwd);
    assertStringIncludes(output, "the form of an invoice adds and removes children ... ok");
    await denoOutput(["lint"], cwd);
    // The server reads up to 1,000 inputs.
    const bools = Array.from({ length: 24 }, (_, at) => `b${at}:bool`).join(" ");
    await run(`resource parts invoice:ref=invoices/cascade ${bools} --inside`);
    assertStringIncludes(
      await read("lib/invoices.ts"),
      'parts: list(PartInput, "max=36").optional()',
    );
    // The page of an invoice leads to rows with pages of their own.
    await run("resource payments invoice:ref=invoices/cascade sum:money=EUR");
    assertNotMatch(await read("app/nav.ts"), /"\/payments"/);
    // A deleted invoice gets no new ones.
    const page = "app/invoices/id_/page.ts";
    assertStringIncludes(await read(page), "{ invoiceId: row.id }, Boolean(row.deletedAt))");
    await run("resource payments invoice:ref=invoices/cascade sum:money=EUR --undo");
    assertNotMatch(await read(page), /paymentRows|Boolean/);
    const store = (await read("lib/invoices.ts")).replace(
      "query: InvoiceQuery",
      "query:InvoiceQuery",
    );
    await writeFiles(cwd, { "lib/invoices.ts": store });
    const again = lines.replace("lines", "rows");
    assertStringIncludes(await run(again), "lists: { rows: rowTable }");
  }));

Deno.test("generate resource --undo removes its files and keeps edited ones", () =>
  inNewApp(["--kit", "--db", "sqlite"], async (cwd, run) => {
    const kinds = "resource kinds name:text,required";
    const lamps =
      "resource lamps title:text,required note:long kind:ref=kinds --csv --api --audit --seed 5";
    const read = async (): Promise<Readonly<Record<string, string>>> => {
      const paths = (await listTree(cwd)).filter((path) => !path.startsWith("public/"));
      const texts = paths.map(async (path) => [path, await Deno.readTextFile(join(cwd, path))]);
      return Object.fromEntries(await Promise.all(texts));
    };
    // The formatter adds braces to a long line of this one's test.
    const first = "resource status-reports name:text,required --singular status-report";
    const empty = await read();
    await run(first);
    await run(`${first} --undo`);
    assertEquals(await read(), empty);
    await run(kinds);
    const before = await read();
    assertStringIncludes(await run(lamps), "`deno task test app/lamps app/api/lamps`");
    // The values of all seeds are kept for the next one.
    await Deno.remove(join(cwd, "seeds/values.ts"));
    assertStringIncludes(await run(`${lamps} --undo`), "Removed lib/lamps.ts.");
    assertEquals(await read(), before);
    // The formatter sorts names regardless of case: Boxes before BoxQuery.
    await run("resource boxes name:text");
    await run("resource boxes name:text --undo");
    assertEquals(await read(), before);
    // Without a text, a file names the row.
    await run("resource scans due:day my_scan:pdf");
    const scans = await Deno.readTextFile(join(cwd, "lib/scans.ts"));
    assertStringIncludes(scans, 'accept: ["application/pdf"]');
    assertStringIncludes(scans, "if (row.myScanName) return row.myScanName;");
    await run("resource scans due:day my_scan:pdf --undo");
    assertEquals(await read(), before);
    await run(lamps);
    const whole = await read();
    for (const other of [lamps.replace("note:long ", ""), lamps.replace(" --audit", "")]) {
      const { code, stderr } = await runCli(["generate", ...other.split(" "), "--undo"], { cwd });
      assertEquals(code, 1);
      assertStringIncludes(stderr, "migrations/0002_create_lamps.sql differs");
      assertEquals(await read(), whole);
    }
    const store = join(cwd, "lib/lamps.ts");
    await Deno.writeTextFile(store, `${await Deno.readTextFile(store)}// mine\n`);
    assertStringIncludes(await run(`${lamps} --undo`), "Kept lib/lamps.ts, which was changed: ");
    assertStringIncludes(await Deno.readTextFile(join(cwd, "app/setup.ts")), "openLamps(app)");
    assertEquals((await runCli(["generate", ...lamps.split(" "), "--undo"], { cwd })).code, 1);
  }));
