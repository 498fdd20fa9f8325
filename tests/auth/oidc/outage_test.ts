import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { memorySessionStore } from "../../../auth/mod.ts";
import { fetchProvider, Kept } from "../../../auth/oidc/provider.ts";
import { newTestClient, withCookie, withHeader } from "../../../runtime/testing/mod.ts";
import { type Answer, mockedApp, sharedKey } from "./mock_provider.ts";
import { attemptCookie, subjectOf, withShortTimeouts } from "./support.ts";
import { serveLocal } from "../../serve_local.ts";

const discovery = "/.well-known/openid-configuration";

const never: Answer = () => new Promise(() => {});

/** Returns an endless body that sends a byte now and then. */
const drip: Answer = () => {
  let timer: ReturnType<typeof setInterval>;
  return new Response(
    new ReadableStream({
      start: (controller) => {
        timer = setInterval(() => controller.enqueue(new Uint8Array([32])), 5);
      },
      cancel: () => clearInterval(timer),
    }),
  );
};

const huge: Answer = () => Response.json({ keys: [{ kty: "RSA", n: "A".repeat(5_000_000) }] });

const redirects = (to: string): Answer => () =>
  new Response(null, { status: 302, headers: { location: to } });

/** A path and its response, the log line, and whether the sign-in already fails at its start. */
const outages: readonly [name: string, path: string, answer: Answer, log: RegExp][] = [
  ["discovery answers 500", discovery, () => new Response("x", { status: 500 }), /status 500/],
  ["discovery answers 404", discovery, () => new Response("x", { status: 404 }), /status 404/],
  ["discovery is HTML", discovery, () => new Response("<html>"), /that is not JSON/],
  ["discovery is an array", discovery, () => Response.json([]), /not an object/],
  ["discovery, a name twice", discovery, () => new Response('{"a":1,"a":2}'), /that is not JSON/],
  ["discovery has 5 MB", discovery, huge, /exceeds 262144 bytes/],
  ["discovery redirects", discovery, redirects("https://id.example/b?c"), /id.example, which/],
  ["the connection breaks", discovery, () => Promise.reject(new TypeError("reset")), /reset/],
  ["the keys answer 500", "/keys", () => new Response("x", { status: 500 }), /status 500/],
  ["the keys have 5 MB", "/keys", huge, /exceeds 262144 bytes/],
  ["the keys are not an array", "/keys", () => Response.json({ keys: {} }), /contain a key set/],
  ["the keys redirect", "/keys", redirects("https://evil.example/"), /evil.example/],
  ["the token endpoint answers 500", "/token", () => new Response("x", { status: 500 }), /500/],
  [
    "the token endpoint answers 500 in JSON",
    "/token",
    () => Response.json({ error: "server_error" }, { status: 500 }),
    /status 500/,
  ],
  ["the token endpoint answers HTML", "/token", () => new Response("<html>"), /status 200/],
  ["the token endpoint redirects", "/token", redirects("/token2"), /redirects to/],
  [
    "the token endpoint refuses the application",
    "/token",
    () => Response.json({ error: "invalid_client" }, { status: 401 }),
    /check clientId, clientSecret and clientAuth/,
  ],
];

for (const [name, path, answer, line] of outages) {
  Deno.test(`an outage sends 503 and signs no user in: ${name}`, async () => {
    const { provider, client, reasons, log } = mockedApp({}, { env: "prod" });
    provider.answers.set(path, answer);
    const response = path === discovery
      ? await client.get("/login", withHeader("accept", "text/html"))
      : await provider.signIn(client);
    response.wantStatus(503).wantContains("Sign-in is unavailable").wantHeader("retry-after", "30");
    response.wantContains("Try again in a minute");
    assertEquals(reasons, ["provider-down"]);
    assertMatch(log.join(), line);
    assertEquals(await subjectOf(client), undefined);
  });
}

const documents: readonly [name: string, document: object, line: RegExp][] = [
  ["another issuer", { issuer: "https://evil.example" }, /names the issuer .*evil.example/],
  ["an issuer with a trailing slash", { issuer: "https://id.example/" }, /use the issuer exactly/],
  ["no issuer", { issuer: undefined }, /names the issuer undefined/],
  ["an issuer without a text", { issuer: { toString: 1 } }, /names the issuer {.*toString.*} /],
  ["a URL without a text", { jwks_uri: { toString: 1 } }, /toString.*} is not a valid/],
  ["no token endpoint", { token_endpoint: undefined }, /undefined is not a valid/],
  ["no keys", { jwks_uri: undefined }, /is not a valid/],
  ["an endpoint over http", { token_endpoint: "http://id.example/token" }, /http:\/\/id.example/],
  ["a javascript: endpoint", { authorization_endpoint: "javascript:alert(1)" }, /javascript/],
  ["an endpoint with a password", { jwks_uri: "https://a:b@id.example/" }, /\[hidden\]@id/],
  ["an endpoint with a user", { jwks_uri: "https://a@id.example/" }, /\[hidden\]@id/],
  ["an endpoint that is an array", { jwks_uri: ["https://id.example/"] }, /is not a valid/],
  ["a logout over http", { end_session_endpoint: "http://id.example/" }, /http:\/\/id.example/],
];

