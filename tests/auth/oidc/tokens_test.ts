import { assert, assertEquals, assertMatch, assertNotEquals, assertNotMatch } from "@std/assert";
import { hash } from "node:crypto";
import { createSessions, memorySessionStore, oidc } from "../../../auth/mod.ts";
import { testProvider } from "../../../auth/testing.ts";
import type { Ctx } from "../../../mod.ts";
import type { AuthOptions, StoredSession } from "../../../auth/mod.ts";
import { type TestOption, withCookie, withHeader } from "../../../runtime/testing/mod.ts";
import { mockedApp, MockProvider } from "./mock_provider.ts";
import { routeOf } from "../../routes.ts";
import { storeWith } from "../support.ts";
import { makeKey } from "./signer.ts";
import { appOf, locationOf, registration, subjectOf, twoProviders } from "./support.ts";
import { type SignInApp, withShortTimeouts } from "./support.ts";

interface Keeping extends ReturnType<typeof mockedApp> {
  readonly clock: { now: number };
  readonly replica: () => SignInApp;
}

/** Creates an application that keeps tokens, with a clock that the test moves. */
function keeping(): Keeping {
  const clock = { now: Date.now() };
  const now = (): number => clock.now;
  const options = { store: memorySessionStore({ now }), now, keepTokens: true };
  const mocked = mockedApp(options);
  const { provider } = mocked;
  provider.tokens = { refresh_token: "refresh-1", access_token: "access-1" };
  const replica = (): SignInApp => appOf(oidc(registration, { ...options, fetch: provider.fetch }));
  return { ...mocked, clock, replica };
}

/** Creates the same application, with a user whose token has just expired. */
async function expired(): Promise<Keeping & { readonly cookie: TestOption }> {
  const made = keeping();
  await made.provider.signIn(made.client);
  made.clock.now += 300_000;
  return { ...made, cookie: withCookie("fw_session", made.client.cookie("fw_session") ?? "") };
}

const tokenOf = async ({ client }: Pick<SignInApp, "client">): Promise<string> =>
  (await client.get("/token").wantStatus(200)).body;

Deno.test("accessToken returns the token, renews it after it expires and stores the new one", async () => {
  const { client, provider, clock } = keeping();
  assertEquals(await tokenOf({ client }), "none");
  await provider.signIn(client);
  assertEquals(await tokenOf({ client }), "access-1");
  clock.now += 269_000;
  assertEquals(await tokenOf({ client }), "access-1");
  provider.tokens = { refresh_token: "refresh-2", access_token: "access-2" };
  clock.now += 1_000;
  assertEquals([await tokenOf({ client }), await tokenOf({ client })], ["access-2", "access-2"]);
  const found = provider.forms.slice(1);
  assertEquals(found, [{ grant_type: "refresh_token", refresh_token: "refresh-1" }]);
  provider.tokens = { access_token: "access-3", refresh_token: null, id_token: null };
  clock.now += 300_000;
  assertEquals(await tokenOf({ client }), "access-3");
  clock.now += 300_000;
  await tokenOf({ client });
  // If a provider sends no new refresh token, the old one stays valid.
  const seen = provider.forms.slice(2).map((form) => form.refresh_token);
  assertEquals(seen, ["refresh-2", "refresh-2"]);
});

Deno.test("accessToken renews once for concurrent requests", async () => {
  const { client, provider } = await expired();
  provider.tokens = { refresh_token: "refresh-2", access_token: "access-2" };
  const tokens = await Promise.all(Array.from({ length: 40 }, () => tokenOf({ client })));
  assertEquals([new Set(tokens), provider.forms.length], [new Set(["access-2"]), 2]);
});

Deno.test("accessToken renews once for concurrent replicas", async () => {
  const { provider, replica, cookie } = await expired();
  provider.tokens = { refresh_token: "refresh-2", access_token: "access-2" };
  const replicas = Array.from({ length: 4 }, replica);
  const answers = await Promise.all(replicas.map(({ client }) => client.get("/token", cookie)));
  assertEquals(answers.map(({ body }) => body), Array(4).fill("access-2"));
  assertEquals(provider.forms.length, 2);
});

Deno.test("accessToken: another replica renews after the deadline of a replica that died", async () => {
  const { client, provider } = await expired();
  provider.answers.set("/token", () => new Promise(() => {}));
  await withShortTimeouts(async () => {
    await client.get("/token").wantStatus(503);
  });
  provider.answers.clear();
  provider.tokens = { access_token: "access-2" };
  assertEquals(await tokenOf({ client }), "access-2");
});

