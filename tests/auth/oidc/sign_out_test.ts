import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { createSessions, memorySessionStore, oidc } from "../../../auth/mod.ts";
import { testProvider } from "../../../auth/testing.ts";
import { newTestClient, withBody, withHeader, withoutCsrf } from "../../../runtime/testing/mod.ts";
import { mockedApp } from "./mock_provider.ts";
import { appOf, locationOf, registration, signInApp, subjectOf } from "./support.ts";
import { routeOf } from "../../routes.ts";
import { storeWith } from "../support.ts";

Deno.test("logout ends the session here and at the provider, then redirects back", async () => {
  for (const store of [undefined, memorySessionStore()]) {
    const { client, provider } = signInApp({ afterLogout: "/bye", ...(store && { store }) });
    await provider.signIn(client);
    const cookie = client.cookie("fw_session");
    const answer = await client.postForm("/logout", {}).wantStatus(303);
    answer.wantHeader("cache-control", "no-store");
    const url = new URL(locationOf(answer));
    assertEquals(url.origin + url.pathname, "https://id.example/logout");
    const found = Object.fromEntries(url.searchParams);
    assertEquals(found, { client_id: "app", post_logout_redirect_uri: "http://localhost/bye" });
    assertEquals([client.cookie("fw_session"), await subjectOf(client)], [undefined, undefined]);
    if (store === undefined) continue;
    const { body } = await newTestClient(signInApp({ store }).app)
      .get("/me", withHeader("cookie", `fw_session=${cookie}`));
    assertEquals(JSON.parse(body), { user: null });
  }
});

Deno.test("logout names the session to the provider if tokens are kept", async () => {
  const { client, provider } = signInApp({ store: memorySessionStore(), keepTokens: true });
  await provider.signIn(client, { sub: "42" });
  const url = new URL(locationOf(await client.postForm("/logout", {}).wantStatus(303)));
  const [, body = ""] = url.searchParams.get("id_token_hint")?.split(".") ?? [];
  assertEquals(JSON.parse(atob(body.replaceAll("-", "+").replaceAll("_", "/"))).sub, "42");
});

Deno.test("logout omits an ID token that would make the URL too long for servers", async () => {
  const { client, provider } = signInApp({ store: memorySessionStore(), keepTokens: true });
  await provider.signIn(client, { sub: "42", groups: Array(100).fill(crypto.randomUUID()) });
  const url = new URL(locationOf(await client.postForm("/logout", {}).wantStatus(303)));
  assertEquals([...url.searchParams.keys()], ["client_id", "post_logout_redirect_uri"]);
});

Deno.test("logout without a provider endpoint ends the local session and logs it", async () => {
  for (const absent of [undefined, null, ""]) {
    const { client, provider, log } = mockedApp();
    provider.document = { end_session_endpoint: absent };
    await provider.signIn(client);
    await client.postForm("/logout", {}).wantStatus(303).wantHeader("location", "/");
    assertEquals(await subjectOf(client), undefined);
    assertMatch(log.join(), /the session ended only in this application/);
  }
});

Deno.test("logout works while the provider is down", async () => {
  const { client, provider } = mockedApp();
  await provider.signIn(client);
  const cookie = withHeader("cookie", `fw_session=${client.cookie("fw_session")}`);
  // A replica that has never contacted the provider.
  const fresh = appOf(oidc(registration, { fetch: () => Promise.reject(new Error("down")) }));
  assertEquals(JSON.parse((await fresh.client.get("/me", cookie)).body).user.subject, "1");
  const answer = await fresh.client.postForm("/logout", {}, withoutCsrf(), cookie);
  assertEquals(answer.status, 403);
  await fresh.client.postForm("/logout", {}).wantStatus(303).wantHeader("location", "/");
});

Deno.test("logout requires the CSRF token and refuses cross-site requests", async () => {
  const { client, provider, app, reasons, auth } = signInApp();
  app.route({ pattern: "/open/logout", csrf: false, methods: { POST: auth.logout } });
  await provider.signIn(client);
  await client.postForm("/logout", {}, withoutCsrf()).wantStatus(403);
  // A route without the CSRF check.
  await client.postForm("/open/logout", {}, withHeader("sec-fetch-site", "cross-site"))
    .wantStatus(403);
  assertEquals([await subjectOf(client), reasons], ["test", ["logout-csrf"]]);
});

Deno.test("logout of a password session ends only the local session", async () => {
  const sessions = createSessions();
  const auth = oidc(registration, { sessions });
  testProvider(auth);
  const { app, client } = appOf(auth);
  app.route(routeOf("GET", "/password", async (c) => {
    await sessions.start(c, { subject: "by password" });
    return c.noContent();
  }));
  await client.get("/password");
  assertEquals(await subjectOf(client), "by password");
  await client.postForm("/logout", {}).wantStatus(303).wantHeader("location", "/");
});

