import { assert, assertEquals } from "@std/assert";
import { createSessions, nextPath } from "../../auth/mod.ts";
import { parseNext } from "../../auth/next_path.ts";
import { App, type Ctx, Off } from "../../mod.ts";
import { newTestClient, testRequest, withHeader } from "../../runtime/testing/mod.ts";
import { wholeFrom } from "../random.ts";
import { signInApp } from "./support.ts";

/**
 * Values that point to another origin, or may do so in a browser, a proxy or a framework behind
 * one.
 */
const hostile: readonly string[] = [
  ..."evil.example //evil.example ///evil.example ////evil.example /\\evil.example".split(" "),
  ..."\\/evil.example \\\\evil.example /\\/evil.example //\\evil.example".split(" "),
  ..."/\t/evil.example /\n/evil.example /\r/evil.example \t//evil.example".split(" "),
  ..."\n//evil.example \u0000//evil.example /\u0000//evil.example".split(" "),
  ..."/\u007f/evil.example /\u0085/evil.example https://evil.example".split(" "),
  ..."http://evil.example HTTPS://evil.example https:evil.example".split(" "),
  ..."https:/evil.example https:\\evil.example https:\\\\evil.example".split(" "),
  ..."hTtP:evil.example ftp://evil.example javascript:alert(1) JavaScript:alert(1)".split(" "),
  ..."java\tscript:alert(1) data:text/html,<script>alert(1)</script> vbscript:x".split(" "),
  ..."file:///etc/passwd blob:https://app.example/1 about:blank".split(" "),
  ..."//evil.example@app.example/ //app.example@evil.example/ //evil.example:443/x".split(" "),
  ..."//evil.example%2f /%2fevil.example /%2Fevil.example /%2f%2fevil.example".split(" "),
  ..."%2f%2fevil.example /%5cevil.example /%5Cevil.example /%255cevil.example".split(" "),
  ..."/%252fevil.example /%25252fevil.example /%09/evil.example /%0a/evil.example".split(" "),
  ..."/%0d%0aLocation:%20https://evil.example /%00/evil.example /.//evil.example".split(" "),
  ..."/..//evil.example /./\\evil.example /a/../..//evil.example".split(" "),
  ..."/%2e//evil.example /%2e%2e//evil.example /.%2f/evil.example".split(" "),
  ..."/..%2fevil.example /..%252f..%252fx /%252e%252e/x /%25252e%25252e/x /a/%252e".split(" "),
  ..."/a%2f.. /a/..%2f..%2fx?b /100%/..%2fx /a\\b /%c0%af /% /%zz /%255cevil%25zz".split(" "),
  ..."/%252fevil.example%25 /\ud800% //[::1]/ //%65vil.example /\u2028\u0000x".split(" "),
  ..."?next=//evil.example #//evil.example @evil.example ./evil ../evil".split(" "),
  " ",
  " //evil.example",
  "/ /\u0000/evil.example",
  " javascript:alert(1)",
  "/".repeat(3_000),
  `/${"a".repeat(3_000)}`,
];

for (const [at, text] of hostile.entries()) {
  Deno.test(`nextPath ${at}: replaces ${JSON.stringify(text).slice(0, 60)} with the start page`, () => {
    assertEquals(parseNext(text, ""), undefined);
  });
}

