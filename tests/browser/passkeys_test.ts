import { assert, assertEquals } from "@std/assert";
import { createSessions, memoryPasskeyStore, passkeyForm, passkeys } from "../../auth/mod.ts";
import * as h from "../../html/mod.ts";
import { App, createLogger, csrfInput, type Ctx, type Node, type Result } from "../../mod.ts";
import { addAuthenticator, testServed } from "./browser.ts";

/** A full Chromium would otherwise show a dialog. */
const icon: Node = h.link(h.rel("icon"), h.href("data:image/png;base64,"));

/** Elements whose names shadow members of the window and the document that scripts use. */
const userContent: Node = h.fragment(
  ["fwPasskeys", "fwIslands", "fw"].map((id) => h.a(h.id(id))),
  ["querySelectorAll", "addEventListener", "getElementById", "hidden"]
    .map((name) => h.img(h.name(name), h.alt(""), h.src("data:image/gif,"))),
);

/** An application with sign-in by name, adding a passkey, and sign-in with it. */
function passkeySite(port: () => number): App {
  const sessions = createSessions();
  const store = memoryPasskeyStore();
  const app = new App({
    env: "dev",
    logRequest: () => false,
    csrf: { header: "X-Own-Token" },
    logger: createLogger({ format: "text", write: () => {} }),
    public: new URL("../../ui/files/", import.meta.url),
  });
  let keys: ReturnType<typeof passkeys> | undefined;
  const open = (): ReturnType<typeof passkeys> =>
    keys ??= passkeys({ rpId: "localhost", origins: [`http://localhost:${port()}`], store });
  const layout = (_c: Ctx, children: Node): Node =>
    h.html(h.lang("en"), h.head(h.title("Passkeys"), icon), h.body(userContent, children));
  app.route({
    pattern: "/login",
    layouts: [layout],
    page: (c) =>
      [
        h.form(h.method("post"), h.id("by-name"), csrfInput(c), h.button("By name")),
        passkeyForm(c, { kind: "sign-in", action: `/login/passkey?${c.url.searchParams}` }),
      ].reduce((all, node) => h.fragment(all, node)),
    methods: {
      POST: async (c): Promise<Result> => {
        await sessions.start(c, { subject: "42", email: "ada@example.org" });
        return c.redirect("/account");
      },
    },
  });
  app.route({
    pattern: "/login/passkey",
    kind: "page",
    methods: {
      GET: (c) => open().signInHandlers(sessions, (_c, subject) => ({ subject })).GET(c),
      POST: (c) => open().signInHandlers(sessions, (_c, subject) => ({ subject })).POST(c),
    },
  });
  app.route({
    pattern: "/account",
    layouts: [layout],
    middleware: [{ Middleware: sessions.require }],
    page: async (c) =>
      h.fragment(
        h.p(h.id("who"), (await sessions.user(c))?.subject),
        h.p(h.id("count"), String((await open().list(c, "42")).length)),
        passkeyForm(c, { kind: "register", action: "/account/passkeys" }),
      ),
  });
  app.route({
    pattern: "/account/passkeys",
    kind: "page",
    methods: {
      GET: (c) => open().registerHandlers(sessions).GET(c),
      POST: (c) => open().registerHandlers(sessions).POST(c),
    },
  });
  return app;
}

async function withSite(run: (url: string) => Promise<void>): Promise<void> {
  let port = 0;
  const app = passkeySite(() => port);
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, app.handler());
  port = server.addr.port;
  try {
    await run(`http://localhost:${port}`);
  } finally {
    await server.shutdown();
  }
}

testServed(
  "passkeys in Chromium: a user adds one on the account page, signs in and reaches the target",
  withSite,
  async (url, browser) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    await addAuthenticator(page);
    await page.goto(`${url}/login`);
    await page.click("#by-name button");
    assertEquals(await page.textContent("#count"), "0");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.locator("#count", { hasText: "1" }).waitFor();
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("status").filter({ hasText: "has a passkey for this account already" })
      .waitFor();
    await context.clearCookies();
    await page.goto(`${url}/account?from=test`);
    assertEquals(new URL(page.url()).pathname, "/login");
    // A page that stays or is restored may ask again.
    const button = page.getByRole("button", { name: "Sign in with a passkey" });
    const target = `${url}/account?from=test`;
    await page.route(target, (route) => route.fulfill({ status: 204 }), { times: 1 });
    await Promise.all([page.waitForResponse(target), button.click()]);
    await page.locator("button:enabled", { hasText: "Sign in with a passkey" }).waitFor();
    await button.click();
    await page.waitForURL(target);
    assertEquals(await page.textContent("#who"), "42");
    assertEquals(faults, []);
  },
);

testServed(
  "passkeys in Chromium: an unverified user is refused and reported",
  withSite,
  async (url, browser) => {
    const page = await (await browser.newContext()).newPage();
    await addAuthenticator(page, { isUser: false });
    await page.goto(`${url}/login`);
    const button = page.getByRole("button", { name: "Sign in with a passkey" });
    await button.click();
    await page.getByRole("status").filter({ hasText: "That did not work" }).waitFor();
    assert(await button.isEnabled());
    assertEquals(new URL(page.url()).pathname, "/login");
  },
);

testServed(
  "passkeys in Chromium: the page without a script explains what it needs",
  withSite,
  async (url, browser) => {
    const context = await browser.newContext({ javaScriptEnabled: 1 < 0 });
    const page = await context.newPage();
    await page.goto(`${url}/login`);
    assert(await page.getByRole("button", { name: "Sign in with a passkey" }).isDisabled());
    await page.getByText("Passkeys need JavaScript").waitFor();
    await page.click("#by-name button");
    assertEquals(await page.textContent("#who"), "42");
  },
);
