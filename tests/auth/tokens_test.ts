import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { createTokens, memorySessionStore, type TokenOptions } from "../../auth/mod.ts";
import { createLogger, provideStores, type Settings } from "../../mod.ts";
import { testRequest, withHeader } from "../../runtime/testing/mod.ts";
import { newFolder } from "../new_folder.ts";
import { kinds } from "./session_kinds.ts";
import { failingStore, quietApp, storeWith } from "./support.ts";
import { ada, call, read, secret, start, subjectOf, tokenApp, tokenSuite } from "./token_suite.ts";
import type { TokenApp } from "./token_suite.ts";

for (const [kind, open] of kinds) {
  const made = (settings: Settings = {}): TokenApp => {
    const clock = { now: start };
    const store = open(() => clock.now);
    return { ...tokenApp({ now: () => clock.now, ...(store && { store }) }, settings), clock };
  };

  Deno.test(`tokens (${kind}): a token authenticates its user, with roles and scopes`, async () => {
    const { app, tokens, clock } = made();
    const { value, expiresAt } = await tokens.issue(app, { ...ada, provider: "https://id" }, {
      scopes: ["loans:read", "loans:write", "loans:read"],
    });
    assertEquals(expiresAt.getTime(), clock.now + 90 * 86_400_000);
    const response = await call(app, "/loans", `bearer  ${value}`);
    assertEquals(JSON.parse(response.body), {
      ...ada,
      provider: "https://id",
      id: "https://id 42",
      scopes: ["loans:read", "loans:write"],
      issuedAt: new Date(clock.now).toISOString(),
    });
    assertEquals(response.header("cache-control"), "no-store");
    assertMatch(response.header("vary") ?? "", /authorization/i);
  });

  Deno.test(`tokens (${kind}): hostile credentials authenticate no user`, async () => {
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
      const challenge = 'Bearer realm="api", error="invalid_token"';
      assertEquals(response.header("www-authenticate"), challenge, text.slice(0, 80));
    }
    assert(events.every(({ kind, reason }) => kind === "auth" && reason === "token-invalid"));
    for (
      const text of [
        `Basic ${value}`,
        `Basic x, Bearer ${value}`,
        `Bearer${value}`,
        `Bearer\t${value}`,
        `Bearer \u00a0${value}`,
        value,
        "Bearer",
        "Bearer ",
        `Bearer${" ".repeat(20_000)}`,
      ]
    ) {
      assertEquals(await subjectOf(app, text), undefined, text);
      const response = await call(app, "/me", text);
      assertEquals(response.header("www-authenticate"), 'Bearer realm="api"', text);
    }
    assertEquals(await subjectOf(app, `Bearer ${value}`), "42");
    // Setting the clock back, even to before the token was issued, does not end it.
    const rows = [[-91 * 86_400_000, "42"], [-1, "42"], [0, undefined]] as const;
    for (const [afterMs, subject] of rows) {
      clock.now = start + 90 * 86_400_000 + afterMs;
      assertEquals(await subjectOf(app, `Bearer ${value}`), subject, String(afterMs));
    }
  });

  Deno.test(`tokens (${kind}): a token of another scheme or application authenticates no user`, async () => {
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

Deno.test("tokens: a signed token stays valid while its secret is the previous one", async () => {
  const old = tokenApp();
  const { value } = await old.tokens.issue(old.app, ada, read);
  const rotated = { secret: "t".repeat(32), previousSecret: secret };
  assertEquals(await subjectOf(tokenApp({}, rotated).app, `Bearer ${value}`), "42");
  const over = { secret: "u".repeat(32), previousSecret: rotated.secret };
  assertEquals(await subjectOf(tokenApp({}, over).app, `Bearer ${value}`), undefined);
});

Deno.test("tokens: a 401 for missing credentials has no error code, even for a browser", async () => {
  const { app, events } = tokenApp();
  const response = await testRequest(app, "GET", "/me", withHeader("accept", "text/html"))
    .wantStatus(401).wantContains("token_required")
    .wantHeader("www-authenticate", 'Bearer realm="api"');
  assertEquals(response.header("cache-control"), "no-store");
  assertEquals(events.map(({ reason }) => reason), ["token-missing"]);
});

Deno.test("requireScope: requires all scopes and names them in its 403", async () => {
  const { app, tokens, events } = tokenApp();
  const { value } = await tokens.issue(app, ada, read);
  const response = await call(app, "/loans", `Bearer ${value}`);
  assertEquals(response.status, 403);
  const want = 'Bearer realm="api", error="insufficient_scope", scope="loans:read loans:write"';
  assertEquals(response.header("www-authenticate"), want);
  assertEquals(events.map(({ reason }) => reason), ["scope-missing"]);
  assertEquals((await call(app, "/inside", `Bearer ${value}`)).body.trim(), '"42"');
});

Deno.test("tokens: responses for one user are private and vary by Authorization", async () => {
  const { app, tokens } = tokenApp();
  const { value } = await tokens.issue(app, ada, read);
  const response = await call(app, "/cached", `Bearer ${value}`);
  assertEquals(response.header("cache-control"), "private, max-age=60");
  assertMatch(response.header("vary") ?? "", /authorization/i);
  const anonymous = await testRequest(app, "GET", "/who");
  assertMatch(anonymous.header("cache-control") ?? "", /private/);
  assertMatch(anonymous.header("vary") ?? "", /authorization/i);
  await testRequest(app, "POST", "/inside").wantStatus(200).wantHeader("cache-control", "no-store");
});

Deno.test("tokens: a program posts to an API without a CSRF token, and a browser cannot", async () => {
  const { app, tokens } = tokenApp();
  const { value } = await tokens.issue(app, ada, read);
  const genuine = `Bearer ${value}`;
  const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  const cookie = { cookie: "fw_session=a" };
  const rows: readonly (readonly [path: string, status: number, headers: HeadersInit])[] = [
    ["/me", 200, { authorization: genuine }],
    ["/me", 200, { authorization: genuine, ...cookie }],
    ["/me", 403, { authorization: genuine, ...cookie, ...foreign }],
    ["/me", 403, { authorization: "Bearer junk", ...cookie, ...foreign }],
    ["/page", 403, { authorization: genuine }],
    ["/page", 403, { authorization: "Bearer junk", ...cookie }],
    ["/page", 403, { authorization: genuine, ...cookie, ...foreign }],
  ];
  for (const [path, status, headers] of rows) {
    const request = new Request(`http://localhost${path}`, { method: "POST", headers });
    const response = await app.fetch(request);
    assertEquals(response.status, status, `${path} ${JSON.stringify(headers)}`);
    await response.body?.cancel();
  }
});

Deno.test("tokens: a token's value appears in no log line, metric, incident or printed context", async () => {
  await using folder = await newFolder();
  const lines: string[] = [];
  const { app, tokens } = tokenApp({ store: memorySessionStore() }, {
    logger: createLogger({ format: "json", write: (line) => void lines.push(line) }),
    logRequest: () => true,
    observability: { incidents: `${folder.path}/kept` },
  });
  const { value } = await tokens.issue(app, ada, read);
  for (const [path, authorization] of [["/fails", value], ["/me", `${value}A`]] as const) {
    const headers = { authorization: `Bearer ${authorization}` };
    lines.push(await (await app.fetch(new Request(`http://localhost${path}`, { headers }))).text());
  }
  await app.shutdown();
  const kept = await Array.fromAsync(Deno.readDir(`${folder.path}/kept`));
  for (const { name } of kept) lines.push(await Deno.readTextFile(`${folder.path}/kept/${name}`));
  assertEquals([kept.length, lines.length], [2, 9]);
  assertEquals(lines.filter((line) => line.includes(value)), []);
});

Deno.test("tokens: a token revoked during its check authenticates no user", async () => {
  for (const touch of [() => false, () => Promise.resolve(0 > 1)]) {
    const clock = { now: start };
    const store = storeWith(memorySessionStore({ now: () => clock.now }), { touch });
    const { app, tokens } = tokenApp({ store, now: () => clock.now });
    const { value } = await tokens.issue(app, ada, read);
    assertEquals(await subjectOf(app, `Bearer ${value}`), "42");
    clock.now += 60_000;
    assertEquals(await subjectOf(app, `Bearer ${value}`), undefined);
  }
});

// The engines' stores run the same suite together with their other stores.
for (const [name, run] of tokenSuite) {
  Deno.test(`tokens (memory): ${name}`, () => {
    const clock = { now: start };
    const store = memorySessionStore({ now: () => clock.now });
    return run({ sessions: store, tokens: store, other: store, clock });
  });
}

Deno.test("createTokens: `stored` uses the application's token store", async () => {
  const store = memorySessionStore();
  const { app, tokens } = tokenApp({ stored: true });
  provideStores(app, { tokens: store });
  await tokens.issue(app, ada, read);
  assertEquals((await store.list({ provider: "tokens:bearer ", subject: "42" })).length, 1);
});

Deno.test("tokens: a failing store refuses every client", async () => {
  const { app, tokens } = tokenApp({ store: failingStore });
  for (const path of ["/me", "/who"]) {
    const response = await call(app, path, `Bearer ${"A".repeat(43)}`);
    assertEquals([response.status, response.header("retry-after")], [503, "2"]);
    assertMatch(response.body, /"token_store_failed"/);
  }
  const error = await assertRejects(() => tokens.issue(app, ada, read));
  assertEquals(error instanceof Error && "code" in error && error.code, "token_store_failed");
});

const wrongOptions: readonly [name: string, options: TokenOptions][] = [
  ["a lifetime of nothing", { lifetimeMs: 0 }],
  ["a lifetime that is not a number", { lifetimeMs: NaN }],
  ["more than a year", { lifetimeMs: 367 * 86_400_000 }],
  ["no scheme", { scheme: "" }],
  ["a scheme of two words", { scheme: "Api Key" }],
  ["a scheme that browsers send automatically", { scheme: "basic" }],
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

Deno.test("issue: refuses a token too large to sign, and any without a secret", async () => {
  const { app, tokens } = tokenApp();
  const roles = Array.from({ length: 100 }, (_, at) => `${at}`.repeat(20));
  await assertRejects(() => tokens.issue(app, { ...ada, roles }, read), RangeError, "stored: true");
  const bare = createTokens();
  const production = quietApp({ env: "prod" });
  production.handler();
  await assertRejects(() => bare.issue(production, ada, read), TypeError, "FW_SECRET");
});

Deno.test("requireScope, list: refuse invalid arguments", async () => {
  const { app, tokens } = tokenApp();
  assertThrows(() => tokens.requireScope(), TypeError, "Cannot require a scope");
  assertThrows(() => tokens.requireScope("a b"), TypeError, "Cannot require the scopes");
  await assertRejects(() => tokens.list(app, ada), TypeError, "Cannot list tokens");
});
