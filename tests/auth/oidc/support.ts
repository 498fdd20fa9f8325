/** Helpers shared by the tests of the flow. */
import { type Auth, type AuthOptions, type OAuth, oidc, type User } from "../../../auth/mod.ts";
import { type TestProvider, testProvider } from "../../../auth/testing.ts";
import { App, createLogger, Off, type Settings } from "../../../mod.ts";
import { newTestClient, type TestClient, type TestResponse } from "../../../runtime/testing/mod.ts";
import { routeOf } from "../../routes.ts";

/** The provider used by most tests. */
export const registration = {
  issuer: "https://id.example",
  clientId: "app",
  clientSecret: "secret",
  redirectUrl: "http://localhost/auth/callback",
};

export interface SignInApp {
  readonly app: App;
  readonly auth: Auth;
  readonly reasons: (string | undefined)[];
  readonly log: string[];
  readonly client: TestClient;
}

export function appOf(auth: OAuth, settings: Settings = {}): SignInApp {
  const reasons: (string | undefined)[] = [];
  const log: string[] = [];
  const app = new App({
    env: "dev",
    secret: "0123456789abcdef0123456789abcdef",
    logRequest: Off,
    logger: createLogger({ write: (lines) => void log.push(lines) }),
    onSecurityEvent: ({ kind, reason }) => void (kind === "auth" && reasons.push(reason)),
    ...settings,
  });
  app.route({ pattern: "/login", methods: { GET: auth.start } });
  const methods = { GET: auth.callback, POST: auth.callback };
  app.route({ pattern: "/auth/callback", methods, csrf: false });
  app.route({ pattern: "/logout", kind: "page", methods: { POST: auth.logout } });
  app.route(routeOf("GET", "/me", async (c) => c.json(200, { user: await auth.user(c) ?? null })));
  app.route(
    routeOf("GET", "/token", async (c) => c.text(200, await auth.accessToken(c) ?? "none")),
  );
  return { app, auth: auth as Auth, reasons, log, client: newTestClient(app) };
}

export function signInApp(
  options: AuthOptions = {},
  settings: Settings = {},
): SignInApp & { readonly provider: TestProvider } {
  const auth = oidc(registration, options);
  const provider = testProvider(auth);
  return { ...appOf(auth, settings), provider };
}

export function pathOf(url: string | undefined): string {
  const { pathname, search } = new URL(url ?? "");
  return pathname + search;
}

export async function userOf(client: TestClient): Promise<User | null> {
  return JSON.parse((await client.get("/me").wantStatus(200)).body).user;
}

export async function subjectOf(client: TestClient): Promise<string | undefined> {
  return (await userOf(client))?.subject;
}

/** Returns the name of the attempt's cookie, for the path of a callback. */
export function attemptCookie(path: string): string {
  return `fw_attempt_${/state=(.{12})/.exec(path)?.[1]}`;
}

export function twoProviders(options: AuthOptions): readonly [Auth, Auth] {
  const make = (issuer: string): Auth => oidc({ ...registration, issuer }, options);
  return [make("https://a.example"), make("https://b.example")];
}

export async function startAt(client: TestClient, path = "/login"): Promise<string> {
  return locationOf(await client.get(path).wantStatus(302));
}

export function locationOf(response: TestResponse): string {
  return response.header("location") ?? "";
}

/** Runs a test whose providers time out after 20 ms instead of five seconds. */
export async function withShortTimeouts(work: () => Promise<void>): Promise<void> {
  const { setTimeout: wait } = globalThis;
  globalThis.setTimeout =
    ((fn: () => void, ms?: number) => wait(fn, ms === 5_000 ? 20 : ms)) as typeof setTimeout;
  try {
    await work();
  } finally {
    globalThis.setTimeout = wait;
  }
}
