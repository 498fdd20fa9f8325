import { assert, assertEquals, assertMatch, assertNotMatch, assertThrows } from "@std/assert";
import { createSessions, keycloak, memorySessionStore, nextPath, oidc } from "../../../auth/mod.ts";
import type { AuthOptions } from "../../../auth/mod.ts";
import { createLogger, type Ctx, type Next } from "../../../mod.ts";
import { testProvider } from "../../../auth/testing.ts";
import { newTestClient, withCookie, withHeader } from "../../../runtime/testing/mod.ts";
import { mockedApp } from "./mock_provider.ts";
import {
  appOf,
  attemptCookie,
  locationOf,
  pathOf,
  registration,
  signInApp,
  startAt,
  subjectOf,
  twoProviders,
  userOf,
} from "./support.ts";

Deno.test("the flow signs in and sends every required parameter", async () => {
  const { client, provider, reasons } = signInApp({ maxAgeSeconds: 3_600, scopes: ["email"] });
  const location = await startAt(client, "/login?next=/events%3Fpage%3D2");
  const query = Object.fromEntries(new URL(location).searchParams);
  assertEquals(location.split("?")[0], "https://id.example/authorize");
  const { state, nonce, code_challenge: challenge, ...rest } = query;
  assertEquals(rest, {
    response_type: "code",
    client_id: "app",
    redirect_uri: "http://localhost/auth/callback",
    scope: "openid email",
    code_challenge_method: "S256",
    max_age: "3600",
  });
  for (const text of [state, nonce, challenge]) assertMatch(text ?? "", /^[\w-]{43}$/);
  assertEquals(new Set([state, nonce, challenge]).size, 3);
  const callback = provider.authorize(location, {
    sub: "42",
    auth_time: Math.floor(Date.now() / 1_000),
    email: "ada@example.com",
    email_verified: true,
    name: "Ada",
    roles: ["editor", "admin"],
    groups: "staff",
  });
  const answer = await client.get(pathOf(callback)).wantStatus(303);
  answer.wantHeader("location", "/events?page=2").wantHeader("cache-control", "no-store");
  const { user } = JSON.parse((await client.get("/me")).body);
  assert(Math.abs(Date.parse(user.issuedAt) - Date.now()) < 5_000);
  assertEquals({ ...user, issuedAt: undefined }, {
    provider: "https://id.example",
    subject: "42",
    id: "https://id.example 42",
    email: "ada@example.com",
    name: "Ada",
    roles: ["editor", "admin", "staff"],
    issuedAt: undefined,
  });
  assertEquals(reasons, []);
});

const recent: Readonly<Record<string, AuthOptions>> = {
  cookie: {},
  store: { store: memorySessionStore() },
  "own session": { account: () => ({ id: "42", own: { name: "Ada" } }) },
};
for (const [kind, options] of Object.entries(recent)) {
  Deno.test(`a recent sign-in (${kind}) is one at the provider, which a sign-in again asks for`, async () => {
    const { app, auth, client, provider, reasons, log } = signInApp(options);
    const middleware = [{ Middleware: auth.requireRecent(600_000) }];
    app.route({ pattern: "/keys", page: (c) => c.text(200, "keys"), middleware });
    const signIn = async (path: string, age?: number) => {
      const seconds = Math.floor(Date.now() / 1_000);
      const claims = { sub: "42", ...age === undefined ? {} : { auth_time: seconds - age } };
      return await client.get(pathOf(provider.authorize(await startAt(client, path), claims)));
    };
    assertEquals((await signIn("/login", 3_600)).status, 303);
    const page = withHeader("accept", "text/html");
    const again = locationOf(await client.get("/keys", page).wantStatus(302));
    assertEquals(again, "/login?next=%2Fkeys&again=1");
    assertMatch(await startAt(client, again), /[&?]max_age=0(?:&|$)/);
    // Single sign-on alone would lead back to the guard for ever.
    await client.get("/me").wantContains('"subject":"42"');
    assertEquals((await signIn(again, 3_600)).status, 400);
    assertEquals(reasons, ["recent-sign-in-required", "token-auth-time"]);
    assertMatch(log.join(""), /again: \{ prompt: \\"login\\" \}/);
    assertEquals((await signIn(again, 30)).headers.get("location"), "/keys");
    await client.get("/keys", page).wantStatus(200);
    // The clock of the provider may be ahead.
    assertEquals((await signIn(again, -50)).status, 303);
    const { user } = JSON.parse((await client.get("/me")).body);
    assert(Date.parse(user.issuedAt) <= Date.now());
    // Some providers do not state the time.
    assertEquals((await signIn(again)).status, 303);
    await client.get("/keys", page).wantStatus(200);
  });
}

