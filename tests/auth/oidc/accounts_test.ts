/** The option `account`: users of a provider get a row of the application. */
import { assertEquals, assertThrows } from "@std/assert";
import {
  createSessions,
  createTokens,
  memoryPasskeyStore,
  memorySessionStore,
  oidc,
  passkeys,
} from "../../../auth/mod.ts";
import { testProvider } from "../../../auth/testing.ts";
import { type Ctx, httpError } from "../../../mod.ts";
import { newTestClient, withHeader } from "../../../runtime/testing/mod.ts";
import { sqliteStores } from "../../../data/sqlite/mod.ts";
import { openSqlite } from "../../../data/sqlite/open.ts";
import { appOf, locationOf, registration, twoProviders, userOf } from "./support.ts";

const claims = { sub: "42", name: "Ada", roles: ["staff"] };

const db = await openSqlite(":memory:");
const stores = [
  ["cookie", undefined],
  ["memory", memorySessionStore()],
  ["sqlite", sqliteStores(db).sessions],
] as const;

for (const [name, store] of stores) {
  Deno.test(`account (${name}): its key is user.id, its roles join those of the claims`, async () => {
    const asked: unknown[] = [];
    const auth = oidc(registration, {
      ...(store && { store }),
      account: (_c, user) => {
        asked.push(user);
        return { id: "7", roles: ["editor", "staff"] };
      },
    });
    const { client } = appOf(auth);
    await testProvider(auth).signIn(client, claims);
    const { user: { issuedAt: _, ...user } } = JSON.parse((await client.get("/me")).body);
    const who = { provider: "https://id.example", subject: "42", name: "Ada" };
    assertEquals(user, { ...who, id: "7", roles: ["staff", "editor"] });
    assertEquals(asked, [{ ...who, email: undefined, roles: ["staff"], connectTo: undefined }]);
    // The session still belongs to the provider, which signs the user out.
    const location = locationOf(await client.postForm("/logout", {}).wantStatus(303));
    assertEquals(location.split("?")[0], "https://id.example/logout");
  });
}

Deno.test("account: its roles stay if the provider sends more than a session holds", async () => {
  const roles = Array.from({ length: 1_001 }, (_, at) => `r${at}`);
  const account = () => ({ id: "7", roles: ["editor"] });
  const auth = oidc(registration, { store: memorySessionStore(), account });
  const { client } = appOf(auth);
  (await testProvider(auth).signIn(client, { ...claims, roles })).wantStatus(303);
  assertEquals((await userOf(client))?.roles, [...roles.slice(0, 999), "editor"]);
});

for (const [name, store] of stores) {
  Deno.test(`account (${name}): a row that changed before its session started ends it`, async () => {
    let isCurrent = false;
    const account = () => ({ id: "7", roles: ["editor"], isCurrent: () => isCurrent });
    const auth = oidc(registration, { ...(store && { store }), account });
    const { client } = appOf(auth);
    (await testProvider(auth).signIn(client, claims)).wantStatus(400);
    await client.get("/me").wantContains('"user":null');
    isCurrent = true;
    (await testProvider(auth).signIn(client, claims)).wantStatus(303);
    await client.get("/me").wantContains('"id":"7"');
  });
}

Deno.test("account: an error refuses the sign-in", async () => {
  const auth = oidc(registration, {
    account: () => {
      throw httpError(403, "Blocked.");
    },
  });
  const { client } = appOf(auth);
  const response = await testProvider(auth).signIn(client, claims);
  response.wantStatus(403);
  await client.get("/me").wantContains('"user":null');
});

Deno.test("account: sessions from before the option was set end", async () => {
  const store = memorySessionStore();
  const before = oidc(registration, { store });
  const { client } = appOf(before);
  await testProvider(before).signIn(client, claims);
  const cookie = client.cookie("fw_session") ?? "";
  const after = oidc(registration, { store, account: () => ({ id: "7" }) });
  const later = newTestClient(appOf(after).app);
  await later.get("/me", withHeader("cookie", `fw_session=${cookie}`)).wantContains('"user":null');
  await client.get("/me").wantContains('"subject":"42"');
});

