import { assert, assertEquals, assertNotEquals, assertRejects, assertThrows } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import {
  createSessions,
  memorySessionStore,
  type SessionOptions,
  type SessionStore,
  sqliteSessionStore,
} from "../../auth/mod.ts";
import { withUser } from "../../auth/testing.ts";
import { kvSessionStore } from "../../cache/kv.ts";
import { App, type Ctx } from "../../mod.ts";
import {
  newTestClient,
  testRequest,
  testRoute,
  withCookie,
  withForm,
  withHeader,
  withoutCsrf,
} from "../../runtime/testing/mod.ts";
import { MemoryKv } from "../cache/memory_kv.ts";
import { failingStore, signedIn, signInApp } from "./support.ts";

/** Opens a store with the clock of the test. */
type Open = (now: () => number) => SessionStore | undefined;

const kinds: readonly (readonly [name: string, open: Open])[] = [
  ["stateless", () => undefined],
  ["memory", (now) => memorySessionStore({ now })],
  ["sqlite", (now) => sqliteSessionStore(new DatabaseSync(":memory:"), { now })],
  ["kv", (now) => kvSessionStore(new MemoryKv(), { now })],
];

function appWith(open: Open, options: SessionOptions = {}): ReturnType<typeof signInApp> {
  const clock = { now: Date.now() };
  const store = open(() => clock.now);
  const made = signInApp({
    ...options,
    ...(store === undefined ? {} : { store }),
    now: () => clock.now,
  });
  return { ...made, clock };
}

const minute = 60_000;
const hour = 60 * minute;