for (
  const [start, isLogged] of [
    ["http://localhost/login", false],
    ["http://localhost:8000/login", false],
    ["http://127.0.0.1/login", true],
    ["https://www.localhost/login", true],
  ] as const
) {
  Deno.test(`a start at ${start} ${isLogged ? "logs" : "matches"} the host of redirectUrl`, async () => {
    const lines: string[] = [];
    const logger = createLogger({ write: (text) => void lines.push(text) });
    const { client } = signInApp({}, { logger });
    await client.get(start).wantStatus(302);
    assertEquals(lines.join("").includes("open the application at http://localhost"), isLogged);
  });
}

Deno.test("start sends extra parameters but keeps those of the flow", async () => {
  const authorizationParameters = { prompt: "login", access_type: "offline" };
  const { client } = signInApp({ authorizationParameters });
  const query = new URL(await startAt(client)).searchParams;
  const found = ["prompt", "access_type", "response_type"].map((name) => query.get(name));
  assertEquals(found, ["login", "offline", "code"]);
  for (const name of ["state", "redirect_uri", "response_mode", "request_uri", "max_age"]) {
    const run = () => oidc(registration, { authorizationParameters: { [name]: "x" } });
    assertThrows(run, TypeError, `authorizationParameters "${name}"`);
  }
});

type Flow = ReturnType<typeof signInApp>;

/**
 * The callback's input: a path without an attempt, a change to the path of one, or the claims of
 * its ID token.
 */
type Sent = string | object | ((path: string, flow: Flow) => string | Promise<string>);

const plain = "/auth/callback";
const code = /code=[^&]*/;

const refused: readonly [name: string, reason: string, sent: Sent, status?: number][] = [
  ["nothing at all", "state", plain],
  ["a code without a state", "state", `${plain}?code=abc`],
  ["a state that was never issued", "state", () => `${plain}?code=abc&state=${"A".repeat(43)}`],
  ["a right prefix", "state", (path) => path.replace(/(state=.{42})./, (_, start) => `${start}!`)],
  ["a state with a different suffix", "state", (path) => path.replace(/(state=.{41})../, "$1AA")],
  ["the state twice", "parameter-repeated", (path) => `${path}&state=x`],
  ["the code twice", "parameter-repeated", (path) => `${path}&code=x`],
  ["a state without a code", "code", (path) => path.replace(/code=[^&]*&/, "")],
  ["an empty code", "code", (path) => path.replace(code, "code=")],
  ["a code of 9,000 characters", "code", (path) => path.replace(code, `code=${"c".repeat(9_000)}`)],
  ["a guessed code", "exchange", (path) => path.replace(code, "code=guessed")],
  ["the code of another attempt of the same browser", "exchange", async (path, flow) => {
    const other = pathOf(flow.provider.authorize(await startAt(flow.client)));
    return other.replace(code, code.exec(path)?.[0] ?? "");
  }],
  ["the iss of another provider", "iss-parameter", (path) => `${path}&iss=https://evil.example`],
  ["an empty iss", "iss-parameter", (path) => `${path}&iss=`],
  ["another provider's error", "iss-parameter", (path) => `${path.replace(code, "error=x")}&iss=x`],
  [
    "the error access_denied",
    "provider-error",
    (path) => path.replace(code, "error=access_denied&error_description=planted"),
    403,
  ],
  ["login_required", "provider-error", (path) => path.replace(code, "error=login_required")],
  ["server_error", "provider-error", (path) => path.replace(code, "error=server_error"), 503],
  ["an error together with a code", "provider-error", (path) => `${path}&error=access_denied`, 403],
  ["an error without a state", "state", `${plain}?error=access_denied`],
  ["an ID token with another nonce", "token-nonce", { sub: "1", nonce: "x" }],
];

