import { App, createLogger, csrfInput, csrfTokenFrom, Off } from "../../../mod.ts";
import type { Config, Ctx, Route, SecurityEvent } from "../../../mod.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { equalsToken } from "../../../runtime/base/crypto.ts";
import {
  newTestClient,
  type TestOption,
  testRequest,
  withBody,
  withCookie,
  withForm,
  withHeader,
  withJson,
  withoutCsrf,
} from "../../../runtime/testing/mod.ts";
import { routeOf, throwing } from "../app/support.ts";

const token = "t".repeat(43);
const cookie = withCookie("fw_csrf", token);
const sent = withForm({ _csrf: token });
const unsafe = ["POST", "PUT", "PATCH", "DELETE"] as const;

interface Probe {
  readonly app: App;
  readonly ran: () => number;
  readonly lines: () => string;
  readonly events: SecurityEvent[];
}

function newProbe(route: Partial<Route> = {}, config: Partial<Config> = {}): Probe {
  let ran = 0;
  let lines = "";
  const events: SecurityEvent[] = [];
  const run = async (c: Ctx): Promise<Response> => {
    ran++;
    const form = c.method === "GET" ? undefined : await c.form("title").catch(() => "unread");
    return c.text(200, form ?? "no title");
  };
  const app = new App({
    env: "dev",
    devReload: Off,
    logRequest: Off,
    logger: createLogger({ write: (text) => lines += text }),
    onSecurityEvent: (event) => void events.push(event),
    ...config,
  });
  const methods = { POST: run, PUT: run, PATCH: run, DELETE: run, OPTIONS: run };
  app.route({ pattern: "/form", methods, ...route });
  app.route({ pattern: "/get", page: (c) => h.form(csrfInput(c)), csrf: false });
  return { app, ran: () => ran, lines: () => lines, events };
}

const page: Partial<Route> = { page: () => h.p("form") };

Deno.test("the token is checked for the specified methods and kinds", async () => {
  const rows: [name: string, route: Partial<Route>, config: Partial<Config>, isOn: boolean][] = [
    ["a page", page, {}, true],
    ["a page under Kind api", { ...page, kind: "api" }, {}, true],
    ["a route", {}, {}, false],
    ["a route of kind page", { kind: "page" }, {}, true],
    ["a route of kind api", { kind: "api" }, {}, false],
    ["a route with csrfForApi", {}, { csrfForApi: true }, true],
    ["a route of kind api with csrfForApi", { kind: "api" }, { csrfForApi: true }, true],
    ["a page that opts out", { ...page, csrf: false }, {}, false],
    ["a route that opts out of csrfForApi", { csrf: false }, { csrfForApi: true }, false],
  ];
  for (const [name, route, config, isChecked] of rows) {
    for (const method of unsafe) {
      const { app, ran } = newProbe(route, config);
      const response = await testRequest(app, method, "/form", withoutCsrf());
      assertEquals(response.status, isChecked ? 403 : 200, `${name}: ${method}`);
      assertEquals(ran(), isChecked ? 0 : 1, `${name}: ${method}`);
      await testRequest(app, method, "/form").wantStatus(200);
    }
    const { app } = newProbe(route, config);
    await testRequest(app, "OPTIONS", "/form", withoutCsrf()).wantStatus(200);
    if (route.page !== undefined) {
      await testRequest(app, "GET", "/form", withoutCsrf()).wantStatus(200);
      await testRequest(app, "HEAD", "/form", withoutCsrf()).wantStatus(200);
    }
  }
});