for (const [kind, open] of kinds) {
  const test = (name: string, body: () => Promise<void>): void =>
    Deno.test(`sessions (${kind}): ${name}`, body);

  test("a user signs in, is known, signs out", async () => {
    const made = appWith(open);
    const client = newTestClient(made.app);
    await client.get("/who").wantContains("null");
    await client.postForm("/login?next=/me", { role: "editor" })
      .wantStatus(303).wantHeader("location", "/me");
    const user = JSON.parse((await client.get("/who").wantStatus(200)).body);
    const { csrf: _, ...rest } = user;
    assertEquals(rest, {
      subject: "42",
      email: "ada@example.org",
      name: "Ada",
      roles: ["editor"],
      issuedAt: new Date(made.clock.now).toISOString(),
    });
    await client.postForm("/logout", {}).wantStatus(303);
    assertEquals(client.cookie("fw_session"), undefined);
    await client.get("/who").wantContains("null");
  });

  test("it is over when it was not used for idleMs", async () => {
    const made = appWith(open);
    const client = await signedIn(made);
    made.clock.now += 2 * hour - 1;
    await client.get("/me").wantStatus(200);
    made.clock.now += 2 * hour - 1;
    await client.get("/me").wantStatus(200);
    made.clock.now += 2 * hour;
    await client.get("/me").wantStatus(302);
    await client.get("/who").wantContains("null");
  });

  test("it is over after absoluteMs, however much it is used", async () => {
    const made = appWith(open, { absoluteMs: 3 * hour });
    const client = await signedIn(made);
    for (let hours = 0; hours < 2; hours++) {
      made.clock.now += hour;
      await client.get("/me").wantStatus(200);
    }
    made.clock.now += hour - 1;
    await client.get("/me").wantStatus(200);
    made.clock.now += 1;
    await client.get("/me").wantStatus(302);
  });

  test("the deadlines at their edges", async () => {
    const made = appWith(open, { idleMs: 10 * minute });
    const client = await signedIn(made);
    made.clock.now += 10 * minute - 1;
    const cookie = client.cookie("fw_session") ?? "";
    await testRequest(made.app, "GET", "/api/me", withCookie("fw_session", cookie)).wantStatus(200);
    made.clock.now += kind === "stateless" ? 1 : 10 * minute;
    await testRequest(made.app, "GET", "/api/me", withCookie("fw_session", cookie)).wantStatus(401);
  });

  test("use is noted once a minute at most", async () => {
    const made = appWith(open);
    const client = await signedIn(made);
    const renewals: number[] = [];
    let last = client.cookie("fw_session");
    let lastUse = made.clock.now;
    for (let seconds = 20; seconds <= 300; seconds += 20) {
      made.clock.now += 20_000;
      await client.get("/me").wantStatus(200);
      if (kind === "stateless") {
        if (client.cookie("fw_session") !== last) renewals.push(seconds);
        last = client.cookie("fw_session");
      } else {
        const [only] = JSON.parse((await client.get("/sessions")).body);
        if (Date.parse(only.usedAt) !== lastUse) renewals.push(seconds);
        lastUse = Date.parse(only.usedAt);
      }
    }
    assertEquals(renewals, [60, 120, 180, 240, 300]);
  });

  test("session fixation: an identifier that was there before is worth nothing", async () => {
    const made = appWith(open);
    const attacker = await signedIn(made, { subject: "attacker" });
    const planted = attacker.cookie("fw_session") ?? "";
    // The victim's browser carries the attacker's cookie when the victim signs in.
    const victim = newTestClient(made.app);
    await victim.postForm("/login", { subject: "victim" }, withCookie("fw_session", planted))
      .wantStatus(303);
    assertNotEquals(victim.cookie("fw_session"), planted);
    const seen = await testRequest(made.app, "GET", "/who", withCookie("fw_session", planted));
    if (kind === "stateless") seen.wantContains('"subject":"attacker"');
    else seen.wantContains("null");
    await victim.get("/who").wantContains('"subject":"victim"');
  });

  test("every sign-in has a new identifier, also of one user at one moment", async () => {
    const made = appWith(open);
    const cookies = new Set<string | undefined>();
    const client = newTestClient(made.app);
    for (let times = 0; times < 5; times++) {
      await client.postForm("/login", {}).wantStatus(303);
      cookies.add(client.cookie("fw_session"));
    }
    assertEquals(cookies.size, 5);
  });

  test("login CSRF: a sign-in form of another site is refused", async () => {
    const made = appWith(open);
    const forged = [
      withForm({ subject: "attacker" }),
      withoutCsrf(),
      withHeader("origin", "https://evil.example"),
    ];
    const response = await testRequest(made.app, "POST", "/login", ...forged).wantStatus(403);
    assertEquals(response.header("set-cookie"), undefined);
    assertEquals(made.events.map((event) => event.kind), ["csrf"]);
  });

  test("logout CSRF: a sign-out form of another site is refused", async () => {
    const made = appWith(open);
    const client = await signedIn(made);
    const cookie = client.cookie("fw_session") ?? "";
    const forged = [
      withForm({}),
      withoutCsrf(),
      withCookie("fw_session", cookie),
      withHeader("sec-fetch-site", "cross-site"),
    ];
    await testRequest(made.app, "POST", "/logout", ...forged).wantStatus(403);
    await client.get("/me").wantStatus(200);
    await client.get("/logout").wantStatus(405);
  });

  test("the CSRF token changes at sign-in, and the old one is refused", async () => {
    const made = appWith(open);
    const client = newTestClient(made.app);
    await client.get("/login", withoutCsrf()).wantStatus(200);
    const before = client.cookie("fw_csrf");
    assert(before !== undefined);
    await client.postForm("/login", {}).wantStatus(303);
    const after = client.cookie("fw_csrf");
    assert(after !== undefined && after !== before);
    await client.postForm("/me", { _csrf: before }, withHeader("x-csrf-token", before))
      .wantStatus(403);
    await client.postForm("/me", {}, withHeader("x-csrf-token", after)).wantStatus(200);
  });

  test("the cookie: HttpOnly, Lax, and over HTTPS Secure with a prefix", async () => {
    const made = appWith(open);
    const cookieOf = async (url: string): Promise<string> => {
      const { headers } = await made.app.fetch(
        new Request(url, {
          method: "POST",
          headers: {
            cookie: `fw_csrf=${"A".repeat(43)}`,
            "x-csrf-token": "A".repeat(43),
            "content-type": "application/x-www-form-urlencoded",
          },
          body: "",
        }),
      );
      return headers.getSetCookie().find((text) => text.includes("session")) ?? "";
    };
    const plain = await cookieOf("http://localhost/login");
    assert(/^fw_session=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/.test(plain), plain);
    const secure = await cookieOf("https://example.com/login");
    assert(
      /^__Host-fw_session=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; Secure; SameSite=Lax$/
        .test(secure),
      secure,
    );
  });

  test("below a base path the cookie stays there", async () => {
    const made = appWith(open);
    const based = signInApp({
      ...(made.sessions && open(() => made.clock.now) ? { store: memorySessionStore() } : {}),
      settings: { basePath: "/shop" },
    });
    const client = newTestClient(based.app);
    await client.get("/shop/me").wantHeader("location", "/shop/login?next=%2Fshop%2Fme");
    const response = await client.postForm("/shop/login?next=/shop/me", {}).wantStatus(303);
    response.wantHeader("location", "/shop/me");
    assert(/fw_session=[\w.-]+; Path=\/shop;/.test(response.header("set-cookie") ?? ""));
    await client.get("/shop/me").wantStatus(200);
  });

  test("cookies that are none are anonymous, and no error", async () => {
    const made = appWith(open);
    const client = await signedIn(made);
    const genuine = client.cookie("fw_session") ?? "";
    const forged = [
      "",
      "x",
      "a".repeat(43),
      "a".repeat(5_000),
      `${genuine}x`,
      genuine.slice(1),
      genuine.slice(0, -1),
      genuine.replace(/.$/, (last) => last === "A" ? "B" : "A"),
      genuine.replace(/^./, (first) => first === "A" ? "B" : "A"),
      genuine.toUpperCase(),
      `${genuine}.${genuine}`,
      "..",
      "%00",
      "eyJhbGciOiJub25lIn0.e30.",
      "__proto__",
    ];
    for (const cookie of forged) {
      await testRequest(made.app, "GET", "/who", withCookie("fw_session", cookie))
        .wantStatus(200).wantContains("null");
    }
    // The signature covers the name: what another cookie holds is no session.
    if (kind === "stateless") {
      const { body } = await testRequest(
        made.app,
        "GET",
        "https://localhost/who",
        withCookie("__Host-fw_session", genuine),
      );
      assertEquals(body, "null");
    }
  });

  test("a response that knows the user is for one browser", async () => {
    const made = appWith(open);
    const client = await signedIn(made);
    const controls: readonly (readonly [path: string, control: string, vary: boolean])[] = [
      ["/me", "no-store", false],
      ["/api/me", "no-store", false],
      ["/who", "private", true],
      ["/cached", "private, max-age=60", true],
      ["/foreign", "private, max-age=60", true],
      ["/plain", "no-store", false],
      ["/nostore", "no-store", false],
      ["/tagged", "private", true],
    ];
    for (const [path, control, varies] of controls) {
      const response = await client.get(path).wantStatus(200);
      assertEquals([path, response.header("cache-control")], [path, control]);
      if (varies) assert(/\bcookie\b/i.test(response.header("vary") ?? ""), path);
      assertEquals(response.header("cdn-cache-control"), undefined);
    }
    for (const path of ["/who", "/me", "/api/me"]) {
      const anonymous = await testRequest(made.app, "GET", path);
      assert(/\bcookie\b/i.test(anonymous.header("vary") ?? ""), path);
    }
  });

  test("100 sign-ins at once: none lost, none doubled", async () => {
    const made = appWith(open);
    const clients = await Promise.all(
      Array.from({ length: 100 }, (_, at) => signedIn(made, { subject: `user-${at}` })),
    );
    assertEquals(new Set(clients.map((client) => client.cookie("fw_session"))).size, 100);
    const bodies = await Promise.all(
      clients.map(async (client) => (await client.get("/who")).body),
    );
    assertEquals(
      bodies.map((body) => JSON.parse(body).subject),
      clients.map((_, at) => `user-${at}`),
    );
  });

  test("withUser signs in by HTTP, by HTTPS and below a base path", async () => {
    const made = appWith(open);
    const user = withUser(made.sessions, { subject: "7", roles: ["admin"] });
    await testRequest(made.app, "GET", "/admin", user).wantContains('"subject":"7"');
    await testRequest(made.app, "GET", "https://example.com/admin", user).wantStatus(200);
    await testRequest(made.app, "GET", "/admin", withUser(made.sessions)).wantStatus(403);
  });
}

