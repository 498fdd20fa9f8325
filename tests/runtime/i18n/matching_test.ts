/** How a language that somebody asks for is matched with those of an application (Unicode CLDR, TR 35, 4.4). */
import { assertEquals } from "@std/assert";
import { App } from "@fw/fw";
import { catalog } from "@fw/fw/i18n";
import { testRequest, withHeader } from "@fw/fw/testing";

/** Languages of an application, and for each that is asked for what it gets. */
const rows: readonly [languages: readonly string[], wanted: Readonly<Record<string, string>>][] = [
  [["en", "zh", "zh-TW"], {
    "zh-Hant-TW": "zh-TW",
    "zh-Hant": "zh-TW",
    "zh-TW": "zh-TW",
    "zh-HK": "zh-TW",
    "zh-Hant-HK": "zh-TW",
    "zh-CN": "zh",
    "zh-Hans": "zh",
    "zh-SG": "zh",
    "cmn": "zh",
    "yue": "zh-TW",
    "zh-yue": "zh-TW",
    "zh-cmn": "zh",
    "zh-cmn-Hant": "zh-TW",
    "ZH-CMN-HANS-CN": "zh",
    "zh-wuu": "zh",
    "zh-min-nan": "zh",
    "zh-min": "zh",
    "zh-guoyu": "zh",
    "zh-hakka": "zh",
    "i-hak": "zh",
  }],
  [["en", "zh", "yue"], { "zh-yue": "yue", "zh-yue-HK": "yue", "yue-Hant": "yue", "zh-cmn": "zh" }],
  [["en-US", "en-GB", "lb", "tlh", "nv"], {
    "en-GB-oed": "en-GB",
    "i-lux": "lb",
    "I-Klingon": "tlh",
    "i-navajo": "nv",
    "i-default": "en-US",
    "i-mingo": "en-US",
  }],
  [["en", "zh-Hans", "zh-Hant"], { "zh-TW": "zh-Hant", "zh": "zh-Hans", "zh-MO": "zh-Hant" }],
  [["en", "zh-TW", "zh-HK"], { "zh-MO": "zh-HK", "zh-Hant": "zh-TW" }],
  [["en", "zh-CN"], { "zh-TW": "zh-CN" }],
  [["en", "he", "id", "fil", "yi", "ro"], {
    "iw": "he",
    "iw-IL": "he",
    "in": "id",
    "tl": "fil",
    "ji": "yi",
    "mo": "ro",
  }],
  [["en", "no"], {
    "nb": "no",
    "nb-NO": "no",
    "nn": "no",
    "no-NO": "no",
    "no-bok": "no",
    "no-nyn": "no",
  }],
  [["en", "nb"], { "no": "nb", "nn-NO": "nb" }],
  [["en", "nn", "nb"], { "no": "nn", "nb": "nb", "nn": "nn" }],
  [["en", "es", "es-419"], {
    "es-MX": "es-419",
    "es-AR": "es-419",
    "es-US": "es-419",
    "es-419": "es-419",
    "es-ES": "es",
    "es": "es",
    "es-GQ": "es",
  }],
  [["en", "es-ES", "es-AR", "es-MX"], { "es-CO": "es-AR", "es-MX": "es-MX", "es": "es-ES" }],
  [["en", "es-ES"], { "es-419": "es-ES", "es-MX": "es-ES" }],
  [["fr", "pt-BR", "pt-PT"], {
    "pt": "pt-BR",
    "pt-AO": "pt-PT",
    "pt-MZ": "pt-PT",
    "pt-PT": "pt-PT",
    "pt-US": "pt-BR",
  }],
  [["fr", "pt", "pt-PT"], { "pt-BR": "pt", "pt-CV": "pt-PT" }],
  [["fr", "en-US", "en-GB"], {
    "en": "en-US",
    "en-AU": "en-GB",
    "en-IN": "en-GB",
    "en-001": "en-GB",
    "en-PR": "en-US",
  }],
  [["fr", "en-GB"], { "en-US": "en-GB", "en": "en-GB" }],
  [["en", "sr", "sr-Latn"], { "sh": "sr-Latn", "sr-RS": "sr", "sr-Latn-RS": "sr-Latn" }],
  [["en", "sr"], { "sr-Latn": "sr" }],
  [["en", "ar", "ms", "sw"], {
    "arb": "ar",
    "ar-EG": "ar",
    "ar-arz": "ar",
    "arz": "ar",
    "ar-arb-EG": "ar",
    "zsm": "ms",
    "ms-zlm": "ms",
    "swh": "sw",
    "sw-swc": "sw",
    "ar-yyy": "en",
    "en-yue": "en",
  }],
  [["en", "de", "de-AT"], { "de-CH": "de", "de-AT": "de-AT", "de-x-private": "de" }],
  [["fr", "en"], { "und": "fr", "mul": "fr", "tlh": "fr", "x-private": "fr", "i-klingon": "fr" }],
];

for (const [languages, wanted] of rows) {
  const app = new App({ env: "dev", logRequest: () => false, languages });
  app.route({ pattern: "/", methods: { GET: (c) => c.text(200, c.language) } });
  const texts = Object.fromEntries(languages.map((tag) => [tag, { tag }]));
  const messages = catalog(texts);
  for (const [range, expected] of Object.entries(wanted)) {
    Deno.test(`of ${languages.join(", ")}, ${range} gets ${expected}`, async () => {
      const response = await testRequest(app, "GET", "/", withHeader("accept-language", range));
      assertEquals(response.body, expected);
      assertEquals(messages.text(range, "tag"), expected);
    });
  }
}
