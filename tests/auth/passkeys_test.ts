import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  createSessions,
  memoryPasskeyStore,
  memorySessionStore,
  passkeys,
  type PasskeyStore,
} from "../../auth/mod.ts";
import { kvStores } from "../../data/kv/mod.ts";
import { withUser } from "../../auth/testing.ts";
import type { App, Application } from "../../mod.ts";
import {
  newTestClient,
  testRequest,
  withBody,
  withCookie,
  withHeader,
} from "../../runtime/testing/mod.ts";
import { MemoryKv } from "../data/kv/memory_kv.ts";
import { Authenticator, textOf } from "./authenticator.ts";
import { optionsFor, passkeyApp, register, registered, signIn, user } from "./passkey_app.ts";
import { quietApp } from "./support.ts";

for (
  const [kind, open] of [
    ["memory", memoryPasskeyStore],
    ["kv", () => kvStores(new MemoryKv()).passkeys],
  ] as const
) {
  Deno.test(`passkeys (${kind}): a user registers a passkey, signs in with it and removes it`, async () => {
    const made = passkeyApp({ store: open() });
    const key = await registered(made);
    const client = newTestClient(made.app);
    const options = await optionsFor(client, "/login?next=/me");
    await client.postJson("/login?next=/me", await key.signIn(options))
      .wantStatus(200).wantContains('{"location":"/me"}');
    await client.get("/me").wantContains('"subject":"42"').wantContains('"member"');
    const [passkey] = await made.store.list("42");
    assertEquals(passkey?.id, textOf(key.id));
    assertEquals(await made.store.list("43"), []);
    assert(!(await made.store.remove("43", passkey?.id ?? "")));
    assert(await made.store.remove("42", passkey?.id ?? ""));
    (await signIn(made, key)).wantStatus(400);
    assertEquals(made.events.at(-1)?.reason, "passkey-unknown");
  });

  Deno.test(`passkeys (${kind}): a failing store is a 503, and not a refused passkey`, async () => {
    const inner = open();
    let isDown = false;
    const store = new Proxy(inner, {
      get: (target, name) => {
        if (isDown) throw new Error("disk full");
        return Reflect.get(target, name);
      },
    });
    const made = passkeyApp({ store });
    const key = await registered(made);
    const client = newTestClient(made.app);
    const options = await optionsFor(client, "/login");
    isDown = Boolean(1);
    await client.postJson("/login", await key.signIn(options))
      .wantStatus(503).wantContains("The passkey store failed");
    await client.get("/keys", user(made)).wantStatus(503).wantContains("The passkey store failed");
    assertEquals(made.events.filter(({ reason }) => reason?.startsWith("passkey-")), []);
  });

  Deno.test(`passkeys (${kind}): an account has one user handle, and its passkeys are listed`, async () => {
    const made = passkeyApp({ store: open() });
    const key = await registered(made);
    const client = newTestClient(made.app);
    const second = await optionsFor(client, "/keys", user(made));
    assertEquals(second.user.id, key.userHandle);
    assertEquals(second.excludeCredentials.map(({ id }) => id), [textOf(key.id)]);
    const other = await optionsFor(client, "/keys", user(made, "43"));
    assert(other.user.id !== key.userHandle);
    assertEquals(other.user.name, "a@b.example");
  });

  Deno.test(`passkeys (${kind}): of twenty concurrent posts of one response, one is accepted`, async () => {
    const made = passkeyApp({ store: open() });
    const key = await registered(made);
    made.clock.now += 1_000;
    const client = newTestClient(made.app);
    const response = await key.signIn(await optionsFor(client, "/login"));
    const cookie = client.cookie("fw_passkey") ?? "";
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () =>
        (await newTestClient(made.app).postJson(
          "/login",
          response,
          withCookie("fw_passkey", cookie),
        ))
          .status),
    );
    assertEquals(answers.filter((status) => status === 200).length, 1);
    assertEquals(answers.filter((status) => status === 400).length, 19);
  });

  Deno.test(`passkeys (${kind}): sixty concurrent registrations stay within the limit`, async () => {
    const made = passkeyApp({ store: open(), maxPerSubject: 20 });
    const answers = await Promise.all(
      Array.from(
        { length: 60 },
        async () => (await register(made, await Authenticator.make())).status,
      ),
    );
    // Each registration had its own user handle; the first one stored becomes the account's.
    const kept = await made.store.list("42");
    assertEquals(new Set(kept.map(({ userHandle }) => userHandle)).size, 1);
    assertEquals(answers.filter((status) => status === 201).length, kept.length);
    const template = kept[0];
    assert(template !== undefined);
    const more = Array.from({ length: 60 }, (_, at) => ({ ...template, id: `more-${at}` }));
    const added = await Promise.all(more.map((passkey) => made.store.add(passkey, { max: 20 })));
    assertEquals((await made.store.list("42")).length, 20);
    assertEquals(added.filter((one) => one === "added").length, 20 - kept.length);
    assertEquals(await made.store.add({ ...template, subject: "43" }, { max: 20 }), "exists");
    const other = { ...template, id: "other", userHandle: "other" };
    assertEquals(await made.store.add(other, { max: 99 }), "handle");
  });

  Deno.test(`passkeys (${kind}): changed flags of a synced passkey do not lock the owner out`, async () => {
    const made = passkeyApp({ store: open() });
    const key = await registered(made);
    // Flags: 5 is user present and verified, 13 adds backup eligible, 29 adds backed up.
    const rows = [[13, 5], [29, 5], [29, 2], [13, 0], [5, 9], [29, 8], [5, 1]] as const;
    for (const [flags, signCount] of rows) {
      (await signIn(made, key, { flags, signCount })).wantStatus(200);
      const [passkey] = await made.store.list("42");
      assertEquals(passkey?.isBackupEligible, (flags & 8) !== 0);
      assertEquals([passkey?.isBackedUp, passkey?.signCount], [(flags & 16) !== 0, signCount]);
    }
    const [changed, back] = ["passkey-backup-changed", "passkey-counter-back"];
    const want = [changed, back, back, back, changed, back, changed, back, changed];
    assertEquals(made.events.map(({ reason }) => reason), want);
  });

  Deno.test(`passkeys (${kind}): a counter must increase after its first use`, async () => {
    const made = passkeyApp({ store: open() });
    const key = await registered(made);
    const rows = [[5, 200], [6, 200], [6, 400], [2, 400], [0, 400], [7, 200]] as const;
    for (const [signCount, status] of rows) {
      (await signIn(made, key, { signCount })).wantStatus(status);
    }
    const found = made.events.map(({ reason }) => reason);
    assertEquals(found, ["passkey-counter", "passkey-counter", "passkey-counter"]);
  });
}

