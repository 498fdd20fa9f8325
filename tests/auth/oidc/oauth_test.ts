import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import {
  cognito,
  discord,
  github,
  type OAuth,
  oauth,
  type OAuthOptions,
  type OAuthProvider,
  oidc,
} from "../../../auth/mod.ts";
import { memorySessionStore } from "../../../auth/mod.ts";
import { testProvider } from "../../../auth/testing.ts";
import { createLogger, httpError } from "../../../mod.ts";
import type { TestClient } from "../../../runtime/testing/mod.ts";
import { appOf, registration, type SignInApp, startAt, subjectOf, userOf } from "./support.ts";

const { issuer, ...client } = registration;

const plain: OAuthProvider = {
  ...client,
  issuer,
  authorizationEndpoint: "https://id.example/authorize?a=b",
  tokenEndpoint: "https://id.example/token",
  userinfoEndpoint: "https://api.example/me?fields=id,name",
  scopes: ["who"],
  identity: ({ id, name, email, verified, roles }) => ({
    subject: id,
    name,
    email,
    isEmailVerified: verified,
    roles,
  }),
};

const primary = { email: "ada@example.org", primary: true, verified: true };
const other = { email: "boss@events.example", primary: false, verified: true };
const ada = { id: 583231, login: "ada", name: "Ada Lovelace", email: "public@example.org" };

type Row = readonly [name: string, json: unknown, email: string | undefined];

/** The response of `/user/emails`, and the address of the user. */
const emails: readonly Row[] = [
  ["the primary address", [other, primary], primary.email],
  ["an unverified primary address", [other, { ...primary, verified: false }], undefined],
  ["verified as a string of another kind", [{ ...primary, verified: "yes" }], undefined],
  ["verified as the string true", [{ ...primary, verified: "true" }], undefined],
  ["verified as a number", [{ ...primary, verified: 1 }], undefined],
  ["primary as a number", [{ ...primary, primary: 1 }], undefined],
  ["no primary address", [other], undefined],
  ["no addresses", [], undefined],
  ["entries of other types", [null, 5, "ada@example.org", [primary], primary], primary.email],
  ["an object", { 0: primary }, undefined],
  ["null", null, undefined],
  ["an address that is an object", [{ ...primary, email: { a: 1 } }], undefined],
  ["an address with a line break", [{ ...primary, email: "a@b.example\nx" }], undefined],
];

for (const [name, json, email] of emails) {
  Deno.test(`github takes only a verified primary address: ${name}`, async () => {
    const auth = github(client);
    const { client: browser, reasons } = appOf(auth);
    const provider = testProvider(auth);
    provider.json = { "/user/emails": json };
    assertEquals([(await provider.signIn(browser, ada)).status, reasons], [303, []]);
    const user = await userOf(browser);
    const { provider: issuer, subject, name: shown, roles } = user ?? {};
    assertEquals([issuer, subject, shown, roles, user?.email], [
      "https://github.com/login/oauth",
      "583231",
      "Ada Lovelace",
      [],
      email,
    ]);
  });
}

/** The origin of a server, and the API from which its users are read. */
const servers = [
  ["https://github.com", "https://api.github.com"],
  ["https://club.ghe.com", "https://api.club.ghe.com"],
  ["https://github.example.org", "https://github.example.org/api/v3"],
  ["https://notgithub.com", "https://notgithub.com/api/v3"],
  ["http://localhost:9", "http://localhost:9/api/v3"],
] as const;

for (const [origin, api] of servers) {
  Deno.test(`github reads users of another origin: ${origin}`, async () => {
    const auth = github({ ...client, origin });
    const { client: browser } = appOf(auth);
    const provider = testProvider(auth);
    provider.json = { [new URL(`${api}/user/emails`).pathname]: [primary] };
    assertEquals((await startAt(browser)).split("?")[0], `${origin}/login/oauth/authorize`);
    await provider.signIn(browser, ada);
    const user = await userOf(browser);
    assertEquals([user?.provider, user?.email], [`${origin}/login/oauth`, primary.email]);
  });
}

Deno.test("github over plain http is for development", async () => {
  let log = "";
  const { client: browser } = appOf(github({ ...client, origin: "http://127.0.0.1:9" }), {
    env: "prod",
    logger: createLogger({ write: (lines) => log += lines, format: "text" }),
  });
  await browser.get("/login");
  assertStringIncludes(log, 'production refuses sign-ins at "http://127.0.0.1:9/login/oauth"');
  assertStringIncludes(log, 'fix="use https"');
});

