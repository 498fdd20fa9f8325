/** `config.languagePrefix`: each route is also available below a language, and links keep it. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { App, csrfInput, type Ctx, type FileSource, href, type Route, type Settings } from "@fw/fw";
import * as h from "@fw/fw/h";
import { alternateLinks, switchLanguage } from "@fw/fw/i18n";
import { newTestClient, testRequest, withForm, withHeader, withoutCsrf } from "@fw/fw/testing";

const own: Route[] = [
  { pattern: "/", page: (c) => h.p(`home ${c.language}`) },
  {
    pattern: "/about",
    page: (c) => h.p(`about ${c.language} ${c.href("/about")} ${href("/about")}`),
  },
  { pattern: "/events/{slug}", page: (c) => h.p(`${c.param("slug")} ${c.language} ${c.pattern}`) },
  {
    pattern: "/form",
    page: (c) => h.form(h.method("post"), csrfInput(c)),
    methods: { POST: (c) => c.redirect(c.href("/about")) },
    actions: { send: (c) => c.text(200, `sent ${c.action("send" as never)}`) },
  },
  { pattern: "/language", kind: "page", methods: { POST: switchLanguage } },
  { pattern: "/links", page: (c) => h.head(alternateLinks(c)) },
  { pattern: "/list", page: (c) => h.p(c.alternates().map((one) => one.path).join(" ")) },
];
// A custom layout keeps the framework's document out of the response.
const routes = own.map((route) => ({ ...route, layouts: [(_: Ctx, nodes: h.Node) => nodes] }));

const texts: ReadonlyMap<string, string> = new Map([["app.css", "a{}"], [
  "pt-PT/guia.txt",
  "guia",
]]);

const files: FileSource = {
  get: (path) => {
    const text = texts.get(path);
    return text === undefined ? undefined : {
      size: text.length,
      read: ({ start, end }) => new TextEncoder().encode(text.slice(start, end)),
    };
  },
};

function newApp(settings: Settings = {}): App {
  const app = new App({
    env: "dev",
    logRequest: () => false,
    languages: ["en", "pt-PT"],
    languagePrefix: true,
    public: files,
    ...settings,
  });
  for (const route of routes) app.route(route);
  return app;
}

const app = newApp();

const answers: [path: string, status: number, held: string][] = [
  ["/pt-PT/", 200, "home pt-PT"],
  ["/en/", 200, "home en"],
  ["/", 200, "home en"],
  ["/pt-PT/about", 200, "about pt-PT /pt-PT/about /pt-PT/about"],
  ["/about", 200, "about en /about /about"],
  ["/pt-PT/events/jazz", 200, "jazz pt-PT /events/{slug}"],
  ["/%70t-PT/events/a%2Fb", 200, "a/b pt-PT /events/{slug}"],
  ["/pt-PT/app.css", 404, "Página não encontrada"],
  ["/app.css", 200, "a{}"],
  ["/pt-PT/guia.txt", 200, "guia"],
  ["/pt-PT/nothing", 404, "Página não encontrada"],
  ["/fr/about", 404, "Not Found"],
  ["/pt/about", 404, "Not Found"],
  ["/pt-PT/pt-PT/about", 404, "Página não encontrada"],
  ["/en/pt-PT/about", 404, "Not Found"],
  ["/pt-PTx/about", 404, "Not Found"],
];
for (const [path, status, held] of answers) {
  Deno.test(`languagePrefix: ${path} is ${status}`, async () => {
    const response = await testRequest(app, "GET", path, withHeader("accept", "text/html"));
    assertEquals(response.status, status);
    assert(response.body.includes(held), response.body);
  });
}

const moved: [method: string, path: string, status: number, location: string][] = [
  ["GET", "/pt-PT", 301, "/pt-PT/"],
  ["GET", "/pt-pt/about?q=1", 301, "/pt-PT/about?q=1"],
  ["GET", "/EN", 301, "/en/"],
  ["HEAD", "/EN/events/a%2Fb", 301, "/en/events/a%2Fb"],
  ["POST", "/PT-PT/form", 308, "/pt-PT/form"],
  ["GET", "/pt-PT/about/", 301, "/pt-PT/about"],
  ["GET", "/pt-PT//evil.example", 404, ""],
];
for (const [method, path, status, location] of moved) {
  Deno.test(`languagePrefix: ${method} ${path} redirects to ${location || "nothing"}`, async () => {
    const response = await testRequest(app, method, path);
    assertEquals([response.status, response.header("location") ?? ""], [status, location]);
  });
}

Deno.test("languagePrefix: a path with a language varies by nothing else", async () => {
  const option = withHeader("cookie", "fw_lang=en");
  const response = await testRequest(app, "GET", "/pt-PT/about", option);
  assertEquals(response.header("vary"), "FW-Fragment");
  assertEquals(response.header("content-language"), "pt-PT");
});

Deno.test("languagePrefix: checks forms, and keeps actions and redirects in the language", async () => {
  const client = newTestClient(app);
  const form = await client.get("/pt-PT/form");
  const token = /value="([^"]+)"/.exec(form.body)?.[1] ?? "";
  const unchecked = await testRequest(app, "POST", "/pt-PT/form", withForm({}), withoutCsrf());
  assertEquals(unchecked.status, 403);
  assert(unchecked.body.includes("O formulário já não é válido."), unchecked.body);
  const sent = await client.postForm("/pt-PT/form", { _csrf: token });
  assertEquals([sent.status, sent.header("location")], [303, "/pt-PT/about"]);
  const action = await client.postForm("/pt-PT/form?/send", { _csrf: token });
  assertEquals(action.body, "sent /pt-PT/form?/send");
});

Deno.test("languagePrefix: the language follows the base path", async () => {
  const based = newApp({ basePath: "/shop" });
  const about = await testRequest(based, "GET", "/shop/pt-PT/about");
  assert(about.body.includes("about pt-PT /shop/pt-PT/about /pt-PT/about"), about.body);
  const moved = await testRequest(based, "GET", "/shop/PT-pt");
  assertEquals([moved.status, moved.header("location")], [301, "/shop/pt-PT/"]);
  const outside = await testRequest(based, "GET", "/pt-PT/shop/about");
  assertEquals(outside.status, 404);
  const list = await testRequest(based, "GET", "/shop/en/list?q=a%2Fb");
  const paths = "/shop/en/list?q=a%2Fb /shop/pt-PT/list?q=a%2Fb /shop/list?q=a%2Fb";
  assert(list.body.includes(paths), list.body);
});

Deno.test("alternateLinks: lists the page in each language and without one, as absolute URLs", async () => {
  const { body } = await testRequest(app, "GET", "/pt-PT/links");
  const cases = [["en", "/en/links"], ["pt-PT", "/pt-PT/links"], ["x-default", "/links"]];
  for (const [language, path] of cases) {
    const link = `<link rel="alternate" hreflang="${language}" href="http://localhost${path}">`;
    assert(body.includes(link), body);
  }
});

Deno.test("alternates: use the language and the request set by a handler", async () => {
  const shown = (c: Ctx): string =>
    c.alternates().filter(({ isCurrent }) => isCurrent).map(({ path }) => path).join(" ");
  const seen: string[] = [];
  const changing = newApp();
  changing.route({
    pattern: "/change",
    page: (c) => {
      seen.push(shown(c));
      c.request = new Request("http://localhost/change?page=2", c.request);
      seen.push(shown(c));
      c.setLanguage("pt-PT");
      seen.push(shown(c));
      return h.p("changed");
    },
  });
  assertEquals((await testRequest(changing, "GET", "/change")).status, 200);
  const all = "/change?page=2";
  assertEquals(seen, ["/en/change /change", `/en${all} ${all}`, `/pt-PT${all} ${all}`]);
});

Deno.test("alternates: are empty without prefixes", async () => {
  const plain = newApp({ languagePrefix: false });
  const { body } = await testRequest(plain, "GET", "/links");
  assert(!body.includes("hreflang"), body);
  assertEquals((await testRequest(plain, "GET", "/pt-PT/links")).status, 404);
});

const returns: [next: string, location: string][] = [
  ["/about?q=1#x", "/about?q=1"],
  ["/books/3?/borrow&page=2", "/books/3?page=2"],
  ["/en/about", "/pt-PT/about"],
  ["/EN", "/pt-PT/"],
  ["", "/"],
  ["https://evil.example/", "/"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["\t//evil.example", "/"],
  ["javascript:alert(1)", "/"],
  ["/en//evil.example", "/pt-PT//evil.example"],
  ["http://localhost/en/list", "/pt-PT/list"],
  ["/enx/about", "/enx/about"],
];
for (const [next, location] of returns) {
  Deno.test(`switchLanguage: ${JSON.stringify(next)} redirects to ${location}`, async () => {
    const form = withForm({ language: "pt-PT", next });
    const response = await testRequest(app, "POST", "/language", form);
    assertEquals([response.status, response.header("location")], [303, location]);
  });
}

const referers: readonly [referer: string, location: string][] = [
  ["http://localhost/en/list?page=2", "/pt-PT/list?page=2"],
  // Behind a proxy that ends TLS and is not trusted.
  ["https://localhost/en/list?page=2", "/pt-PT/list?page=2"],
  ["https://localhost:8443/en/list", "/"],
  ["https://evil.example/en/list", "/"],
];
for (const [referer, location] of referers) {
  Deno.test(`switchLanguage: without a field it redirects from ${referer} to ${location}`, async () => {
    const form = withForm({ language: "pt-PT" });
    const moved = await testRequest(app, "POST", "/language", form, withHeader("referer", referer));
    assertEquals(moved.header("location"), location);
  });
}

Deno.test("languagePrefix: boot refuses a route that starts with a language", () => {
  for (const pattern of ["/en", "/EN/about", "/pt-PT/{slug}"]) {
    const taken = newApp();
    taken.route({ pattern, page: () => h.p("x") });
    assertThrows(() => taken.handler(), TypeError, `Cannot add the route "${pattern}"`);
  }
});
