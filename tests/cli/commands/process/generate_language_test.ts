import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { join } from "@std/path";
import { joinLanguages, joinName } from "../../../../cli/scaffold/generate_language.ts";
import { placeSwitch } from "../../../../cli/scaffold/kit.ts";
import { addLanguage } from "../../../../cli/scaffold/languages.ts";
import { type Refusal, testRefusals } from "../../refusals.ts";
import { denoOutput, inNewApp, inProject, listTree, page, runCli } from "../../support.ts";

// The written files are checked and run by the tests of `generate resource` and `generate auth`.

testRefusals("generate language", [
  ["", 2, "needs an argument", "precisa de um argumento"],
  ...["portuguese", "../x", 'pt"', "de-u-co-phonebk", "und", "mul-DE"].map((
    tag,
  ): Refusal => [tag, 2, "such as fr or pt-PT", "como fr ou pt-PT"]),
  ["pt-PT fr", 2, '"fr"'],
  ["en", 1, "already has the language en", "já tem a língua en"],
]);

const own = 'import { other } from "./x.ts";\n';
const setups: readonly (readonly [
  name: string,
  text: string,
  want: readonly string[] | undefined,
])[] = [
  ["no file", "", ["config: Settings", '["en", "pt-PT"]', "function Setup(): void {\n}"]],
  ["a list", 'config.languages = ["en"];\n', ['config.languages = ["en", "pt-PT"];']],
  ["a list on lines", 'config.languages = [\n  "en",\n];\n', ['[\n  "en", "pt-PT"\n]']],
  ["a computed list", "config.languages = read();\n", undefined],
  [
    "settings",
    "export function Config(settings: Config): void {\n  settings.addr = 1;\n}\n",
    ['{\n  settings.languages = ["en", "pt-PT"];\n  settings.addr'],
  ],
  ["a custom form of settings", "export const Config = () => {};\n", undefined],
  [
    "a setup alone",
    `import type { Application } from "@fw/fw";\n${own}export function Setup() {}\n`,
    ["{ Application, Config as Settings }", `${own}\n/** Sets`, "export function Setup() {}"],
  ],
];

for (const [name, text, want] of setups) {
  Deno.test(`joinLanguages: ${name}`, () => {
    const joined = joinLanguages(text, { tag: "pt-PT", present: ["en"] });
    if (want === undefined) assertEquals(joined, undefined);
    for (const part of want ?? []) assertStringIncludes(joined ?? "", part);
    // No line of the file is lost.
    for (const line of text.match(/export .*/g) ?? []) {
      if (want !== undefined) assertStringIncludes(joined ?? "", line);
    }
  });
}

Deno.test("joinName and placeSwitch leave custom files unchanged", () => {
  assertEquals(joinName("const names = {};\n", { tag: "fr", name: "Français" }), undefined);
  assertEquals(placeSwitch("export function Layout() {}\n", "./x.ts"), undefined);
});

/** Returns a source with a catalog of one language, optionally replaced by another. */
function catalogSource(members: string): string {
  return `const messages = catalog({\n${members}});\n`;
}

const english =
  '  en: {\n    home: "Overview",\n    own: "Our \\"words\\"",\n    empty: "No nuts yet",\n  },\n';
