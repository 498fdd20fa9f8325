import { assertEquals, assertStringIncludes } from "@std/assert";
import { checkMessages } from "../../../cli/check/messages.ts";
import { createProject } from "../../../cli/project/project.ts";
import { type Files, inProject } from "../support.ts";

/** Returns a catalog in `lib/words.ts`, and a source that uses it. */
function app(catalog: string, uses: string): Files {
  return {
    "lib/words.ts":
      `import { catalog } from "@fw/fw/i18n";\nexport const w = catalog(${catalog});\n`,
    "lib/uses.ts": `${uses}\n`,
    "views/a.gohtml": `{{t "kept"}}`,
  };
}

/** A catalog, the other files of the app, and the warnings: line and subject. */
const rows: readonly (readonly [name: string, files: Files, want: readonly string[]])[] = [
  ["an unused message", app('{\n  en: { a: "x", b: "y" },\n}', 'c.t(w, "a");'), ["3 b"]],
  ["of the first language that has it", app('{\n  en: {},\n  pt: { a: "x" } }', ""), ["4 a"]],
  ["a text of a catalog does not use a key", app('{ en: { a: "b", b: "y" } }', 'c.t(w, "a");'), [
    "2 b",
  ]],
  [
    "keys from an array, an object, a page template and a template with a hole",
    app(
      '{ en: { a: "x", b: "y", kept: "k", kind_film: "z", film_long: "l" } }',
      'f(["a"], { b: 1 }, `kind_${kind}`, kind + "_long");',
    ),
    [],
  ],
  [
    "keys of the values of a field",
    app(
      '{ en: { "kind.talk": "x", "kind.fair": "y", } }',
      'f({ kind: text("required,oneof=talk fun") });',
    ),
    ["2 fair"],
  ],
  [
    "an arbitrary or unrelated text uses no key",
    app('{ en: { a: "x" } }', 'c.t(w, key + "", `${key}`); log("the " + x, `the ${x} b`);'),
    ["2 a"],
  ],
  ["spread members", app("{ en: { a, ...more }, ...others }", ""), []],
  [
    "a function of the same name",
    { "lib/words.ts": 'import { catalog } from "./books.ts";\ncatalog({ en: { a: "x" } });\n' },
    [],
  ],
];

for (const [name, files, want] of rows) {
  Deno.test(`checkMessages: ${name}`, () =>
    inProject(files, async (root) => {
      const problems = await checkMessages(createProject(root));
      const shown = problems.map(({ place, message }) =>
        `${place?.line} ${/"(?:kind\.)?(\w+)"/.exec(message)?.[1]}`
      );
      assertEquals(shown, want);
      for (const { code, severity, place, fix } of problems) {
        assertEquals([code, severity, place?.file], ["E_CATALOG", "warning", "lib/words.ts"]);
        assertStringIncludes(fix ?? "", '"');
      }
    }));
}
