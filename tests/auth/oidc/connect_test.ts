/** `auth.connect`: an identity is added to the account of the signed-in user. */
import { assertEquals, assertThrows } from "@std/assert";
import {
  createSessions,
  memorySessionStore,
  oidc,
  type ProviderUser,
  type Sessions,
} from "../../../auth/mod.ts";
import { testProvider } from "../../../auth/testing.ts";
import { type Ctx, httpError, type Next } from "../../../mod.ts";
import {
  newTestClient,
  type TestClient,
  withHeader,
  withoutCsrf,
} from "../../../runtime/testing/mod.ts";
import { appOf, attemptCookie, locationOf, pathOf, registration } from "./support.ts";
import { type SignInApp, startAt } from "./support.ts";

const claims = { sub: "42", name: "Ada", email: "ada@id.example", email_verified: true };

interface Connectable extends SignInApp {
  readonly asked: ProviderUser[];
  /** Returns the path of the callback after a form of the account page and a sign-in. */
  readonly authorize: (client: TestClient, path?: string) => Promise<string>;
  readonly back: (location: string) => string;
}

function connectable(
  sessions: Sessions,
  { isTaken = false }: { readonly isTaken?: boolean } = {},
): Connectable {
  const asked: ProviderUser[] = [];
  const auth = oidc(registration, {
    sessions,
    account: (_c, user) => {
      asked.push(user);
      if (isTaken) throw httpError(409, "Taken.", { code: "taken" });
      return { id: "7", roles: ["editor"], own: { email: "ada@example.org", name: "Countess" } };
    },
  });
  const made = appOf(auth);
  made.app.route({ pattern: "/account", kind: "page", methods: { POST: auth.connect } });
  made.app.route({
    pattern: "/password",
    kind: "page",
    methods: { POST: async (c) => c.json(200, await sessions.start(c, { subject: "7" })) },
  });
  const provider = testProvider(auth);
  const back = (location: string): string => pathOf(provider.authorize(location, claims));
  const authorize = async (client: TestClient, path = "/account"): Promise<string> =>
    back(locationOf(await client.postForm(path, {}).wantStatus(303)));
  return { ...made, asked, authorize, back };
}

const kinds: readonly (readonly [name: string, open: () => Sessions])[] = [
  ["cookie", () => createSessions()],
  ["store", () => createSessions({ store: memorySessionStore() })],
];

async function signedIn({ app }: SignInApp): Promise<TestClient> {
  const client = newTestClient(app);
  await client.postForm("/password", {}).wantStatus(200);
  return client;
}

for (const [name, open] of kinds) {
  Deno.test(`connect (${name}): account gets the signed-in user, whose session stays`, async () => {
    const made = connectable(open());
    const client = await signedIn(made);
    const before = (await client.get("/me")).body;
    const path = await made.authorize(client, "/account?next=/me");
    await client.get(path).wantStatus(303).wantRedirect("/me");
    assertEquals((await client.get("/me")).body, before);
    const asked = made.asked.map(({ subject, connectTo }) => [subject, connectTo?.provider]);
    assertEquals([asked, made.asked[0]?.connectTo?.id], [[["42", ""]], "7"]);
    await client.get(await made.authorize(client)).wantRedirect("/account");
    assertEquals(made.reasons, []);
  });

  Deno.test(`connect (${name}): a sign-in at the provider starts the account's own session`, async () => {
    const made = connectable(open());
    await made.client.get(made.back(await startAt(made.client))).wantRedirect("/");
    assertEquals(made.asked[0]?.connectTo, undefined);
    const { user: { issuedAt: _, ...user } } = JSON.parse((await made.client.get("/me")).body);
    const own = { email: "ada@example.org", name: "Countess", roles: ["editor"] };
    assertEquals(user, { provider: "", subject: "7", id: "7", ...own });
    await made.client.postForm("/logout", {}).wantRedirect("/");
    await made.client.get("/me").wantContains('"user":null');
  });

  /** What happens between the form and the callback, and the reasons of the refusal. */
  const rows: readonly (readonly [
    name: string,
    meanwhile: (client: TestClient, made: Connectable) => Promise<unknown>,
  ])[] = [
    ["the user signs out", (client) => client.postForm("/logout", {})],
    ["another sign-in", (client) => client.postForm("/password", {})],
    ["a sign-in in another tab", async (client, { back }) => {
      await client.get(back(await startAt(client))).wantStatus(303);
    }],
  ];
  for (const [what, meanwhile] of rows) {
    Deno.test(`connect (${name}) refuses another session: ${what}`, async () => {
      const made = connectable(open());
      const client = await signedIn(made);
      const path = await made.authorize(client);
      await meanwhile(client, made);
      const count = made.asked.length;
      await client.get(path).wantStatus(400);
      assertEquals([made.reasons, made.asked.length], [["session"], count]);
    });
  }

  Deno.test(`connect (${name}): an attacker's code connects nothing in the victim's session`, async () => {
    const made = connectable(open());
    const [attacker, victim] = [await signedIn(made), await signedIn(made)];
    await victim.get(await made.authorize(attacker)).wantRedirect("/");
    // The cookie of the attempt does not help, because it names the attacker's session.
    const path = await made.authorize(attacker);
    const name = attemptCookie(path);
    const cookie = `${name}=${attacker.cookie(name)}; fw_session=${victim.cookie("fw_session")}`;
    const response = await newTestClient(made.app).get(path, withHeader("cookie", cookie));
    response.wantStatus(400);
    assertEquals([made.reasons, made.asked], [["state", "session"], []]);
  });
}

Deno.test("connect: a session that ends during the request to the provider is refused", async () => {
  const sessions = createSessions({ store: memorySessionStore() });
  const made = connectable(sessions);
  // A middleware reads the user before the session ends.
  const Middleware = async (c: Ctx, next: Next): Promise<Response> => {
    if (await sessions.user(c) !== undefined) await sessions.endAll(c, "7");
    return await next();
  };
  const methods = { GET: made.auth.callback };
  made.app.route({ pattern: "/late", middleware: [{ Middleware }], methods });
  const client = await signedIn(made);
  const path = await made.authorize(client);
  await client.get(path.replace("/auth/callback", "/late")).wantStatus(400);
  assertEquals([made.reasons, made.asked], [["session"], []]);
});

Deno.test("connect needs a session and a CSRF token, and its refusal keeps the session", async () => {
  const made = connectable(createSessions(), { isTaken: true });
  await made.client.postForm("/account", {}).wantStatus(303).wantRedirect("/login");
  const client = await signedIn(made);
  await client.request("POST", "/account", withoutCsrf()).wantStatus(403);
  await client.get(await made.authorize(client)).wantStatus(409);
  await client.get("/me").wantContains('"id":"7"');
});

Deno.test("connect needs accounts", () => {
  assertThrows(() => oidc(registration).connect, TypeError, "set account");
});