const translated: readonly (readonly [
  name: string,
  tag: string,
  members: string,
  added: string | undefined,
])[] = [
  [
    "labels of the samples are translated, and custom ones are marked",
    "pt-PT",
    english,
    '  "pt-PT": {\n    home: "Resumo",\n    own: "Our \\"words\\"", // translate\n    empty: "Ainda não há registos",\n  },\n',
  ],
  [
    "plurals of the samples",
    "pt-PT",
    '  en: {\n    count: { one: "{count} account", other: "{count} accounts" },\n  },\n',
    '  "pt-PT": {\n    count: { one: "{count} conta", other: "{count} contas" },\n  },\n',
  ],
  [
    "plurals of a resource",
    "pt-PT",
    '  en: {\n    count: { one: "{count} nut", other: "{count} nuts" },\n  },\n',
    '  "pt-PT": {\n    count: { one: "{count} registo", other: "{count} registos" },\n  },\n',
  ],
  ["one that is there", "pt-BR", `${english}  pt: {\n    home: "Casa",\n  },\n`, undefined],
  [
    "a language without sample labels gets marked English texts",
    "fr",
    `${english}  pt: {\n    home: "Casa",\n  },\n`,
    '  fr: {\n    home: "Overview", // translate\n    own: "Our \\"words\\"", // translate\n' +
    '    empty: "No nuts yet", // translate\n  },\n',
  ],
  [
    "texts in other quotes",
    "fr",
    `  en: {\n    a: 'The "words"',\n    b: \`The \${word}\`,\n  },\n`,
    `  fr: {\n    a: 'The "words"', // translate\n    b: \`The \${word}\`, // translate\n  },\n`,
  ],
  [
    "plural forms that English lacks, and a first one that fits 21 as well",
    "ru",
    '  en: {\n    "a.b": "–",\n    nuts: { one: "1 nut", other: "{count} nuts" },\n  },\n',
    '  ru: {\n    "a.b": "–",\n    nuts: { one: "{count} nut", other: "{count} nuts", many: "{count} nuts", ' +
    'few: "{count} nuts" }, // translate\n  },\n',
  ],
  [
    "no plural form that the language lacks",
    "ja",
    '  en: {\n    nuts: { one: "{count} nut", other: "{count} nuts" },\n  },\n',
    '  ja: {\n    nuts: { other: "{count} nuts" }, // translate\n  },\n',
  ],
  [
    "labels of fields, and a text in two strings",
    "pt",
    '  en: {\n    vat: "VAT",\n    ourFault: "Nothing you entered is lost: go back and it is still in the ' +
    'form. " +\n      "If you ask for help, give this reference.",\n  },\n',
    '  pt: {\n    vat: "IVA",\n    ourFault: "Nada do que escreveu se perdeu: volte atrás e ainda está no ' +
    'formulário. Se pedir ajuda, indique esta referência.",\n  },\n',
  ],
];
for (const [name, tag, members, added] of translated) {
  Deno.test(`addLanguage ${tag}: ${name}`, () => {
    const want = added === undefined ? undefined : catalogSource(members + added);
    assertEquals(addLanguage(catalogSource(members), tag), want);
  });
}

Deno.test("generate language: keeps the developer's edits and prints the missing parts", async () => {
  const layout = "export function Layout() {}\n";
  const files = { "app/page.ts": page, "app/layout.ts": layout };
  await inProject(files, async (cwd) => {
    const run = await runCli(["generate", "language", "pt-pt"], { cwd });
    assertEquals([run.code, run.stderr], [0, ""]);
    assertStringIncludes(run.stdout, "app/layout.ts belongs to the application");
    assertStringIncludes(run.stdout, "languageSwitch(c),");
    assertEquals(await Deno.readTextFile(join(cwd, "app/layout.ts")), layout);
    const setup = await Deno.readTextFile(join(cwd, "app/setup.ts"));
    assertStringIncludes(setup, '["en", "pt-PT"]');
    assert((await listTree(cwd)).includes("app/language/route_test.ts"));
  });
});