for (const [kind, open] of kinds.slice(1)) {
  const test = (name: string, body: () => Promise<void>): void =>
    Deno.test(`sessions (${kind}): ${name}`, body);
  const listOf = async (client: { get(path: string): PromiseLike<{ body: string }> }) =>
    JSON.parse((await client.get("/sessions")).body) as {
      id: string;
      device: string;
      isCurrent: boolean;
    }[];
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

  test("a user sees own sessions with device and last use, and ends one", async () => {
    const made = appWith(open);
    const laptop = await signedIn(made, {}, firefox);
    made.clock.now += 1_000;
    const phone = await signedIn(made);
    await signedIn(made, { subject: "another" });
    const list = await listOf(laptop);
    assertEquals(list.map(({ device, isCurrent }) => [device, isCurrent]), [
      ["", false],
      ["Firefox on Linux", true],
    ]);
    const id = encodeURIComponent(list[0]?.id ?? "");
    await laptop.request("DELETE", `/sessions?id=${id}`).wantContains("true");
    await laptop.request("DELETE", `/sessions?id=${id}`).wantContains("false");
    await phone.get("/me").wantStatus(302);
    await laptop.get("/me").wantStatus(200);
  });

  test("the session of somebody else cannot be ended", async () => {
    const made = appWith(open);
    const ada = await signedIn(made);
    const bob = await signedIn(made, { subject: "bob" });
    const [his] = await listOf(bob);
    await ada.request("DELETE", `/sessions?id=${his?.id}`).wantContains("false");
    await bob.get("/me").wantStatus(200);
  });

  test("ending the own session clears the cookie as well", async () => {
    const made = appWith(open);
    const client = await signedIn(made);
    const [own] = await listOf(client);
    await client.request("DELETE", `/sessions?id=${own?.id}`).wantContains("true");
    assertEquals(client.cookie("fw_session"), undefined);
  });

  test("signing out everywhere else, and everywhere", async () => {
    const made = appWith(open);
    const clients = [await signedIn(made), await signedIn(made), await signedIn(made)];
    const bob = await signedIn(made, { subject: "bob" });
    await clients[0]?.request("POST", "/sessions").wantContains("2");
    await clients[0]?.get("/me").wantStatus(200);
    await clients[1]?.get("/me").wantStatus(302);
    assertEquals(await made.sessions.endAll("42"), 1);
    await clients[0]?.get("/me").wantStatus(302);
    await bob.get("/me").wantStatus(200);
  });

  test("after a sign-out a copy of the cookie is worth nothing", async () => {
    const made = appWith(open);
    const client = await signedIn(made);
    const copy = client.cookie("fw_session") ?? "";
    await client.postForm("/logout", {}).wantStatus(303);
    await testRequest(made.app, "GET", "/api/me", withCookie("fw_session", copy)).wantStatus(401);
  });

  test("the identifier in the cookie is nowhere in the list", async () => {
    const made = appWith(open);
    const client = await signedIn(made);
    const { body } = await client.get("/sessions");
    assert(!body.includes(client.cookie("fw_session") ?? "?"));
    const [own] = await listOf(client);
    await testRequest(made.app, "GET", "/api/me", withCookie("fw_session", own?.id ?? ""))
      .wantStatus(401);
  });

  test("a subject has maxPerSubject sessions at most", async () => {
    const made = appWith(open, { maxPerSubject: 3 });
    const clients = [];
    for (let times = 0; times < 5; times++) {
      made.clock.now += 1_000;
      clients.push(await signedIn(made));
    }
    const statuses = [];
    for (const client of clients) statuses.push((await client.get("/api/me")).status);
    assertEquals(statuses, [401, 401, 200, 200, 200]);
  });

  test("replicas that share a store know each other's sessions", async () => {
    const store = open(Date.now) ?? memorySessionStore();
    const [one, two] = [signInApp({ store }), signInApp({ store })];
    const client = await signedIn(one);
    const cookie = withCookie("fw_session", client.cookie("fw_session") ?? "");
    await testRequest(two.app, "GET", "/api/me", cookie).wantStatus(200);
    await testRequest(two.app, "POST", "/logout", withForm({}), cookie).wantStatus(303);
    await client.get("/api/me").wantStatus(401);
  });
}

