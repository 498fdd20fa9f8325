/**
 * `c.language`: responses in one of several languages declare it, and caches keep them separate.
 */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { App, type Ctx, notFound, type Result, type Settings } from "@fw/fw";
import * as h from "@fw/fw/h";
import { catalog, languageAttributes } from "@fw/fw/i18n";
import { newTestClient, testRequest, withCookie, withHeader } from "@fw/fw/testing";

const messages = catalog({ en: { hello: "Hello <b>" }, "pt-PT": { hello: "Olá <b>" } });
const portuguese = withHeader("accept-language", "pt-PT");
const english = withHeader("accept-language", "en");

function newApp(handler: (c: Ctx) => Result | Promise<Result>, settings: Settings = {}): App {
  const languages = ["en", "pt-PT"];
  const app = new App({ env: "dev", logRequest: () => false, languages, ...settings });
  app.route({ pattern: "/page", page: handler });
  app.route({ pattern: "/api", methods: { GET: handler, POST: handler } });
  return app;
}

type Row = [name: string, handler: (c: Ctx) => Result, expected: {
  vary: string | undefined;
  language: string | undefined;
}];
const rows: Row[] = [
  ["JSON that asked", (c) => c.json(200, { text: c.t(messages, "hello") }), {
    vary: "Accept-Language, Cookie",
    language: "pt-PT",
  }],
  ["JSON without the language", (c) => c.json(200, {}), { vary: undefined, language: undefined }],
  ["a redirect that reads the language", (c) => c.redirect(`/${c.language}`), {
    vary: "Accept-Language, Cookie",
    language: undefined,
  }],
  ["a response with its own language", (c) => {
    void c.language;
    return new Response("Bonjour", { headers: { "content-language": "fr", vary: "Cookie" } });
  }, { vary: "Cookie, Accept-Language", language: "fr" }],
  ["a language staged by the handler", (c) => {
    c.header("Content-Language", "fr");
    return c.text(200, c.language);
  }, { vary: "Accept-Language, Cookie", language: "fr" }],
];
for (const [name, handler, expected] of rows) {
  Deno.test(`language: ${name} has the right headers`, async () => {
    const response = await testRequest(newApp(handler), "GET", "/api", portuguese);
    assertEquals(response.header("vary"), expected.vary);
    assertEquals(response.header("content-language"), expected.language);
  });
}

Deno.test("language: a page declares its language and varies, even if it does not read it", async () => {
  const app = newApp(() => h.p("Hello"));
  const cases = [
    ["en", undefined, "FW-Fragment, Accept-Language, Cookie"],
    ["pt-PT", undefined, "FW-Fragment, Accept-Language, Cookie"],
    ["pt-PT", "pt-PT", "FW-Fragment, Cookie"],
  ] as const;
  for (const [language, cookie, vary] of cases) {
    const sign = cookie === undefined
      ? withHeader("accept-language", language)
      : withCookie("fw_lang", cookie);
    const response = await testRequest(app, "GET", "/page", sign);
    assertEquals([response.header("content-language"), response.header("vary")], [language, vary]);
    assert(response.body.includes(`<html lang="${language}">`), response.body);
  }
});

const directions = { ar: "rtl", "fa-IR": "rtl", "az-Arab": "rtl", az: "" };
for (const [language, direction] of Object.entries(directions)) {
  Deno.test(`language: pages and error pages in ${language} have the direction "${direction}"`, async () => {
    const app = newApp((c) => c.query("fails") ? notFound() : h.p("text"), {
      languages: [language],
    });
    for (const url of ["/page", "/page?fails=1"]) {
      const { body } = await testRequest(app, "GET", url, withHeader("accept", "text/html"));
      const html = h.render(h.html(languageAttributes(language))).replace("</html>", "");
      assert(body.startsWith(html) && body.includes('dir="rtl"') === (direction !== ""), body);
    }
  });
}

Deno.test("language: a page lists each header once in Vary", async () => {
  const app = newApp((c) => {
    void c.signed("session");
    return h.p(c.t(messages, "hello"));
  }, { secret: "0".repeat(32) });
  const response = await testRequest(app, "GET", "/page", portuguese);
  assertEquals(response.header("vary"), "FW-Fragment, Accept-Language, Cookie");
  assert(response.body.includes("Olá &lt;b&gt;"), response.body);
});