Deno.test("generate language: adds a second language to the setting and the switch", () =>
  inNewApp([], async (cwd, run) => {
    for (const tag of ["pt-PT", "fr", "pt-BR"]) {
      const stdout = await run(`language ${tag}`);
      assert(!stdout.includes("belongs to the application"), stdout);
      // French has no generated texts, so its texts are marked.
      assertEquals(/Texts to translate: \d+/.test(stdout), tag === "fr", tag);
    }
    const setup = await Deno.readTextFile(join(cwd, "app/setup.ts"));
    assertStringIncludes(setup, '["en", "pt-PT", "fr", "pt-BR"]');
    const view = await Deno.readTextFile(join(cwd, "views/language_switch.ts"));
    assertStringIncludes(view, '  fr: "Français",\n  "pt-BR": "Português (Brasil)",\n');
    // The current language has a mark, because a disabled button would look like an unselected one.
    assertStringIncludes(view, 'tag === c.language && h.aria("current", "true")');
    assert(!/h\.disabled\(|\bui\b/.test(view), view);
    const lost = await Deno.readTextFile(join(cwd, "app/not_found.ts"));
    assertStringIncludes(lost, 'noSuchPage: "There is no such page"');
    assertStringIncludes(lost, 'noSuchPage: "Esta página não existe"');
    // A later generator brings the kit, in which the switch stands beside that of the theme.
    assertNotMatch(await run("page /help --form"), /Put it into your layout/);
    const layout = await Deno.readTextFile(join(cwd, "app/layout.ts"));
    assertStringIncludes(layout, "languageSwitch(c), ui.themeToggle()");
    assertNotMatch(layout, /\bapi: /);
    const joined = await Deno.readTextFile(join(cwd, "views/language_switch.ts"));
    assertMatch(
      joined,
      /^import \* as ui from [^]*ui\.menuButton\([^]*ui\.noNavigate\(\),\n {4}csrfInput\(c\),\n {4}ui\.menu\(/m,
    );
    await Deno.remove(join(cwd, "views/language_switch.ts"));
    assertNotMatch(await run("language it"), /language_switch/);
    // Files from before a language are those of the generator too.
    const boxes = "resource boxes name:text,required state:oneof=on/off";
    await run(boxes);
    await run("language nl");
    assertNotMatch(await run(`${boxes} --undo`), /Kept/);
  }));

Deno.test("generate language: adds a listed language to the catalogs that lack it", async () => {
  const files = {
    "app/page.ts": page,
    "app/setup.ts":
      'export function Config(c) {\n  c.languages = ["en", "pt-PT"];\n}\nexport function Setup() {}\n',
    "lib/words.ts": catalogSource(english),
  };
  await inProject(files, async (cwd) => {
    const { code, stdout } = await runCli(["generate", "language", "pt-PT"], { cwd });
    assertEquals([code, stdout.includes("Changed lib/words.ts.")], [0, true]);
    assertStringIncludes(await Deno.readTextFile(join(cwd, "lib/words.ts")), 'home: "Resumo"');
    assertEquals(await Deno.readTextFile(join(cwd, "app/setup.ts")), files["app/setup.ts"]);
    const again = await runCli(["generate", "language", "pt-PT"], { cwd });
    assertStringIncludes(again.stderr, "already has the language pt-PT");
  });
});

Deno.test("generate language: later generators write each catalog in all languages", () =>
  inNewApp(["--kit", "--db", "sqlite"], async (cwd, run) => {
    for (
      const line of [
        "mail early",
        "language de",
        "auth --passwords",
        "auth --passkeys --users",
        "resource invoices number:text --guard --csv",
        "resource lines invoice:ref=invoices/cascade count:int price:money=EUR --inside",
        "resource notes text:long --guard",
        "page /help --form",
        "mail hello",
        "job sweep",
      ]
    ) assertNotMatch(await run(line), /belongs to the application/, line);
    const sources = (await listTree(cwd)).filter((file) => file.endsWith(".ts"));
    const lacking = await Promise.all(sources.map(async (file) => {
      const catalogs = (await Deno.readTextFile(join(cwd, file)))
        .matchAll(/catalog\(\{[^]*?^\}\)/gm);
      return [...catalogs].some(([text]) => !/^ {2}de: \{[^]*\/\/ translate/m.test(text))
        ? [file]
        : [];
    }));
    assertEquals(lacking.flat(), []);
    await denoOutput(["check", "."], cwd);
  }));