/** Cookie headers that must not be accepted with a form that repeats the token. */
const badCookies: Readonly<Record<string, string>> = {
  "an empty value": "fw_csrf=",
  "another case": `FW_CSRF=${token}`,
  "a longer name": `fw_csrf2=${token}`,
  "a control character": `fw_csrf=\u007f${token}`,
  "another cookie's quoted value": `a="; fw_csrf2=${token}`,
  "a second of the same value": `fw_csrf=${token}; fw_csrf=${token}`,
  "a second without a space": `fw_csrf=${token};fw_csrf=x`,
  "a second with spaces": `fw_csrf=${token}; fw_csrf =x`,
  "a second with a control character": `fw_csrf=${token}; fw_csrf=\u007f`,
  "a second far behind": `fw_csrf=${token}; ${"a=1; ".repeat(200)}fw_csrf=x`,
};
for (const [name, header] of Object.entries(badCookies)) {
  Deno.test(`the token of a cookie with ${name} is refused`, async () => {
    const { app, ran } = newProbe(page);
    const given = [withoutCsrf(), withHeader("cookie", header), sent];
    assertEquals([(await testRequest(app, "POST", "/form", ...given)).status, ran()], [403, 0]);
  });
}

const noFile = new FormData();
noFile.set("_csrf", new File([token], "a"));
const badTokens: readonly [name: string, option: TestOption, query?: string][] = [
  ["a field in another case", withForm({ _CSRF: token })],
  ["a field with brackets", withForm({ "_csrf[]": token })],
  ["the query", withForm({ a: "1" }), `?_csrf=${token}`],
  ["a JSON member", withJson({ _csrf: token })],
  ["a text that resembles a form", withBody("text/plain", `_csrf=${token}`)],
  ["a file with the field's name", withForm(noFile)],
  ["a prefix", withForm({ _csrf: token.slice(0, -1) })],
  ["a longer text", withForm({ _csrf: `${token}A` })],
  ["a line break at the end", withForm({ _csrf: `${token}\r\n` })],
  ["a lookalike letter", withForm({ _csrf: `\u0442${token.slice(1)}` })],
  ["a million characters", withForm({ _csrf: "x".repeat(1_000_000) })],
  ["the second field", withBody("application/x-www-form-urlencoded", `_csrf=x&_csrf=${token}`)],
  ["two headers in one", withHeader("x-csrf-token", `${token}, ${token}`)],
];
for (const [name, option, query = ""] of badTokens) {
  Deno.test(`the token in ${name} is refused`, async () => {
    const { app, ran } = newProbe(page);
    const given = [withoutCsrf(), cookie, option];
    const { status } = await testRequest(app, "POST", `/form${query}`, ...given);
    assertEquals([status, ran()], [403, 0]);
  });
}

Deno.test("the token is read from the form or the header", async () => {
  const multipart = new FormData();
  multipart.set("_csrf", token);
  multipart.set("title", "x");
  multipart.set("file", new File(["hello"], "a.txt"));
  const rows: readonly [name: string, options: TestOption[], status: number][] = [
    ["urlencoded", [withForm({ _csrf: token, title: "x" })], 200],
    ["multipart", [withForm(multipart)], 200],
    ["header", [withHeader("x-csrf-token", token)], 200],
    ["header with JSON", [withHeader("X-CSRF-Token", token), withJson({ a: 1 })], 200],
    ["header with a form", [withHeader("x-csrf-token", token), withForm({ title: "x" })], 200],
    ["a cookie beside similar ones", [
      withHeader("cookie", `xfw_csrf=1; fw_csrf=${token}; fw_csrf2=1; a=fw_csrf=`),
      sent,
    ], 200],
    ["a quoted cookie", [withHeader("cookie", `fw_csrf="${token}"`), sent], 200],
  ];
  for (const [name, options, status] of rows) {
    const { app } = newProbe(page);
    const response = await testRequest(app, "POST", "/form", withoutCsrf(), cookie, ...options);
    assertEquals(response.status, status, `${name}: ${response.body}`);
  }
});

const fetchSite = (value: string): TestOption => withHeader("sec-fetch-site", value);
const origin = (value: string): TestOption => withHeader("origin", value);
const host = (value: string): TestOption => withHeader("host", value);
const shop = origin("https://shop.example");
const internal = host("internal:3000");
const hostCookie = withCookie("__Host-fw_csrf", token);
const overTls = withHeader("x-forwarded-proto", "https");

