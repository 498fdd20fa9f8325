/** Tokens in the stores of an engine; each engine's test runs this suite. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createSessions, createTokens } from "../../auth/mod.ts";
import type { SessionStore, TokenOptions, Tokens } from "../../auth/mod.ts";
import type { App, Ctx, SecurityEvent, Settings } from "../../mod.ts";
import { testRequest, withCookie, withHeader } from "../../runtime/testing/mod.ts";
import type { TestResponse } from "../../runtime/testing/mod.ts";
import { quietApp } from "./support.ts";

export const start = Date.now();
export const ada = { subject: "42", name: "Ada", email: "ada@example.org", roles: ["editor"] };
export const read = { scopes: ["loans:read"] };
export const secret = "s".repeat(32);

export interface TokenApp {
  readonly app: App;
  readonly tokens: Tokens;
  readonly clock: { now: number };
  readonly events: SecurityEvent[];
}

export function tokenApp(options: TokenOptions = {}, settings: Settings = {}): TokenApp {
  const clock = { now: start };
  const events: SecurityEvent[] = [];
  const tokens = createTokens({ now: () => clock.now, ...options });
  const app = quietApp({ secret, onSecurityEvent: (e) => void events.push(e), ...settings });
  const who = async (c: Ctx) => c.json(200, await tokens.user(c) ?? null);
  app.route({ pattern: "/who", methods: { GET: who } });
  const middleware = [{ Middleware: tokens.require }];
  app.route({ pattern: "/me", kind: "api", middleware, methods: { GET: who, POST: who } });
  app.route({
    pattern: "/fails",
    middleware: [{ Middleware: tokens.require }],
    methods: {
      GET: (c) => {
        throw new Error(Deno.inspect(c, { depth: 9 }));
      },
    },
  });
  app.route({ pattern: "/page", page: who, methods: { POST: who } });
  app.route({
    pattern: "/cached",
    middleware: [{ Middleware: tokens.require }],
    methods: {
      GET: (c) => {
        c.cacheControl("public, max-age=60, s-maxage=600");
        return c.text(200, "made for one");
      },
    },
  });
  app.route({
    pattern: "/loans",
    kind: "api",
    middleware: [{ Middleware: tokens.requireScope("loans:read", "loans:write") }],
    methods: { GET: who },
  });
  app.route({
    pattern: "/inside",
    kind: "api",
    methods: {
      GET: async (c) => c.json(200, (await tokens.requireScope("loans:read")(c)).subject),
      POST: async (c) => c.json(200, await tokens.issue(c, ada, read)),
    },
  });
  app.handler();
  return { app, tokens, clock, events };
}

export const call = (app: App, path: string, authorization: string): Promise<TestResponse> =>
  Promise.resolve(testRequest(app, "GET", path, withHeader("authorization", authorization)));

export async function subjectOf(app: App, authorization: string): Promise<string | undefined> {
  const response = await call(app, "/who", authorization);
  assertEquals(response.status, 200);
  return JSON.parse(response.body)?.subject;
}

/** The stores of one replica, and the tokens of another. */
export interface TokenStores {
  readonly sessions: SessionStore;
  readonly tokens: SessionStore;
  readonly other: SessionStore;
  readonly clock: { now: number };
}

/** Texts that a form may send as the id of a token or a session. */
const foreignIds = ["", "a", "a\0b", "\ud800", "é".repeat(43), "a".repeat(100_000)];