Deno.test("passkeys: refuse a registration for another user, without a user or of a known passkey", async () => {
  const made = passkeyApp();
  const key = await registered(made);
  const client = newTestClient(made.app);
  const begun = await optionsFor(client, "/keys", user(made));
  const again = await (await Authenticator.make()).register(begun);
  await client.postJson("/keys", again, user(made, "43")).wantStatus(400);
  await client.get("/keys").wantStatus(303 - 1);
  (await register(made, key, { subject: "43" })).wantStatus(400);
  assertEquals(made.events.map(({ reason }) => reason), ["passkey-user", "passkey-registered"]);
  assertEquals((await made.store.find(textOf(key.id)))?.subject, "42");
});

Deno.test("passkeys: a challenge expires and is valid for one ceremony and one browser", async () => {
  const made = passkeyApp();
  const key = await registered(made);
  const late = newTestClient(made.app);
  const response = await key.signIn(await optionsFor(late, "/login"));
  made.clock.now += 300_000;
  await late.postJson("/login", response).wantStatus(400);
  const mixed = newTestClient(made.app);
  const create = await optionsFor(mixed, "/keys", user(made));
  await mixed.postJson("/login", await key.signIn(create)).wantStatus(400);
  const [mine, theirs] = [newTestClient(made.app), newTestClient(made.app)];
  const options = await optionsFor(mine, "/login");
  await optionsFor(theirs, "/login");
  await theirs.postJson("/login", await key.signIn(options)).wantStatus(400);
  await newTestClient(made.app).postJson("/login", await key.signIn(options)).wantStatus(400);
  assertEquals(made.events.map(({ reason }) => reason), Array(4).fill("passkey-challenge"));
});

