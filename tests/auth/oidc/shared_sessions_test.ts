/**
 * A session object shared by passwords and several providers: accounts with the same subject stay
 * separate.
 */
import { assertEquals, assertThrows } from "@std/assert";
import {
  createSessions,
  memoryPasskeyStore,
  memorySessionStore,
  oidc,
  passkeys,
} from "../../../auth/mod.ts";
import { testProvider } from "../../../auth/testing.ts";
import type { Ctx } from "../../../mod.ts";
import { newTestClient } from "../../../runtime/testing/mod.ts";
import { appOf, registration } from "./support.ts";

Deno.test("User.provider distinguishes accounts with the same subject", async () => {
  const sessions = createSessions({ store: memorySessionStore() });
  const [first, second] = ["https://a.example", "https://b.example"].map((issuer) =>
    oidc({ ...registration, issuer }, { sessions })
  );
  if (first === undefined || second === undefined) throw new Error("two providers");
  const seen: unknown[] = [];
  for (const auth of [first, second]) {
    const { client } = appOf(auth);
    await testProvider(auth).signIn(client, { sub: "1" });
    seen.push(JSON.parse((await client.get("/me")).body).user.provider);
  }
  const { app } = appOf(first);
  const POST = async (c: Ctx): Promise<Response> =>
    c.json(200, await sessions.start(c, { subject: "1" }));
  app.route({ pattern: "/password", kind: "page", methods: { POST } });
  const client = newTestClient(app);
  await client.postForm("/password", {}).wantContains('"provider":""');
  seen.push(JSON.parse((await client.get("/me")).body).user.provider);
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
  assertThrows(
    () => oidc({ ...registration, clientId: "second" }, { sessions }),
    TypeError,
    'Cannot register "https://id.example" twice',
  );
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
