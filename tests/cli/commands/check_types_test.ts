import { assertEquals } from "@std/assert";
import { typeFix, typeFixFacts } from "../../../cli/check/type_fix.ts";
import { messagesIn } from "../../../cli/messages/catalog.ts";
import { createProject } from "../../../cli/project/project.ts";
import { type Files, inProject, page } from "../support.ts";

const files: Files = {
  "app/page.ts": page,
  "app/events/page.ts": page,
  "app/events/slug_/page.ts": page,
  "lib/clock.ts": "export function cityClock(): void {}\nexport interface Clock { x: 1 }\n",
  "lib/a.ts":
    'import { cityClock } from "./clock.ts";\nimport {\n  Clock,\n} from "./clock.ts";\nc.href("/evnts");\n' +
    'const {\n  first,\n} = c;\nimport {\n  cityClock as one, Clock\n} from "./clock.ts"; const imported = 1;\n',
  "lib/messages.ts": 'import { catalog } from "@fw/fw/i18n";\n' +
    'export const messages = catalog({ en: { title: "Books", removed: "{title} was removed by {name}" } });\n',
  "lib/b.ts":
    'c.t(messages, "titel");\nc.t(\n  words.messages,\n  "removed",\n);\nc.t(messages, "zzz");\n' +
    'c.href("/events/{slug}/days/{day}");\nf();\n',
};

const count =
  "TS2554: Expected 3 arguments, but got 2.\nArguments for the rest parameter 'params' were not provided.";

/** What is said where an argument is missing in `lib/b.ts`. */
const countRows: readonly (readonly [line: number, fix: string])[] = [
  [1, 'Replace "titel" with "title".'],
  [2, 'Pass the parameters of "removed" as one more argument: { title, name }.'],
  [6, 'Write the key of a message that the catalog has, or add "zzz" to its languages.'],
  [
    7,
    'Pass the parameters of "/events/{slug}/days/{day}" as one more argument: { slug, day }.',
  ],
  [8, "Pass 3 arguments instead of 2."],
];