Deno.test("github names users without a name by their login", async () => {
  const auth = github(client);
  const { client: browser } = appOf(auth);
  const provider = testProvider(auth);
  provider.json = { "/user/emails": [] };
  await provider.signIn(browser, { id: 1, login: "ada", name: null });
  assertEquals((await userOf(browser))?.name, "ada");
});

Deno.test("discord takes only a verified address", async () => {
  for (const [verified, email] of [[true, "a@b.example"], [false, undefined]] as const) {
    const auth = discord(client);
    const { client: browser } = appOf(auth);
    const info = { id: "80351110224678912", username: "nelly", global_name: null, verified };
    await testProvider(auth).signIn(browser, { ...info, email: "a@b.example" });
    const user = await userOf(browser);
    assertEquals([user?.subject, user?.name, user?.email], ["80351110224678912", "nelly", email]);
  }
});

/** A user info response and the subject; without one, the sign-in is refused. */
const subjects: readonly [name: string, id: unknown, subject: string | undefined][] = [
  ["an integer", 42, "42"],
  ["a string", "42", "42"],
  ["2^53 - 1", 9_007_199_254_740_991, "9007199254740991"],
  ["2^53", 9_007_199_254_740_992, undefined],
  ["a fraction", 1.5, undefined],
  ["0", 0, undefined],
  ["a negative number", -1, undefined],
  ["absent", undefined, undefined],
  ["null", null, undefined],
  ["empty", "", undefined],
  ["an array", ["42"], undefined],
  ["an object", { toString: "42" }, undefined],
  ["true", true, undefined],
  ["a string of 256 characters", "x".repeat(256), undefined],
  ["a string with a zero byte", "42\u0000", undefined],
];

for (const [name, id, subject] of subjects) {
  Deno.test(`oauth ${subject ? "accepts" : "refuses"} a subject that is ${name}`, async () => {
    const auth = oauth(plain);
    const { client: browser, reasons } = appOf(auth);
    const { status } = await testProvider(auth).signIn(browser, { id, email: "a@b.example" });
    assertEquals([status, reasons], subject ? [303, []] : [400, ["userinfo"]]);
    assertEquals(await subjectOf(browser), subject);
  });
}

Deno.test("oauth refuses an integer that JSON cannot represent", async () => {
  const { browser, reasons } = answering({
    "/me?fields=id,name": () => new Response('{ "id": 9007199254740993 }'),
  });
  assertEquals([await finish(browser), reasons], [400, ["userinfo"]]);
});

Deno.test("oauth requests the provider's scopes, with PKCE and without a nonce", async () => {
  const options: OAuthOptions = { scopes: ["more"], authorizationParameters: { prompt: "none" } };
  const { browser } = answering({}, { options });
  const url = new URL(await startAt(browser));
  assertEquals(url.origin + url.pathname, "https://id.example/authorize");
  const { state, code_challenge, ...query } = Object.fromEntries(url.searchParams);
  assertEquals([state?.length, code_challenge?.length], [43, 43]);
  assertEquals(query, {
    a: "b",
    prompt: "none",
    response_type: "code",
    client_id: "app",
    redirect_uri: client.redirectUrl,
    scope: "who more",
    code_challenge_method: "S256",
  });
});

const prompt = "select_account";
const google = { ...registration, issuer: "https://accounts.google.com", again: { prompt } };
const agains: readonly (readonly [name: string, auth: OAuth, added: object])[] = [
  ["github", github(client), { prompt }],
  ["google", oidc(google), { prompt }],
  ["cognito", cognito({ ...google, region: "eu-west-1", poolId: "eu-west-1_a" }), { prompt }],
  ["discord", discord(client), { prompt: "consent" }],
  ["a provider without a parameter for it", oauth(plain), {}],
  ["a provider with one", oauth({ ...plain, again: { auth_type: "reauthenticate", state: "x" } }), {
    auth_type: "reauthenticate",
  }],
];

for (const [name, auth, added] of agains) {
  Deno.test(`requireRecent makes the provider ask again: ${name}`, async () => {
    testProvider(auth);
    const { client: browser } = appOf(auth);
    const query = async (path: string): Promise<Record<string, string>> => {
      const { searchParams } = new URL(await startAt(browser, path));
      const { state = "", code_challenge: _, nonce: __, ...more } = Object.fromEntries(
        searchParams,
      );
      assertEquals(state.length, 43);
      return more;
    };
    assertEquals(await query("/login?again=1"), { ...await query("/login"), ...added });
  });
}

type Answer = (request: Request) => Response | Promise<Response>;