Deno.test("the policy of pages that read the user allows form posts to the provider", async () => {
  const { app, auth, client, provider } = mockedApp();
  provider.document = { end_session_endpoint: "https://out.example/bye" };
  const page = (): h.Node => h.form(h.method("post"), h.action("/logout"));
  app.route({ pattern: "/account", page, middleware: [{ Middleware: auth.require }] });
  app.route({
    pattern: "/home",
    page: async (c) => {
      await auth.user(c);
      return page();
    },
  });
  app.route({ pattern: "/plain", page });
  const actions = async (path: string): Promise<string> => {
    const { headers } = await client.get(path).wantStatus(200);
    return /form-action ([^;]*)/.exec(headers.get("content-security-policy") ?? "")?.[1] ?? "";
  };
  // Before the discovery document is fetched, the issuer's own origin is known.
  assertEquals(await actions("/home"), "'self' https://id.example");
  await provider.signIn(client);
  for (const path of ["/home", "/account"]) {
    assertEquals(await actions(path), "'self' https://id.example https://out.example");
  }
  assertEquals(await actions("/plain"), "'self'");
});

/** Creates an application that accepts logout tokens, and three signed-in browsers. */
async function backchannelApp(store = memorySessionStore()): Promise<
  ReturnType<typeof signInApp> & {
    readonly subjects: () => Promise<(string | undefined)[]>;
    readonly send: (token: string) => Promise<number>;
    readonly sent: ReturnType<typeof newTestClient>;
  }
> {
  const flow = signInApp({ store });
  const { app, auth, provider } = flow;
  app.route({ pattern: "/backchannel", methods: { POST: auth.backchannelLogout } });
  const browsers = [newTestClient(app), newTestClient(app), newTestClient(app)];
  for (const [at, browser] of browsers.entries()) {
    await provider.signIn(browser, { sub: at < 2 ? "ada" : "bob", sid: `sid-${at}` });
  }
  const sent = newTestClient(app);
  return {
    ...flow,
    sent,
    subjects: () => Promise.all(browsers.map(subjectOf)),
    send: async (token) => {
      const form = { logout_token: token };
      const { status, headers } = await sent.postForm("/backchannel", form, withoutCsrf());
      assertEquals(headers.get("cache-control"), "no-store");
      return status;
    },
  };
}

const event = { "http://schemas.openid.net/event/backchannel-logout": {} };
const everybody = ["ada", "ada", "bob"];

/** The claims of a logout token, the status, and the browsers that stay signed in. */
const logouts: Readonly<
  Record<string, [claims: object, status: number, left: (string | undefined)[], reason?: string]>
> = {
  "of a session": [{ sid: "sid-0" }, 200, [undefined, "ada", "bob"]],
  "of a session and its user": [{ sid: "sid-0", sub: "ada" }, 200, [undefined, "ada", "bob"]],
  "of a user": [{ sub: "ada" }, 200, [undefined, undefined, "bob"]],
  "of an unknown session": [{ sid: "sid-9" }, 200, everybody],
  "of an unknown user": [{ sub: "eve" }, 200, everybody],
  "of nobody": [{}, 400, everybody, "token-sub"],
  "of a user that is a number": [{ sub: 5 }, 400, everybody, "token-sub"],
  "of a session that is an array": [{ sid: ["sid-0"] }, 400, everybody, "token-sid"],
  "with a nonce": [{ sub: "ada", nonce: "x" }, 400, everybody, "token-nonce"],
  "without an event": [{ sub: "ada", events: undefined }, 400, everybody, "token-events"],
  "with another event": [{ sub: "ada", events: { x: {} } }, 400, everybody, "token-events"],
  "with an event that is true": [
    { sub: "ada", events: { [Object.keys(event)[0] ?? ""]: true } },
    400,
    everybody,
    "token-events",
  ],
  "without an identifier": [{ sub: "ada", jti: undefined }, 400, everybody, "token-jti"],
  "for another client": [{ sub: "ada", aud: "other" }, 400, everybody, "token-aud"],
  "of another issuer": [{ sub: "ada", iss: "https://evil.example" }, 400, everybody, "token-iss"],
  "that has expired": [{ sub: "ada", exp: 1_000 }, 400, everybody, "token-exp"],
  "without an expiry": [{ sub: "ada", exp: undefined }, 400, everybody, "token-exp"],
  "from the future": [{ sub: "ada", iat: 4e9 }, 400, everybody, "token-iat"],
};