Deno.test("accessToken: another replica renews after the deadline of a replica that hangs", async () => {
  const { client, provider, clock, replica, cookie } = await expired();
  const slow = Promise.withResolvers<Response>();
  const asked = Promise.withResolvers<void>();
  provider.answers.set("/token", () => (asked.resolve(), slow.promise));
  const started = tokenOf({ client });
  await asked.promise;
  provider.answers.clear();
  provider.tokens = { refresh_token: "refresh-2", access_token: "access-2" };
  clock.now += 30_001;
  assertEquals((await replica().client.get("/token", cookie)).body, "access-2");
  slow.resolve(Response.json({ token_type: "Bearer", access_token: "late", expires_in: 300 }));
  // A late result is dropped, because the store has the valid token.
  assertEquals(await started, "access-2");
});

/** A response of the token endpoint, and whether the refresh token stays valid. */
const answers: Readonly<Record<string, [answer: () => Response, isKept: boolean]>> = {
  "400 invalid_grant": [() => Response.json({ error: "invalid_grant" }, { status: 400 }), false],
  "without a token": [() => Response.json({ token_type: "Bearer" }), false],
  "another token type": [() => Response.json({ token_type: "DPoP", access_token: "x" }), false],
  "429 with JSON": [() => Response.json({ error: "rate_limited" }, { status: 429 }), true],
  "408": [() => Response.json({}, { status: 408 }), true],
  "400 without an OAuth error": [() => Response.json({ message: "what?" }, { status: 400 }), true],
  "400 invalid_request": [() => Response.json({ error: "invalid_request" }, { status: 400 }), true],
  "500": [() => new Response(null, { status: 500 }), true],
};

for (const [name, [answer, isKept]] of Object.entries(answers)) {
  Deno.test(`accessToken ${isKept ? "keeps" : "drops"} the refresh token if the provider answers ${name}`, async () => {
    const { client, provider } = await expired();
    let asked = 0;
    provider.answers.set("/token", () => (asked++, answer()));
    if (isKept) await client.get("/token").wantStatus(503);
    else assertEquals([await tokenOf({ client }), await tokenOf({ client })], ["none", "none"]);
    assertEquals([asked, await subjectOf(client)], [1, "1"]);
    provider.answers.clear();
    provider.tokens = { access_token: "access-2" };
    assertEquals(await tokenOf({ client }), isKept ? "access-2" : "none");
  });
}

Deno.test("accessToken refuses a renewal with another user's ID token", async () => {
  for (const claims of [{ sub: "2" }, { sub: "1", aud: "other" }, { sub: "1", exp: 1 }]) {
    const { client, provider } = await expired();
    provider.claims = claims;
    assertEquals(await tokenOf({ client }), "none");
  }
});

Deno.test("accessToken returns undefined after the session ends, even during a renewal", async () => {
  const { app, client, provider, auth } = await expired();
  provider.answers.set("/token", async () => {
    await auth.endAll(app, "1");
    return Response.json({ token_type: "Bearer", access_token: "access-2", expires_in: 300 });
  });
  assertEquals([await tokenOf({ client }), await tokenOf({ client })], ["none", "none"]);
});

Deno.test("accessToken returns a token without an expiry until the session ends, and one without a refresh token until it expires", async () => {
  const { client, provider, clock } = keeping();
  provider.tokens = { access_token: "access-1", expires_in: undefined };
  await provider.signIn(client);
  clock.now += 3_600_000;
  assertEquals(await tokenOf({ client }), "access-1");
  provider.tokens = { access_token: "access-2", expires_in: "60" };
  await provider.signIn(client);
  assertEquals(await tokenOf({ client }), "access-2");
  clock.now += 60_000;
  assertEquals(await tokenOf({ client }), "none");
});

Deno.test("accessToken returns no token of another provider", async () => {
  const sessions = createSessions({ store: memorySessionStore() });
  const [own, other] = twoProviders({ sessions, keepTokens: true });
  const { app, client } = appOf(own);
  const read = async (c: Ctx) => c.text(200, await other.accessToken(c) ?? "none");
  app.route(routeOf("GET", "/other", read));
  await testProvider(own).signIn(client);
  assertNotEquals((await client.get("/token")).body, "none");
  await client.get("/other").wantContains("none");
});

Deno.test("accessToken throws without keepTokens", async () => {
  const { client, provider, log } = mockedApp();
  await provider.signIn(client);
  await client.get("/token").wantStatus(500);
  assertMatch(log.join(), /set keepTokens/);
});

