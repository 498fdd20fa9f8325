/** Applications with a sign-in, for the tests of sessions and guards. */
import { createSessions, nextPath } from "../../auth/mod.ts";
import type { SessionOptions, Sessions, SessionStore } from "../../auth/mod.ts";
import { App, createLogger, csrfInput, Off } from "../../mod.ts";
import type { Ctx, SecurityEvent, Settings } from "../../mod.ts";
import { newTestClient, type TestClient, withHeader } from "../../runtime/testing/mod.ts";

/** A clock that tests set, near the real time, by which cookies and Deno KV expire. */
export interface TestClock {
  now: number;
}

export interface SignInApp {
  readonly app: App;
  readonly sessions: Sessions;
  readonly clock: TestClock;
  readonly events: SecurityEvent[];
}

export type SignInOptions = SessionOptions & { readonly settings?: Settings };

export function quietApp(settings: Settings = {}): App {
  const logger = createLogger({ format: "text", write: () => {} });
  return new App({ env: "dev", logRequest: Off, logger, ...settings });
}

/**
 * Creates an application with `/login`, `/logout`, `/me`, `/api/me`, `/admin`, and lists of
 * sessions.
 */
export function signInApp(options: SignInOptions = {}): SignInApp {
  const { settings, ...rest } = options;
  const clock: TestClock = { now: Date.now() };
  const sessions = createSessions({ now: () => clock.now, ...rest });
  const events: SecurityEvent[] = [];
  const secret = "s".repeat(32);
  const app = quietApp({ secret, onSecurityEvent: (e) => void events.push(e), ...settings });
  addRoutes(app, sessions);
  return { app, sessions, clock, events };
}

function addRoutes(app: App, sessions: Sessions): void {
  const whoAmI = async (c: Ctx): Promise<Response> => {
    const user = await sessions.user(c);
    return c.json(200, user === undefined ? null : { ...user, csrf: c.csrfToken() });
  };
  app.route({
    pattern: "/login",
    page: (c) => c.html(200, csrfInput(c)),
    methods: {
      POST: async (c) => {
        const role = await c.form("role");
        await sessions.start(c, {
          subject: await c.form("subject") ?? "42",
          email: "ada@example.org",
          name: "Ada",
          roles: role === undefined ? [] : [role],
        });
        return c.redirect(nextPath(c, { fallback: "/me" }));
      },
    },
  });
  app.route({
    pattern: "/logout",
    kind: "page",
    methods: {
      POST: async (c) => {
        await sessions.end(c);
        return c.redirect(c.base + "/");
      },
    },
  });
  app.route({ pattern: "/who", methods: { GET: whoAmI } });
  const guarded = [{ Middleware: sessions.require }];
  app.route({ pattern: "/me", page: whoAmI, methods: { POST: whoAmI }, middleware: guarded });
  app.route({ pattern: "/api/me", kind: "api", methods: { GET: whoAmI }, middleware: guarded });
  app.route({ pattern: "/any/me", methods: { GET: whoAmI }, middleware: guarded });
  const answers: Readonly<Record<string, (c: Ctx) => Response>> = {
    "/cached": (c) => {
      c.cacheControl("public, max-age=60, s-maxage=600");
      return c.text(200, "made for one");
    },
    "/foreign": () =>
      new Response("made for one", {
        headers: { "cache-control": "public, max-age=60", "cdn-cache-control": "max-age=600" },
      }),
    "/plain": () => new Response("made for one"),
    "/tagged": (c) => {
      c.etag("v1");
      return c.text(200, "made for one");
    },
    "/nostore": () => new Response("secret", { headers: { "cache-control": "no-store" } }),
  };
  for (const [pattern, GET] of Object.entries(answers)) {
    app.route({ pattern, methods: { GET }, middleware: guarded });
  }
  const middleware = [{ Middleware: sessions.requireAdmin }];
  app.route({ pattern: "/admin", page: whoAmI, middleware });
  app.route({
    pattern: "/edit",
    kind: "api",
    methods: {
      GET: async (c) => c.json(200, (await sessions.requireRole("editor", "admin")(c)).subject),
    },
  });
  app.route({
    pattern: "/sessions",
    kind: "api",
    methods: {
      GET: async (c) => c.json(200, await sessions.list(c)),
      POST: async (c) => c.json(200, await sessions.endOthers(c)),
      DELETE: async (c) => c.json(200, await sessions.endOne(c, c.query("id") ?? "")),
    },
  });
}

/** Creates an application that starts a session by a POST, which its GET requires. */
export function appOfSessions(sessions: Sessions, settings: Settings = {}): App {
  const app = quietApp(settings);
  const methods = {
    POST: async (c: Ctx) => c.json(200, await sessions.start(c, { subject: "1" })),
    GET: async (c: Ctx) => c.json(200, (await sessions.require(c)).subject),
  };
  app.route({ pattern: "/", kind: "api", methods });
  return app;
}

export async function signedIn(
  { app }: SignInApp,
  form: Readonly<Record<string, string>> = {},
  agent = "",
): Promise<TestClient> {
  const client = newTestClient(app);
  await client.postForm("/login", form, withHeader("user-agent", agent)).wantStatus(303);
  return client;
}

export function storeWith(inner: SessionStore, methods: Partial<SessionStore>): SessionStore {
  return new Proxy(inner, {
    get: (target, name) => Reflect.get(methods, name) ?? Reflect.get(target, name).bind(target),
  });
}

/** Returns a store that fails, synchronously for reads. */
export const failingStore: SessionStore = new Proxy({} as SessionStore, {
  get: (_, name) => () => {
    if (name === "read") throw new Error("the disk is gone");
    return Promise.reject(new Error("the disk is full"));
  },
});
