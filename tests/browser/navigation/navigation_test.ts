import { assert, assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import type { Ctx, Node, Route } from "../../../mod.ts";
import * as ui from "../../../ui/mod.ts";
import { heading, layout, page, scrolled, site, untilHeading } from "../kit/pages.ts";
import { isMarked, mark, pageRoute, testInBrowser, until, untilLeft } from "../kit/site.ts";
import type { Trial, TrialPlan, TrialRow } from "../kit/site.ts";

const shellPage = (path: string): Route =>
  pageRoute(path, (c) =>
    h.div(
      ui.navigate("content"),
      ui.shell(c, { brand: "Shop", nav: [{ label: "Two", href: "/two" }] }, h.h1(path)),
    ));

testInBrowser("navigate", [
  ["a link in the drawer of a shell closes it", "/one", [
    shellPage("/one"),
    shellPage("/two"),
  ], async ({ page }) => {
    await page.click("header [popovertarget]");
    await page.click("aside nav a");
    await untilHeading(page, "/two");
    assert(await isMarked(page));
    assertEquals(await page.locator("aside:popover-open").count(), 0);
  }, { width: 390 }],
  ["a link replaces the region; URL, title, markers, focus and scroll follow", "/one", [
    ...site(),
  ], async ({ page, asked, url }) => {
    await page.evaluate("addEventListener('fw:swap', (e) => globalThis.told = e.target.id)");
    await page.click("#low");
    await untilHeading(page, "Two");
    await until(page, "document.activeElement.localName === 'h1'");
    assertEquals(page.url(), `${url}/two`);
    assertEquals(await page.title(), "Second");
    assertEquals(await page.locator("nav [aria-current]").innerText(), "Two");
    assertEquals(await scrolled(page), 0);
    assertEquals(await page.evaluate("globalThis.told"), "main");
    assertEquals(asked.map((line) => line.replace(" purpose=prefetch", "")), ["GET /two"]);
    await until(page, "document.querySelector('[role=status]')?.textContent === 'Second'");
    assert(await isMarked(page));
  }],
  ["Back, Forward, a reload and a return from another document keep the scroll position", "/one", [
    ...site(),
  ], async ({ page, url }) => {
    await page.evaluate("scrollTo(0, 1200)");
    await page.evaluate("document.querySelector('#low').click()");
    await untilHeading(page, "Two");
    await page.evaluate("scrollTo(0, 700)");
    await until(page, "history.state.y === 700");
    await page.goBack();
    await untilHeading(page, "One");
    await until(page, "scrollY === 1200");
    assertEquals(await page.title(), "First");
    await page.goForward();
    await untilHeading(page, "Two");
    await until(page, "scrollY === 700");
    assert(await isMarked(page));
    await page.reload();
    await until(page, "scrollY === 700");
    await page.goto(`${url}/ui.css`);
    await page.goBack();
    await untilHeading(page, "Two");
    await until(page, "scrollY === 700");
    await page.goBack();
    await untilHeading(page, "One");
    await until(page, "scrollY === 1200");
  }],
  ["a # in the URL scrolls there, on another page and on the current one", "/one", [
    ...site([h.a(h.id("far"), h.href("/two#end"), "end")]),
  ], async ({ page, url }) => {
    await page.click("#far");
    await untilHeading(page, "Two");
    await until(page, "scrollY > 2000");
    assertEquals(page.url(), `${url}/two#end`);
    await page.evaluate("scrollTo(0, 0)");
    await page.evaluate(`{
        const link = document.createElement("a");
        link.href = "#end";
        document.querySelector("main").append(link);
        link.click();
      }`);
    await until(page, "scrollY > 2000");
    assert(await isMarked(page));
  }],
  ["an empty # scrolls to the top without a request", "/one", [
    ...site([h.a(h.id("top"), h.href("#"), "top")]),
  ], async ({ page, asked }) => {
    await page.evaluate("scrollTo(0, 1200)");
    await page.evaluate("document.querySelector('#top').click()");
    await until(page, "scrollY === 0 && location.href.endsWith('/one#')");
    assertEquals(asked, []);
    assert(await isMarked(page));
  }],
  ["head elements for machines or without a script are updated without a load", "/one", [
    ...site([h.a(h.id("go"), h.href("/to"), "go")], [{
      pattern: "/to",
      layouts: [(c, child) =>
        withHead(
          c,
          child,
          h.fragment(
            h.link(h.rel("canonical"), h.href("/to")),
            h.script(h.type("application/ld+json"), h.raw('{"@type":"Event"}')),
            h.noscript(h.link(h.rel("stylesheet"), h.href("/plain.css"))),
          ),
        )],
      page: () => h.h1("There"),
    }]),
  ], async ({ page }) => {
    await page.evaluate("document.querySelector('#go').click()");
    await untilHeading(page, "There");
    assertEquals(await page.locator("link[rel=canonical]").getAttribute("href"), "/to");
    assert(await isMarked(page));
  }],
  ["without a script the links load the pages", "/one", site(), async ({ page, url }) => {
    await page.click("#low");
    assertEquals([await heading(page), page.url()], ["Two", `${url}/two`]);
  }, { hasScript: false }],
]);

testInBrowser(
  "navigate, called twice in a row",
  ([["early", "late"], ["late", "early"]] as const).map((order): TrialRow => {
    const gates = { early: Promise.withResolvers<void>(), late: Promise.withResolvers<void>() };
    const names = ["early", "late"] as const;
    const slow = (name: typeof names[number]): Route =>
      page(`/${name}`, name, async () => {
        await gates[name].promise;
        return h.h1(name);
      });
    return {
      name: `a second click cancels the first, and the region is busy until its end: ${order} come`,
      routes: site(names.map((name) => h.a(h.id(name), h.href(`/${name}`), name)), names.map(slow)),
      run: async ({ page, open, url }) => {
        await open("/one");
        await page.click("#early");
        await page.locator("#main[aria-busy=true]").waitFor();
        await page.click("#late");
        for (const [at, name] of order.entries()) {
          gates[name].resolve();
          await page.waitForTimeout(150);
          const isThere = name === "late" || at === 1;
          if (isThere) await untilHeading(page, "late");
          assertEquals(await page.locator("#main[aria-busy=true]").count(), isThere ? 0 : 1);
        }
        assertEquals([await heading(page), page.url()], ["late", `${url}/late`]);
        assertEquals(await page.locator("[aria-busy]").count(), 0);
      },
    };
  }),
);

/** Renders the layout of the other pages, with an extra element in the head. */
function withHead(c: Ctx, child: Node, part: Node): Node {
  return h.html(
    h.lang("en"),
    h.head(h.meta(h.charset("utf-8")), ui.head(c), part),
    h.body(ui.body(), h.main(h.id("main"), child)),
  );
}

/** Pages that cannot replace the region alone, so the browser loads each again. */
function leaving(): readonly TrialRow[] {
  const to = (given: Route["page"], layouts: Route["layouts"] = [layout]): Route => ({
    pattern: "/to",
    ...(given === undefined ? {} : { page: given }),
    ...(layouts === undefined ? {} : { layouts }),
  });
  const row = (
    name: string,
    route: Route,
    more: Partial<TrialPlan> & { readonly lands?: string } = {},
  ): TrialRow => ({
    name,
    routes: site([h.a(h.id("go"), h.href("/to"), "go")], [route]),
    run: async ({ page, open, asked, url }) => {
      await open("/one");
      await page.press("#go", "Enter");
      await untilLeft(page);
      assertEquals(page.url(), url + (more.lands ?? "/to"));
      // The focused link may be fetched ahead; the navigation then needs no other request.
      const visits = asked.map((line) => line.replace(" purpose=prefetch", ""));
      assertEquals(visits.slice(0, 2), ["GET /to", "GET /to"]);
    },
    ...more,
  });
  return [
    row("a redirect", to((c) => c.redirect("/two")), { lands: "/two" }),
    row("a page without the region", to(() => h.p("bare"), [(_c, child) => h.html(h.body(child))])),
    row("what is not a page", to((c) => c.text(200, "text"))),
    row(
      "a page with another stylesheet",
      to(() => h.p("styled"), [
        (_c, child) =>
          h.html(
            h.head(h.link(h.rel("stylesheet"), h.href("/ui.theme.css"))),
            h.body(h.main(h.id("main"), child)),
          ),
      ]),
    ),
    ...([
      ["styles", (c) => h.style(h.attr("nonce", c.nonce), h.raw("h1 { color: red }"))],
      ["a script", (c) => h.script(h.attr("nonce", c.nonce), h.raw("globalThis.own = 1"))],
      ["a refresh", () => h.meta(h.httpEquiv("refresh"), h.content("600"))],
    ] satisfies [name: string, part: (c: Ctx) => Node][]).map(([name, part]) =>
      row(
        `a page with ${name} of its own in the head`,
        to(() => h.p("own"), [(c, child) => withHead(c, child, part(c))]),
        // The parsed page has the current policy, with another nonce.
        { expected: name === "styles" ? ["Content Security Policy"] : [] },
      )
    ),
    row(
      "a page in another language",
      to(() => h.p("olá"), [
        (c, child) => h.html(h.lang("pt"), h.head(ui.head(c)), h.body(h.main(h.id("main"), child))),
      ]),
    ),
  ];
}

testInBrowser("navigate leaves special links to the browser", leaving());

/** Links that the browser follows without a request by the script. */
function others(): readonly TrialRow[] {
  const row = (name: string, link: Node, follow: (trial: Trial) => Promise<void>): TrialRow => ({
    name,
    routes: site([link]),
    run: async (trial) => {
      await trial.open("/one");
      await mark(trial.page);
      await follow(trial);
    },
  });
  const leaves = async ({ page, asked }: Trial): Promise<void> => {
    await page.press("#go", "Enter");
    await untilLeft(page);
    assertEquals(asked, ["GET /two"]);
  };
  const opens = async ({ page, context }: Trial): Promise<void> => {
    const opened = context.waitForEvent("page");
    await page.click("#go");
    await (await opened).close();
    assert(await isMarked(page));
  };
  return [
    row(
      "ui.noNavigate on the link",
      h.a(h.id("go"), h.href("/two"), ui.noNavigate(), "go"),
      leaves,
    ),
    row("noNavigate around", h.div(ui.noNavigate(), h.a(h.id("go"), h.href("/two"), "go")), leaves),
    row("another window", h.a(h.id("go"), h.href("/two"), h.target("_blank"), "go"), opens),
    row("a key that asks for a window", h.a(h.id("go"), h.href("/two"), "go"), async (trial) => {
      const opened = trial.context.waitForEvent("page");
      await trial.page.click("#go", { modifiers: ["ControlOrMeta"] });
      await (await opened).close();
      assert(await isMarked(trial.page));
    }),
    row(
      "an address that is not a page",
      h.a(h.id("go"), h.href("/two"), "go"),
      async ({ page }) => {
        await page.evaluate(`document.querySelector("#go").href =
        URL.createObjectURL(new Blob(["made here"], { type: "text/plain" }))`);
        await page.press("#go", "Enter");
        await until(page, "location.protocol === 'blob:'");
      },
    ),
    row("a file", h.a(h.id("go"), h.href("/two"), h.download("two"), "go"), async ({ page }) => {
      const download = page.waitForEvent("download");
      await page.click("#go");
      await (await download).cancel();
      assert(await isMarked(page));
    }),
  ];
}

testInBrowser("navigate falls back to a browser navigation", others());
