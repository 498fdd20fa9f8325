import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import {
  createSessions,
  createTokens,
  memorySessionStore,
  type SessionStore,
  type TokenOptions,
  type Tokens,
} from "../../auth/mod.ts";
import { kvStores } from "../../data/kv/mod.ts";
import { type App, provideStores, type SecurityEvent, type Settings } from "../../mod.ts";
import {
  testRequest,
  type TestResponse,
  withCookie,
  withHeader,
} from "../../runtime/testing/mod.ts";
import { MemoryKv } from "../data/kv/memory_kv.ts";
import { kinds } from "./session_kinds.ts";
import { failingStore, quietApp } from "./support.ts";

const start = Date.now();
const ada = { subject: "42", name: "Ada", email: "ada@example.org", roles: ["editor"] };
const read = { scopes: ["loans:read"] };
const secret = "s".repeat(32);

interface TokenApp {
  readonly app: App;
  readonly tokens: Tokens;
  readonly clock: { now: number };
  readonly events: SecurityEvent[];
}

function tokenApp(options: TokenOptions = {}, settings: Settings = {}): TokenApp {
  const clock = { now: start };
  const events: SecurityEvent[] = [];
  const tokens = createTokens({ now: () => clock.now, ...options });
  const app = quietApp({
    secret,
    onSecurityEvent: (event) => void events.push(event),
    ...settings,
  });
  const who = async (c: import("../../mod.ts").Ctx) => c.json(200, await tokens.user(c) ?? null);
  app.route({ pattern: "/who", methods: { GET: who } });
  app.route({
    pattern: "/me",
    kind: "api",
    middleware: [{ Middleware: tokens.require }],
    methods: { GET: who, POST: who },
  });
  app.route({
    pattern: "/cached",
    middleware: [{ Middleware: tokens.require }],
    methods: {
      GET: (c) => {
        c.cacheControl("public, max-age=60, s-maxage=600");
        return c.text(200, "made for one");
      },
    },
  });
  app.route({
    pattern: "/loans",
    kind: "api",
    middleware: [{ Middleware: tokens.requireScope("loans:read", "loans:write") }],
    methods: { GET: who },
  });
  app.route({
    pattern: "/inside",
    kind: "api",
    methods: {
      GET: async (c) => c.json(200, (await tokens.requireScope("loans:read")(c)).subject),
      POST: async (c) => c.json(200, await tokens.issue(c, ada, read)),
    },
  });
  app.handler();
  return { app, tokens, clock, events };
}

const call = (app: App, path: string, authorization: string): Promise<TestResponse> =>
  Promise.resolve(testRequest(app, "GET", path, withHeader("authorization", authorization)));

async function subjectOf(app: App, authorization: string): Promise<string | undefined> {
  const response = await call(app, "/who", authorization);
  assertEquals(response.status, 200);
  return JSON.parse(response.body)?.subject;
}

