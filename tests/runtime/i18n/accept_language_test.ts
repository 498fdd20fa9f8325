/**
 * `c.language`: the cookie, then `Accept-Language` by the lookup of RFC 4647, then the first
 * language.
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { App, type Settings } from "@fw/fw";
import { testRequest, withCookie, withHeader } from "@fw/fw/testing";
import { cpuMs } from "../../cpu_time.ts";

function newApp(settings: Settings = {}): App {
  const languages = ["en", "pt-PT", "zh-Hant", "de"];
  const app = new App({ env: "dev", logRequest: () => false, languages, ...settings });
  app.route({ pattern: "/", methods: { GET: (c) => c.text(200, c.language) } });
  return app;
}

const app = newApp();
const long = `${"x".repeat(8)}-`.repeat(500);

const headers: [name: string, header: string, expected: string][] = [
  ["one language", "de", "de"],
  ["what browsers send", "pt-PT,pt;q=0.9,en-US;q=0.8,en;q=0.7", "pt-PT"],
  ["case does not matter", "PT-pt", "pt-PT"],
  ["the higher quality wins", "en;q=0.2, de;q=0.7, pt-PT;q=0.5", "de"],
  ["of equal qualities the first wins", "de, pt-PT", "de"],
  ["the same language of another country matches", "pt-BR, en;q=0.9", "pt-PT"],
  ["any", "*", "en"],
  ["a wildcard after an unsupported language", "fr, *;q=0.5", "en"],
  ["a wildcard that excludes one", "*, en;q=0", "pt-PT"],
  ["a refused language", "de;q=0, en;q=0.1", "en"],
  ["a refused range excludes longer tags", "pt;q=0, en;q=0, *", "zh-Hant"],
  ["a refused range excludes the language of another country", "pt-BR, pt;q=0, de;q=0.1", "de"],
  ["a refused range keeps tags that only share its letters", "z;q=0, zh-Hant", "zh-Hant"],
  ["a longer range overrides a refused one", "pt;q=0, pt-PT;q=0.1, de;q=0", "pt-PT"],
  ["a longer refused range overrides a shorter one", "pt-PT;q=0, pt, de;q=0.1", "de"],
  ["a refused extended range", "pt-*;q=0, en;q=0, *", "zh-Hant"],
  ["if all are refused the first is used", "de;q=0, *;q=0", "en"],
  ["spaces", "  fr ;q=0.9 ,\tde ; q=0.8 ", "de"],
  ["no supported language", "fr, it;q=0.5", "en"],
  ["nothing", "", "en"],
  ["an extended range", "pt-*", "pt-PT"],
  ["a malformed quality is skipped", "pt-PT;q=2, de;q=0.1", "de"],
  ["a quality with four digits is skipped", "pt-PT;q=0.1234, de;q=0.1", "de"],
  ["garbage", ";;;,,q=1,=,-, ,\u00ff", "en"],
  ["what objects inherit", "constructor, __proto__, toString", "en"],
  ["an endless range", long, "en"],
  ["a language beyond the length limit", `${long}, de`, "en"],
  ["a language beyond the number limit", `${"fr,".repeat(40)}de`, "en"],
];
for (const [name, header, expected] of headers) {
  Deno.test(`language: ${name}`, async () => {
    const response = await testRequest(app, "GET", "/", withHeader("accept-language", header));
    assertEquals(response.body, expected);
  });
}

Deno.test("language: of two regions, selects the one that is not refused", async () => {
  const two = newApp({ languages: ["en", "pt-PT", "pt-BR"] });
  const header = withHeader("accept-language", "pt-PT;q=0, pt, en;q=0.1");
  assertEquals((await testRequest(two, "GET", "/", header)).body, "pt-BR");
});

const cookies: [name: string, cookie: string, expected: string][] = [
  ["wins over the header", "pt-PT", "pt-PT"],
  ["in capitals", "PT-PT", "pt-PT"],
  ["with an unsupported language", "fr", "de"],
  ["with a related language", "pt", "de"],
  ["with garbage", "%00", "de"],
  ["with the name of an inherited member", "__proto__", "de"],
];
for (const [name, cookie, expected] of cookies) {
  Deno.test(`language: a cookie ${name}`, async () => {
    const option = withHeader("accept-language", "de");
    const response = await testRequest(app, "GET", "/", withCookie("fw_lang", cookie), option);
    assertEquals(response.body, expected);
  });
}

Deno.test("language: alternating headers are each parsed correctly", async () => {
  const tags = ["de", "pt-PT", "en"];
  for (let index = 0; index < 60; index++) {
    const tag = tags[index % 3] ?? "";
    const header = `x${index % 20}, ${tag}`;
    const response = await testRequest(app, "GET", "/", withHeader("accept-language", header));
    assertEquals(response.body, tag);
  }
});

Deno.test("language: hostile headers are parsed cheaply", async () => {
  const startMs = cpuMs();
  for (const piece of ["a-", ";q=", ",", "-*", "*;q=0,", " \t"]) {
    const header = piece.repeat(8_000);
    await testRequest(app, "GET", "/", withHeader("accept-language", `${header}x`));
  }
  const tookMs = cpuMs() - startMs;
  assert(tookMs < 1_000, `${tookMs} ms`);
});

Deno.test("language: an application without languages uses English and sends no Vary", async () => {
  const plain = newApp({ languages: [] });
  const response = await testRequest(plain, "GET", "/", withHeader("accept-language", "pt"));
  assertEquals([response.body, response.header("vary")], ["en", undefined]);
  assertEquals(response.header("content-language"), undefined);
});

Deno.test("language: an application in one language sends no Vary", async () => {
  const one = newApp({ languages: ["pt-PT"] });
  const response = await testRequest(one, "GET", "/", withHeader("accept-language", "en"));
  assertEquals([response.body, response.header("vary")], ["pt-PT", undefined]);
  assertEquals(response.header("content-language"), "pt-PT");
});

const wrong: [name: string, settings: Record<string, unknown>, message: string][] = [
  ["an invalid tag", { languages: ["en_GB"] }, '"en_GB"'],
  ["an empty tag", { languages: [""] }, '""'],
  ["a tag twice", { languages: ["en", "EN"] }, '"en" twice'],
  ["no list", { languages: "en" }, "array of strings"],
  ["a prefix without languages", { languages: [], languagePrefix: true }, "config.languagePrefix"],
  ["texts of no language", { languageTexts: { "x y": {} } }, 'languageTexts["x y"]'],
  ["texts of an unknown kind", { languageTexts: { fr: { label: {} } } }, "Did you mean labels?"],
  ["invalid texts", { languageTexts: { fr: { labels: { nav: 1 } } } }, "strings by key"],
];
for (const [name, settings, message] of wrong) {
  Deno.test(`languages: boot refuses ${name}`, () => {
    const error = assertThrows(() => newApp(settings as Settings).handler(), TypeError);
    assert(error.message.startsWith("Cannot "), error.message);
    assert(error.message.includes(message), error.message);
  });
}
