import { type App, use } from "@fw/fw";
import { testProvider } from "@fw/fw/auth/testing";
import { newTestClient, type TestClient } from "@fw/fw/testing";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Provider } from "@/lib/sign_in.ts";
import { withApp } from "./app.ts";

const variables = {
  FW_OIDC_ISSUER: "https://id.example",
  FW_OIDC_CLIENT_ID: "events",
  FW_OIDC_CLIENT_SECRET: "a secret of the provider",
  FW_OIDC_REDIRECT_URL: "http://localhost/auth/callback",
};

const options = { isSignedIn: false, variables };

/** Runs a test with a client and the provider in the process. */
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
  }, options);
}

const path = "/login/provider";

Deno.test("sign-in at a provider: an organiser comes back to the page and signs out at both", () =>
  withProvider(async ({ client }, sso) => {
    await client.get("/login?next=/organize/venues").wantStatus(200)
      .wantContains("Sign in with your organisation")
      .wantContains("/login/provider?next=/organize/venues");
    const claims = { sub: "ada", email: "ada@example.org", email_verified: true };
    const roles = { roles: ["organiser"] };
    const next = { path: `${path}?next=/organize/venues` };
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
    (await sso.signIn(client, { sub: "eve" }, { path })).wantHeader("location", "/organize");
    await client.get("/organize").wantStatus(403);
  }));

Deno.test("sign-in at a provider: its users add no passkey to the account of the same number", () =>
  withProvider(async ({ client }, sso) => {
    await sso.signIn(client, { sub: "1", roles: ["organiser"] }, { path });
    const page = await client.get("/organize/account").wantStatus(200);
    assert(!page.body.includes("Add a passkey"));
    await client.get("/organize/account/passkeys").wantStatus(403);
  }));

Deno.test("sign-in at a provider: it is down, and passwords still work", () =>
  withProvider(async ({ client }, sso) => {
    sso.isDown = 0 < 1;
    await client.get(path).wantStatus(503);
    await client.get("/login").wantStatus(200);
  }));

for (const name of ["FW_OIDC_CLIENT_ID", "FW_OIDC_CLIENT_SECRET", "FW_OIDC_REDIRECT_URL"]) {
  Deno.test(`sign-in at a provider: an application with another ${name} does not take the first one's`, () =>
    withProvider(async () => {
      const other = { ...variables, [name]: "https://other.example/auth/callback" };
      await assertRejects(
        () => withApp(() => Promise.resolve(), { ...options, variables: other }),
        TypeError,
        'Cannot register "https://id.example" twice with the same sessions',
      );
    }));
}