Deno.test("language: the tags of two languages differ, and each client gets its own 304", async () => {
  let rendered = 0;
  const app = newApp((c) => {
    if (c.etag("v1")) return;
    rendered++;
    return h.p(c.t(messages, "hello"));
  });
  for (const path of ["/page", "/api"]) {
    rendered = 0;
    const first = await testRequest(app, "GET", path, english);
    const other = await testRequest(app, "GET", path, portuguese);
    const tag = first.header("etag") ?? "";
    assertNotEquals(tag, other.header("etag"));
    const again = await testRequest(app, "GET", path, english, withHeader("if-none-match", tag));
    assertEquals(again.status, 304);
    assert(again.header("vary")?.includes("Accept-Language"), again.header("vary"));
    const option = withHeader("if-none-match", tag);
    const switched = await testRequest(app, "GET", path, portuguese, option);
    assertEquals([switched.status, rendered], [200, 3]);
  }
});

Deno.test("language: a route that reads none does not vary by it, even with validators", async () => {
  const app = newApp((c) => {
    if (c.etag("v1") || c.lastModified(new Date("2026-01-01"))) return;
    return c.text(200, "x");
  });
  const response = await testRequest(app, "GET", "/api", portuguese);
  assertEquals(
    ["etag", "last-modified", "vary", "content-language"].map((name) => response.header(name)),
    ['"v1"', "Thu, 01 Jan 2026 00:00:00 GMT", "Accept-Encoding", undefined],
  );
  for (const language of [english, portuguese]) {
    const option = withHeader("if-none-match", '"v1"');
    assertEquals((await testRequest(app, "GET", "/api", language, option)).status, 304);
  }
});

Deno.test("language: pages, and routes that read it, send no date, which cannot distinguish two", async () => {
  const app = newApp((c) => {
    c.lastModified(new Date("2026-01-01"));
    return c.pattern === "/page" ? h.p("x") : c.text(200, c.t(messages, "hello"));
  });
  const since = withHeader("if-modified-since", "Fri, 02 Jan 2026 00:00:00 GMT");
  for (const path of ["/page", "/api"]) {
    const response = await testRequest(app, "GET", path, portuguese, since);
    assertEquals([response.status, response.header("last-modified")], [200, undefined]);
  }
});

Deno.test("language: tags, dates and headers are unchanged without languages", async () => {
  const app = newApp((c) => {
    void c.language;
    c.etag("v1");
    c.lastModified(new Date("2026-01-01"));
    return h.p("x");
  }, { languages: [] });
  const response = await testRequest(app, "GET", "/page", portuguese);
  assertEquals(response.header("etag"), '"v1"');
  assertEquals(response.header("last-modified"), "Thu, 01 Jan 2026 00:00:00 GMT");
  assertEquals(response.header("vary"), "FW-Fragment, Accept-Encoding");
  assertEquals(response.header("content-language"), undefined);
});

Deno.test("setLanguage: sends the response in the language and stores it in a cookie", async () => {
  const app = newApp((c) => {
    const wanted = c.query("to");
    if (wanted !== undefined) c.setLanguage(wanted);
    return c.text(200, c.t(messages, "hello"));
  });
  const client = newTestClient(app);
  assertEquals((await client.get("/api")).body, "Hello <b>");
  const switched = await client.get("/api?to=pt-pt");
  assertEquals(switched.body, "Olá <b>");
  const [cookie = ""] = switched.header("set-cookie")?.split(", ") ?? [];
  assertEquals(cookie, "fw_lang=pt-PT; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax");
  assertEquals((await client.get("/api")).body, "Olá <b>");
});

for (const wanted of ["fr", "", "pt", "__proto__", "en\r\nx: y"]) {
  Deno.test(`setLanguage: refuses ${JSON.stringify(wanted)} as a client error`, async () => {
    const app = newApp((c) => {
      c.setLanguage(wanted);
      return c.text(200, "");
    });
    const option = withHeader("accept", "application/json");
    const response = await testRequest(app, "GET", "/api", option);
    assertEquals([response.status, JSON.parse(response.body).code], [400, "unknown_language"]);
    assertEquals(response.header("set-cookie"), undefined);
  });
}