for (const [name, document, line] of documents) {
  Deno.test(`fetchProvider refuses a discovery document: ${name}`, async () => {
    const { provider, client, log } = mockedApp();
    Object.assign(provider.document, document);
    await client.get("/login").wantStatus(503);
    assertMatch(log.join(), line);
  });
}

Deno.test("fetchProvider times out if a server hangs or sends slowly", async () => {
  for (const answer of [never, drip]) {
    await using server = serveLocal((request) =>
      Promise.race([
        answer(request),
        new Promise<Response>((resolve) =>
          request.signal.addEventListener("abort", () => resolve(new Response(null)))
        ),
      ])
    );
    const url = `${server.origin}/`;
    await withShortTimeouts(async () => {
      const run = () => fetchProvider(url, {}, { fetch, allowsLoopback: true });
      await assertRejects(run, Error, "did not respond within 5000 ms");
    });
  }
});

Deno.test("fetchProvider sends nothing to a redirect's target", async () => {
  const asked: string[] = [];
  await using server = serveLocal((request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return Response.redirect(new URL("/there", request.url), 302);
  });
  const url = `${server.origin}/here`;
  const rules = { fetch, allowsLoopback: true };
  const post = { method: "POST", body: new URLSearchParams({ code: "1" }) };
  for (const init of [{}, post]) {
    await assertRejects(() => fetchProvider(url, init, rules), Error, "is refused");
  }
  assertEquals(asked, ["GET /here", "POST /here"]);
});

Deno.test("a provider that hangs delays one sign-in by at most five seconds, and later ones not at all", async () => {
  const { provider, client } = mockedApp();
  provider.answers.set(discovery, never);
  await withShortTimeouts(async () => {
    await client.get("/login").wantStatus(503);
    await client.get("/login").wantStatus(503);
  });
  assertEquals(provider.calls.length, 1);
});

Deno.test("sessions survive an hour of 500s from the provider, after which sign-in works again", async () => {
  let now = Date.now();
  const { provider, client, log } = mockedApp({ now: () => now, store: memorySessionStore() });
  await provider.signIn(client);
  provider.answers.set("*", () => new Response("x", { status: 500 }));
  for (let minute = 0; minute < 60; minute += 5) {
    now += 300_000;
    assertEquals(await subjectOf(client), "1");
    // The cached provider data stays in use: the start works, and the exchange reports the failure.
    await client.get("/login").wantStatus(302);
  }
  assertEquals((await provider.signIn(client)).status, 503);
  assertEquals(await subjectOf(client), "1");
  await client.postForm("/logout", {}).wantStatus(303);
  assertMatch(log.join(), /the identity provider is down/);
  provider.answers.clear();
  now += 60_000;
  await provider.signIn(client);
  assertEquals(await subjectOf(client), "1");
});

Deno.test("an unknown key is fetched at most once a minute", async () => {
  let now = Date.now();
  const { provider, client, reasons } = mockedApp({ now: () => now });
  const fetches = (): number => provider.calls.filter((call) => call === "GET /keys").length;
  assertEquals([(await provider.signIn(client)).status, fetches()], [303, 1]);
  provider.kids = ["two", "one"];
  assertEquals([(await provider.signIn(client)).status, fetches()], [303, 2]);
  // Tokens with invented key ids must not make the application flood the provider.
  provider.kids = ["three"];
  provider.answers.set(
    "/keys",
    async () => Response.json({ keys: [(await sharedKey("two")).jwk] }),
  );
  for (let attempt = 0; attempt < 5; attempt++) await provider.signIn(client);
  assertEquals([fetches(), reasons], [2, Array(5).fill("token-key")]);
  now += 60_001;
  for (let attempt = 0; attempt < 5; attempt++) await provider.signIn(client);
  assertEquals(fetches(), 3);
  provider.answers.clear();
  now += 60_001;
  assertEquals([(await provider.signIn(client)).status, fetches()], [303, 4]);
});

Deno.test("50 concurrent sign-ins with a new key fetch the key once", async () => {
  const { provider, client, app, reasons } = mockedApp();
  await provider.signIn(client);
  const browsers = Array.from({ length: 50 }, () => newTestClient(app));
  const paths = await Promise.all(browsers.map((browser) => provider.callback(browser)));
  provider.kids = ["two"];
  provider.calls.length = 0;
  const answers = await Promise.all(browsers.map((browser, at) => browser.get(paths[at] ?? "")));
  assertEquals(new Set(answers.map(({ status }) => status)), new Set([303]));
  assertEquals([provider.calls.filter((call) => call === "GET /keys").length, reasons], [1, []]);
});

const minute = 60_000;

/**
 * Each step has a time, whether the source fails, the result for three concurrent callers, and the
 * number of loads.
 */
type Step = readonly [atMs: number, source: "up" | "down", want: number | "down", loads: number];