/** Requests with a cookie and its token, as after a sibling host planted the cookie. */
const senders: readonly [name: string, options: TestOption[], status: number][] = [
  ["a program", [], 200],
  ["a typed URL", [withHeader("sec-fetch-site", "none")], 200],
  ["a Referer, which is ignored", [withHeader("referer", "https://other.example/x")], 200],
  ["the site's own origin", [origin("http://localhost")], 200],
  ["the own origin, same-origin", [origin("http://localhost"), fetchSite("same-origin")], 200],
  ["a sibling host, marked same-site", [origin("http://a.localhost"), fetchSite("same-site")], 403],
  ["a sibling host, marked in a list", [fetchSite("same-origin, same-site")], 403],
  ["a sibling host, marked in capitals", [fetchSite("Same-Site")], 403],
  ["a sibling host, unmarked", [origin("http://a.localhost")], 403],
  ["a host with the site's name as a prefix", [origin("http://localhost.evil.example")], 403],
  ["a host with the site's name as a suffix", [origin("http://evil-localhost")], 403],
  ["another port", [origin("http://localhost:81")], 403],
  ["the default port", [origin("http://localhost:80")], 403],
  ["another site", [origin("https://evil.example")], 403],
  ["a sandboxed frame", [origin("null")], 403],
  ["a page of the site that sends no origin", [origin("null"), fetchSite("same-origin")], 200],
  ["an origin with a user name", [origin("http://x@localhost")], 403],
  ["an origin with a path", [origin("http://localhost/")], 403],
  ["another scheme", [origin("ftp://localhost")], 403],
  ["two origins", [origin("http://localhost, http://evil.example")], 403],
  ["an empty origin", [origin("")], 403],
  ["a proxy that terminates TLS", [host("shop.example"), origin("https://shop.example")], 200],
  ["the host in capitals", [host("Shop.Example"), origin("https://shop.example")], 200],
  ["a host with its port", [host("shop.example:443"), origin("https://shop.example")], 200],
  ["a host with the port of TLS", [host("shop.example:443"), origin("http://shop.example")], 403],
  ["TLS, and a page over TLS", [hostCookie, host("shop.example"), overTls, shop], 200],
  ["TLS, a page without TLS", [host("shop.example"), overTls, origin("http://shop.example")], 403],
  ["a proxy that changes Host", [internal, shop, fetchSite("same-origin")], 200],
  ["a changed Host, and an old browser", [internal, shop], 403],
  ["a listed origin", [origin("https://app.example")], 200],
  ["a listed origin of this site", [origin("https://app.example"), fetchSite("same-site")], 200],
  ["one of another site", [origin("https://app.example"), fetchSite("cross-site")], 403],
  ["another site, marked with a parameter", [fetchSite("cross-site;x=1")], 403],
  ["another site, to a fragment", [fetchSite("cross-site"), withHeader("fw-fragment", "x")], 403],
  ["another site, the own origin", [fetchSite("cross-site"), origin("http://localhost")], 403],
];

for (const [name, options, status] of senders) {
  Deno.test(`the token of ${name} gets ${status}`, async () => {
    const cors = { origins: ["https://app.example"] };
    const { app, ran } = newProbe(page, { cors, trustedProxies: ["127.0.0.1"] });
    const given = [withoutCsrf(), cookie, sent, ...options];
    const response = await testRequest(app, "POST", "/form", ...given);
    assertEquals([response.status, ran()], [status, status === 200 ? 1 : 0], response.body);
  });
}

Deno.test("a policy for all origins lets none of them submit a form", async () => {
  const { app } = newProbe(page, { cors: { origins: ["*"] } });
  for (const options of [[origin("https://evil.example")], [origin("null")]]) {
    await testRequest(app, "POST", "/form", withoutCsrf(), cookie, sent, ...options)
      .wantStatus(403);
  }
});