async function sentPath(sent: Sent, flow: Flow): Promise<string> {
  if (typeof sent === "string") return sent;
  const claims = typeof sent === "function" ? undefined : { ...sent };
  const path = pathOf(flow.provider.authorize(await startAt(flow.client), claims));
  return typeof sent === "function" ? await sent(path, flow) : path;
}

for (const [name, reason, sent, status = 400] of refused) {
  Deno.test(`callback refuses ${name}`, async () => {
    const flow = signInApp();
    const path = await sentPath(sent, flow);
    const response = await flow.client.get(path, withHeader("accept", "text/html"));
    assertEquals([response.status, flow.reasons], [status, [reason]]);
    assertEquals(await subjectOf(flow.client), undefined);
    response.wantHeader("cache-control", "no-store");
    assertNotMatch(response.body, /planted/);
  });
}

Deno.test("callback accepts a state once: it refuses the same URL with the same cookies", async () => {
  const { app, client, provider, reasons } = signInApp();
  const path = pathOf(provider.authorize(await startAt(client)));
  const name = attemptCookie(path);
  const cookie = client.cookie(name) ?? "";
  await client.get(path).wantStatus(303);
  assertEquals(client.cookie(name), undefined);
  // Even if a browser keeps the cookie, no repetition reaches the provider.
  const thief = newTestClient(app);
  for (let copies = 0; copies < 20; copies++) {
    await thief.get(path, withCookie(name, cookie)).wantStatus(400);
  }
  assertEquals([await subjectOf(thief), new Set(reasons)], [undefined, new Set(["state"])]);
  assertEquals(reasons.length, 20);
});

Deno.test("callback without an attempt redirects a user who is signed in", async () => {
  const { client, provider, reasons } = signInApp({ afterLogin: "/home" });
  const path = pathOf(provider.authorize(await startAt(client, "/login?next=/a"), { sub: "42" }));
  await client.get(path).wantStatus(303).wantHeader("location", "/a");
  for (const again of [path, plain, `${plain}?error=access_denied`]) {
    await client.get(again).wantStatus(303).wantHeader("location", "/home")
      .wantHeader("cache-control", "no-store");
  }
  assertEquals([await subjectOf(client), reasons], ["42", ["state", "state", "state"]]);
});

Deno.test("callback refuses a response meant for another browser (login CSRF)", async () => {
  const { app, client: victim, provider, reasons } = signInApp();
  const attacker = newTestClient(app);
  const path = pathOf(provider.authorize(await startAt(attacker), { sub: "attacker" }));
  await victim.get(path).wantStatus(400);
  await startAt(victim);
  await victim.get(path).wantStatus(400);
  assertEquals([await subjectOf(victim), reasons], [undefined, ["state", "state"]]);
});

Deno.test("two tabs sign in one after the other, and each returns to its own page", async () => {
  const { client, provider } = signInApp();
  const first = await startAt(client, "/login?next=/a");
  const second = await startAt(client, "/login?next=/b");
  const answers = [second, first].map((location) => pathOf(provider.authorize(location)));
  for (const [path, next] of [[answers[0], "/b"], [answers[1], "/a"]] as const) {
    await client.get(path ?? "").wantStatus(303).wantHeader("location", next);
  }
});