Deno.test("nextPath: accepted paths stay on the origin in a browser", () => {
  assert(hostile.length >= 60);
  const pieces = [
    ..."/ \\ %2f %5c %25 . .. %2e a \t \n @ : ? # evil.example http: %00 \u00a0 %".split(" "),
  ];
  const pick = wholeFrom(7);
  let passed = 0;
  for (let round = 0; round < 15_000; round++) {
    const text = "/" + Array.from({ length: pick(8) }, () => pieces[pick(pieces.length)]).join("");
    const target = parseNext(text, "");
    if (target === undefined) continue;
    passed++;
    const url = new URL(target, "https://app.example/login");
    assertEquals(url.origin, "https://app.example", text);
    assert(!url.pathname.startsWith("//"), text);
    // Simulates a client that decodes once too often.
    const decoded = decodeURIComponent(target.replace(/[?#].*$/s, ""));
    assertEquals(new URL(decoded, "https://app.example/login").origin, "https://app.example", text);
    assertEquals(parseNext(target, ""), target, text);
  }
  assert(passed > 300);
});

const inside: readonly (readonly [base: string, text: string, want: string | undefined])[] = [
  ["", "/", "/"],
  ["", "/account", "/account"],
  ["", "/account?tab=2&q=a%20b#top", "/account?tab=2&q=a%20b#top"],
  ["", "/a?next=https://evil.example", "/a?next=https://evil.example"],
  ["", "/a?next=%2f%2fevil.example", "/a?next=%2f%2fevil.example"],
  ["", "/caf%C3%A9", "/caf%C3%A9"],
  ["", "/caf\u00e9", "/caf%C3%A9"],
  ["", "/a/../b", "/b"],
  ["", "/a b", "/a%20b"],
  ["", "/@user", "/@user"],
  ["", "/a:b", "/a:b"],
  ["", "/a%2Fb", "/a%2Fb"],
  ["/shop", "/shop", "/shop"],
  ["/shop", "/shop/", "/shop/"],
  ["/shop", "/shop/cart", "/shop/cart"],
  ["/shop", "/shop?x=1", "/shop?x=1"],
  ["/shop", "/", undefined],
  ["/shop", "/shopping", undefined],
  ["/shop", "/shop/../admin", undefined],
  ["/shop", "/shop/%2e%2e/admin", undefined],
  ["/shop", "/shop/..", undefined],
  ["/shop", "/shop/..%2fx", undefined],
  ["/shop", "/shop/..%252f..%252fx", undefined],
  ["/shop", "/shop/%252e%252e/x", undefined],
  ["/shop", "/shop//evil.example", undefined],
  ["/shop", "/shop/%2fevil.example", undefined],
  ["/shop", "//evil.example/shop", undefined],
  ["/shop", "/admin", undefined],
];

for (const [base, text, want] of inside) {
  Deno.test(`nextPath: ${JSON.stringify(text)} below ${JSON.stringify(base)} is ${want}`, () => {
    assertEquals(parseNext(text, base), want);
  });
}

Deno.test("nextPath: works in a whole application, with a base path and a fallback", async () => {
  const app = new App({ env: "dev", logRequest: Off, basePath: "/shop" });
  const GET = (c: Ctx): Response => c.text(200, nextPath(c, { fallback: "/start" }));
  app.route({ pattern: "/login", methods: { GET } });
  const bodyOf = async (query: string): Promise<string> =>
    (await testRequest(app, "GET", `/shop/login${query}`)).body;
  assertEquals(await bodyOf("?next=%2Fshop%2Fcart%3Fa%3D1"), "/shop/cart?a=1");
  assertEquals(await bodyOf("?next=%2F%2Fevil.example"), "/shop/start");
  assertEquals(await bodyOf("?next=/shop/a&next=//evil.example"), "/shop/a");
  assertEquals(await bodyOf(""), "/shop/start");
});

for (const basePath of ["", "/shop"]) {
  const below = basePath === "" ? "" : ` below ${basePath}`;

  Deno.test(`a sign-in keeps the language of the path${below}`, async () => {
    const settings = { languages: ["en", "pt-PT"], languagePrefix: true, basePath };
    const { app } = signInApp({ settings });
    const next = encodeURIComponent(`${basePath}/pt-PT/me?a=1`);
    await testRequest(app, "GET", `${basePath}/pt-PT/me?a=1`).wantStatus(302)
      .wantHeader("location", `${basePath}/pt-PT/login?next=${next}`);
    await testRequest(app, "GET", `${basePath}/me`).wantStatus(302)
      .wantHeader("location", `${basePath}/login?next=${encodeURIComponent(`${basePath}/me`)}`);
    await testRequest(app, "GET", `${basePath}/pt-PT/api/me`).wantStatus(401).wantHeader(
      "www-authenticate",
      `Cookie form-action="${basePath}/pt-PT/login", cookie-name="fw_session${
        basePath.replace("/", ".")
      }"`,
    );
    for (const prefix of ["", "/en", "/pt-PT"]) {
      const login = `${basePath}${prefix}/login`;
      const home = `${basePath}${prefix}/me`;
      for (const text of ["//evil.example", "/\\evil.example", `${basePath}/..//evil.example`]) {
        await newTestClient(app).postForm(`${login}?next=${encodeURIComponent(text)}`, {})
          .wantStatus(303).wantHeader("location", home);
      }
      await newTestClient(app).postForm(login, {}).wantHeader("location", home);
      await newTestClient(app).postForm(`${login}?next=${next}`, {})
        .wantHeader("location", `${basePath}/pt-PT/me?a=1`);
    }
  });
}

Deno.test("nextPath: keeps every hostile value on the origin after a sign-in", async () => {
  const made = signInApp();
  for (const text of hostile) {
    const client = newTestClient(made.app);
    const response = await client.postForm(
      `/login?next=${encodeURIComponent(text.toWellFormed())}`,
      {},
    );
    response.wantStatus(303).wantHeader("location", "/me");
  }
  await newTestClient(made.app).postForm("/login?next=", {}).wantHeader("location", "/me");
  const reasons = new Set(made.events.map(({ kind, reason }) => `${kind} ${reason}`));
  assertEquals([made.events.length, [...reasons]], [hostile.length, ["auth next-refused"]]);
});

const actionQueries: readonly (readonly [query: string, next: string])[] = [
  ["?/borrow", "/books/3"],
  ["?/borrow=", "/books/3"],
  ["?/borrow&page=2&q=a%20b", "/books/3?page=2&q=a%20b"],
  ["?page=2&/borrow", "/books/3?page=2&/borrow"],
];

for (const [query, next] of actionQueries) {
  Deno.test(`guard in an action: ${query} redirects back to ${next}, a page that GET shows`, async () => {
    const sessions = createSessions();
    const app = new App({ env: "dev", logRequest: Off });
    const borrow = async (c: Ctx): Promise<Response> =>
      c.text(200, (await sessions.require(c)).subject);
    const page = (c: Ctx): Response => c.text(200, "a book");
    app.route({ pattern: "/books/{id}", page, methods: { POST: borrow }, actions: { borrow } });
    const location = `/login?next=${encodeURIComponent(next)}`;
    await testRequest(app, "POST", `/books/3${query}`).wantStatus(303)
      .wantHeader("location", location);
    await testRequest(app, "POST", `/books/3${query}`, withHeader("fw-fragment", "loan"))
      .wantStatus(204).wantHeader("fw-location", location);
  });
}

Deno.test("guard of a route without GET: redirects to the sign-in page without next", async () => {
  const { require } = createSessions();
  const app = new App({ env: "dev", logRequest: Off });
  const methods = { POST: (c: Ctx): Response => c.text(200, "voted") };
  const middleware = [{ Middleware: require }];
  app.route({ pattern: "/vote", kind: "page", methods, middleware });
  app.route({
    pattern: "/votes",
    kind: "page",
    methods: { ...methods, GET: methods.POST },
    middleware,
  });
  await testRequest(app, "POST", "/vote").wantStatus(303).wantHeader("location", "/login");
  await testRequest(app, "POST", "/votes").wantHeader("location", "/login?next=%2Fvotes");
});