Deno.test("sessions (stateless): replicas with one secret know each other's, others do not", async () => {
  const [one, two] = [signInApp(), signInApp()];
  const three = signInApp({ settings: { secret: "t".repeat(32) } });
  const rotated = signInApp({
    settings: { secret: "t".repeat(32), previousSecret: "s".repeat(32) },
  });
  const client = await signedIn(one);
  const cookie = withCookie("fw_session", client.cookie("fw_session") ?? "");
  await testRequest(two.app, "GET", "/api/me", cookie).wantStatus(200);
  await testRequest(rotated.app, "GET", "/api/me", cookie).wantStatus(200);
  await testRequest(three.app, "GET", "/api/me", cookie).wantStatus(401);
});

Deno.test("sessions (stateless): two applications with one sessions object keep their secrets apart", async () => {
  const sessions = createSessions();
  const makeApp = (secret: string): App => {
    const app = new App({ env: "dev", logRequest: () => false, secret });
    app.route({
      pattern: "/in",
      kind: "api",
      methods: { POST: async (c) => c.json(200, await sessions.start(c, { subject: "1" })) },
    });
    app.route({
      pattern: "/who",
      kind: "api",
      methods: { GET: async (c) => c.json(200, (await sessions.user(c))?.subject ?? null) },
    });
    return app;
  };
  const [one, two] = [makeApp("1".repeat(32)), makeApp("2".repeat(32))];
  const client = newTestClient(one);
  await client.request("POST", "/in").wantStatus(200);
  await client.get("/who").wantContains("1");
  await client.get("/who").wantContains("1");
  const cookie = withCookie("fw_session", client.cookie("fw_session") ?? "");
  await testRequest(two, "GET", "/who", cookie).wantContains("null");
});