Deno.test("passkeys: a HEAD and a prefetch leave a started sign-in as it is", async () => {
  const made = passkeyApp();
  const key = await registered(made);
  const client = newTestClient(made.app);
  const options = await optionsFor(client, "/login");
  await client.request("HEAD", "/login").wantStatus(200);
  await client.get("/login", withHeader("sec-purpose", "prefetch")).wantStatus(200);
  await client.postJson("/login", await key.signIn(options)).wantStatus(200);
});

Deno.test("passkeys: replaying a cookie does not register a removed passkey again", async () => {
  const made = passkeyApp();
  const client = newTestClient(made.app);
  const key = await Authenticator.make();
  const response = await key.register(await optionsFor(client, "/keys", user(made)));
  const kept = withCookie("fw_passkey", client.cookie("fw_passkey") ?? "");
  await client.postJson("/keys", response, user(made)).wantStatus(201);
  assert(await made.store.remove("42", textOf(key.id)));
  const post = () => newTestClient(made.app).postJson("/keys", response, user(made), kept);
  await Promise.all([1, 2, 3].map(() => post().wantStatus(400)));
  assertEquals(await made.store.list("42"), []);
  assertEquals(new Set(made.events.map(({ reason }) => reason)), new Set(["passkey-challenge"]));
});

Deno.test("passkeys: require the CSRF token and refuse a closed account", async () => {
  const made = passkeyApp();
  (await signIn(made, await registered(made, "closed"))).wantStatus(400);
  const response = await made.app.fetch(
    new Request("http://localhost/login", { method: "POST", body: "{}" }),
  );
  assertEquals(response.status, 403);
});

Deno.test("passkeys: limit a subject to maxPerSubject", async () => {
  const made = passkeyApp({ maxPerSubject: 2 });
  await registered(made);
  await registered(made);
  (await register(made, await Authenticator.make())).wantStatus(400);
  assertEquals(made.events.map(({ reason }) => reason), ["passkey-too-many"]);
  await registered(made, "43");
});

Deno.test("passkeys: a malformed id is unknown, whatever the store accepts", async () => {
  const refuse = (): Promise<never> => Promise.reject(new Error("not asked"));
  const store = { ...memoryPasskeyStore(), remove: refuse };
  const keys = passkeys({ rpId: "example.org", store });
  for (const id of ["", "\0", "a b", "a".repeat(1_365)]) {
    assert(!await keys.remove(quietApp(), { subject: "42", id }));
  }
});

Deno.test("passkeys: no registration outlasts its session, however slowly its body arrives", async () => {
  const store = memoryPasskeyStore();
  const keys = passkeys({ rpId: "example.org", store });
  const sessions = createSessions({ store: memorySessionStore() });
  const app = quietApp({ secret: "s".repeat(32) });
  app.route({ pattern: "/keys", kind: "page", methods: { ...keys.registerHandlers(sessions) } });
  const client = newTestClient(app);
  const as42 = withUser(sessions, { subject: "42" });
  const options = await optionsFor(client, "/keys", as42);
  const response = JSON.stringify(await (await Authenticator.make()).register(options));
  const body = new ReadableStream<Uint8Array>({
    async pull(controller): Promise<void> {
      await sessions.endAll(app, "42");
      controller.enqueue(new TextEncoder().encode(response));
      controller.close();
    },
  }, { highWaterMark: 0 });
  await client.request("POST", "/keys", withBody("application/json", body), as42).wantStatus(400);
  assertEquals(await store.list("42"), []);
});

