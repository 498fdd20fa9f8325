import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { createSessions } from "../../auth/mod.ts";
import { withUser } from "../../auth/testing.ts";
import type { Ctx } from "../../mod.ts";
import {
  newTestClient,
  testRequest,
  testRoute,
  withCookie,
  withForm,
  withHeader,
  withoutCsrf,
} from "../../runtime/testing/mod.ts";
import { appWith, kinds } from "./session_kinds.ts";
import { appOfSessions, signedIn, signInApp } from "./support.ts";
import { routeOf } from "../routes.ts";

const minute = 60_000;
const hour = 60 * minute;

for (const [kind, open] of kinds) {
  const test = (name: string, body: () => Promise<void>): void =>
    Deno.test(`sessions (${kind}): ${name}`, body);

  test("a user signs in, is recognized and signs out", async () => {
    const made = appWith(open);
    const client = newTestClient(made.app);
    await client.get("/who").wantContains("null");
    await client.postForm("/login?next=/me", { role: "editor" })
      .wantStatus(303).wantHeader("location", "/me");
    const user = JSON.parse((await client.get("/who").wantStatus(200)).body);
    const { csrf: _, ...rest } = user;
    assertEquals(rest, {
      provider: "",
      subject: "42",
      id: "42",
      email: "ada@example.org",
      name: "Ada",
      roles: ["editor"],
      issuedAt: new Date(made.clock.now).toISOString(),
    });
    await client.postForm("/logout", {}).wantStatus(303);
    assertEquals(client.cookie("fw_session"), undefined);
    await client.get("/who").wantContains("null");
  });

  test("a session expires after idleMs without use", async () => {
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

  test("a session expires after absoluteMs even if it is in use", async () => {
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

  test("a session records its use at most once a minute", async () => {
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

  test("session fixation: an identifier from before the sign-in is invalid", async () => {
    const made = appWith(open);
    const attacker = await signedIn(made, { subject: "attacker" });
    const planted = attacker.cookie("fw_session") ?? "";
    // The victim's browser carries the attacker's cookie when the victim signs in.
    const victim = newTestClient(made.app);
    await victim.postForm("/login", { subject: "victim" }, withCookie("fw_session", planted))
      .wantStatus(303);
    assertNotEquals(victim.cookie("fw_session"), planted);
    await testRequest(made.app, "GET", "/who", withCookie("fw_session", planted))
      .wantContains("null");
    await victim.get("/who").wantContains('"subject":"victim"');
  });

  test("concurrent requests do not revive an ended session", async () => {
    for (const path of ["/logout", "/login"]) {
      const made = appWith(open);
      const held = Promise.withResolvers<void>();
      made.app.route(routeOf("GET", "/slow", async (c) => {
        const user = await made.sessions.user(c);
        await held.promise;
        return c.text(200, user?.subject ?? "");
      }));
      const client = await signedIn(made, { subject: "guest" });
      made.clock.now += 2 * minute;
      const slow = client.get("/slow");
      const cookie = client.cookie("fw_session") ?? "";
      await testRequest(made.app, "GET", "/who", withCookie("fw_session", cookie))
        .wantContains('"subject":"guest"');
      await client.postForm(path, { subject: "ada" }).wantStatus(303);
      held.resolve();
      const renewed = (await slow.wantContains("guest")).header("set-cookie");
      // Only a cookie that contains the session is rewritten.
      assertEquals(renewed !== undefined, kind === "stateless", path);
      const last = kind === "stateless" ? client.cookie("fw_session") ?? "" : cookie;
      await testRequest(made.app, "GET", "/who", withCookie("fw_session", last))
        .wantContains("null");
      await testRequest(made.app, "GET", "/who", withCookie("fw_session", cookie))
        .wantContains("null");
    }
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

  test("the cookie is HttpOnly and Lax, and over HTTPS Secure with a prefix", async () => {
    const made = appWith(open);
    const cookieOf = async (url: string): Promise<string> => {
      const { headers } = await testRequest(made.app, "POST", url, withForm({}));
      return headers.getSetCookie().find((text) => text.includes("session")) ?? "";
    };
    const plain = await cookieOf("http://localhost/login");
    assert(/^fw_session=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/.test(plain), plain);
    const secure = await cookieOf("https://localhost/login");
    assert(
      /^__Host-fw_session=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; Secure; SameSite=Lax$/
        .test(secure),
      secure,
    );
  });

  test("an application with a base path limits the cookie to it", async () => {
    const client = newTestClient(appWith(open, { settings: { basePath: "/shop" } }).app);
    await client.get("/shop/me").wantHeader("location", "/shop/login?next=%2Fshop%2Fme");
    const response = await client.postForm("/shop/login?next=/shop/me", {}).wantStatus(303);
    response.wantHeader("location", "/shop/me");
    assert(/fw_session\.shop=[\w.-]+; Path=\/shop;/.test(response.header("set-cookie") ?? ""));
    await client.get("/shop/me").wantStatus(200);
  });

  test("invalid cookies are anonymous and cause no error", async () => {
    const made = appWith(open);
    const client = await signedIn(made);
    const real = client.cookie("fw_session") ?? "";
    const forged = [..."x .. %00 __proto__ eyJhbGciOiJub25lIn0.e30.".split(" "), "", real.slice(1)]
      .concat("a".repeat(43), "a".repeat(5_000), `${real}x`, `${real}.${real}`)
      .concat(real.slice(0, -1), real.toUpperCase())
      .concat(real.replace(/.$/, (last) => last === "A" ? "B" : "A"))
      .concat(real.replace(/^./, (first) => first === "A" ? "B" : "A"));
    for (const cookie of forged) {
      await testRequest(made.app, "GET", "/who", withCookie("fw_session", cookie))
        .wantStatus(200).wantContains("null");
    }
    // The signature covers the name, so the value of another cookie is not a session.
    if (kind === "stateless") {
      const kept = withCookie("__Host-fw_session", real);
      const { body } = await testRequest(made.app, "GET", "https://localhost/who", kept);
      assertEquals(body, "null");
    }
  });

  test("a response that reads the user is not shared by caches", async () => {
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

  test("100 concurrent sign-ins of ten users lose and duplicate no session", async () => {
    const made = appWith(open);
    const clients = await Promise.all(
      Array.from({ length: 100 }, (_, at) => signedIn(made, { subject: `user-${at % 10}` })),
    );
    assertEquals(new Set(clients.map((client) => client.cookie("fw_session"))).size, 100);
    for (const [at, client] of clients.entries()) {
      await client.get("/who").wantContains(`"subject":"user-${at % 10}"`);
    }
  });

  test("newTestClient with withUser stays signed in until it signs out", async () => {
    for (const basePath of ["", "/shop"]) {
      for (const origin of ["", "https://example.com"]) {
        const made = appWith(open, { settings: { basePath } });
        const client = newTestClient(made.app, withUser(made.sessions, { subject: "7" }));
        const place = origin + basePath;
        for (let turn = 0; turn < 2; turn++) {
          await client.get(`${place}/me`).wantStatus(200).wantContains('"subject":"7"');
        }
        await client.postForm(`${place}/logout`, {}).wantStatus(303);
        await client.get(`${place}/me`).wantStatus(302);
        await client.postForm(`${place}/login`, { subject: "8" }).wantStatus(303);
        await client.get(`${place}/me`).wantContains('"subject":"8"');
      }
    }
  });
}

Deno.test("sessions (stateless): replicas accept each other's sessions only if they share a secret", async () => {
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

Deno.test("sessions (stateless): one sessions object uses each application's own secret", async () => {
  const sessions = createSessions();
  const [one, two] = ["1", "2"].map((each) => appOfSessions(sessions, { secret: each.repeat(32) }));
  assert(one && two);
  const client = newTestClient(one);
  await client.request("POST", "/").wantStatus(200);
  for (let times = 0; times < 2; times++) await client.get("/").wantStatus(200);
  const cookie = withCookie("fw_session", client.cookie("fw_session") ?? "");
  await testRequest(two, "GET", "/", cookie).wantStatus(401);
});

Deno.test("sessions (stateless): a session too large for a cookie is refused with a fix", async () => {
  const sessions = createSessions();
  const many = Array.from({ length: 12 }, (_, at) => `${at}`.padEnd(240));
  let message = "";
  const POST = async (c: Ctx): Promise<Response> => {
    const roles = [...many, "x".repeat(Number(c.query("length")))];
    await sessions.start(c, { subject: "1", roles }).catch((error) => message ||= String(error));
    return c.noContent();
  };
  const sizes: number[] = [];
  for (let length = 1; length < 80; length++) {
    const route = { pattern: "/", methods: { POST } };
    const { headers } = await testRoute(route, "POST", `/?length=${length}`).wantStatus(204);
    const [, name = "", value = ""] =
      /(fw_session)=([^;]+)/.exec(headers.get("set-cookie") ?? "") ??
        [];
    sizes.push(name.length + value.length);
  }
  const largest = Math.max(...sizes);
  assert(largest > 4_090 && largest <= 4_096 && sizes.at(-1) === 0, `${sizes}`);
  assertStringIncludes(message, "Give createSessions a store");
});

Deno.test("sessions (stateless): production without a secret refuses sign-ins", async () => {
  const made = signInApp({ settings: { env: "prod", secret: undefined } });
  const response = await testRequest(made.app, "POST", "/login", withForm({})).wantStatus(500);
  assert(response.header("set-cookie")?.includes("fw_session") !== true);
});
