import { type App, use } from "@fw/fw";
import { lowerPasswordCost, testProvider, withUser } from "@fw/fw/auth/testing";
import { newTestClient, type TestClient, testRequest, withHeader } from "@fw/fw/testing";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { firstEmail } from "@/lib/organisers.ts";
import { Provider, sessions } from "@/lib/sign_in.ts";
import { password, withApp } from "./app.ts";

lowerPasswordCost();

const options = { isSignedIn: false };

const guarded: readonly string[] = [
  "/organize",
  "/organize/venues",
  "/organize/account",
  "/organize/events/new",
  "/organize/events/swifts-over-the-roofs/edit",
  "/organize/events/swifts-over-the-roofs/guests",
  "/organize/events/swifts-over-the-roofs/delete",
];

for (const path of guarded) {
  Deno.test(`sign-in: ${path} is for organisers`, () =>
    withApp(async (app) => {
      const login = `/login?next=${encodeURIComponent(path)}`;
      await testRequest(app, "GET", path).wantStatus(302).wantHeader("location", login);
      await testRequest(app, "GET", path, withUser(sessions)).wantStatus(403);
    }, options));
}

for (const path of ["/organize/feed", "/organize/events/fado-without-a-microphone/guests/feed"]) {
  Deno.test(`sign-in: the stream ${path} is for organisers`, () =>
    withApp(async (app) => {
      await testRequest(app, "GET", path).wantStatus(401);
      await testRequest(app, "GET", path, withUser(sessions)).wantStatus(403);
    }, options));
}

for (const path of ["/organize/feed", "/organize/events/fado-without-a-microphone/guests/feed"]) {
  Deno.test(`sign-in: the stream ${path} sends nothing more after the sign-out`, () =>
    withApp(async (app) => {
      const client = newTestClient(app);
      await client.postForm("/login", { email: firstEmail, password }).wantStatus(303);
      const cookie = `fw_session=${client.cookie("fw_session")}`;
      const answer = await app.fetch(
        new Request(`http://localhost${path}`, { headers: { cookie } }),
      );
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      assertMatch((await reader?.read())?.value ?? "", /event: message/);
      await client.postForm("/logout", {}).wantStatus(303);
      const visitor = newTestClient(app);
      await visitor.postForm("/events/fado-without-a-microphone?/join", {}).wantStatus(303);
      assert((await reader?.read())?.done);
    }, options));
}

Deno.test("sign-in: deleting takes the role of an administrator", () =>
  withApp(async (app) => {
    const path = "/organize/events/fado-without-a-microphone/delete";
    const organiser = withUser(sessions, { roles: ["organiser"] });
    await testRequest(app, "GET", path, organiser).wantStatus(403);
    const admin = withUser(sessions, { roles: ["organiser", "admin"] });
    await testRequest(app, "GET", path, admin).wantStatus(200);
  }, options));

Deno.test("sign-in: the first organiser signs in, sees own sessions, and signs out everywhere", () =>
  withApp(async (app) => {
    const laptop = newTestClient(app);
    const firefox = withHeader("user-agent", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0");
    const right = { email: firstEmail, password };
    await laptop.get("/login").wantStatus(200).wantContains("Sign in with a passkey");
    await laptop.postForm("/login", { ...right, password: "wrong" }).wantStatus(422);
    await laptop.postForm("/login?next=/organize/venues", right, firefox)
      .wantStatus(303).wantHeader("location", "/organize/venues");
    const phone = newTestClient(app);
    await phone.postForm("/login", right).wantStatus(303).wantHeader("location", "/organize");
    const page = await laptop.get("/organize/account").wantStatus(200)
      .wantContains("Firefox on Linux").wantContains("This device").wantContains("Add a passkey");
    const ids = [...page.body.matchAll(/name="end" value="([^"]{43})"/g)].map(([, id]) => id);
    assertEquals(ids.length, 1);
    await laptop.postForm("/organize/account", { end: ids[0] ?? "" }).wantStatus(303);
    await phone.get("/organize").wantStatus(302);
    await phone.postForm("/login", right).wantStatus(303);
    await laptop.postForm("/organize/account", { end: "all" }).wantStatus(303);
    for (const client of [laptop, phone]) await client.get("/organize").wantStatus(302);
    await phone.postForm("/login", right).wantStatus(303);
    await phone.postForm("/logout", {}).wantStatus(303).wantHeader("location", "/");
    assert(phone.cookie("fw_session") === undefined);
  }, options));

Deno.test("sign-in: the first password makes one account and no second", () =>
  withApp(async (app) => {
    const client = newTestClient(app);
    await client.postForm("/login", { email: "eve@example.org", password }).wantStatus(422);
    // Of several requests at once, none finds the account.
    await Promise.all(
      Array.from(
        { length: 3 },
        () =>
          newTestClient(app).postForm("/login", { email: firstEmail, password }).wantStatus(303),
      ),
    );
    await client.postForm("/login", { email: "eve@example.org", password }).wantStatus(422);
  }, options));

Deno.test("sign-in: guesses are slowed down", () =>
  withApp(async (app) => {
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++) {
      const client = newTestClient(app);
      statuses.push((await client.postForm("/login", { email: "x", password: "" })).status);
    }
    assertEquals([statuses[0], statuses.at(-1)], [422, 429]);
  }, options));