Deno.test("account: a token issued for the user has its key", async () => {
  const tokens = createTokens();
  const auth = oidc(registration, { account: () => ({ id: "7" }) });
  const { app, client } = appOf(auth);
  app.route({
    pattern: "/issue",
    page: async (c) =>
      c.text(200, (await tokens.issue(c, await auth.require(c), { scopes: [] })).value),
  });
  app.route({ pattern: "/api", page: async (c) => c.json(200, await tokens.require(c)) });
  await testProvider(auth).signIn(client, claims);
  const authorization = `Bearer ${(await client.get("/issue")).body}`;
  await newTestClient(app).get("/api", withHeader("authorization", authorization)).wantContains(
    '"id":"7"',
  );
});

Deno.test("account: a session that the application starts has the subject as key", async () => {
  const sessions = createSessions();
  const { app } = appOf(oidc(registration, { sessions, account: () => ({ id: "7" }) }));
  app.route({
    pattern: "/password",
    kind: "page",
    methods: { POST: async (c) => c.json(200, await sessions.start(c, { subject: "1" })) },
  });
  await newTestClient(app).postForm("/password", {}).wantContains('"id":"1"');
});

Deno.test("User.provider distinguishes accounts with the same subject", async () => {
  const sessions = createSessions({ store: memorySessionStore() });
  const [first, second] = twoProviders({ sessions });
  const seen: unknown[] = [];
  for (const auth of [first, second]) {
    const { client } = appOf(auth);
    await testProvider(auth).signIn(client, { sub: "1" });
    seen.push((await userOf(client))?.provider);
  }
  const { app } = appOf(first);
  const POST = async (c: Ctx): Promise<Response> =>
    c.json(200, await sessions.start(c, { subject: "1" }));
  app.route({ pattern: "/password", kind: "page", methods: { POST } });
  const client = newTestClient(app);
  await client.postForm("/password", {}).wantContains('"provider":""');
  seen.push((await userOf(client))?.provider);
  assertEquals(seen, ["https://a.example", "https://b.example", ""]);
});

Deno.test("passkeys: a provider's user cannot add one to the local account with the same subject", async () => {
  const sessions = createSessions({ store: memorySessionStore() });
  const auth = oidc(registration, { sessions });
  const keys = passkeys({ rpId: "localhost", store: memoryPasskeyStore() });
  const { app, client } = appOf(auth);
  app.route({ pattern: "/keys", kind: "page", methods: { ...keys.registerHandlers(sessions) } });
  app.route({
    pattern: "/own/keys",
    kind: "page",
    methods: {
      ...keys.registerHandlers(sessions, (_c, { provider, subject }) => ({
        subject: `${provider} ${subject}`,
        name: "Mallory",
      })),
    },
  });
  await testProvider(auth).signIn(client, { sub: "1" });
  await client.get("/keys").wantStatus(403).wantContains("signs in at its provider");
  await client.postJson("/keys", {}).wantStatus(403);
  await client.get("/own/keys").wantStatus(200).wantContains('"challenge"');
});

Deno.test("oidc: two clients of one provider cannot share sessions", () => {
  const sessions = createSessions({ store: memorySessionStore() });
  oidc(registration, { sessions });
  const run = () => oidc({ ...registration, clientId: "second" }, { sessions });
  assertThrows(run, TypeError, 'Cannot register "https://id.example" twice');
});

Deno.test("a sign-in object shared by two applications keeps their permissions separate", async () => {
  const urls: string[] = [];
  const auth = oidc({ ...registration, issuer: "http://localhost:9/x" }, {
    fetch: (url) => {
      urls.push(String(url));
      return Promise.reject(new Error("asked"));
    },
  });
  const [prod, dev] = [appOf(auth, { env: "prod" }), appOf(auth, { env: "dev" })];
  await prod.client.get("/login").wantStatus(503);
  assertEquals([urls.length, /use https/.test(prod.log.join())], [0, true]);
  await dev.client.get("/login").wantStatus(503);
  assertEquals([urls.length, /asked/.test(dev.log.join())], [1, true]);
});