for (const [kind, open] of kinds) {
  const made = (settings: Settings = {}): TokenApp => {
    const clock = { now: start };
    const store = open(() => clock.now);
    return { ...tokenApp({ now: () => clock.now, ...(store && { store }) }, settings), clock };
  };

  Deno.test(`tokens (${kind}): a token stands for its user, with roles and scopes`, async () => {
    const { app, tokens, clock } = made();
    const { value, expiresAt } = await tokens.issue(app, { ...ada, provider: "https://id" }, {
      scopes: ["loans:read", "loans:write", "loans:read"],
    });
    assertEquals(expiresAt.getTime(), clock.now + 90 * 86_400_000);
    const response = await call(app, "/loans", `bearer  ${value}`);
    assertEquals(JSON.parse(response.body), {
      ...ada,
      provider: "https://id",
      scopes: ["loans:read", "loans:write"],
      issuedAt: new Date(clock.now).toISOString(),
    });
    assertEquals(response.header("cache-control"), "no-store");
    assertMatch(response.header("vary") ?? "", /authorization/i);
  });

  Deno.test(`tokens (${kind}): hostile credentials have no user`, async () => {
    const { app, tokens, clock, events } = made();
    const { value } = await tokens.issue(app, ada, read);
    const other = await tokens.issue(app, { subject: "7" }, read);
    const swap = (text: string): string => (text.at(-1) === "A" ? "B" : "A");
    const [head = "", code = ""] = value.split(".");
    const [, otherCode = code] = other.value.split(".");
    const bad: readonly string[] = [
      "Bearer x",
      "Bearer .",
      `Bearer ${value}=`,
      `Bearer ${value} ${value}`,
      `Bearer ${value}, Bearer ${value}`,
      `Bearer ${value.slice(0, -1)}`,
      `Bearer ${value.slice(1)}`,
      `Bearer ${value}A`,
      `Bearer ${value.slice(0, -1)}${swap(value)}`,
      `Bearer ${head}.${otherCode === code ? "A".repeat(43) : otherCode}`,
      `Bearer ${"A".repeat(43)}`,
      `Bearer ${"A".repeat(4_000)}.${"A".repeat(43)}`,
      `Bearer ${"A".repeat(20_000)}`,
    ];
    for (const text of bad) {
      assertEquals(await subjectOf(app, text), undefined, text.slice(0, 80));
      const response = await call(app, "/me", text);
      assertEquals(response.status, 401, text.slice(0, 80));
      assertEquals(
        response.header("www-authenticate"),
        'Bearer realm="api", error="invalid_token"',
        text.slice(0, 80),
      );
    }
    assert(events.every(({ kind, reason }) => kind === "auth" && reason === "token-invalid"));
    for (const text of [`Basic ${value}`, `Bearer${value}`, value, "Bearer", "Bearer "]) {
      assertEquals(await subjectOf(app, text), undefined, text);
      const response = await call(app, "/me", text);
      assertEquals(response.header("www-authenticate"), 'Bearer realm="api"', text);
    }
    assertEquals(await subjectOf(app, `Bearer ${value}`), "42");
    clock.now += 90 * 86_400_000;
    assertEquals(await subjectOf(app, `Bearer ${value}`), undefined);
  });

  Deno.test(`tokens (${kind}): one of another scheme or application has no user`, async () => {
    const store = open(() => start);
    const stored = store === undefined ? {} : { store };
    const here = tokenApp(stored);
    const { value } = await here.tokens.issue(here.app, ada, read);
    const key = tokenApp({ ...stored, scheme: "ApiKey" });
    assertEquals(await subjectOf(key.app, `ApiKey ${value}`), undefined);
    const own = await key.tokens.issue(key.app, ada, read);
    assertEquals(await subjectOf(key.app, `apikey ${own.value}`), "42");
    assertEquals(await subjectOf(here.app, `Bearer ${own.value}`), undefined);
    const elsewhere = tokenApp(store && { store: memorySessionStore() }, {
      secret: "t".repeat(32),
    });
    assertEquals(await subjectOf(elsewhere.app, `Bearer ${value}`), undefined);
  });
}

Deno.test("tokens: a signed one holds while its secret is the previous one", async () => {
  const old = tokenApp();
  const { value } = await old.tokens.issue(old.app, ada, read);
  const rotated = { secret: "t".repeat(32), previousSecret: secret };
  assertEquals(await subjectOf(tokenApp({}, rotated).app, `Bearer ${value}`), "42");
  const over = { secret: "u".repeat(32), previousSecret: rotated.secret };
  assertEquals(await subjectOf(tokenApp({}, over).app, `Bearer ${value}`), undefined);
});

Deno.test("tokens: without credentials 401 has no error code, also for a browser", async () => {
  const { app, events } = tokenApp();
  const response = await testRequest(app, "GET", "/me", withHeader("accept", "text/html"))
    .wantStatus(401).wantContains("token_required")
    .wantHeader("www-authenticate", 'Bearer realm="api"');
  assertEquals(response.header("cache-control"), "no-store");
  assertEquals(events.map(({ reason }) => reason), ["token-missing"]);
});

Deno.test("requireScope: all of the scopes, else 403 that names them", async () => {
  const { app, tokens, events } = tokenApp();
  const { value } = await tokens.issue(app, ada, read);
  const response = await call(app, "/loans", `Bearer ${value}`);
  assertEquals(response.status, 403);
  assertEquals(
    response.header("www-authenticate"),
    'Bearer realm="api", error="insufficient_scope", scope="loans:read loans:write"',
  );
  assertEquals(events.map(({ reason }) => reason), ["scope-missing"]);
  assertEquals((await call(app, "/inside", `Bearer ${value}`)).body.trim(), '"42"');
});

