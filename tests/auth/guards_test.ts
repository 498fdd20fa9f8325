import { assert, assertEquals, assertThrows } from "@std/assert";
import { createSessions, memorySessionStore } from "../../auth/mod.ts";
import { withUser } from "../../auth/testing.ts";
import type { Ctx, MiddlewareHandler } from "../../mod.ts";
import { newTestClient, testRequest, withForm, withHeader } from "../../runtime/testing/mod.ts";
import { quietApp, signedIn, signInApp } from "./support.ts";

const html = withHeader("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
const json = withHeader("accept", "application/json");

Deno.test("require: redirects a browser to the sign-in page with 302 and back after it", async () => {
  const made = signInApp();
  const client = newTestClient(made.app);
  await testRequest(made.app, "HEAD", "/me", html).wantStatus(302);
  await client.get("/me?tab=2&q=a%20b", html).wantStatus(302)
    .wantHeader("location", "/login?next=%2Fme%3Ftab%3D2%26q%3Da%2520b");
  await client.postForm("/login?next=%2Fme%3Ftab%3D2%26q%3Da%2520b", {})
    .wantHeader("location", "/me?tab=2&q=a%20b");
});

Deno.test("require: redirects a form post with an expired session with 303", async () => {
  const made = signInApp();
  await testRequest(made.app, "POST", "/me", withForm({}))
    .wantStatus(303).wantHeader("location", "/login?next=%2Fme");
});

Deno.test("require: sends a fragment request 204 with FW-Location", async () => {
  const made = signInApp();
  const response = await testRequest(
    made.app,
    "GET",
    "/me?page=2",
    withHeader("fw-fragment", "list"),
  )
    .wantStatus(204).wantHeader("fw-location", "/login?next=%2Fme%3Fpage%3D2");
  assertEquals(response.header("location"), undefined);
});

const kinds: [name: string, path: string, option: typeof html | undefined, status: number][] = [
  ["a page, for any Accept header", "/me", json, 302],
  ["a page without Accept", "/me", undefined, 302],
  ["an API, for any Accept header", "/api/me", html, 401],
  ["an API without Accept", "/api/me", undefined, 401],
  ["a route for both, from a browser", "/any/me", html, 302],
  ["a route for both, from a program", "/any/me", json, 401],
  ["a route for both, without an Accept header", "/any/me", undefined, 401],
];

for (const [name, path, option, status] of kinds) {
  Deno.test(`require: responds to an anonymous request for ${name} with ${status}`, async () => {
    const made = signInApp();
    const options = option === undefined ? [] : [option];
    const response = await testRequest(made.app, "GET", path, ...options).wantStatus(status);
    assert(/\bcookie\b/i.test(response.header("vary") ?? ""));
  });
}

Deno.test("require: sends a 401 with a challenge and a stable code, and reports a security event", async () => {
  const made = signInApp();
  const response = await testRequest(made.app, "GET", "/api/me").wantStatus(401)
    .wantContains('"code":"sign_in_required"');
  const found = response.header("www-authenticate");
  assertEquals(found, 'Cookie form-action="/login", cookie-name="fw_session"');
  assertEquals(response.header("cache-control"), "no-store");
  const seen = made.events.map(({ kind, reason }) => [kind, reason]);
  assertEquals(seen, [["auth", "sign-in-required"]]);
});

Deno.test("requireAdmin: sends a user without the role 403, without a redirect", async () => {
  const made = signInApp();
  const client = await signedIn(made, { role: "editor" });
  const response = await client.get("/admin", html).wantStatus(403);
  assertEquals(response.header("location"), undefined);
  assertEquals(made.events.map(({ kind, reason }) => [kind, reason]), [["auth", "role-missing"]]);
  await client.postForm("/login", { role: "admin" }).wantStatus(303);
  await client.get("/admin").wantStatus(200);
});

Deno.test("requireAdmin: accepts the application's own role name", async () => {
  const made = signInApp({ adminRole: "root" });
  await (await signedIn(made, { role: "admin" })).get("/admin").wantStatus(403);
  await (await signedIn(made, { role: "root" })).get("/admin").wantStatus(200);
});

const roles: readonly (readonly [role: string, status: number])[] = [
  ["editor", 200],
  ["admin", 200],
  ["Editor", 403],
  ["editors", 403],
  ["", 403],
];

for (const [role, status] of roles) {
  Deno.test(`requireRole inside a handler: ${JSON.stringify(role)} gets ${status}`, async () => {
    const made = signInApp();
    await (await signedIn(made, { role })).get("/edit").wantStatus(status);
    await testRequest(made.app, "GET", "/edit").wantStatus(401);
  });
}

const ages: readonly (readonly [ageMs: number, path: string, status: number])[] = [
  [0, "/account", 200],
  [300_000, "/account", 200],
  [300_001, "/account", 302],
  [300_000, "/api/account", 200],
  [300_001, "/api/account", 401],
];

for (const [ageMs, path, status] of ages) {
  Deno.test(`requireRecent: responds to ${path} with ${status} ${ageMs} ms after the sign-in`, async () => {
    const made = signInApp();
    const middleware = [{ Middleware: made.sessions.requireRecent(300_000) }];
    const page = (c: Ctx): Response => c.text(200, "in");
    made.app.route({ pattern: "/account", page, methods: { POST: page }, middleware });
    made.app.route({ pattern: "/api/account", kind: "api", methods: { GET: page }, middleware });
    const client = await signedIn(made);
    made.clock.now += ageMs;
    // Using a session does not renew the time of its sign-in.
    await client.get("/me").wantStatus(200);
    const response = await client.get(path).wantStatus(status);
    if (status === 200) return;
    if (status === 302) assertEquals(response.header("location"), "/login?next=%2Faccount&again=1");
    else response.wantContains("recent_sign_in_required").wantContains("Sign in again");
    assertEquals(made.events.map(({ reason }) => reason), ["recent-sign-in-required"]);
    await client.postForm("/account", {}).wantStatus(303);
    await client.postForm("/login", {}).wantStatus(303);
    await client.get(path).wantStatus(200);
  });
}

Deno.test("requireRecent: refuses less than a minute at boot", () => {
  for (const ms of [0, 59_999, NaN]) {
    assertThrows(() => createSessions().requireRecent(ms), RangeError, "60000");
  }
});

Deno.test("requireRole: refuses an empty list of roles and a blank role at boot", () => {
  for (const roles of [[], [""], [" "], ["admin", ""]]) {
    assertThrows(() => createSessions().requireRole(...roles), TypeError, "Cannot require a role");
  }
});

Deno.test("require: names each guard differently", () => {
  const sessions = createSessions();
  assertEquals(
    [sessions.require.name, sessions.requireAdmin.name, sessions.requireRole("a", "b").name],
    ["require", "requireRole(admin)", "requireRole(a, b)"],
  );
});

const loops: readonly [path: string, settings: Parameters<typeof quietApp>[0], pattern?: string][] =
  [
    ["/login?next=%2Fme", {}],
    ["/login", {}, "/{page}"],
    ["/pt-PT/login", { languages: ["en", "pt-PT"], languagePrefix: true }],
  ];

for (const [path, settings, pattern = "/login"] of loops) {
  Deno.test(`require: reports a guard above its own sign-in page instead of a redirect loop: ${path} at ${pattern}`, async () => {
    const app = quietApp(settings);
    const middleware = [{ Middleware: createSessions().require }];
    app.route({ pattern, page: (c) => c.text(200, "sign in"), middleware });
    const response = await testRequest(app, "GET", path, html).wantStatus(500);
    response.wantContains("it is the sign-in page");
  });
}

Deno.test("require: does not pass an unsafe path as next", async () => {
  const sessions = createSessions({ loginPath: "/enter?from=app" });
  const app = quietApp();
  const middleware = [{ Middleware: sessions.require }];
  app.route({ pattern: "/files/{path...}", page: (c) => c.text(200, "in"), middleware });
  await testRequest(app, "GET", "/files/a%2Fb", html)
    .wantHeader("location", "/enter?from=app&next=%2Ffiles%2Fa%252Fb");
  await testRequest(app, "GET", "/files/%255cevil", html).wantHeader("location", "/enter?from=app");
  await testRequest(app, "GET", `/files/x?q=${"a".repeat(3_000)}`, html)
    .wantHeader("location", "/enter?from=app&next=%2Ffiles%2Fx");
});

Deno.test("require: works among other middleware and before a failing handler", async () => {
  const sessions = createSessions({ store: memorySessionStore() });
  const app = quietApp();
  const trace: string[] = [];
  const around = (name: string): MiddlewareHandler => async (_c, next) => {
    trace.push(`${name} in`);
    const response = await next();
    trace.push(`${name} out`);
    return response;
  };
  app.route({
    pattern: "/a",
    methods: { GET: (c) => c.text(200, "in") },
    middleware: [
      { Middleware: around("outer") },
      { Middleware: sessions.require, MiddlewareGET: sessions.requireRole("editor") },
      { Middleware: around("inner") },
    ],
  });
  await testRequest(app, "GET", "/a", withUser(sessions, { roles: ["editor"] })).wantStatus(200);
  assertEquals(trace, ["outer in", "inner in", "inner out", "outer out"]);
  trace.length = 0;
  await testRequest(app, "GET", "/a", withUser(sessions)).wantStatus(403);
  assertEquals(trace, ["outer in", "inner in"]);
  trace.length = 0;
  await testRequest(app, "GET", "/a").wantStatus(401);
  assertEquals(trace, ["outer in"]);
});

Deno.test("require: works inside the application's own middleware", async () => {
  const sessions = createSessions();
  const app = quietApp();
  const Middleware: MiddlewareHandler = (c, next) =>
    c.query("open") === "1" ? next() : sessions.require(c, next);
  const middleware = [{ Middleware }];
  app.route({ pattern: "/a", methods: { GET: (c) => c.text(200, "in") }, middleware });
  await testRequest(app, "GET", "/a").wantStatus(401);
  await testRequest(app, "GET", "/a?open=1").wantStatus(200);
  const response = await testRequest(app, "GET", "/a", withUser(sessions)).wantStatus(200);
  assertEquals(response.header("cache-control"), "no-store");
});

Deno.test("require: marks a response that was built before the call", async () => {
  const sessions = createSessions();
  const app = quietApp();
  const GET = async (c: Ctx): Promise<Response> => {
    const response = c.json(200, { secret: true });
    await sessions.require(c);
    return response;
  };
  app.route({ pattern: "/a", methods: { GET } });
  const response = await testRequest(app, "GET", "/a", withUser(sessions)).wantStatus(200);
  assertEquals(response.header("cache-control"), "no-store");
  assertEquals(response.header("x-content-type-options"), "nosniff");
});

Deno.test("require: guards HEAD, unknown routes and errors below it", async () => {
  const made = signInApp();
  await testRequest(made.app, "HEAD", "/api/me").wantStatus(401);
  await testRequest(made.app, "HEAD", "/api/me", withUser(made.sessions)).wantStatus(200);
  await testRequest(made.app, "POST", "/api/me", withUser(made.sessions)).wantStatus(405);
});
