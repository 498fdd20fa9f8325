/** An application with passkeys for their tests. */
import { createSessions, memoryPasskeyStore, passkeys, type PasskeyStore } from "../../auth/mod.ts";
import { withUser } from "../../auth/testing.ts";
import type { App, SecurityEvent } from "../../mod.ts";
import { newTestClient } from "../../runtime/testing/mod.ts";
import type { TestClient, TestOption, TestResponse } from "../../runtime/testing/mod.ts";
import { Authenticator, type Changes } from "./authenticator.ts";
import { quietApp } from "./support.ts";

export interface PasskeyApp {
  readonly app: App;
  readonly sessions: ReturnType<typeof createSessions>;
  readonly store: PasskeyStore;
  readonly events: SecurityEvent[];
  readonly clock: { now: number };
}

export function passkeyApp(
  options: { store?: PasskeyStore; maxPerSubject?: number } = {},
): PasskeyApp {
  const { store = memoryPasskeyStore(), maxPerSubject = 20 } = options;
  const clock = { now: Date.now() };
  const sessions = createSessions();
  const events: SecurityEvent[] = [];
  const app = quietApp({ secret: "s".repeat(32), onSecurityEvent: (e) => void events.push(e) });
  const keys = passkeys({
    rpId: "example.org",
    store,
    maxPerSubject,
    now: () => clock.now,
  });
  app.route({ pattern: "/keys", kind: "page", methods: { ...keys.registerHandlers(sessions) } });
  app.route({
    pattern: "/login",
    kind: "page",
    methods: {
      ...keys.signInHandlers(
        sessions,
        (_c, subject) =>
          subject === "closed"
            ? undefined
            : { subject, roles: ["member"], isCurrent: () => subject !== "changed" },
      ),
    },
  });
  app.route({
    pattern: "/me",
    kind: "api",
    methods: { GET: async (c) => c.json(200, await sessions.require(c)) },
  });
  return { app, sessions, store, events, clock };
}

export interface Options {
  readonly challenge: string;
  readonly user: { readonly id: string; readonly name: string };
  readonly excludeCredentials: readonly { readonly id: string }[];
}

export const user = (made: PasskeyApp, subject = "42"): TestOption =>
  withUser(made.sessions, { subject, email: "a@b.example" });

export async function optionsFor(
  client: TestClient,
  path: string,
  ...more: ReturnType<typeof user>[]
): Promise<Options> {
  return JSON.parse((await client.get(path, ...more).wantStatus(200)).body);
}

export async function register(
  made: PasskeyApp,
  key: Authenticator,
  { subject = "42", ...changes }: Changes & { readonly subject?: string } = {},
): Promise<TestResponse> {
  const client = newTestClient(made.app);
  const options = await optionsFor(client, "/keys", user(made, subject));
  return await client.postJson("/keys", await key.register(options, changes), user(made, subject));
}

export async function registered(made: PasskeyApp, subject = "42"): Promise<Authenticator> {
  const key = await Authenticator.make();
  (await register(made, key, { subject })).wantStatus(201);
  return key;
}

/** Signs in one second later with a modified authenticator response. */
export async function signIn(
  made: PasskeyApp,
  key: Authenticator,
  changes: Changes = {},
): Promise<TestResponse> {
  made.clock.now += 1_000;
  const client = newTestClient(made.app);
  const options = await optionsFor(client, "/login");
  return await client.postJson("/login", await key.signIn(options, changes));
}