Deno.test("sessions (stateless): a session too large for a cookie is refused with the fix", async () => {
  const sessions = createSessions();
  const roles = Array.from({ length: 400 }, (_, at) => `group-${at}`);
  let caught: unknown;
  const POST = async (c: Ctx): Promise<Response> => {
    caught = await assertRejects(() => sessions.start(c, { subject: "1", roles }), RangeError);
    return c.noContent();
  };
  await testRoute({ pattern: "/", methods: { POST } }, "POST", "/").wantStatus(204);
  assert(caught instanceof RangeError && caught.message.includes("Give createSessions a store"));
});

Deno.test("sessions (stateless): without a secret in production nobody is signed in", async () => {
  const made = signInApp({ settings: { env: "prod", secret: undefined } });
  const response = await testRequest(made.app, "POST", "/login", withForm({})).wantStatus(500);
  assert(response.header("set-cookie")?.includes("fw_session") !== true);
});

const noStore: readonly (readonly [name: string, method: string])[] = [
  ["list", "GET"],
  ["endOthers", "POST"],
  ["endOne", "DELETE"],
];

for (const [name, method] of noStore) {
  Deno.test(`sessions (stateless): ${name} says that it needs a store`, async () => {
    const made = signInApp();
    const client = await signedIn(made);
    await client.request(method, "/sessions").wantStatus(500)
      .wantContains("give them a store");
  });
}