Deno.test("csrfInput sets the cookie on the first render, and its form posts back", async () => {
  const { app } = newProbe(page);
  const client = newTestClient(app);
  const first = await client.get("/get", withoutCsrf());
  const set = first.headers.getSetCookie();
  const given = /^fw_csrf=([A-Za-z0-9_-]{43}); Path=\/; HttpOnly; SameSite=Lax$/.exec(set[0] ?? "");
  assert(set.length === 1 && given !== null, set.join());
  const valueOf = (body: string): string =>
    /^.*<form><input type="hidden" name="_csrf" value="([^"]{86})"><\/form>/s.exec(body)?.[1] ?? "";
  assert(equalsToken(valueOf(first.body), given[1] ?? ""), first.body);
  assertEquals(first.header("vary"), "FW-Fragment, Cookie");
  const second = await client.get("/get", withoutCsrf());
  assertEquals(second.headers.getSetCookie(), []);
  assert(equalsToken(valueOf(second.body), given[1] ?? ""), second.body);
  const form = { _csrf: valueOf(first.body), title: "ok" };
  await client.postForm("/form", form, withoutCsrf()).wantStatus(200).wantContains("ok");
});

Deno.test("csrfToken returns one token per request and replaces an invalid cookie", async () => {
  const app = new App({ env: "dev", logRequest: Off });
  app.route(routeOf("GET", "/", (c) => {
    const first = c.csrfToken();
    return c.json(200, [first, c.csrfToken(), csrfTokenFrom(c.request)]);
  }));
  const rows: readonly [kept: string, isKept: boolean][] = [
    [token, true],
    ["", false],
    ["short", false],
    ["x".repeat(44), false],
    ['"><script>', false],
  ];
  for (const [kept, isKept] of rows) {
    const response = await testRequest(app, "GET", "/", withoutCsrf(), withCookie("fw_csrf", kept));
    const [first, second, third] = JSON.parse(response.body);
    assertEquals([second, third, equalsToken(first, kept)], [first, first, isKept], kept);
    assertEquals(response.headers.getSetCookie().length, isKept ? 0 : 1, kept);
    assertMatch(first, /^[A-Za-z0-9_-]{86}$/);
  }
  const two = await Promise.all([1, 2].map(() => testRequest(app, "GET", "/", withoutCsrf())));
  assert(two[0]?.body !== two[1]?.body);
});

Deno.test("csrfToken is masked anew for each request, so no part repeats (BREACH)", async () => {
  const app = new App({ env: "dev", logRequest: Off });
  app.route(routeOf("GET", "/", (c) => c.text(200, c.csrfToken())));
  const seen = new Set<string>();
  for (let request = 0; request < 200; request++) {
    const { body } = await testRequest(app, "GET", "/", withoutCsrf(), cookie);
    assert(equalsToken(body, token));
    // Pieces this short repeat by chance in one of a million runs.
    for (let at = 0; at + 9 <= body.length; at += 9) seen.add(body.slice(at, at + 9));
  }
  assertEquals(seen.size, 200 * 9);
});

Deno.test("the first csrfToken throws after the head is sent, and later ones do not", async () => {
  const app = new App({ env: "dev", logRequest: Off });
  let kept: Ctx | undefined;
  app.route({ pattern: "/no", methods: { GET: (c) => (kept = c).noContent() } });
  app.route(routeOf("GET", "/yes", (c) => {
    kept = c;
    c.csrfToken();
    return c.noContent();
  }));
  await testRequest(app, "GET", "/no", withoutCsrf());
  assertThrows(() => kept?.csrfToken(), TypeError, "the head has been sent");
  await testRequest(app, "GET", "/yes", withoutCsrf());
  assertMatch(kept?.csrfToken() ?? "", /^.{86}$/);
  await testRequest(app, "GET", "/no", withoutCsrf(), cookie);
  assert(equalsToken(kept?.csrfToken() ?? "", token));
});

Deno.test("csrfTokenFrom reads the cookie of a request without a context", () => {
  const rows: readonly [cookie: string, name: string | undefined, want: string | undefined][] = [
    ["", undefined, undefined],
    [`fw_csrf=${token}`, undefined, token],
    [`a=1; fw_csrf=${token}`, undefined, token],
    [`tok=${token}`, "tok", token],
    [`fw_csrf=${token}`, "tok", undefined],
    ["fw_csrf=short", undefined, undefined],
  ];
  for (const [header, name, want] of rows) {
    const request = new Request("http://localhost/", { headers: { cookie: header } });
    const read = csrfTokenFrom(request, name === undefined ? {} : { cookie: name });
    assertEquals(read !== undefined, want !== undefined, header);
    assert(want === undefined || equalsToken(read ?? "", want), header);
  }
});

