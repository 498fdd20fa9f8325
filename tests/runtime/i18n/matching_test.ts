/** Matching requested languages with those of an application (Unicode CLDR, TR 35, 4.4). */
import { assertEquals } from "@std/assert";
import { App } from "@fw/fw";
import { catalog } from "@fw/fw/i18n";
import { testRequest, withHeader } from "@fw/fw/testing";
import { keepByLanguage } from "../../../runtime/i18n/languages.ts";

/** Languages of an application, and for each of them the ranges that select it. */
const rows: readonly [languages: string, wanted: Readonly<Record<string, string>>][] = [
  ["en zh zh-TW", {
    "zh-TW": "zh-Hant-TW zh-Hant zh-TW zh-HK zh-Hant-HK yue zh-yue zh-cmn-Hant",
    zh: "zh-CN zh-Hans zh-SG cmn zh-cmn ZH-CMN-HANS-CN zh-wuu zh-guoyu zh-hakka i-hak",
  }],
  ["en zh yue", { yue: "zh-yue zh-yue-HK yue-Hant", zh: "zh-cmn" }],
  ["en zh-Hans zh-Hant", { "zh-Hant": "zh-TW zh-MO", "zh-Hans": "zh" }],
  ["en zh-TW zh-HK", { "zh-HK": "zh-MO", "zh-TW": "zh-Hant" }],
  ["en zh-CN", { "zh-CN": "zh-TW" }],
  ["en he id fil yi ro", { he: "iw iw-IL", id: "in", fil: "tl", yi: "ji", ro: "mo" }],
  ["en no", { no: "nb nb-NO nn no-NO" }],
  ["en nb", { nb: "no nn-NO" }],
  ["en nn nb", { nn: "no nn", nb: "nb" }],
  ["en es es-419", { "es-419": "es-MX es-AR es-US es-419", es: "es-ES es es-GQ" }],
  ["en es-ES es-AR es-MX", { "es-AR": "es-CO", "es-MX": "es-MX", "es-ES": "es" }],
  ["en es-ES", { "es-ES": "es-419 es-MX" }],
  ["fr pt-BR pt-PT", { "pt-BR": "pt pt-US", "pt-PT": "pt-AO pt-MZ pt-PT" }],
  ["fr pt pt-PT", { pt: "pt-BR", "pt-PT": "pt-CV" }],
  ["fr en-US en-GB", { "en-US": "en en-PR", "en-GB": "en-AU en-IN en-001" }],
  ["fr en-GB", { "en-GB": "en-US en" }],
  ["en sr sr-Latn", { "sr-Latn": "sh sr-Latn-RS", sr: "sr-RS" }],
  ["en sr", { sr: "sr-Latn" }],
  ["en ar ms sw", {
    ar: "arb ar-EG ar-arz arz ar-arb-EG",
    ms: "zsm ms-zlm",
    sw: "swh sw-swc",
    en: "ar-yyy en-yue",
  }],
  ["en de de-AT", { de: "de-CH de-x-private", "de-AT": "de-AT" }],
  ["fr en", { fr: "und mul tlh x-private i-klingon" }],
];

for (const [names, wanted] of rows) {
  const languages = names.split(" ");
  const app = new App({ env: "dev", logRequest: () => false, languages });
  app.route({ pattern: "/", methods: { GET: (c) => c.text(200, c.language) } });
  const texts = Object.fromEntries(languages.map((tag) => [tag, { tag }]));
  const messages = catalog(texts);
  const pairs = Object.entries(wanted).flatMap(([tag, ranges]) =>
    ranges.split(" ").map((range) => [range, tag] as const)
  );
  for (const [range, expected] of pairs) {
    Deno.test(`of ${languages.join(", ")}, ${range} gets ${expected}`, async () => {
      const response = await testRequest(app, "GET", "/", withHeader("accept-language", range));
      assertEquals([response.body, messages.text(range, "tag")], [expected, expected]);
    });
  }
}

Deno.test("keepByLanguage: makes a value once, and keeps at most 200", () => {
  const made: string[] = [];
  const make = keepByLanguage((language) => made.push(language));
  const tags = Array.from({ length: 201 }, (_, at) => `en-x-${at}`);
  for (const tag of [...tags, ...tags]) make(tag);
  assertEquals(made, [...tags, "en-x-200"]);
});