const kept: Readonly<Record<string, readonly Step[]>> = {
  "fetches once for all callers, and not again for ten minutes": [
    [0, "up", 1, 1],
    [10 * minute, "up", 1, 1],
  ],
  "returns a stale value immediately and fetches in the background": [
    [0, "up", 1, 1],
    [11 * minute, "up", 1, 2],
    [11 * minute, "up", 2, 2],
  ],
  "waits for a new value after an hour, falls back to the last one, and retries after ten seconds":
    [
      [0, "up", 1, 1],
      [61 * minute, "up", 2, 2],
      [122 * minute, "down", 2, 3],
      [122 * minute + 9_999, "down", 2, 3],
      [122 * minute + 10_000, "down", 2, 4],
    ],
  "returns the same error for ten seconds if it has no value": [
    [0, "down", "down", 1],
    [9_999, "down", "down", 1],
    [10_000, "up", 2, 2],
  ],
  "survives a clock that is set back": [[100 * minute, "up", 1, 1], [0, "up", 2, 2]],
};

for (const [name, steps] of Object.entries(kept)) {
  Deno.test(`Kept ${name}`, async () => {
    const state = { now: 0, loads: 0, source: "up" };
    const value = new Kept<number>({
      load: async () => {
        state.loads++;
        await Promise.resolve();
        if (state.source === "down") throw new Error("down");
        return state.loads;
      },
      onError: () => {},
      now: () => state.now,
    });
    for (const [now, source, want, loads] of steps) {
      Object.assign(state, { now, source });
      const asked = [1, 2, 3].map(() => value.get().catch((error) => error.message));
      assertEquals([await Promise.all(asked), state.loads], [[want, want, want], loads]);
      await Promise.resolve();
    }
  });
}

const methods: readonly [supported: unknown, method: "basic" | "post"][] = [
  [undefined, "basic"],
  [null, "basic"],
  [["client_secret_basic", "client_secret_post"], "basic"],
  [["client_secret_post"], "post"],
  [["private_key_jwt", "client_secret_post"], "post"],
  [["private_key_jwt"], "basic"],
];

for (const [supported, method] of methods) {
  const what = JSON.stringify(supported);
  Deno.test(`the token endpoint gets the secret by ${method} if it supports ${what}`, async () => {
    const { provider, client } = mockedApp();
    provider.document = { token_endpoint_auth_methods_supported: supported };
    await (await provider.signIn(client)).wantStatus(303);
    assertEquals(provider.forms[0]?.client_secret, method === "post" ? "secret" : undefined);
    assertEquals(provider.tokenHeaders.has("authorization"), method === "basic");
  });
}

Deno.test("an attempt expires after the configured time", async () => {
  const clock = { now: Date.now() };
  const { provider, client, reasons } = mockedApp({ now: () => clock.now });
  const path = await provider.callback(client);
  clock.now += 600_000;
  await client.get(path).wantStatus(400);
  assertEquals(reasons, ["state"]);
});

Deno.test("a replica refuses an attempt that another one used", async () => {
  const store = memorySessionStore();
  const [one, two] = [mockedApp({ store }), mockedApp({ store })];
  const path = await one.provider.callback(one.client);
  const name = attemptCookie(path);
  const cookie = one.client.cookie(name) ?? "";
  await one.client.get(path).wantStatus(303);
  await newTestClient(two.app).get(path, withCookie(name, cookie)).wantStatus(400);
  assertEquals(two.reasons, ["state"]);
});

for (
  const [lifetime, access, renewed, refresh = "refresh"] of [
    [undefined, "access-1", 0],
    [null, "access-1", 0],
    ["soon", "access-1", 0],
    [{ toString: 1 }, "access-1", 0],
    [0, "access-2", 1],
    ["0", "access-2", 1],
    [-1, "access-2", 1],
    [0, "none", 0, null],
  ] as const
) {
  const shown = `${JSON.stringify(lifetime)}, refresh_token ${refresh}`;
  Deno.test(`expires_in ${shown}: the token is renewed ${renewed} times immediately`, async () => {
    const { provider, client } = mockedApp({ store: memorySessionStore(), keepTokens: true });
    provider.tokens = { expires_in: lifetime, refresh_token: refresh, access_token: "access-1" };
    await provider.signIn(client);
    provider.tokens = { ...provider.tokens, access_token: "access-2" };
    await client.get("/token").wantContains(access);
    assertEquals(provider.forms.length, 1 + renewed);
  });
}

Deno.test("a token without a lifetime is renewed if it has a refresh token", async () => {
  const clock = { now: Date.now() };
  const store = memorySessionStore({ now: () => clock.now });
  const { provider, client } = mockedApp({ now: () => clock.now, store, keepTokens: true });
  provider.tokens = { expires_in: undefined, refresh_token: "refresh" };
  await provider.signIn(client);
  clock.now += 540_000;
  await client.get("/token").wantContains("access-1");
  clock.now += 60_000;
  await client.get("/token").wantStatus(200);
  const found = provider.forms.map(({ grant_type }) => grant_type);
  assertEquals(found, ["authorization_code", "refresh_token"]);
});