Deno.test("csrfTokenFrom reads the cookie name configured by the request's application", async () => {
  const rows: readonly [name: string | undefined, sent: string, want: string][] = [
    [undefined, "fw_csrf", token],
    ["xs", "xs", token],
    ["xs", "fw_csrf", "none"],
    ["", "fw_csrf", token],
  ];
  for (const [name, sent, want] of rows) {
    const csrf = name === undefined ? {} : { cookie: name };
    const app = new App({ env: "dev", logRequest: Off, csrf });
    const GET = (c: Ctx): Response => c.text(200, csrfTokenFrom(c.request) ?? "none");
    app.route({ pattern: "/", methods: { GET } });
    const response = await testRequest(app, "GET", "/", withoutCsrf(), withCookie(sent, token));
    assert(equalsToken(response.body, want), `${name} ${sent}`);
  }
});

Deno.test("config.csrf renames cookie, field and header, and an empty entry keeps its default", async () => {
  const csrf = { cookie: "tok", field: "my_token", header: "X-Tok" };
  const { app } = newProbe(page, { csrf });
  const client = newTestClient(app);
  const { body, headers } = await client.get("/get", withoutCsrf());
  assertStringIncludes(body, 'name="my_token"');
  const made = /^tok=([^;]+)/.exec(headers.getSetCookie()[0] ?? "")?.[1] ?? "";
  await client.postForm("/form", { my_token: made }, withoutCsrf()).wantStatus(200);
  await client.postForm("/form", { _csrf: made }, withoutCsrf()).wantStatus(403);
  await client.request("POST", "/form", withoutCsrf(), withHeader("x-tok", made)).wantStatus(200);
  await client.request("POST", "/form", withoutCsrf(), withHeader("x-csrf-token", made))
    .wantStatus(403);
  const partly = newProbe(page, { csrf: { cookie: "", field: "f" } }).app;
  await testRequest(partly, "POST", "/form", withoutCsrf(), cookie, withForm({ f: token }))
    .wantStatus(200);
});

Deno.test("in development the 403 names the cause and the setting", async () => {
  const rows: readonly [reason: string, options: TestOption[], texts: string[]][] = [
    ["cookie-missing", [sent], ["fw_csrf", "config.csrf.cookie", "is missing"]],
    [
      "cookie-malformed",
      [withCookie("fw_csrf", "x"), withForm({ _csrf: "x" })],
      ["fw_csrf", "config.csrf.cookie", "no token of this framework"],
    ],
    [
      "cookie-repeated",
      [withHeader("cookie", `fw_csrf=${token}; fw_csrf=x`), sent],
      ["fw_csrf", "config.csrf.cookie", "twice", "__Host-"],
    ],
    ["token-missing", [cookie, withForm({})], ["_csrf", "X-CSRF-Token", "config.csrf.field"]],
    ["token-differs", [cookie, withForm({ _csrf: "x" })], ["form field", "_csrf", "differs"]],
    ["token-differs", [cookie, withHeader("x-csrf-token", "x")], ["the header", "csrf.header"]],
    ["cross-site", [cookie, sent, fetchSite("cross-site")], ["Sec-Fetch-Site", "CSRF = false"]],
    ["same-site", [cookie, sent, fetchSite("same-site")], ["Sec-Fetch-Site", "cors.origins"]],
    [
      "foreign-origin",
      [cookie, sent, origin("https://evil.example")],
      ['"https://evil.example"', '"localhost"', "config.cors.origins"],
    ],
  ];
  for (const [reason, options, texts] of rows) {
    const { app, events } = newProbe(page);
    const response = await testRequest(app, "POST", "/form", withoutCsrf(), ...options);
    assertEquals(response.wantStatus(403).header("content-type"), "text/html; charset=utf-8");
    const text = response.body.replaceAll("&#34;", '"').replaceAll("&quot;", '"');
    for (const part of texts) assertStringIncludes(text, part, reason);
    assertEquals(events.map((event) => event.reason), [reason]);

    const prod = newProbe(page, { env: "prod" }).app;
    const closed = await testRequest(prod, "POST", "/form", withoutCsrf(), ...options);
    assertStringIncludes(closed.wantStatus(403).body, "no longer valid");
    for (const part of ["config", "fw_csrf", "Sec-Fetch", "evil"]) {
      assert(!closed.body.includes(part), closed.body);
    }
  }
});

