import { assert, assertEquals, assertThrows } from "@std/assert";
import { toPostgresSql } from "../../../cli/scaffold/database/postgres_sql.ts";
import { openSqlite } from "../../../data/sqlite/mod.ts";
import { text as textField } from "../../../mod.ts";
import { join } from "@std/path";
import { pruneImports } from "../../../cli/scaffold/imports.ts";
import { type List, renderText, replaceNames, sampleText } from "../../../cli/scaffold/sample.ts";
import { parseFields } from "../../../cli/scaffold/resource/fields.ts";
import { createRendering, resourceFiles } from "../../../cli/scaffold/resource/files.ts";
import { portugueseLabel } from "../../../cli/scaffold/languages.ts";
import { models, sampleFields } from "../../../cli/scaffold/resource/sample_fields.ts";
import { limits } from "../../../cli/scaffold/resource/resource.ts";
import { findReferencedTable } from "../../../cli/scaffold/resource/references.ts";
import { nameResource } from "../../../cli/scaffold/resource/names.ts";
import { engineNames } from "../../../cli/scaffold/database/engine.ts";
import { bareResource } from "./bare_resource.ts";
import samples from "../../../cli/samples.json" with { type: "json" };
import { joinSamples, samplesFile } from "../../../tools/samples.ts";
import { root } from "../../../tools/workspace.ts";

Deno.test("cli/samples.json contains the sources of cli/samples: run `deno task samples`", async () => {
  assertEquals(await Deno.readTextFile(join(root, samplesFile)), await joinSamples());
});

Deno.test("generate resource writes at most 320 lines without tests and migrations", () => {
  const parsed = parseFields(["title:text,required", "seats:int,min=1"]);
  const resource = { ...bareResource, ...parsed, languages: ["en"] };
  const lines = resourceFiles(resource, { number: "0001" })
    .filter(({ file }) => !/_test\.ts$|\.sql$/.test(file))
    .map(({ text }) => text.split("\n").length - 1)
    .reduce((sum, each) => sum + each, 0);
  assert(lines <= 320, `The files have ${lines} lines.`);
});

const marker = /^\s*(?:\/\/|--) ?(?:(end)|(?:each|if) ((?:no )?\w+)|(insert) \w+)$/;

Deno.test("samples: each part that differs on Postgres occurs, on one line that the generator finds", () => {
  const spread = (text: string): string => text.replaceAll(/\n \* /g, " ");
  const count = (text: string, part: string): number => text.split(part).length;
  for (const [file, text] of Object.entries(samples)) {
    for (const part of Object.keys(engineNames("postgres"))) {
      assertEquals(count(text, part), count(spread(text), part), `${part} in ${file}`);
    }
  }
  for (const part of Object.keys(engineNames("postgres"))) {
    assert(Object.values(samples).some((text) => text.includes(part)), part);
  }
  const texts = ["scripts/set_role.ts", "seeds/book_loans.ts"].map((file) =>
    replaceNames(sampleText(`kit/${file}`), engineNames("postgres"))
  );
  for (const text of texts) assert(!text.includes("=data"), text);
});

