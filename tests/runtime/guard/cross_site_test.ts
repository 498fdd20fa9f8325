/** Writes from another site's page with a visitor's cookies, to every kind of route. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { App, createLogger } from "../../../mod.ts";
import type {
  Config,
  Ctx,
  Method,
  MiddlewareModule,
  Result,
  Route,
  SecurityEvent,
} from "../../../mod.ts";
import {
  type TestOption,
  testRequest,
  withCookie,
  withHeader,
  withJson,
  withoutCsrf,
} from "../../../runtime/testing/mod.ts";

const unsafe = ["POST", "PUT", "PATCH", "DELETE"] as const;
const site = (value: string): TestOption => withHeader("sec-fetch-site", value);
const origin = (value: string): TestOption => withHeader("origin", value);
const cookie = withCookie("session", "x");
const evil = origin("https://evil.example");
const crossSite = (authorization: string): TestOption[] => [
  withHeader("authorization", authorization),
  site("cross-site"),
  evil,
];

async function send(
  options: readonly TestOption[],
  at: { route?: Partial<Route>; config?: Partial<Config>; method?: Method } = {},
): Promise<{ status: number; hasRun: boolean; body: string; events: string[] }> {
  const { route = {}, config = {}, method = "POST" } = at;
  let hasRun = false;
  const events: SecurityEvent[] = [];
  const run = (c: Ctx): Result => {
    hasRun = true;
    return c.text(200, "written");
  };
  const app = new App({
    logger: createLogger({ write: () => {} }),
    onSecurityEvent: (event) => void events.push(event),
    trustedProxies: ["127.0.0.1"],
    ...config,
  });
  app.route({ pattern: "/write", methods: { [method]: run }, ...route });
  const { status, body } = await testRequest(app, method, "/write", withoutCsrf(), ...options);
  const told = events.map(({ kind, reason }) => `${kind} ${reason}`);
  return { status, hasRun, body: String(body), events: told };
}

const policy = { origins: ["https://app.example"], credentials: true };
const cross = [cookie, site("cross-site")];
const attack = [...cross, evil];
const fromApp = [...cross, origin("https://app.example")];
const anyOrigin = { origins: ["*"] };

const rows: [string, TestOption[], want: 200 | string, at?: Parameters<typeof send>[1]][] = [
  ["no cookie, cross-site", [site("cross-site"), evil], 200],
  ["an empty cookie header, cross-site", [site("cross-site"), withHeader("cookie", "")], 200],
  ["a cookie, from a program", [cookie], 200],
  ["a bearer token, cross-site", crossSite("Bearer x"), 200],
  ["Basic credentials, cross-site", crossSite("Basic eDp4"), "cross-site"],
  ["Basic credentials in lower case, cross-site", crossSite("basic eDp4"), "cross-site"],
  ["Digest credentials, cross-site", crossSite("Digest x"), "cross-site"],
  ["Kerberos credentials, cross-site", crossSite("Negotiate x"), "cross-site"],
  ["NTLM credentials, cross-site", crossSite("NTLM x"), "cross-site"],
  ["Basic credentials, from a program", [withHeader("authorization", "Basic eDp4")], 200],
  ["a cookie, from an own page", [cookie, site("same-origin"), origin("http://localhost")], 200],
  ["a cookie, cross-site", attack, "cross-site"],
  ["a cookie, cross-site, the own origin", [...cross, origin("http://localhost")], "cross-site"],
  ["a cookie, cross-site, without an origin", cross, "cross-site"],
  ["a cookie, a sibling", [cookie, site("same-site"), origin("http://a.localhost")], "same-site"],
  ["a cookie, another origin, an old browser", [cookie, evil], "foreign-origin"],
  ["a cookie, another port", [cookie, origin("http://localhost:81")], "lost-port"],
  ["a cookie, JSON", [cookie, evil, withJson({ a: 1 })], "foreign-origin"],
  ["a listed origin", fromApp, 200, { config: { cors: policy } }],
  ["an origin in the route's list", fromApp, 200, { route: { cors: policy } }],
  [
    "an origin in the application's list but not in the route's",
    fromApp,
    "cross-site",
    { config: { cors: policy }, route: { cors: { origins: ["https://b.example"] } } },
  ],
  ["an origin beside a listed one", attack, "cross-site", { config: { cors: policy } }],
  ["a policy for every origin", attack, "cross-site", { config: { cors: anyOrigin } }],
  ["a star for an origin", [...cross, origin("*")], "cross-site", { config: { cors: anyOrigin } }],
  ["a route with CSRF = false", attack, 200, { route: { csrf: false } }],
  ["a route of kind api", attack, "cross-site", { route: { kind: "api" } }],
  ["a route of kind page", attack, "cross-site", { route: { kind: "page" } }],
  ["a route with csrfForApi", attack, "cross-site", { config: { csrfForApi: true } }],
];

for (const [name, options, want, at = {}] of rows) {
  Deno.test(`a cross-site write to a route: ${name}: ${want}`, async () => {
    for (const method of unsafe) {
      const sent = await send(options, { ...at, method });
      const found = [sent.status, sent.hasRun, ...sent.events];
      assertEquals(found, want === 200 ? [200, true] : [403, false, `csrf ${want}`], method);
    }
  });
}

Deno.test("a cross-site read is accepted, because CORS protects its response", async () => {
  for (const method of ["GET", "OPTIONS"] as const) {
    const { status, hasRun } = await send([cookie, site("cross-site"), evil], { method });
    assertEquals([status, hasRun], [200, true], method);
  }
});

Deno.test("a cross-site write runs no middleware, even on a page", async () => {
  for (const page of [undefined, (): Response => new Response("page")]) {
    let ran = 0;
    const middleware: MiddlewareModule = {
      Middleware: (_c, next) => {
        ran++;
        return next();
      },
      // A guard that responds itself, before any token check.
      MiddlewarePOST: (c) => c.text(200, "written by a middleware"),
    };
    const route: Partial<Route> = {
      middleware: [middleware],
      ...(page === undefined ? {} : { page }),
    };
    const { status, events } = await send([cookie, site("cross-site"), evil], { route });
    assertEquals([status, ran, events], [403, 0, ["csrf cross-site"]]);
  }
});

Deno.test("the refusal is a problem document and names the fix in development only", async () => {
  const asked = [cookie, site("cross-site"), evil];
  const production = await send(asked);
  assertEquals(JSON.parse(production.body).code, "csrf_failed");
  assertStringIncludes(production.body, "another site");
  const development = await send(asked, { config: { env: "dev" } });
  for (const part of ["cors.origins", "CSRF = false"]) {
    assertStringIncludes(development.body, part);
    assert(!production.body.includes(part));
  }
});