Deno.test("an API route returns the 403 as a problem", async () => {
  const { app } = newProbe({}, { csrfForApi: true, env: "prod" });
  const response = await testRequest(app, "POST", "/form", withoutCsrf(), withJson({}));
  response.wantStatus(403).wantHeader("content-type", "application/problem+json");
  const { code, detail, status } = JSON.parse(response.body);
  assertEquals([code, status], ["csrf_failed", 403]);
  assertStringIncludes(detail, "Reload the page");
});

Deno.test("middleware runs before the check, and the handler does not run after a refusal", async () => {
  const seen: string[] = [];
  const { app, ran } = newProbe({
    ...page,
    middleware: [{
      Middleware: async (_c, next) => {
        seen.push("in");
        try {
          return await next();
        } finally {
          seen.push("out");
        }
      },
    }],
  });
  await testRequest(app, "POST", "/form", withoutCsrf()).wantStatus(403);
  assertEquals([seen, ran()], [["in", "out"], 0]);
});

Deno.test("the body is read only for a form without a header token, within its limit", async () => {
  const urlencoded = "application/x-www-form-urlencoded";
  const large = withBody(urlencoded, `_csrf=${token}&a=${"x".repeat(200)}`);
  const rows: readonly [name: string, options: TestOption[], status: number][] = [
    ["over the limit", [cookie, large], 413],
    ["malformed multipart", [cookie, withBody("multipart/form-data; boundary=b", "--x")], 400],
  ];
  for (const [name, options, status] of rows) {
    const { app, ran } = newProbe(page, { maxBodyBytes: 128 });
    const response = await testRequest(app, "POST", "/form", withoutCsrf(), ...options);
    assertEquals([response.status, ran()], [status, 0], name);
  }
  const untouched: readonly [name: string, options: TestOption[]][] = [
    ["cross-site", [cookie, fetchSite("cross-site")]],
    ["no cookie", []],
    ["a header token", [cookie, withHeader("x-csrf-token", "wrong")]],
  ];
  for (const [name, options] of untouched) {
    const { app } = newProbe(page);
    let isRead = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller): void {
        isRead = true;
        controller.close();
      },
    }, { highWaterMark: 0 });
    const form = withBody(urlencoded, body);
    const response = await testRequest(app, "POST", "/form", withoutCsrf(), form, ...options);
    assertEquals([response.status, isRead], [403, false], name);
  }
});

Deno.test("a refusal writes one security line and calls onSecurityEvent", async () => {
  const { app, lines, events } = newProbe(page);
  const option = withHeader("x-request-id", "req-1");
  const response = await testRequest(app, "POST", "/form?secret=1", withoutCsrf(), option);
  response.wantStatus(403);
  const line = JSON.parse(lines().trim().split("\n")[0] ?? "");
  assertEquals(
    [line.level, line.msg, line.kind, line.ip, line.path, line.request_id, line.reason],
    ["warn", "security", "csrf", "127.0.0.1", "/form", "req-1", "cookie-missing"],
  );
  assertEquals(events, [{
    kind: "csrf",
    ip: "127.0.0.1",
    path: "/form",
    requestId: "req-1",
    reason: "cookie-missing",
  }]);
});

Deno.test("a failing listener does not affect the client", async () => {
  const rows: readonly Config["onSecurityEvent"][] = [
    throwing(new Error("listener broke")),
    () => Promise.reject(new Error("listener broke")),
  ];
  for (const onSecurityEvent of rows) {
    const { app, lines } = newProbe(page, { onSecurityEvent });
    await testRequest(app, "POST", "/form", withoutCsrf()).wantStatus(403);
    assertStringIncludes(lines(), "listener broke");
  }
});