Deno.test("a browser has five attempts: a sixth drops the oldest", async () => {
  const { client, provider, reasons } = signInApp();
  const locations: string[] = [];
  for (let tab = 0; tab < 6; tab++) {
    locations.push(await startAt(client));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const paths = locations.map((location) => pathOf(provider.authorize(location)));
  assertEquals((await client.get(paths[0] ?? "")).status, 400);
  for (const path of paths.slice(1)) await client.get(path).wantStatus(303);
  assertEquals(reasons, ["state"]);
});

Deno.test("nextPath is the next of a sign-in that the user cancelled", async () => {
  const { app, client, provider, auth } = signInApp();
  const Middleware = async (c: Ctx, next: Next): Promise<Response> =>
    await next().catch(() => c.redirect(`/login?next=${nextPath(c)}`));
  const methods = { GET: auth.callback };
  app.route({ pattern: "/caught", middleware: [{ Middleware }], methods });
  const path = pathOf(provider.authorize(await startAt(client, "/login?next=/events")));
  const cancelled = path.replace("/auth/callback", "/caught").replace(code, "error=access_denied");
  const response = await client.get(`${cancelled}&next=/planted`);
  assertEquals(locationOf(response), "/login?next=/events");
});

Deno.test("callback refuses an attempt signed with another secret", async () => {
  const { client, provider } = signInApp();
  const path = pathOf(provider.authorize(await startAt(client)));
  const name = attemptCookie(path);
  const other = signInApp({}, { secret: "another secret of more than 32 bytes" });
  await other.client.get(path, withCookie(name, client.cookie(name) ?? "")).wantStatus(400);
  assertEquals(other.reasons, ["state"]);
});

Deno.test("invalid attempt cookies neither throw nor block a sign-in", async () => {
  const { client, provider } = signInApp();
  const junk = ["x", "", "%%%", "a.b.c", '"[]"', "A".repeat(4_000)].map((value, at) =>
    withCookie(`fw_attempt_${at}`, value)
  );
  const location = locationOf(await client.get("/login", ...junk).wantStatus(302));
  await client.get(pathOf(provider.authorize(location)), ...junk).wantStatus(303);
});

Deno.test("start carries next only if it is safe and short", async () => {
  const rows: readonly [next: string, want: string][] = [
    ["/events", "/events"],
    ["https://evil.example", "/welcome"],
    [`/${"x".repeat(511)}`, `/${"x".repeat(511)}`],
    [`/${"x".repeat(512)}`, "/welcome"],
  ];
  for (const [next, want] of rows) {
    const { client, provider } = signInApp({ afterLogin: "/welcome" });
    const location = await startAt(client, `/login?next=${encodeURIComponent(next)}`);
    const response = await client.get(pathOf(provider.authorize(location))).wantStatus(303);
    assertEquals(locationOf(response), want);
  }
});

Deno.test("every redirect of the flow keeps the base path", async () => {
  const auth = oidc({ ...registration, redirectUrl: "http://localhost/shop/auth/callback" });
  const provider = testProvider(auth);
  const { client } = appOf(auth, { basePath: "/shop" });
  const answer = await provider.signIn(client, { sub: "1" }, {
    path: "/shop/login?next=/shop/cart",
  });
  assertEquals(locationOf(answer), "/shop/cart");
  const outside = await provider.signIn(client, { sub: "1" }, { path: "/shop/login?next=/other" });
  assertEquals(locationOf(outside), "/shop/");
  const out = new URL(locationOf(await client.postForm("/shop/logout", {}).wantStatus(303)));
  assertEquals(out.searchParams.get("post_logout_redirect_uri"), "http://localhost/shop/");
});

Deno.test("an application with a base path allows a browser five attempts of its own", async () => {
  const redirectUrl = "http://localhost/shop/auth/callback";
  const auth = oidc({ ...registration, redirectUrl });
  testProvider(auth);
  const { client, app } = appOf(auth, { basePath: "/shop" });
  const above = newTestClient(app, withHeader("cookie", "fw_attempt_aaaaaaaaaaaa=x"));
  const { headers } = await above.get("/shop/login").wantStatus(302);
  assertEquals(headers.getSetCookie().filter((text) => text.includes("Max-Age=0")), []);
  const expired: string[] = [];
  for (let attempts = 0; attempts < 7; attempts++) {
    const { headers } = await client.get("/shop/login").wantStatus(302);
    expired.push(...headers.getSetCookie().filter((text) => text.includes("Max-Age=0")));
  }
  assertEquals(expired.length, 2);
});

Deno.test("two providers in one app sign in side by side and refuse each other's state", async () => {
  const sessions = createSessions({ store: memorySessionStore() });
  const first = oidc(registration, { sessions });
  const second = keycloak({
    url: "https://sso.example",
    realm: "staff",
    clientId: "app",
    redirectUrl: "http://localhost/sso/callback",
  }, { sessions });
  const [one, two] = [testProvider(first), testProvider(second)];
  const { app, client, reasons } = appOf(first);
  app.route({ pattern: "/sso/login", methods: { GET: second.start } });
  app.route({ pattern: "/sso/callback", methods: { GET: second.callback } });
  const middleware = [{ Middleware: first.requireRole("boss") }];
  app.route({ pattern: "/staff", middleware, methods: { GET: (c) => c.text(200, "staff") } });
  const atFirst = await startAt(client);
  const atSecond = await startAt(client, "/sso/login");
  // Mix-up: a response to an attempt at one provider reaches the callback of the other.
  const mixed = pathOf(two.authorize(atSecond)).replace("/sso/callback", "/auth/callback");
  await client.get(mixed).wantStatus(400);
  await client.get(pathOf(one.authorize(atFirst)).replace("/auth/", "/sso/")).wantStatus(400);
  assertEquals(reasons, ["provider", "provider"]);
  await one.signIn(client, { sub: "1" });
  assertEquals(await subjectOf(client), "1");
  const claims = { sub: "1", realm_access: { roles: ["boss"] } };
  await two.signIn(client, claims, { path: "/sso/login" });
  await client.get("/staff").wantStatus(200);
  // Either logout knows the provider that started the session.
  const out = new URL(locationOf(await client.postForm("/logout", {}).wantStatus(303)));
  assertEquals(out.origin, "https://sso.example");
  assertEquals(await subjectOf(client), undefined);
});

Deno.test("a provider's logout keeps sessions of the same subject from another provider", async () => {
  const store = memorySessionStore();
  const [first, second] = twoProviders({ sessions: createSessions({ store }) });
  const { app, client } = appOf(first);
  await testProvider(first).signIn(client, { sub: "1" });
  assertEquals(await second.endAll(app, "1"), 0);
  assertEquals([await subjectOf(client), await first.endAll(app, "1")], ["1", 1]);
  assertEquals(await subjectOf(client), undefined);
});

Deno.test("callback reads the claims of the userinfo endpoint if userInfo is set", async () => {
  const { client, provider } = signInApp({ userInfo: true, roleClaims: ["team"] });
  await provider.signIn(client, { sub: "1", team: "red" });
  assertEquals((await userOf(client))?.roles, ["red"]);
});

const addresses: readonly [name: string, token: object, info: object, email: string | undefined][] =
  [
    ["both by userinfo", {}, { email: "a@b.example", email_verified: true }, "a@b.example"],
    ["userinfo with null", {}, { email: "a@b.example", email_verified: null }, "a@b.example"],
    ["token verifies it", { email_verified: true }, { email: "boss@events.example" }, undefined],
    [
      "userinfo verifies the address of the token",
      { email: "boss@events.example" },
      { email: "a@b.example", email_verified: true },
      undefined,
    ],
  ];

for (const [name, token, info, email] of addresses) {
  Deno.test(`callback takes an email address and its verification from one source: ${name}`, async () => {
    const isEmailTrusted = name.includes("null");
    const { client, provider } = mockedApp({ userInfo: true, isEmailTrusted });
    provider.claims = { sub: "1", ...token };
    provider.answers.set("/userinfo", () => Response.json({ sub: "1", ...info }));
    await provider.signIn(client);
    assertEquals((await userOf(client))?.email, email);
  });
}

const keeping: readonly [name: string, options: () => AuthOptions, isWarned: boolean][] = [
  ["in cookies", () => ({}), true],
  ["in a store", () => ({ store: memorySessionStore() }), false],
  ["in shared cookies", () => ({ sessions: createSessions() }), true],
  ["a shared store", () => ({ sessions: createSessions({ store: memorySessionStore() }) }), false],
];

for (const [name, options, isWarned] of keeping) {
  Deno.test(`boot warns about sessions that cannot hold all groups: ${name}`, () => {
    // Sign-ins of other tests have already logged their warnings.
    appOf(oidc(registration), { env: "prod" }).app.handler();
    const { app, log } = appOf(oidc(registration, options()), { env: "prod" });
    app.handler();
    assertEquals(log.join().includes("in cookies alone: a user with more roles"), isWarned);
  });
}