Deno.test("sessions: a store that fails lets nobody in, and says so", async () => {
  const made = signInApp({ store: failingStore });
  await testRequest(made.app, "POST", "/login", withForm({})).wantStatus(503);
  const cookie = withCookie("fw_session", "a".repeat(43));
  for (const path of ["/api/me", "/me", "/who"]) {
    await testRequest(made.app, "GET", path, cookie).wantStatus(503);
    await testRequest(made.app, "GET", path).wantStatus(
      path === "/who" ? 200 : path === "/me" ? 302 : 401,
    );
  }
});

Deno.test("sessions: a session that ends while its use is noted is over for that request", async () => {
  const clock = { now: Date.now() };
  const inner = memorySessionStore({ now: () => clock.now });
  const store: SessionStore = {
    create: (session) => inner.create(session),
    read: (id) => inner.read(id),
    touch: (id, at) => {
      void inner.delete(id);
      return inner.touch(id, at);
    },
    replaceData: (id, change) => inner.replaceData(id, change),
    delete: (id) => inner.delete(id),
    list: (owner) => inner.list(owner),
    deleteBySubject: (owner) => inner.deleteBySubject(owner),
    deleteBySid: (provider, sid) => inner.deleteBySid(provider, sid),
  };
  const made = signInApp({ store, now: () => clock.now });
  const client = await signedIn(made);
  await client.get("/api/me").wantStatus(200);
  clock.now += minute;
  await client.get("/api/me").wantStatus(401);
});

const badOptions: readonly (readonly [name: string, options: SessionOptions])[] = [
  ["absoluteMs 0", { absoluteMs: 0 }],
  ["absoluteMs Infinity", { absoluteMs: Infinity }],
  ["idleMs below two minutes", { idleMs: 119_999 }],
  ["idleMs NaN", { idleMs: NaN }],
  ["loginPath of another host", { loginPath: "//evil.example" }],
  ["loginPath without a slash", { loginPath: "login" }],
  ["loginPath with a line break", { loginPath: "/login\n" }],
  ["cookie with a space", { cookie: "a b" }],
  ["cookie with a prefix", { cookie: "__Host-session" }],
  ["maxPerSubject 0", { maxPerSubject: 0 }],
];

for (const [name, options] of badOptions) {
  Deno.test(`createSessions refuses ${name}`, () => {
    assertThrows(() => createSessions(options), RangeError, "Cannot create sessions with");
  });
}

const badSignIns: readonly (readonly [name: string, who: Record<string, unknown>])[] = [
  ["no subject", { subject: "" }],
  ["a subject that is a number", { subject: 42 }],
  ["a long subject", { subject: "x".repeat(256) }],
  // SQLite cuts a text at NUL: this subject would come back as "42".
  ["a subject with NUL", { subject: "42\0evil" }],
  ["half a surrogate pair", { subject: "\ud800" }],
  ["a role with a line break", { subject: "1", roles: ["a\nb"] }],
  ["a role that is no text", { subject: "1", roles: [1] }],
  ["a long name", { subject: "1", name: "x".repeat(501) }],
  ["a long email", { subject: "1", email: "x".repeat(321) }],
];

for (const [name, who] of badSignIns) {
  Deno.test(`sessions.start refuses ${name}`, async () => {
    const sessions = createSessions();
    const POST = async (c: Ctx): Promise<Response> => {
      await assertRejects(
        () => sessions.start(c, who as unknown as { subject: string }),
        TypeError,
        "Cannot start a session",
      );
      return c.noContent();
    };
    const response = await testRoute({ pattern: "/", methods: { POST } }, "POST", "/").wantStatus(
      204,
    );
    assertEquals(response.header("set-cookie"), undefined);
  });
}