Deno.test("passkeys: a session of an account that changed during the sign-in ends", async () => {
  const made = passkeyApp();
  const key = await registered(made, "changed");
  const client = newTestClient(made.app);
  const options = await optionsFor(client, "/login");
  await client.postJson("/login", await key.signIn(options)).wantStatus(400);
  await client.get("/me").wantStatus(401);
});

Deno.test("passkeys: open an own store and read the domain once per application, and report the fallback", async () => {
  const stores = new Map<Application, PasskeyStore>();
  const domain = (app: Application): string => app.config.variables.DOMAIN ?? "";
  const keys = passkeys({
    rpId: domain,
    origins: (app) => [`https://${domain(app)}`],
    store: (app) => {
      assert(!stores.has(app));
      const store = memoryPasskeyStore();
      stores.set(app, store);
      return store;
    },
  });
  const sessions = createSessions();
  const makeApp = (DOMAIN: string): App => {
    const app = quietApp({ secret: "s".repeat(32), variables: { DOMAIN } });
    app.route({ pattern: "/keys", kind: "page", methods: { ...keys.registerHandlers(sessions) } });
    const handlers = keys.signInHandlers(sessions, (_c, subject) => ({ subject }), {
      fallback: "/account",
    });
    app.route({ pattern: "/login", kind: "page", methods: { ...handlers } });
    return app;
  };
  const [one, two] = [makeApp("example.org"), makeApp("two.example")];
  await testRequest(two, "GET", "/login").wantContains('"rpId":"two.example"');
  await testRequest(makeApp("Not a host"), "GET", "/login").wantStatus(500);
  const as42 = withUser(sessions, { subject: "42" });
  const client = newTestClient(one);
  const key = await Authenticator.make();
  const begun = await optionsFor(client, "/keys", as42);
  await client.postJson("/keys", await key.register(begun), as42).wantStatus(201);
  const id = textOf(key.id);
  assertEquals((await keys.list(one, "42")).map((passkey) => passkey.id), [id]);
  assertEquals(await keys.list(two, "42"), []);
  const options = await optionsFor(client, "/login");
  await client.postJson("/login", await key.signIn(options))
    .wantStatus(200).wantContains('"location":"/account"');
  assertEquals([
    await keys.remove(one, { subject: "43", id }),
    await keys.remove(one, { subject: "42", id }),
  ], [0 > 1, 1 > 0]);
});

const badOrigins: readonly string[] = [
  ..."http://example.org https://example.org/ https://evil.example".split(" "),
  ..."https://badexample.org example.org https://example.org@evil.example *".split(" "),
];

for (
  const rpId of [
    "https://club.example",
    "localhost:3000",
    "club.example/",
    "",
    "Club.Example",
    "127.0.0.1",
  ]
) {
  Deno.test(`passkeys refuse the domain "${rpId}"`, () => {
    const run = () => passkeys({ rpId, store: memoryPasskeyStore() });
    assertThrows(run, TypeError, `Cannot use passkeys of "${rpId}": use a lower-case host name`);
  });
}

for (const maxPerSubject of [0, NaN]) {
  Deno.test(`passkeys refuse maxPerSubject ${maxPerSubject}`, () => {
    const about = { rpId: "example.org", store: memoryPasskeyStore(), maxPerSubject };
    assertThrows(() => passkeys(about), RangeError, "use an integer from 1 up");
  });
}

Deno.test("passkeys refuse an empty list of origins", () => {
  const options = { rpId: "example.org", origins: [], store: memoryPasskeyStore() };
  assertThrows(() => passkeys(options), TypeError, "and at least one origin");
});

for (const origin of badOrigins) {
  Deno.test(`passkeys refuse the origin ${origin}`, () => {
    const options = { rpId: "example.org", origins: [origin], store: memoryPasskeyStore() };
    assertThrows(() => passkeys(options), TypeError, "Cannot use passkeys");
  });
}