Deno.test("a store keeps only sealed tokens, which only their user's session opens", async () => {
  const sessions = new Map<string, StoredSession>();
  const inner = memorySessionStore();
  const store = storeWith(inner, {
    create: (session) => {
      if (session.data !== undefined) sessions.set(session.subject, session);
      return inner.create(session);
    },
    read: async (id) => {
      const session = await inner.read(id);
      // An attacker who can write to the store swaps the tokens of two users.
      return session && { ...session, ...(swapped === "" ? {} : { data: swapped }) };
    },
  });
  let swapped = "";
  const { client, provider } = mockedApp({ store, keepTokens: true });
  provider.tokens = { access_token: "access-secret", refresh_token: "refresh-secret" };
  await provider.signIn(client);
  provider.claims = { sub: "2" };
  await provider.signIn(client);
  for (const { data } of sessions.values()) {
    const text = atob((data ?? "").replaceAll("-", "+").replaceAll("_", "/"));
    assert(text.length > 50);
    assertNotMatch(text + data, /secret|access|refresh/);
  }
  assertEquals(await tokenOf({ client }), "access-secret");
  const own = sessions.get("2")?.data ?? "";
  const rows = [sessions.get("1")?.data ?? "", own.slice(1), `${own}A`, "A".repeat(60), "%"];
  for (const other of rows) {
    swapped = other;
    assertEquals(await tokenOf({ client }), "none");
  }
});

Deno.test("tokens sealed with the previous secret still open", async () => {
  const store = memorySessionStore();
  const secrets = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"] as const;
  const provider = new MockProvider();
  const make = (secret: string, previousSecret: string | undefined): SignInApp =>
    appOf(oidc(registration, { store, keepTokens: true, fetch: provider.fetch }), {
      secret,
      previousSecret,
    });
  const first = make(secrets[0], undefined);
  await provider.signIn(first.client);
  const cookie = withHeader("cookie", `fw_session=${first.client.cookie("fw_session")}`);
  for (const [previous, want] of [[secrets[0], "access-1"], [undefined, "none"]] as const) {
    const { client } = make(secrets[1], previous);
    assertEquals((await client.get("/token", cookie)).body, want);
  }
});

Deno.test("production without a secret refuses to start a sign-in and names the fix", async () => {
  const store = memorySessionStore();
  const { client, log } = mockedApp({ store }, { env: "prod", secret: undefined });
  await client.get("/login").wantStatus(500);
  assertMatch(log.join(), /FW_SECRET/);
});

const responses: Readonly<Record<string, [tokens: object, reason: string]>> = {
  "no ID token": [{ id_token: undefined }, "token-response"],
  "an ID token that is a number": [{ id_token: 5 }, "token-form"],
  "an ID token of two parts": [{ id_token: "a.b" }, "token-form"],
  "no access token": [{ access_token: undefined }, "exchange"],
  "an access token that is an object": [{ access_token: {} }, "exchange"],
  "a token of another type": [{ token_type: "mac" }, "exchange"],
  "no token type": [{ token_type: undefined }, "exchange"],
};

for (const [name, [tokens, reason]] of Object.entries(responses)) {
  Deno.test(`callback refuses a token response with ${name}`, async () => {
    const { client, provider, reasons } = mockedApp();
    provider.tokens = { ...tokens };
    assertEquals((await provider.signIn(client)).status, 400);
    assertEquals([reasons, await subjectOf(client)], [[reason], undefined]);
  });
}

for (
  const [name, status, answer] of [
    ["of another user", 400, () => Response.json({ sub: "2", roles: ["admin"] })],
    ["without a subject", 400, () => Response.json({ roles: ["admin"] })],
    ["that is refused", 503, () => Response.json({ sub: "1" }, { status: 401 })],
    ["in a token", 503, () => new Response("a.b.c")],
  ] as const
) {
  Deno.test(`callback refuses userinfo ${name}`, async () => {
    const { client, provider, reasons } = mockedApp({ userInfo: true });
    provider.answers.set("/userinfo", answer);
    const reason = status === 400 ? "userinfo" : "provider-down";
    assertEquals([(await provider.signIn(client)).status, reasons], [status, [reason]]);
  });
}

Deno.test("callback refuses a provider without a userinfo endpoint if userInfo is set", async () => {
  const { client, provider, reasons } = mockedApp({ userInfo: true });
  provider.document = { userinfo_endpoint: undefined };
  assertEquals([(await provider.signIn(client)).status, reasons], [400, ["userinfo"]]);
});