/** An application whose provider sends `answers`, by path; `calls` are its requests. */
function answering(
  answers: Readonly<Record<string, Answer>>,
  { options = {}, provider = {} }: {
    readonly options?: OAuthOptions;
    readonly provider?: Partial<OAuthProvider>;
  } = {},
): SignInApp & { readonly browser: TestClient; readonly calls: string[] } {
  const calls: string[] = [];
  const all: Readonly<Record<string, Answer>> = {
    "/token": () => Response.json({ access_token: "t", token_type: "bearer" }),
    "/me?fields=id,name": () => Response.json({ id: 1 }),
    ...answers,
  };
  const fetch = async (input: string, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(input);
    const { headers } = request;
    const body = request.body === null ? "" : ` ${await request.clone().text()}`;
    calls.push(
      `${request.method} ${input} ${headers.get("accept")} ${headers.get("authorization")}${body}`,
    );
    return await (all[pathname + search] ?? (() => new Response(null, { status: 404 })))(request);
  };
  const auth = oauth({ ...plain, ...provider }, {
    fetch: fetch as typeof globalThis.fetch,
    ...options,
  });
  const site = appOf(auth, { env: "dev" });
  return { ...site, browser: site.client, calls };
}

/** Follows the provider's redirect to the callback; returns the status. */
async function finish(browser: TestClient): Promise<number> {
  const state = new URL(await startAt(browser)).searchParams.get("state");
  return (await browser.get(`/auth/callback?code=c&state=${state}`)).status;
}

Deno.test("oauth sends code, verifier and secret to the token endpoint, and the token to userinfo", async () => {
  const { browser, calls } = answering({});
  assertEquals(await finish(browser), 303);
  const [token = "", info] = calls;
  assertMatch(token, /^POST https:\/\/id\.example\/token application\/json null /);
  const { code_verifier: verifier, ...form } = Object.fromEntries(
    new URLSearchParams(token.split(" ").at(-1)),
  );
  assertEquals([verifier?.length, form], [43, {
    grant_type: "authorization_code",
    code: "c",
    redirect_uri: client.redirectUrl,
    client_id: "app",
    client_secret: "secret",
  }]);
  assertEquals(info, "GET https://api.example/me?fields=id,name application/json Bearer t");
  assertEquals(calls.length, 2);
});

const ok = { access_token: "t", token_type: "bearer" };
const elsewhere: Answer = () =>
  new Response(null, { status: 302, headers: { location: "https://evil.example/" } });
const me = "/me?fields=id,name";

/** A path and its response; the status and the reason of the refusal. */
const hostile: readonly [name: string, path: string, answer: Answer, reason: string][] = [
  ["an error with status 200", "/token", () => Response.json({ error: "bad_code" }), "exchange"],
  [
    "an error beside a token",
    "/token",
    () => Response.json({ ...ok, error: "bad_verification_code" }),
    "exchange",
  ],
  [
    "wrong credentials with status 200",
    "/token",
    () => Response.json({ error: "incorrect_client_credentials" }),
    "provider-down",
  ],
  ["a token in an array", "/token", () => Response.json([ok]), "provider-down"],
  [
    "a token in a form",
    "/token",
    () => new Response(`${new URLSearchParams(ok)}`),
    "provider-down",
  ],
  ["a token in HTML", "/token", () => new Response("<html>"), "provider-down"],
  ["a token with a repeated name", "/token", () => new Response('{"a":1,"a":1}'), "provider-down"],
  ["5 MB at the token endpoint", "/token", () => new Response("x".repeat(5e6)), "provider-down"],
  ["a redirect of the token endpoint", "/token", elsewhere, "provider-down"],
  ["a failing token endpoint", "/token", () => new Response("", { status: 502 }), "provider-down"],
  ["a user in HTML", me, () => new Response("<html>"), "provider-down"],
  ["a user that is an array", me, () => Response.json([{ id: 1 }]), "provider-down"],
  ["a user that is null", me, () => Response.json(null), "provider-down"],
  ["a user of 5 MB", me, () => new Response(`"${"x".repeat(5e6)}"`), "provider-down"],
  ["a user behind a redirect", me, elsewhere, "provider-down"],
  ["a refused access token", me, () => Response.json({ id: 1 }, { status: 401 }), "provider-down"],
  ["a user without an id", me, () => Response.json({ login: "ada" }), "userinfo"],
  ["an error in place of the user", me, () => Response.json({ error: { code: 190 } }), "userinfo"],
];

