/** An application and a real provider on loopback. */
import { type AuthOptions, memorySessionStore, oidc } from "../../../auth/mod.ts";
import * as h from "../../../html/mod.ts";
import { App, createLogger, csrfInput, type Ctx } from "../../../mod.ts";
import { type Browser, RealProvider, type RealProviderOptions } from "./real_provider.ts";
import { serveLocal } from "../../serve_local.ts";

export interface Site {
  readonly origin: string;
  readonly provider: RealProvider;
  readonly reasons: (string | undefined)[];
  readonly subject: (browser: Browser) => Promise<string | undefined>;
}

export async function withSite(
  settings: Omit<RealProviderOptions, "appOrigin"> & { readonly options?: AuthOptions },
  run: (site: Site) => Promise<void>,
): Promise<void> {
  const { options = {}, ...rest } = settings;
  const reasons: (string | undefined)[] = [];
  const app = new App({
    env: "dev",
    secret: "0123456789abcdef0123456789abcdef",
    logger: createLogger({ write: () => {} }),
    onSecurityEvent: ({ kind, reason }) => void (kind === "auth" && reasons.push(reason)),
  });
  await using server = serveLocal((request, info) => app.fetch(request, info));
  const { origin } = server;
  const provider = await RealProvider.start({ ...rest, appOrigin: origin });
  const auth = oidc({
    issuer: provider.issuer,
    clientId: "app",
    clientSecret: rest.client !== undefined ? undefined : "a-secret-of-the-client",
    redirectUrl: `${origin}/auth/callback`,
  }, { store: memorySessionStore(), ...options });
  app.route({ pattern: "/login", methods: { GET: auth.start } });
  app.route({ pattern: "/auth/callback", methods: { GET: auth.callback } });
  app.route({ pattern: "/logout", kind: "page", methods: { POST: auth.logout } });
  app.route({ pattern: "/backchannel", methods: { POST: auth.backchannelLogout } });
  app.route({
    pattern: "/",
    page: async (c: Ctx) => {
      const user = await auth.user(c);
      return h.div(
        h.p(`user:${user?.subject ?? "nobody"} ${user?.email ?? ""}`),
        // The page submits its form with a script, which this test browser does not run.
        h.pre(h.render(csrfInput(c))),
      );
    },
  });
  const form = (c: Ctx): h.Node =>
    h.form(h.method("post"), h.action("/logout"), csrfInput(c), h.button("Sign out"));
  app.route({ pattern: "/account", middleware: [{ Middleware: auth.require }], page: form });
  app.route({ pattern: "/forgetful", page: (c) => form(c) });
  app.route({
    pattern: "/token",
    methods: { GET: async (c) => c.text(200, await auth.accessToken(c) ?? "none") },
  });
  try {
    await run({
      origin,
      provider,
      reasons,
      subject: async (browser) => {
        const body = await (await browser.send(`${origin}/`)).text();
        const subject = /user:(\S+)/.exec(body)?.[1];
        return subject === "nobody" ? undefined : subject;
      },
    });
  } finally {
    await provider.stop();
  }
}
