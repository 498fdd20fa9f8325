import { assertEquals, assertMatch } from "@std/assert";
import { App, csrfInput, type Ctx, Off, type Settings } from "../../../mod.ts";
import * as h from "../../../html/mod.ts";
import { prefixedCookieName } from "../../../runtime/addon.ts";
import { CookieJar } from "../../../runtime/testing/cookie_jar.ts";

function newApp(basePath: string, settings: Settings = {}): App {
  const app = new App({
    basePath,
    secret: "0".repeat(32),
    languages: ["en", "pt-PT"],
    logRequest: Off,
    trustedProxies: [],
    ...settings,
  });
  app.route({
    pattern: "/form",
    page: (c: Ctx) => {
      const session = c.signed(prefixedCookieName(c, "session")) ?? "none";
      const flashes = c.flashes().map(({ text }) => text).join();
      return h.main(csrfInput(c), `session=${session} flash=${flashes} language=${c.language};`);
    },
    methods: {
      POST: (c: Ctx) => {
        c.setSigned(prefixedCookieName(c, "session"), `user of ${c.base}`, 60_000);
        c.flash("success", `sent to ${c.base}`);
        c.setLanguage("pt-PT");
        return c.redirect(`${c.base}/form`);
      },
    },
  });
  return app;
}

class Browser {
  readonly #jar = new CookieJar();
  origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  async ask(app: App, path: string, form?: Record<string, string>): Promise<[number, string]> {
    const kept = [...this.#jar.find(path)].map(([name, value]) => `${name}=${value}`);
    const headers = { cookie: kept.join("; "), "accept-language": "en" };
    const init = form && { method: "POST", body: new URLSearchParams(form) };
    const response = await app.fetch(new Request(this.origin + path, { headers, ...init }));
    this.#jar.store(response.headers.getSetCookie(), this.origin + path);
    return [response.status, await response.text()];
  }

  async send(app: App): Promise<number> {
    const path = `${app.config.basePath}/form`;
    const [, html] = await this.ask(app, path);
    const [, token = ""] = /name="_csrf" value="([^"]*)"/.exec(html) ?? [];
    return (await this.ask(app, path, { _csrf: token }))[0];
  }
}

const pairs: readonly (readonly [first: string, second: string])[] = [
  ["/shop", ""],
  ["", "/shop"],
  ["/shop", "/shop/admin"],
  ["/shop/admin", "/shop"],
  ["/a.b", "/a"],
];

for (const origin of ["http://localhost", "https://localhost"]) {
  for (const [first, second] of pairs) {
    Deno.test(`two apps on ${origin} at "${first}" and "${second}" have separate cookies`, async () => {
      const browser = new Browser(origin);
      const apps = [newApp(first), newApp(second)];
      for (const app of apps) await browser.ask(app, `${app.config.basePath}/form`);
      for (const app of apps) {
        const path = `${app.config.basePath}/form`;
        assertMatch((await browser.ask(app, path))[1], /session=none flash= language=en;/);
        assertEquals(await browser.send(app), 303, path);
      }
      for (const app of apps) {
        const { basePath } = app.config;
        const [, html] = await browser.ask(app, `${basePath}/form`);
        const [, shown] = /(session=.*?);/.exec(html) ?? [];
        assertEquals(shown, `session=user of ${basePath} flash=sent to ${basePath} language=pt-PT`);
      }
    });
  }

  for (const [from, to] of [["", "/shop"], ["/shop", ""], ["/shop", "/shop/admin"]] as const) {
    Deno.test(`an app on ${origin} that moves from "${from}" to "${to}" accepts forms immediately`, async () => {
      const browser = new Browser(origin);
      assertEquals(await browser.send(newApp(from)), 303);
      assertEquals(await browser.send(newApp(to)), 303);
    });
  }
}

for (const basePath of ["", "/shop"]) {
  Deno.test(`an app at "${basePath}" that moves to HTTPS and back accepts forms immediately`, async () => {
    const browser = new Browser("http://localhost");
    const app = newApp(basePath);
    for (const origin of ["http://localhost", "https://localhost", "http://localhost"]) {
      browser.origin = origin;
      assertEquals(await browser.send(app), 303);
      assertMatch((await browser.ask(app, `${basePath}/form`))[1], /language=pt-PT;/);
    }
  });
}

const names: readonly [settings: Settings, origin: string, want: string][] = [
  [{}, "http://localhost", "fw_csrf"],
  [{}, "https://localhost", "__Host-fw_csrf"],
  [{ basePath: "/shop" }, "http://localhost", "fw_csrf.shop"],
  [{ basePath: "/shop/v1.2" }, "https://localhost", "__Secure-fw_csrf.shop.v1%2E2"],
  [{ csrf: { cookie: "token" } }, "https://localhost", "token"],
];

for (const [settings, origin, want] of names) {
  Deno.test(`the CSRF cookie of ${JSON.stringify(settings)} on ${origin} is ${want}`, async () => {
    const app = newApp("", settings);
    const response = await app.fetch(new Request(`${origin}${app.config.basePath}/form`));
    const set = response.headers.getSetCookie().map((text) => text.slice(0, text.indexOf("=")));
    assertEquals(set, [want]);
  });
}