/** Returns a sample without its markers and without the lines for absent parts. */
function withoutMarkers(text: string): string {
  const open: string[] = [];
  const single = text.replaceAll(/^.* if (?:no \w+|hidden):\n.*\n/gm, "")
    .replaceAll(/^ *(?:\/\/|--) if \w+:\n/gm, "");
  return single.split("\n").filter((line) => {
    const [, end, what, insert] = marker.exec(line) ?? [];
    if (end !== undefined) open.pop();
    else if (insert !== undefined) open.push("no insert");
    else if (what !== undefined) open.push(what);
    else return !open.some((each) => each.startsWith("no ") || each === "hidden");
    return false;
  }).join("\n").replaceAll(/\/\* if hidden [^]*?end \*\/|\/\* (?:if \w+|end) \*\//g, "");
}

const accounts = sampleText("kit/migrations/0001_create_accounts.sql");

Deno.test("the book loans of cli/samples equal the output for their own fields", () => {
  const users = findReferencedTable(accounts, "users");
  if (users === undefined) throw new Error("The accounts cannot be read.");
  const resource = {
    ...bareResource,
    ...parseFields(sampleFields),
    names: nameResource("book-loans"),
    hasApi: true,
    hasCsv: true,
    isAudited: true,
    guard: "sessions",
    hasAccounts: true,
    role: "clerk",
    writers: "librarian",
    languages: ["en", "pt"],
    // The sample links references to its own pages.
    references: [{ ...users, page: "/book-loans/{id}" }],
  } as const;
  const files = resourceFiles(resource, {
    number: "0002",
    seeds: 50,
    shown: { columns: Infinity, filters: Infinity, sorts: 2 },
  });
  // The formatter joins the lines around a marker, and chooses the quotes.
  const squeezed = (text: string): string => text.replaceAll(/[\s,"'\\]/g, "");
  for (const { file, text } of files) {
    const sample = pruneImports(withoutMarkers(sampleText(`kit/${file}`)));
    assertEquals(squeezed(text), squeezed(sample), file);
  }
});

const variants = {
  everything: { fields: sampleFields, guard: "sessions", writers: "editor", hasCsv: true },
  "a role": { fields: ["a:int"], guard: "auth", role: "editor", engine: "postgres" },
} as const;
for (const [name, { fields, ...variant }] of Object.entries(variants)) {
  Deno.test(`every text that the generator replaces is in a sample: ${name}`, async () => {
    const samples: Readonly<Record<string, string>> = JSON.parse(await joinSamples());
    const all = Object.values(samples).join("\n");
    const resource = { ...bareResource, ...parseFields(fields), ...variant };
    const { names } = createRendering(resource, limits);
    assertEquals(Object.keys(names).filter((text) => !all.includes(text)), []);
  });
}

Deno.test("the generator knows every label of the book loans, so other labels can replace them", () => {
  const unknown = models.map(({ label }) => label).filter((label) =>
    portugueseLabel(label) === undefined
  );
  assertEquals(unknown, []);
});

const fruits = (...names: readonly string[]): List => ({
  models: ["apple", "pear"],
  items: names.map((name) => ({
    models: [name.startsWith("p") ? "pear" : "apple", "apple"],
    replace: (model) => [[model, name]],
  })),
});

const rendered: readonly (readonly [name: string, sample: string, fruits: List, want: string])[] = [
  ["a part that is wanted", "a(\n  // if part\n  b,\n  // end\n)", fruits(), "a(b,\n)"],
  ["one that is not", "a(\n  // if other\n  b,\n  // end\n  c,\n)", fruits(), "a(c,\n)"],
  [
    "a member that is wanted",
    "{\n  // if part:\n  a: {\n    b,\n  },\n}",
    fruits(),
    "{\n  a: {\n    b,\n  },\n}",
  ],
  ["one that is not", "{\n  // if other:\n  a: {\n    b,\n  },\n  c,\n}", fruits(), "{\n  c,\n}"],
  ["the want of one", "// if no other\nb\n// end\n// if no part\nc\n// end", fruits(), "b"],
  [
    "a list",
    "[\n  // each fruit\n  apple,\n  // end\n]",
    fruits("fig", "date"),
    "[\n  fig,\n  date,\n]",
  ],
  [
    "the model that resembles an item most",
    "// each fruit\n/** An apple. */\napple();\npear();\n// end",
    fruits("plum", "fig"),
    "plum();\n/** An fig. */\nfig();",
  ],
  ["a list without items", "f(x, {\n  // each fruit\n  apple,\n  // end\n});", fruits(), "f(x);"],
  [
    "a member without a value",
    "{\n  a: {\n    // each fruit\n    apple,\n    // end\n  },\n}",
    fruits(),
    "{\n}",
  ],
  ["a part of a line that is wanted", "a(b /* if part */, c /* end */);", fruits(), "a(b , c);"],
  ["one that is not", "a(b, /* if other */ c /* end */);", fruits(), "a(b);"],
  ["one before another", "a(/* if other */ b || /* end */ c, d);", fruits(), "a( c, d);"],
  ["one in lines of its own", "a(\n  b /* if other */, c /* end */,\n);", fruits(), "a(b ,\n);"],
  ["the name of the sample", "// each fruit\napple;\n// end", fruits("basket"), "basket;"],
];
for (const [name, sample, fruit, want] of rendered) {
  Deno.test(`renderText: ${name}`, () => {
    const rendering = { names: { basket: "bowl" }, parts: { part: true }, lists: { fruit } };
    assertEquals(renderText(sample, rendering), want);
  });
}

Deno.test("renderText refuses a region without an end and a list without values", () => {
  assertThrows(() => renderText("// if part\na", {}), TypeError, "it has no end");
  assertThrows(() => renderText("// each fruit\na\n// end", {}), TypeError, 'the list "fruit"');
});

const imports: readonly (readonly [imported: string, code: string, want: string])[] = [
  ["{ a, b }", "a();", 'import { a } from "x";\n'],
  ["{ type A, b }", "let x: A;", 'import type { A } from "x";\n'],
  ["* as h", "h.p();", 'import * as h from "x";\n'],
  ["{ a }", "x.a();\n// a\n/* a */", ""],
  ["{ a }", "f(...a)", 'import { a } from "x";\n'],
  ["{ a }", "f({ a: 1 })", ""],
  ["{ a }", "f(`/a/${b}`)", ""],
  ["{ a }", "x ? a : 1", 'import { a } from "x";\n'],
];
for (const [imported, code, want] of imports) {
  Deno.test(`pruneImports: ${imported} for ${code}`, () => {
    const text = pruneImports(`import ${imported} from "x";\n${code}`);
    assertEquals(text, want + code);
  });
}

Deno.test("tests of the samples find forms and links without relying on the layout's main element", async () => {
  for (const [path, text] of Object.entries(JSON.parse(await joinSamples()))) {
    if (path.startsWith("kit/") && path.endsWith("_test.ts")) {
      assertEquals(/["'`]main /.exec(String(text)), null, path);
    }
  }
});

const labelled:
  readonly (readonly [email: string, name: string, subject: string, label: string])[] = [
    ["ada@example.org", "Ada", "", "Ada"],
    ["ada@example.org", "", "", "a…@example.org"],
    ["a@b", "", "", "a…@b"],
    ["", "Bo", "s1", "Bo"],
    ["", "", "s1", "s1"],
  ];

Deno.test("generated accounts: where rows refer to a user, the label hides the address", async () => {
  await using db = await openSqlite(":memory:");
  db.raw.exec(accounts);
  db.raw.exec("drop index users_by_email");
  for (const [email, name, subject] of labelled) {
    await db.run`
      insert into users (email, name, subject, password) values (${email}, ${name}, ${subject}, '')`;
  }
  const labels = await db.all(textField())`select label from users order by id`;
  assertEquals(labels, labelled.map(([, , , label]) => label));
  assert(toPostgresSql(accounts, new Map()).text.includes("strpos(email, '@')"));
});