Deno.test("sign-in: guesses of strangers do not lock out a browser that has signed in", () =>
  withApp(async (app) => {
    const proxy = { transport: "tcp", hostname: "192.0.2.1", port: 1 } as const;
    const post = (
      ip: string,
      guess: string,
      cookie = "",
      email = firstEmail,
    ): Promise<Response> => {
      const token = "t".repeat(43);
      const headers = { "x-forwarded-for": ip, cookie: `fw_csrf=${token}; ${cookie}` };
      const body = new URLSearchParams({ _csrf: token, email, password: guess });
      return app.fetch(new Request("http://localhost/login", { method: "POST", headers, body }), {
        remoteAddr: proxy,
        completed: Promise.resolve(),
      });
    };
    const cookies = (await post("203.0.113.7", password)).headers.getSetCookie();
    const known = cookies.find((cookie) => cookie.startsWith("known_browser="))?.split(";")[0];
    for (let guess = 0; guess < 12; guess++) {
      await post(`198.51.100.${guess}`, "wrong");
      await post(`198.51.100.${guess}`, "wrong", "", `known ${firstEmail}`);
    }
    assertEquals((await post("203.0.113.8", password)).status, 429);
    assertEquals((await post("203.0.113.7", password, known)).status, 303);
  }, { isSignedIn: false, variables: { FW_TRUSTED_PROXIES: "192.0.2.1" } }));

Deno.test("sign-in: without a provider its routes are not there", () =>
  withApp(async (app) => {
    for (const path of ["/login/provider", "/auth/callback?code=a&state=b"]) {
      await testRequest(app, "GET", path).wantStatus(404);
    }
    await testRequest(app, "GET", "/login/passkey").wantStatus(200).wantContains('"challenge"');
  }, options));

const variables = {
  FW_OIDC_ISSUER: "https://id.example",
  FW_OIDC_CLIENT_ID: "events",
  FW_OIDC_CLIENT_SECRET: "a secret of the provider",
  FW_OIDC_REDIRECT_URL: "http://localhost/auth/callback",
};

const providerOptions = { isSignedIn: false, variables };

/** Runs a test with a client and an in-process identity provider. */
function withProvider(
  run: (
    at: { readonly app: App; readonly client: TestClient },
    sso: ReturnType<typeof testProvider>,
  ) => Promise<void>,
): Promise<void> {
  return withApp(async (app) => {
    const provider = use(app, Provider);
    assert(provider !== undefined);
    await run({ app, client: newTestClient(app) }, testProvider(provider));
  }, providerOptions);
}

const startPath = "/login/provider";

Deno.test("sign-in at a provider: an organiser comes back to the page and signs out at both", () =>
  withProvider(async ({ client }, sso) => {
    await client.get("/login?next=/organize/venues").wantStatus(200)
      .wantContains("Sign in with your organisation")
      .wantContains("/login/provider?next=/organize/venues");
    const claims = { sub: "ada", email: "ada@example.org", email_verified: true };
    const roles = { roles: ["organiser"] };
    const next = { path: `${startPath}?next=/organize/venues` };
    const answer = await sso.signIn(client, { ...claims, ...roles }, next);
    answer.wantStatus(303).wantHeader("location", "/organize/venues");
    await client.get("/organize/venues").wantStatus(200);
    await client.get("/organize/account").wantStatus(200).wantContains("ada@example.org");
    const delete_ = "/organize/events/fado-without-a-microphone/delete";
    await client.get(delete_).wantStatus(403);
    const out = await client.postForm("/logout", {}).wantStatus(303);
    assertEquals(out.header("location")?.split("?")[0], "https://id.example/logout");
    await client.get("/organize").wantStatus(302);
  }));

Deno.test("sign-in at a provider: without the role of an organiser there is nothing to see", () =>
  withProvider(async ({ client }, sso) => {
    (await sso.signIn(client, { sub: "eve" }, { path: startPath })).wantHeader(
      "location",
      "/organize",
    );
    await client.get("/organize").wantStatus(403);
  }));

Deno.test("sign-in at a provider: its users add no passkey to the account of the same number", () =>
  withProvider(async ({ client }, sso) => {
    await sso.signIn(client, { sub: "1", roles: ["organiser"] }, { path: startPath });
    const page = await client.get("/organize/account").wantStatus(200);
    assert(!page.body.includes("Add a passkey"));
    await client.get("/organize/account/passkeys").wantStatus(403);
  }));

Deno.test("sign-in at a provider: it is down, and passwords still work", () =>
  withProvider(async ({ client }, sso) => {
    sso.isDown = 0 < 1;
    await client.get(startPath).wantStatus(503);
    await client.get("/login").wantStatus(200);
  }));

for (const name of ["FW_OIDC_CLIENT_ID", "FW_OIDC_CLIENT_SECRET", "FW_OIDC_REDIRECT_URL"]) {
  Deno.test(`sign-in at a provider: an application with another ${name} does not take the first one's`, () =>
    withProvider(async () => {
      const other = { ...variables, [name]: "https://other.example/auth/callback" };
      await assertRejects(
        () => withApp(() => Promise.resolve(), { ...providerOptions, variables: other }),
        TypeError,
        'Cannot register "https://id.example" twice with the same sessions',
      );
    }));
}
