import { assert, assertEquals } from "@std/assert";
import { Plans } from "../../data/plans.ts";
import { postgresDialect } from "../../data/sql.ts";
import { splitStatements } from "../../data/statements.ts";
import { int, struct } from "../../mod.ts";
import { cpuMs } from "../cpu_time.ts";

const engines = ["sqlite", "postgres"] as const;

const rows: readonly [name: string, text: string, want: readonly (readonly [number, string])[]][] =
  [
    ["nothing", "", []],
    ["comments alone", "-- one;\n/* two;\n*/ ;; \n", []],
    ["two, with lines", "\n-- first\nselect 1;\n\nselect\n2", [[3, "select 1"], [5, "select\n2"]]],
    ["a byte order mark", "\uFEFFselect 1;", [[1, "select 1"]]],
    ["semicolon in a text", "select 'a;''b;';select 2", [[1, "select 'a;''b;'"], [1, "select 2"]]],
    ["one in a name", 'select "a;";', [[1, 'select "a;"']]],
    ["one in comments", "select 1 -- a;\n/* b; */ + 2;", [[1, "select 1 -- a;\n/* b; */ + 2"]]],
    ["an open text", "select 'a;\nb", [[1, "select 'a;\nb"]]],
    ["an open comment", "select 1; /* a", [[1, "select 1"]]],
    [
      "a trigger with a case expression",
      "create temp trigger t after insert on a begin update a set x = case when 1 then 2 end; end;\nselect 1",
      [
        [
          1,
          "create temp trigger t after insert on a begin update a set x = case when 1 then 2 end; end",
        ],
        [2, "select 1"],
      ],
    ],
    [
      "a trigger of Postgres",
      "create trigger t before insert on a for each row execute function f(); select 2",
      [[1, "create trigger t before insert on a for each row execute function f()"], [
        1,
        "select 2",
      ]],
    ],
    [
      "a Postgres function with a body",
      "create function f() returns int begin atomic select 1; select case when 1 = 1 then 2 end; end; select 2",
      [[
        1,
        "create function f() returns int begin atomic select 1; select case when 1 = 1 then 2 end; end",
      ], [1, "select 2"]],
    ],
    ["no trigger", 'create table "trigger" (a); select 1', [
      [1, 'create table "trigger" (a)'],
      [1, "select 1"],
    ]],
  ];

for (const [name, text, want] of rows) {
  Deno.test(`splitStatements: ${name}`, () => {
    for (const engine of engines) {
      const found = splitStatements(text, engine);
      assertEquals(found.map(({ line, sql }) => [line, sql] as const), want);
    }
  });
}

const dialects: readonly [text: string, sqlite: readonly string[], postgres: readonly string[]][] =
  [
    ["select [a;], `b;`", ["select [a;], `b;`"], ["select [a", "], `b", "`"]],
    ["select array['a]', 'b']; select 1", ["select array['a]', 'b']; select 1"], [
      "select array['a]', 'b']",
      "select 1",
    ]],
    ["/* a /* b; */ c; */ select 1", ["c", "*/ select 1"], ["select 1"]],
    ["/*/* a */ select 1", ["select 1"], []],
    ["/*/**/*/ select 1", ["*/ select 1"], ["select 1"]],
    ["/**/ select 1 /*/ a */", ["select 1 /*/ a */"], ["select 1 /*/ a */"]],
  ];
for (const [text, ...want] of dialects) {
  Deno.test(`splitStatements: comments nest, and brackets quote no name, only in Postgres: ${text}`, () => {
    const split = (engine: (typeof engines)[number]): readonly string[] =>
      splitStatements(text, engine).map(({ sql }) => sql);
    assertEquals(engines.map(split), want);
  });
}

Deno.test("splitStatements returns the first word in lowercase", () => {
  const found = splitStatements("COMMIT; Begin", "sqlite").map(({ verb }) => verb);
  assertEquals(found, ["commit", "begin"]);
});

Deno.test("splitStatements takes time linear in the length of the text", () => {
  const startedMs = cpuMs();
  const rows = ["'".repeat(200_001), "/*".repeat(100_000), "--".repeat(100_000), "[".repeat(1e5)];
  for (const text of rows) splitStatements(text, "postgres");
  assertEquals(splitStatements("select 1;".repeat(20_000), "sqlite").length, 20_000);
  const tookMs = cpuMs() - startedMs;
  if (tookMs > 2_000) throw new Error(`took ${tookMs} ms`);
});

const plans = new Plans(postgresDialect);

const kinds = [
  ["select 1", "read"],
  ["values (1)", "read"],
  ["with a as (select 1) select * from a", "read"],
  ["with a as (select 1) insert into t select * from a", "change"],
  ["with a as (select 1) merge into t using a on true when matched then delete", "change"],
  ["merge into t using a on true when matched then delete", "change"],
  ["insert into t values (1)", "change"],
  ["replace into t values (1)", "change"],
  ["update t set n = 1", "change"],
  ["delete from t", "change"],
  ["create table t (n int)", "definition"],
] as const;
for (const [text, kind] of kinds) {
  Deno.test(`Plans: ${text} is a ${kind}`, () => {
    const { isRead, isChange } = plans.call(Object.assign([text], { raw: [text] }), []).plan;
    assertEquals([isRead, isChange], [kind === "read", kind === "change"]);
  });
}

Deno.test("Plans: keeps one plan for each struct of a template", () => {
  const structs = [struct({ a: int() }), struct({ b: int() })];
  const template = ((strings: TemplateStringsArray, _: string) => strings)`select ${""} from t`;
  const names = () => structs.map((each) => plans.call(template, [each]).plan.name);
  const first = names();
  assertEquals([new Set(first).size, names()], [2, first]);
});

Deno.test("Plans keeps the texts that were used last, at most 500", () => {
  const plans = new Plans(postgresDialect);
  const plan = (n: number) => {
    const text = `select ${n}`;
    return plans.call(Object.assign([text], { raw: [text] }), []).plan;
  };
  const first = plan(0);
  assert(plan(0) === first);
  for (let n = 1; n <= 500; n++) plan(n);
  assert(plan(0) !== first);
});