Deno.test("callback requires the iss of RFC 9207 if the provider announces it", async () => {
  const rows = [
    ["", [400, ["iss-parameter"]]],
    ["&iss=https://evil.example", [400, ["iss-parameter"]]],
    ["&iss=https://id.example/", [400, ["iss-parameter"]]],
    ["&iss=https://id.example", [303, []]],
  ] as const;
  for (const [extra, want] of rows) {
    const { client, provider, reasons } = mockedApp();
    provider.document = { authorization_response_iss_parameter_supported: true };
    const answer = await client.get(await provider.callback(client) + extra);
    assertEquals([answer.status, reasons], want as unknown as [number, string[]]);
  }
});

Deno.test("the token exchange authenticates as configured: basic, post, none", async () => {
  const odd = { ...registration, clientId: "my app:1", clientSecret: "p%s s+ü" };
  const basic = `Basic ${btoa("my+app%3A1:p%25s+s%2B%C3%BC")}`;
  const empty = { client_id: undefined, client_secret: undefined };
  const whole = { client_id: "my app:1", client_secret: "p%s s+ü" };
  const rows: readonly [options: AuthOptions, header: string | null, form: object][] = [
    [{}, basic, empty],
    [{ clientAuth: "client_secret_basic" }, basic, empty],
    [{ clientAuth: "post" }, null, whole],
    [{ clientAuth: "client_secret_post" }, null, whole],
    [{ clientAuth: "none" }, null, { client_id: "my app:1", client_secret: undefined }],
  ];
  for (const [options, header, form] of rows) {
    const provider = new MockProvider();
    const { client } = appOf(oidc(odd, { fetch: provider.fetch, ...options }));
    provider.claims = { sub: "1", aud: "my app:1" };
    assertEquals((await provider.signIn(client)).status, 303);
    assertEquals(provider.tokenHeaders.get("authorization"), header);
    const sent = provider.forms[0] ?? {};
    assertEquals({ client_id: sent.client_id, client_secret: sent.client_secret }, form);
    assertEquals(sent.grant_type, "authorization_code");
    assertEquals(sent.redirect_uri, registration.redirectUrl);
  }
});

Deno.test("the token exchange sends the verifier of the start's challenge", async () => {
  const { client, provider } = mockedApp();
  const location = locationOf(await client.get("/login"));
  const query = new URL(location).searchParams;
  await client.get(`/auth/callback?code=${query.get("nonce")}&state=${query.get("state")}`);
  const verifier = provider.forms[0]?.code_verifier ?? "";
  assertEquals(hash("sha256", verifier, "base64url"), query.get("code_challenge"));
  assertNotMatch(location, new RegExp(verifier));
});

const rsa = await makeKey("RS256");
const clientKeys = [
  rsa,
  await rsa.withAlg("RS384"),
  await rsa.withAlg("RS512"),
  await makeKey("ES256"),
  await makeKey("ES384"),
];

for (const key of clientKeys) {
  Deno.test(`the token exchange authenticates with a key: ${key.alg}`, async () => {
    const provider = new MockProvider();
    const { alg, pair: { privateKey, publicKey } } = key;
    const auth = oidc({ ...registration, clientSecret: undefined }, {
      clientAuth: { privateKey, keyId: "my-key" },
      fetch: provider.fetch,
    });
    const { client } = appOf(auth);
    assertEquals((await provider.signIn(client)).status, 303);
    const form = provider.forms[0] ?? {};
    const [head = "", body = "", signature = ""] = (form.client_assertion ?? "").split(".");
    const decode = (text: string): Uint8Array<ArrayBuffer> =>
      Uint8Array.fromBase64(text, { alphabet: "base64url" });
    const parse = (text: string): Record<string, unknown> =>
      JSON.parse(new TextDecoder().decode(decode(text)));
    assertEquals(parse(head), { alg, typ: "JWT", kid: "my-key" });
    const { jti, iat, exp, ...claims } = parse(body);
    assertEquals(claims, { iss: "app", sub: "app", aud: "https://id.example" });
    assertMatch(String(jti), /^[\w-]{22}$/);
    assertEquals(Number(exp) - Number(iat), 60);
    const name = privateKey.algorithm.name;
    const input = new TextEncoder().encode(`${head}.${body}`);
    const hashName = `SHA-${alg.slice(2)}`;
    assert(
      await crypto.subtle.verify({ name, hash: hashName }, publicKey, decode(signature), input),
    );
    assertEquals(form.client_assertion_type?.split(":").at(-1), "jwt-bearer");
    assertEquals([form.client_id, form.client_secret], ["app", undefined]);
  });
}