for (const [name, path, answer, reason] of hostile) {
  Deno.test(`oauth signs no user in: ${name}`, async () => {
    const { browser, calls, reasons } = answering({ [path]: answer });
    const status = await finish(browser);
    assertEquals([status, reasons], [reason === "provider-down" ? 503 : 400, [reason]]);
    assertEquals(await subjectOf(browser), undefined);
    assertEquals(calls.filter((call) => call.includes("evil.example")), []);
  });
}

/** A URL that `identity` reads, and the request; without one, the sign-in is refused. */
const links: readonly [url: string, call: string | undefined][] = [
  ["/more", "https://api.example/more"],
  ["https://api.example/more", "https://api.example/more"],
  ["https://evil.example/more", undefined],
  ["//evil.example/more", undefined],
  ["http://api.example/more", undefined],
  ["https://api.example:444/more", undefined],
  ["https://[", undefined],
];

for (const [url, call] of links) {
  Deno.test(`fetchJson ${call ? "reads" : "refuses"} ${url}`, async () => {
    const { browser, calls, reasons } = answering({ "/more": () => Response.json([7]) }, {
      provider: {
        identity: async (_, fetchJson) => {
          const [subject] = await fetchJson(url) as unknown[];
          return { subject };
        },
      },
    });
    assertEquals([await finish(browser), reasons], call ? [303, []] : [400, ["userinfo"]]);
    assertEquals(calls[2], call && `GET ${call} application/json Bearer t`);
  });
}

Deno.test("fetchJson refuses a list beyond the cap, and a failure", async () => {
  const list = Array.from({ length: 10_000 }, (_, at) => ({ ...other, email: `${at}@b.example` }));
  const answers: readonly Answer[] = [
    () => Response.json(list),
    () => Response.json([7], { status: 403 }),
    () => new Response("<html>"),
    elsewhere,
  ];
  for (const more of answers) {
    const identity: OAuthProvider["identity"] = async (_, fetchJson) => ({
      subject: String(await fetchJson("/more")),
    });
    const { browser, reasons } = answering({ "/more": more }, { provider: { identity } });
    assertEquals([await finish(browser), reasons], [503, ["provider-down"]]);
  }
});

Deno.test("identity refuses a user with an HttpError", async () => {
  const identity = (): never => {
    throw httpError(403, "Members only.");
  };
  const { browser } = answering({}, { provider: { identity } });
  assertEquals([await finish(browser), await subjectOf(browser)], [403, undefined]);
});

Deno.test("a logout of oauth ends the session here", async () => {
  const { browser } = answering({}, { options: { afterLogout: "/bye" } });
  await finish(browser);
  await browser.postForm("/logout", {}).wantStatus(303).wantHeader("location", "/bye");
  assertEquals(await subjectOf(browser), undefined);
});

Deno.test("oauth keeps a token without an expiry, and renews one with a refresh token", async () => {
  let now = Date.now();
  let token: Readonly<Record<string, unknown>> = { ...ok, id_token: "not.a.token" };
  const { browser, calls } = answering({ "/token": () => Response.json(token) }, {
    options: { store: memorySessionStore(), keepTokens: true, now: () => now },
  });
  await finish(browser);
  now += 3_600_000;
  await browser.get("/token").wantStatus(200).wantContains("t");
  token = { ...ok, refresh_token: "r", expires_in: 60 };
  await finish(browser);
  now += 60_000;
  token = { ...ok, access_token: "renewed", id_token: "not.a.token", expires_in: 60 };
  await browser.get("/token").wantContains("renewed");
  token = { error: "bad_refresh_token" };
  now += 3_600_000;
  await browser.get("/token").wantContains("none");
  assertMatch(calls.at(-1) ?? "", /grant_type=refresh_token/);
});

const mistakes: readonly [name: string, make: () => OAuth, message: RegExp][] = [
  [
    "an endpoint over http",
    () => oauth({ ...plain, tokenEndpoint: "http://id.example/token" }),
    /tokenEndpoint is "http:\/\/id.example\/token"/,
  ],
  [
    "a relative endpoint",
    () => oauth({ ...plain, userinfoEndpoint: "/me" }),
    /userinfoEndpoint is "\/me"/,
  ],
  ["an origin with a path", () => github({ ...client, origin: "https://a.example/b" }), /a host/],
  [
    "a maximum age",
    () => github(client, { maxAgeSeconds: 60 } as OAuthOptions),
    /maxAgeSeconds "60": leave it out; only an ID token/,
  ],
];

for (const [name, make, message] of mistakes) {
  Deno.test(`oauth throws at boot for ${name}`, () => {
    assertMatch(assertThrows(make, TypeError).message, message);
  });
}