Deno.test("tokens: shared caches keep nothing of one user, nor the token itself", async () => {
  const { app, tokens } = tokenApp();
  const { value } = await tokens.issue(app, ada, read);
  const response = await call(app, "/cached", `Bearer ${value}`);
  assertEquals(response.header("cache-control"), "private, max-age=60");
  assertMatch(response.header("vary") ?? "", /authorization/i);
  const anonymous = await testRequest(app, "GET", "/who");
  assertMatch(anonymous.header("cache-control") ?? "", /private/);
  assertMatch(anonymous.header("vary") ?? "", /authorization/i);
  await testRequest(app, "POST", "/inside").wantStatus(200)
    .wantHeader("cache-control", "no-store");
});

Deno.test("tokens: a program posts with its token, without a CSRF token", async () => {
  const { app, tokens } = tokenApp();
  const { value } = await tokens.issue(app, ada, read);
  await testRequest(app, "POST", "/me", withHeader("authorization", `Bearer ${value}`))
    .wantStatus(200);
});

const stores: readonly [string, (now: () => number) => SessionStore][] = [
  ["memory", (now) => memorySessionStore({ now })],
  ["kv", (now) => kvStores(new MemoryKv(), { now }).tokens],
];

for (const [name, open] of stores) {
  Deno.test(`tokens (${name}): the owner alone lists and revokes them`, async () => {
    const clock = { now: start };
    const { app, tokens } = tokenApp({ store: open(() => clock.now), now: () => clock.now });
    const first = await tokens.issue(app, ada, { ...read, label: "CI" });
    clock.now += 120_000;
    const second = await tokens.issue(app, ada, { scopes: [] });
    const foreign = await tokens.issue(app, { ...ada, provider: "https://id" }, read);
    clock.now += 120_000;
    assertEquals(await subjectOf(app, `Bearer ${first.value}`), "42");
    const [used, unused, ...rest] = await tokens.list(app, ada);
    assert(used && unused && rest.length === 0);
    assertEquals({ ...used, id: "" }, {
      id: "",
      label: "CI",
      scopes: ["loans:read"],
      issuedAt: new Date(start),
      usedAt: new Date(clock.now),
      expiresAt: first.expiresAt,
    });
    const other = { subject: "7" };
    assert(!await tokens.revoke(app, { owner: other, id: used.id }));
    assert(!await tokens.revoke(app, { owner: ada, id: "unknown" }));
    assert(await tokens.revoke(app, { owner: ada, id: used.id }));
    assertEquals(await subjectOf(app, `Bearer ${first.value}`), undefined);
    assertEquals(await subjectOf(app, `Bearer ${second.value}`), "42");
    assertEquals(await tokens.revokeAll(app, ada), 1);
    assertEquals(await subjectOf(app, `Bearer ${second.value}`), undefined);
    assertEquals(await subjectOf(app, `Bearer ${foreign.value}`), "42");
  });

  Deno.test(`tokens (${name}): in one store no token is a session and no session a token`, async () => {
    const store = open(() => start);
    const { app, tokens } = tokenApp({ store });
    const sessions = createSessions({ store, now: () => start });
    const site = quietApp({ secret });
    site.route({
      pattern: "/login",
      kind: "api",
      methods: { POST: async (c) => c.json(200, await sessions.start(c, ada)) },
    });
    site.route({
      pattern: "/session",
      methods: { GET: async (c) => c.json(200, await sessions.user(c) ?? null) },
    });
    const response = await testRequest(site, "POST", "/login").wantStatus(200);
    const identifier = /fw_session=([\w-]{43})/.exec(response.header("set-cookie") ?? "")?.[1];
    assert(identifier);
    const { value } = await tokens.issue(app, ada, read);
    for (const [cookie, text] of [[identifier, "Ada"], [value, "null"]] as const) {
      await testRequest(site, "GET", "/session", withCookie("fw_session", cookie))
        .wantContains(text);
    }
    assertEquals(await subjectOf(app, `Bearer ${identifier}`), undefined);
    assertEquals(await subjectOf(app, `Bearer ${value}`), "42");
    // Each side ends its own alone.
    const [{ id } = { id: "" }] = await store.list({ provider: "", subject: "42" });
    assert(!await tokens.revoke(app, { owner: ada, id }));
    assertEquals(await sessions.endAll(site, "42"), 1);
    assertEquals((await tokens.list(app, ada)).length, 1);
  });
}

