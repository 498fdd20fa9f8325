import { assertEquals, assertStringIncludes } from "@std/assert";
import { checkCatalogs } from "../../../cli/check/catalogs.ts";
import { messagesIn } from "../../../cli/messages/catalog.ts";
import { createProject } from "../../../cli/project/project.ts";
import { type Files, inProject } from "../support.ts";

/** A catalog in `lib/words.ts`, whose messages `lib/uses.ts` names unless told otherwise. */
function app(catalog: string, uses = 'c.t(words, "a"); c.t(words, "b");', config = ""): Files {
  return {
    "lib/words.ts":
      `import { catalog } from "@fw/fw/i18n";\n\nexport const words = catalog(${catalog});\n`,
    "lib/uses.ts": `${uses}\n`,
    "app/setup.ts": `export function Config(config) {\n${config}\n}\nexport function Setup() {}\n`,
  };
}

/** A catalog, what else the app has, and the problems: severity, line, fix. */
const rows: readonly (readonly [
  name: string,
  files: Files,
  want: readonly (readonly [severity: string, place: string, fix: string])[],
])[] = [
  ["the same in both", app('{ en: { a: "x {n}", b: "y" }, pt: { a: "z {n}", b: "w" } }'), []],
  [
    "a message that one language lacks",
    app('{\n  en: { a: "x", b: "Welcome" },\n  pt: { a: "z" },\n}'),
    [["error", "lib/words.ts:5", 'Add b to "pt"; in "en" it is "Welcome".']],
  ],
  [
    "a message that the first language lacks",
    app('{\n  en: { a: "x" },\n  pt: { a: "z", b: "w" },\n}'),
    [["error", "lib/words.ts:4", 'Add b to "en"; in "pt" it is "w".']],
  ],
  [
    "other placeholders",
    app(
      '{\n  en: { a: "{n} of {m}", b: "y" },\n  pt: {\n    a: "{n} de " + "{k}",\n    b: "w" },\n}',
    ),
    [[
      "error",
      "lib/words.ts:6",
      'Add {m} to the text. Remove {k} from the text, or add it in "en".',
    ]],
  ],
  [
    "a plural form that the language needs",
    app(
      '{ en: { a: { one: "x", other: "{count}" }, b: "y" },\n pl: { a: { one: "x", other: "{count}" }, b: "w" } }',
    ),
    [["error", "lib/words.ts:4", 'Add many, few to the forms of "a".']],
  ],
  [
    "a plural form that the language never uses",
    app('{ en: { a: { one: "x", few: "z", other: "{count}" }, b: "y" } }'),
    [["error", "lib/words.ts:3", 'Remove few from the forms of "a".']],
  ],
  [
    "a message that no source uses",
    app(
      '{\n  en: {\n    a: "x",\n    c: "y",\n  },\n  pt: { a: "x", c: "y" } }',
      'c.t(words, "a");',
    ),
    [["warning", "lib/words.ts:6", 'Remove "c" from every language of this catalog, or use it.']],
  ],
  [
    "keys from a list, a table, a template",
    app(
      '{ en: { a: "x", b: "y", kind_film: "z" } }',
      'const list = ["a"]; const table = { b: 1 }; c.t(words, `kind_${kind}`);',
    ),
    [],
  ],
  [
    "keys that are added up",
    app(
      '{ en: { kind_film: "x", film_long: "y", is_film_open: "z", other: "o" } }',
      'c.t(words, "kind_" + kind); c.t(words, kind + "_long"); c.t(words, "is_" + (kind + "_open"));',
    ),
    [[
      "warning",
      "lib/words.ts:3",
      'Remove "other" from every language of this catalog, or use it.',
    ]],
  ],
  [
    "a sum that may be any text, or no key, names nothing",
    app('{ en: { a: "x" } }', 'c.t(words, key + ""); log("the " + a); f(1 + 2, x + y);'),
    [["warning", "lib/words.ts:3", 'Remove "a" from every language of this catalog, or use it.']],
  ],
  [
    "a template that may be any text names nothing",
    app('{ en: { a: "x" } }', "c.t(words, `${key}`); log(`the ${a} b`);"),
    [["warning", "lib/words.ts:3", 'Remove "a" from every language of this catalog, or use it.']],
  ],
  [
    "a language without a catalog",
    app(
      '{ en: { a: "x" }, pt: { a: "y" } }',
      'c.t(words, "a");',
      'config.languages = ["en", "pt-PT", "fr"];',
    ),
    [["warning", "lib/words.ts:3", 'Add "fr" to the catalog, or remove it from config.languages.']],
  ],
  ["what is not written out", app("{ en: { a, ...more }, ...others }", 'c.t(words, "a");'), []],
  [
    "functions have what parameters they like",
    app('{ en: { a: (p) => "x" }, pt: { a: "{n}" } }'),
    [],
  ],
  [
    "a function of the same name",
    { "lib/words.ts": 'import { catalog } from "./books.ts";\ncatalog({ en: { a: "x" } });\n' },
    [],
  ],
];

for (const [name, files, want] of rows) {
  Deno.test(`checkCatalogs: ${name}`, () =>
    inProject(files, async (root) => {
      const problems = await checkCatalogs(createProject(root));
      assertEquals(
        problems.map((
          { severity, place, fix },
        ) => [severity, `${place?.file}:${place?.line}`, fix]),
        want.map((row) => [...row]),
      );
      for (const { code } of problems) assertEquals(code, "E_CATALOG");
    }));
}

Deno.test("checkCatalogs: the texts are in Portuguese too", () =>
  inProject(app('{ en: { a: "x", b: "y" }, pt: { a: "z" } }'), async (root) => {
    const [problem] = await checkCatalogs(createProject(root, { messages: messagesIn("pt") }));
    assertStringIncludes(problem?.message ?? "", 'Falta em "pt" a mensagem "b"');
  }));
