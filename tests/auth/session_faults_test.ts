import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { createSessions, memorySessionStore } from "../../auth/mod.ts";
import type { SessionOptions } from "../../auth/mod.ts";
import { withUser } from "../../auth/testing.ts";
import type { Application, Ctx } from "../../mod.ts";
import {
  newTestClient,
  testRequest,
  testRoute,
  withCookie,
  withForm,
  withHeader,
} from "../../runtime/testing/mod.ts";
import { appWith, kinds } from "./session_kinds.ts";
import { appOfSessions, failingStore, signedIn, signInApp, storeWith } from "./support.ts";

const noStore: readonly (readonly [name: string, method: string])[] = [
  ["list", "GET"],
  ["endOthers", "POST"],
  ["endOne", "DELETE"],
];

for (const [name, method] of noStore) {
  Deno.test(`sessions (stateless): ${name} reports that it needs a store`, async () => {
    const made = signInApp();
    const client = await signedIn(made);
    await client.request(method, "/sessions").wantStatus(500).wantContains("give them a store");
  });
}

Deno.test("sessions: a failing store sends 503 to a request with a session", async () => {
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

Deno.test("sessions: a session that ends while its use is recorded is invalid for that request", async () => {
  for (const touch of [() => false, () => Promise.resolve(0 > 1)]) {
    const clock = { now: Date.now() };
    const store = storeWith(memorySessionStore({ now: () => clock.now }), { touch });
    const made = signInApp({ store, now: () => clock.now });
    const client = await signedIn(made);
    await client.get("/api/me").wantStatus(200);
    clock.now += 60_000;
    await client.get("/api/me").wantStatus(401);
  }
});

for (const [kind, open] of kinds.slice(0, 2)) {
  Deno.test(`sessions (${kind}): refuse a duplicate cookie`, async () => {
    const made = appWith(open, { settings: { basePath: "/app" } });
    const [ada, mallory] = [newTestClient(made.app), newTestClient(made.app)];
    await ada.postForm("/app/login", { subject: "ada" }).wantStatus(303);
    await mallory.postForm("/app/login", { subject: "mallory" }).wantStatus(303);
    const [own, planted] = [ada, mallory].map((client) =>
      `fw_session.app=${client.cookie("fw_session.app", "/app")}`
    );
    // Another host may plant a cookie with a longer path, which browsers send first.
    for (const cookie of [`${planted}; ${own}`, `${own}; ${planted}`, `${own}; x=1; ${own}`]) {
      await testRequest(made.app, "GET", "/app/api/me", withHeader("cookie", cookie))
        .wantStatus(401);
    }
    const cookies = withHeader("cookie", `${own}; xfw_session.app=1`);
    await testRequest(made.app, "GET", "/app/api/me", cookies).wantStatus(200);
    assertEquals(
      made.events.map(({ reason }) => reason).filter((reason) => reason !== "sign-in-required"),
      Array(3).fill("session-cookie-repeated"),
    );
  });
}

Deno.test("a cookie name after a no-break space is neither a session cookie nor its duplicate", async () => {
  const made = signInApp({ settings: { env: "prod" } });
  const client = newTestClient(made.app);
  await client.postForm("https://localhost/login", { subject: "ada" }).wantStatus(303);
  const name = "__Host-fw_session";
  const own = client.cookie(name);
  const ask = (cookie: string) =>
    testRequest(made.app, "GET", "https://localhost/api/me", withHeader("cookie", cookie));
  await ask(`${name}=${own}`).wantStatus(200);
  for (const blank of ["\u00a0", "\u000b", "\u000c", "\u0085"]) {
    for (const planted of [`x=1; ${blank}${name}=${own}`, `${name}${blank}=${own}`]) {
      await ask(planted).wantStatus(401);
      await ask(`${planted}; ${name}=${own}`).wantStatus(200);
    }
  }
  assertEquals(made.events.filter(({ reason }) => reason === "session-cookie-repeated"), []);
});

const badOptions: readonly (readonly [name: string, options: SessionOptions])[] = [
  ["absoluteMs 0", { absoluteMs: 0 }],
  ["absoluteMs Infinity", { absoluteMs: Infinity }],
  ["idleMs below two minutes", { idleMs: 119_999 }],
  ["idleMs NaN", { idleMs: NaN }],
  ["loginPath on another host", { loginPath: "//evil.example" }],
  ["loginPath without a slash", { loginPath: "login" }],
  ["loginPath with a line break", { loginPath: "/login\n" }],
  ["cookie with a space", { cookie: "a b" }],
  ["cookie with a prefix", { cookie: "__Host-session" }],
  ["an empty cookie", { cookie: "" }],
  ["an empty loginPath", { loginPath: "" }],
  ["an empty adminRole", { adminRole: "" }],
  ["a blank adminRole", { adminRole: " \t" }],
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
  // SQLite truncates a text at NUL, so this subject would be read back as "42".
  ["a subject with NUL", { subject: "42\0evil" }],
  ["half a surrogate pair", { subject: "\ud800" }],
  ["a role with a line break", { subject: "1", roles: ["a\nb"] }],
  ["a role that is not a string", { subject: "1", roles: [1] }],
  ["a long name", { subject: "1", name: "x".repeat(501) }],
  ["a long email", { subject: "1", email: "x".repeat(321) }],
];

for (const [name, who] of badSignIns) {
  Deno.test(`sessions.start refuses ${name}`, async () => {
    const sessions = createSessions();
    const POST = async (c: Ctx): Promise<Response> => {
      await assertRejects(() => sessions.start(c, who as never), TypeError, "Cannot keep");
      return c.noContent();
    };
    const response = await testRoute({ pattern: "/", methods: { POST } }, "POST", "/").wantStatus(
      204,
    );
    assertEquals(response.header("set-cookie"), undefined);
  });
}

Deno.test("sessions: open an own store once per application", async () => {
  const opened: Application[] = [];
  const sessions = createSessions({
    store: (app) => {
      opened.push(app);
      return memorySessionStore();
    },
  });
  const [one, two] = [appOfSessions(sessions), appOfSessions(sessions)];
  const client = newTestClient(one);
  await client.request("POST", "/").wantStatus(200);
  await client.get("/").wantStatus(200);
  const cookie = withCookie("fw_session", client.cookie("fw_session") ?? "");
  await testRequest(two, "GET", "/", cookie).wantStatus(401);
  await testRequest(two, "GET", "/", withUser(sessions)).wantStatus(200);
  assertEquals(opened, [one, two]);
  assertEquals(await sessions.endAll(one, "1"), 1);
  assertEquals(await sessions.endAll(two, "1"), 0);
  assertEquals(await sessions.endAll(two, "test"), 1);
  await client.get("/").wantStatus(401);
});