Deno.test("tokens: an owner has 100 stored ones at most", async () => {
  const { app, tokens } = tokenApp({ store: memorySessionStore() });
  for (let at = 0; at < 100; at++) await tokens.issue(app, ada, read);
  const error = await assertRejects(() => tokens.issue(app, ada, read));
  assertEquals(error instanceof Error && "code" in error && error.code, "too_many_tokens");
});

Deno.test("createTokens: `stored` takes the tokens' store that the application was given", async () => {
  const store = memorySessionStore();
  const { app, tokens } = tokenApp({ stored: true });
  provideStores(app, { tokens: store });
  await tokens.issue(app, ada, read);
  assertEquals((await store.list({ provider: "tokens:bearer ", subject: "42" })).length, 1);
});

Deno.test("tokens: a failing store lets no client pass", async () => {
  const { app } = tokenApp({ store: failingStore });
  assertEquals((await call(app, "/me", `Bearer ${"A".repeat(43)}`)).status, 503);
  assertEquals((await call(app, "/who", `Bearer ${"A".repeat(43)}`)).status, 503);
});

const wrongOptions: readonly [name: string, options: TokenOptions][] = [
  ["a lifetime of nothing", { lifetimeMs: 0 }],
  ["a lifetime that is no number", { lifetimeMs: NaN }],
  ["more than a year", { lifetimeMs: 367 * 86_400_000 }],
  ["no scheme", { scheme: "" }],
  ["a scheme of two words", { scheme: "Api Key" }],
];

for (const [name, options] of wrongOptions) {
  Deno.test(`createTokens: refuses ${name}`, () => {
    assertThrows(() => createTokens(options), RangeError, "Cannot create tokens");
  });
}

const wrongTokens: readonly [string, user: { subject: string }, token: { scopes: string[] }][] = [
  ["an empty scope", ada, { scopes: [""] }],
  ["a scope of two words", ada, { scopes: ["a b"] }],
  ["a scope with a quote", ada, { scopes: ['a"'] }],
  ["a scope with a line break", ada, { scopes: ["a\n"] }],
  ["a long scope", ada, { scopes: ["a".repeat(101)] }],
  ["many scopes", ada, { scopes: Array.from({ length: 51 }, (_, at) => `s${at}`) }],
  ["no subject", { subject: "" }, read],
  ["a long label", ada, { ...read, label: "a".repeat(101) } as { scopes: string[] }],
];

for (const [name, user, token] of wrongTokens) {
  Deno.test(`issue: refuses ${name}`, async () => {
    const { app, tokens } = tokenApp();
    await assertRejects(() => tokens.issue(app, user, token), TypeError, "Cannot");
  });
}

Deno.test("issue: refuses what is too large to be signed, and signs nothing without a secret", async () => {
  const { app, tokens } = tokenApp();
  const roles = Array.from({ length: 100 }, (_, at) => `${at}`.repeat(20));
  await assertRejects(() => tokens.issue(app, { ...ada, roles }, read), RangeError, "stored: true");
  const bare = createTokens();
  const production = quietApp({ env: "prod" });
  production.handler();
  await assertRejects(() => bare.issue(production, ada, read), TypeError, "FW_SECRET");
});

Deno.test("requireScope, list: refuse what cannot be asked", async () => {
  const { app, tokens } = tokenApp();
  assertThrows(() => tokens.requireScope(), TypeError, "Cannot require no scope");
  assertThrows(() => tokens.requireScope("a b"), TypeError, "Cannot require the scopes");
  await assertRejects(() => tokens.list(app, ada), TypeError, "Cannot list tokens");
});