for (const [name, [claims, status, left, reason]] of Object.entries(logouts)) {
  Deno.test(`backchannelLogout accepts a token ${name} with ${status}`, async () => {
    const { provider, send, subjects, reasons, log } = await backchannelApp();
    assertEquals(await send(await provider.logoutToken({ ...claims })), status);
    assertEquals([await subjects(), reasons], [left, reason === undefined ? [] : ["logout-token"]]);
    if (reason !== undefined) assertMatch(log.join(), new RegExp(reason));
  });
}

Deno.test("backchannelLogout accepts a token once", async () => {
  const { provider, send, subjects, reasons, client } = await backchannelApp();
  const token = await provider.logoutToken({ sub: "ada" });
  assertEquals(await send(token), 200);
  await provider.signIn(client, { sub: "ada" });
  assertEquals([await send(token), reasons], [400, ["logout-token"]]);
  assertEquals([await subjectOf(client), (await subjects())[2]], ["ada", "bob"]);
});

Deno.test("backchannelLogout accepts a token again if the store failed", async () => {
  const inner = memorySessionStore();
  const deleteBySubject = [() => Promise.reject(new Error("the disk is full"))];
  const store = storeWith(inner, {
    deleteBySubject: (owner) => (deleteBySubject.pop() ?? (() => inner.deleteBySubject(owner)))(),
  });
  const { provider, send, subjects } = await backchannelApp(store);
  const token = await provider.logoutToken({ sub: "ada" });
  assertEquals([await send(token), await send(token)], [503, 200]);
  assertEquals(await subjects(), [undefined, undefined, "bob"]);
});

Deno.test("backchannelLogout refuses malformed tokens, other form types and ID tokens", async () => {
  const { sent, subjects, provider } = await backchannelApp();
  const post = async (type: string, body: string): Promise<number> =>
    (await sent.request("POST", "/backchannel", withBody(type, body), withoutCsrf())).status;
  const form = "application/x-www-form-urlencoded";
  assertEquals(await post(form, ""), 400);
  assertEquals(await post(form, "logout_token=a.b.c"), 400);
  assertEquals(await post(form, `logout_token=${"a".repeat(40_000)}`), 400);
  const token = await provider.logoutToken({ sub: "ada" });
  assertEquals(await post("application/json", JSON.stringify({ logout_token: token })), 415);
  const unsigned = `${btoa('{"alg":"none"}').replaceAll("=", "")}.${token.split(".")[1]}.`;
  assertEquals(await post(form, `logout_token=${unsigned}`), 400);
  assertEquals(await subjects(), everybody);
});

Deno.test("backchannelLogout asks the provider to retry a token whose key cannot be fetched yet", async () => {
  let now = Date.now();
  const made = mockedApp({ now: () => now, store: memorySessionStore() });
  const { app, auth, provider, client, reasons } = made;
  app.route({ pattern: "/backchannel", methods: { POST: auth.backchannelLogout } });
  await provider.signIn(client);
  const post = async (kid: string): Promise<readonly [number, string | null]> => {
    const published = provider.kids;
    provider.kids = [kid];
    const token = await provider.sign({ sub: "1", jti: crypto.randomUUID(), events: event });
    provider.kids = published;
    const form = { logout_token: token };
    const { status, headers } = await client.postForm("/backchannel", form, withoutCsrf());
    return [status, headers.get("retry-after")];
  };
  const statuses = [await post("forged"), await post("forged")];
  provider.kids = ["two"];
  statuses.push(await post("two"));
  assertEquals(statuses, [[400, null], [503, "60"], [503, "60"]]);
  assertEquals([await subjectOf(client), reasons], ["1", Array(3).fill("logout-token")]);
  now += 60_001;
  assertEquals([await post("two"), await subjectOf(client)], [[200, null], undefined]);
  // Sign-ins have a separate fetch limit.
  await post("forged");
  provider.kids = ["three"];
  assertEquals((await provider.signIn(client)).status, 303);
});

Deno.test("backchannelLogout reports that the provider is unavailable if it needs the keys", async () => {
  const { provider, send } = await backchannelApp();
  const fresh = signInApp({ store: memorySessionStore() });
  fresh.app.route({ pattern: "/backchannel", methods: { POST: fresh.auth.backchannelLogout } });
  fresh.provider.isDown = true;
  const token = await provider.logoutToken({ sub: "ada" });
  const reply = await fresh.client.postForm("/backchannel", { logout_token: token }, withoutCsrf());
  assertEquals(reply.status, 503);
  assertNotMatch(reply.body, /id\.example/);
  // A replica that already has the keys accepts the token.
  provider.isDown = true;
  assertEquals(await send(token), 200);
  assert(provider.isDown);
});