/** What the compiler says of `lib/a.ts`, and the fix. */
const rows: readonly (readonly [line: number, message: string, fix: string | undefined])[] = [
  [
    5,
    "TS2551: Property 'titel' does not exist on type 'Ctx<string>'. Did you mean 'title'?",
    'Replace "titel" with "title".',
  ],
  [
    5,
    "TS2339: Property 'colour' does not exist on type 'Ctx<string>'.",
    'Use a property that Ctx<string> has, or declare "colour" in that type.',
  ],
  [
    5,
    "TS2552: Cannot find name 'eventz'. Did you mean 'events'?",
    'Replace "eventz" with "events".',
  ],
  [
    5,
    "TS2304: Cannot find name 'cityClock'.",
    'Add `import { cityClock } from "./clock.ts";` at the top of the file.',
  ],
  [
    5,
    "TS2304: Cannot find name 'Clock'.",
    'Add `import type { Clock } from "./clock.ts";` at the top of the file.',
  ],
  [
    5,
    "TS2304: Cannot find name 'h'.",
    'Add `import * as h from "@fw/fw/h";` at the top of the file.',
  ],
  [
    5,
    "TS2304: Cannot find name 'use'.",
    'Add `import { use } from "@fw/fw";` at the top of the file.',
  ],
  [
    5,
    "TS2304: Cannot find name 'Ctx'.",
    'Add `import type { Ctx } from "@fw/fw";` at the top of the file.',
  ],
  [
    5,
    "TS2304: Cannot find name 'nothing'.",
    'Declare "nothing", or import it from the module that has it.',
  ],
  [
    1,
    "TS2724: '\"file:///x/clock.ts\"' has no exported member named 'cityClok'. Did you mean 'cityClock'?",
    'Replace "cityClok" with "cityClock".',
  ],
  [
    1,
    "TS2305: Module '\"file:///x/clock.ts\"' has no exported member 'now'.",
    'Export "now" from file:///x/clock.ts, or import a name that it exports.',
  ],
  [
    1,
    "TS6133: 'cityClock' is declared but its value is never read.",
    'Remove "cityClock" from the import.',
  ],
  [
    3,
    "TS6133: 'Clock' is declared but its value is never read.",
    'Remove "Clock" from the import.',
  ],
  [7, "TS6133: 'first' is declared but its value is never read.", 'Remove "first", or use it.'],
  [
    10,
    "TS6133: 'Clock' is declared but its value is never read.",
    'Remove "Clock" from the import.',
  ],
  [
    11,
    "TS6133: 'imported' is declared but its value is never read.",
    'Remove "imported", or use it.',
  ],
  [5, "TS6133: 'x' is declared but its value is never read.", 'Remove "x", or use it.'],
  [
    3,
    "TS1484: 'Clock' is a type and must be imported using a type-only import when 'verbatimModuleSyntax' is enabled.",
    "Write `type Clock` in the import.",
  ],
  [5, "TS2554: Expected 2 arguments, but got 1.", "Pass 2 arguments instead of 1."],
  [
    5,
    "TS18048: 'user.name' is possibly 'undefined'.",
    "Handle the case that user.name is absent first: `if (user.name === undefined) …`, or `?.`.",
  ],
  [5, "TS7006: Parameter 'c' implicitly has an 'any' type.", "Write its type: `c: Ctx`."],
  [
    5,
    "TS2345: Argument of type '{ a: number; }' is not assignable to parameter of type '{ a: number; b: string; }'.\n" +
    "  Property 'b' is missing in type '{ a: number; }' but required in type '{ a: number; b: string; }'.",
    "Add what is missing to the object: b.",
  ],
  [
    5,
    "TS2739: Type '{}' is missing the following properties from type 'Clock': x, y",
    "Add what is missing to the object: x, y.",
  ],
  [
    5,
    "TS2353: Object literal may only specify known properties, and 'slgu' does not exist in type '{ slug: string | number; }'.",
    'Replace "slgu" with "slug".',
  ],
  [
    5,
    "TS2353: Object literal may only specify known properties, and 'z' does not exist in type 'Clock'.",
    'Remove the property "z", or declare it in Clock.',
  ],
  [
    5,
    'TS2345: Argument of type \'"/evnts"\' is not assignable to parameter of type \'"/" | ... 2 more ... | "/x"\'.',
    'Replace "/evnts" with "/events".',
  ],
  [
    5,
    "TS2345: Argument of type '\"slgu\"' is not assignable to parameter of type '\"slug\"'.",
    'Replace "slgu" with "slug".',
  ],
  [
    5,
    'TS2322: Type \'"pge"\' is not assignable to type \'"page" | "api"\'.',
    'Replace "pge" with "page".',
  ],
  [
    5,
    "TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.",
    "Pass a value of the type number here instead of string.",
  ],
  [
    5,
    "TS2322: Type 'string | undefined' is not assignable to type 'string'.\n" +
    "  Type 'undefined' is not assignable to type 'string'.",
    "Write a value of the type string here instead of string | undefined, or change the declared type.",
  ],
  [5, "TS9999: Something else.", undefined],
];

Deno.test("typeFix: the fix names what to write", () =>
  inProject(files, async (root) => {
    const facts = await typeFixFacts(createProject(root));
    for (const [line, message, fix] of rows) {
      const column = message.includes("'imported'") ? 30 : 1;
      const place = { file: "lib/a.ts", line, column };
      assertEquals(typeFix({ code: "E_TYPES", severity: "error", place, message }, facts), fix);
    }
  }));

Deno.test("typeFix: a missing argument of a message or an address is named", () =>
  inProject(files, async (root) => {
    const facts = await typeFixFacts(createProject(root));
    for (const [line, fix] of countRows) {
      const place = { file: "lib/b.ts", line, column: line === 8 ? 1 : 3 };
      const problem = { code: "E_TYPES", severity: "error", place, message: count } as const;
      assertEquals(typeFix(problem, facts), fix);
    }
  }));

Deno.test("typeFix: with the alias of the project, and in Portuguese", () =>
  inProject({ ...files, "deno.json": '{ "imports": { "@/": "./" } }' }, async (root) => {
    const facts = await typeFixFacts(createProject(root, { messages: messagesIn("pt") }));
    const fix = typeFix({
      code: "E_TYPES",
      severity: "error",
      place: { file: "app/page.ts", line: 1 },
      message: "TS2304: Cannot find name 'cityClock'.",
    }, facts);
    const statement = 'import { cityClock } from "@/lib/clock.ts";';
    assertEquals(fix, `Acrescente \`${statement}\` no início do ficheiro.`);
  }));