export const tokenSuite: readonly [name: string, run: (at: TokenStores) => Promise<void>][] = [
  ["only the owner lists and revokes tokens", async ({ tokens: store, other, clock }) => {
    const { app, tokens } = tokenApp({ store, now: () => clock.now });
    const replica = tokenApp({ store: other, now: () => clock.now });
    const first = await tokens.issue(app, ada, { ...read, label: "CI" });
    clock.now += 120_000;
    const second = await tokens.issue(app, ada, { scopes: [] });
    const foreign = await tokens.issue(app, { ...ada, provider: "https://id" }, read);
    clock.now += 120_000;
    assertEquals(await subjectOf(replica.app, `Bearer ${first.value}`), "42");
    const [used, unused, ...rest] = await tokens.list(app, ada);
    assert(used && unused && rest.length === 0);
    assertEquals({ ...used, id: "" }, {
      id: "",
      label: "CI",
      scopes: ["loans:read"],
      issuedAt: new Date(clock.now - 240_000),
      usedAt: new Date(clock.now),
      expiresAt: first.expiresAt,
    });
    assert(!await tokens.revoke(app, { owner: { subject: "7" }, id: used.id }));
    for (const id of foreignIds) {
      assert(!await tokens.revoke(app, { owner: ada, id }), id.slice(0, 9));
    }
    assert(await tokens.revoke(app, { owner: ada, id: used.id }));
    assertEquals(await subjectOf(replica.app, `Bearer ${first.value}`), undefined);
    assertEquals(await subjectOf(app, `Bearer ${second.value}`), "42");
    assertEquals(await tokens.revokeAll(app, ada), 1);
    assertEquals(await subjectOf(replica.app, `Bearer ${second.value}`), undefined);
    assertEquals(await subjectOf(app, `Bearer ${foreign.value}`), "42");
  }],
  [
    "a token is not valid as a session, or a session as a token",
    async ({ sessions: store, tokens: kept }) => {
      const { app, tokens } = tokenApp({ store: kept });
      const sessions = createSessions({ store });
      const site = quietApp({ secret });
      site.route({
        pattern: "/login",
        kind: "api",
        methods: { POST: async (c) => c.json(200, await sessions.start(c, ada)) },
      });
      site.route({
        pattern: "/session",
        methods: {
          GET: async (c) => c.json(200, await sessions.user(c) ?? null),
          DELETE: async (c) =>
            c.json(200, await sessions.endOne(c, foreignIds[Number(c.query("at"))] ?? "")),
        },
      });
      const response = await testRequest(site, "POST", "/login").wantStatus(200);
      const identifier = /fw_session=([\w-]{43})/.exec(response.header("set-cookie") ?? "")?.[1];
      assert(identifier);
      const { value } = await tokens.issue(app, ada, read);
      for (const [cookie, text] of [[identifier, "Ada"], [value, "null"]] as const) {
        await testRequest(site, "GET", "/session", withCookie("fw_session", cookie))
          .wantContains(text);
      }
      assertEquals(await subjectOf(app, `Bearer ${identifier}`), undefined);
      assertEquals(await subjectOf(app, `Bearer ${value}`), "42");
      for (const at of foreignIds.keys()) {
        await testRequest(site, "DELETE", `/session?at=${at}`, withCookie("fw_session", identifier))
          .wantStatus(200).wantContains("false");
      }
      // Each side ends only its own, and a hash authenticates neither.
      const [{ id } = { id: "" }] = await store.list({ provider: "", subject: "42" });
      const [{ id: hash } = { id: "" }] = await tokens.list(app, ada);
      for (const text of [id, hash]) {
        assertEquals(await subjectOf(app, `Bearer ${text}`), undefined);
      }
      assert(!await tokens.revoke(app, { owner: ada, id }));
      assertEquals(await sessions.endAll(site, "42"), 1);
      assertEquals((await tokens.list(app, ada)).length, 1);
    },
  ],
  [
    "one of two tokens issued at once gets the last place",
    async ({ tokens: store }) => {
      const created = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
      let count = 0;
      // Both see each other's token.
      const list: SessionStore["list"] = async (owner) => {
        if (count >= 99) created[count === 99 ? 0 : 1].resolve();
        if (count++ >= 99) await Promise.all(created.map(({ promise }) => promise));
        return await store.list(owner);
      };
      const slow = new Proxy(store, {
        get: (_, name) => name === "list" ? list : Reflect.get(store, name)?.bind(store),
      });
      const { app, tokens } = tokenApp({ store: slow });
      for (let at = 0; at < 99; at++) await tokens.issue(app, ada, read);
      const issued = await Promise.allSettled([1, 2].map(() => tokens.issue(app, ada, read)));
      assertEquals(issued.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
      assertEquals((await tokens.list(app, ada)).length, 100);
    },
  ],
  [
    "an owner keeps at most 100 of 120 tokens issued concurrently",
    async ({ tokens: store, other }) => {
      const replicas = [tokenApp({ store }), tokenApp({ store: other })] as const;
      const issued = await Promise.allSettled(
        Array.from({ length: 120 }, (_, at) => {
          const { app, tokens } = replicas[at % 2 === 0 ? 0 : 1];
          return tokens.issue(app, ada, read);
        }),
      );
      const [{ app, tokens }] = replicas;
      const kept = issued.flatMap((each) => each.status === "fulfilled" ? each.value.value : []);
      assert(kept.length <= 100, String(kept.length));
      assertEquals((await tokens.list(app, ada)).length, kept.length);
      for (let left = 100 - kept.length; left > 0; left--) await tokens.issue(app, ada, read);
      const error = await assertRejects(() => tokens.issue(app, ada, read));
      assertEquals(error instanceof Error && "code" in error && error.code, "too_many_tokens");
      assertEquals((await tokens.list(app, ada)).length, 100);
      if (kept[0]) assertEquals(await subjectOf(app, `Bearer ${kept[0]}`), "42");
    },
  ],
];
