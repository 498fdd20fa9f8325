/**
 * `app.export`: writes each page in each language and without one, with links that keep the
 * language.
 */
import { assert, assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import type { Ctx, LayoutHandler, Route } from "../../../mod.ts";
import { alternateLinks } from "../../../runtime/i18n/mod.ts";
import { exportOnce } from "./support.ts";

const layouts: LayoutHandler[] = [
  (c, children) =>
    h.html(h.lang(c.language), h.head(h.title("x"), alternateLinks(c)), h.body(children)),
];

function link(c: Ctx, path: string): h.Node {
  return h.a(h.href(c.href(path as "/")), path);
}

const routes: Route[] = [
  { pattern: "/", layouts, page: (c) => h.p(c.language, link(c, "/events/jazz")) },
  {
    pattern: "/events/{slug}",
    layouts,
    page: (c) => h.p(c.param("slug"), link(c, "/"), link(c, "/events/jazz.ics")),
    paths: () => [{ slug: "jazz" }],
  },
  { pattern: "/events/jazz.ics", methods: { GET: (c) => c.text(200, c.language) } },
];

const config = { languages: ["en", "pt-PT"], languagePrefix: true };

Deno.test("export: writes every page in every language", async () => {
  const options = { baseUrl: "https://example.com" };
  await exportOnce({ routes, config, options }, ({ report, message, read }, scratch) => {
    assertEquals([message, report.errors], [undefined, []]);
    assertEquals(scratch.list(), [
      ..."en/events/jazz.ics en/events/jazz/index.html en/index.html".split(" "),
      ..."events/jazz.ics events/jazz/index.html index.html pt-PT/events/jazz.ics".split(" "),
      ..."pt-PT/events/jazz/index.html pt-PT/index.html sitemap.xml".split(" "),
    ]);
    const home = read("pt-PT/index.html");
    assert(home.includes('<html lang="pt-PT">') && home.includes("<p>pt-PT<"), home);
    assert(home.includes('<a href="/pt-PT/events/jazz/">'), home);
    assert(read("pt-PT/events/jazz/index.html").includes('<a href="/pt-PT/">/</a>'));
    assert(read("index.html").includes('<html lang="en">'));
    assert(read("index.html").includes('<a href="/events/jazz/">'));
    assertEquals(read("pt-PT/events/jazz.ics"), "pt-PT");
    const jazz = read("events/jazz/index.html");
    const cases = [["en", "/en/"], ["pt-PT", "/pt-PT/"], ["x-default", "/"]];
    for (const [language, path] of cases) {
      const alternate =
        `<link rel="alternate" hreflang="${language}" href="https://example.com${path}events/jazz/">`;
      assert(jazz.includes(alternate), jazz);
    }
    const map = read("sitemap.xml");
    for (const path of ["/", "/en/", "/pt-PT/", "/pt-PT/events/jazz/"]) {
      assert(map.includes(`<loc>https://example.com${path}</loc>`), map);
    }
  });
});

Deno.test("export: excludes paths in every language", async () => {
  const [home] = routes;
  if (home === undefined) throw new Error("no routes");
  const options = { exclude: ["/events"] };
  const alone = { ...home, page: (c: Ctx) => h.p(c.language) };
  await exportOnce(
    { routes: [alone, ...routes.slice(1)], config, options },
    (_outcome, scratch) => {
      assertEquals(scratch.list(), ["en/index.html", "index.html", "pt-PT/index.html"]);
    },
  );
});

Deno.test("export: treats external paths as external in every language", async () => {
  const page = (c: Ctx): h.Node => link(c, "/account/devices");
  const options = { elsewhere: ["/account"] };
  await exportOnce({ routes: [{ pattern: "/", page }], config, options }, ({ report, message }) => {
    assertEquals([message, report.errors], [undefined, []]);
  });
});

Deno.test("export: writes each page once without prefixes, in the first language", async () => {
  const once = { ...config, languagePrefix: false };
  await exportOnce({ routes, config: once }, ({ read }, scratch) => {
    assertEquals(scratch.list(), ["events/jazz.ics", "events/jazz/index.html", "index.html"]);
    assert(read("index.html").includes('<html lang="en">'));
  });
});
