import { assert, assertEquals } from "@std/assert";
import * as h from "../../html/mod.ts";
import type { Child, Ctx, Node, Route } from "../../mod.ts";
import * as ui from "../../ui/mod.ts";
import type { Page } from "./browser.ts";
import {
  focusOf,
  isMarked,
  mark,
  testInBrowser,
  type Trial,
  type TrialRow,
  until,
  untilLeft,
} from "./kit_site.ts";

/** A layout in which every link navigates. */
function layout(c: Ctx, children: Node): Node {
  return h.html(
    h.lang("en"),
    h.head(h.meta(h.charset("utf-8")), h.title(c.title), ui.head(c)),
    h.body(
      ui.body(),
      ui.navigate("main"),
      ui.nav(
        ui.navLink("/one", "One", c.pattern === "/one"),
        ui.navLink("/two", "Two", c.pattern === "/two"),
      ),
      h.main(h.id("main"), children),
      ui.flashes(c),
    ),
  );
}

function page(pattern: string, title: string, body: (c: Ctx) => Child | Promise<Child>): Route {
  return {
    pattern,
    layouts: [layout],
    page: async (c) => {
      c.title = title;
      return h.fragment(await body(c));
    },
  };
}

const tall = (): Node => h.p(h.styleAttr("height: 3000px"), "tall");

/** Two pages, the first of which holds more links. */
function site(links: readonly Node[] = [], more: readonly Route[] = []): readonly Route[] {
  return [
    page("/one", "First", () => [
      h.h1("One"),
      ...links,
      tall(),
      h.p(h.a(h.id("low"), h.href("/two"), "to two")),
    ]),
    page("/two", "Second", () => [h.h1("Two"), tall(), h.h2(h.id("end"), "End")]),
    ...more,
  ];
}

const heading = (page: Page): Promise<string> => page.locator("h1").innerText();
const scrolled = async (page: Page): Promise<number> => Number(await page.evaluate("scrollY"));

async function untilHeading(page: Page, text: string): Promise<void> {
  await until(page, `document.querySelector("h1")?.textContent === ${JSON.stringify(text)}`);
}

const basics: readonly TrialRow[] = [
  {
    name: "a link replaces the region; address, title, marks, focus and scroll follow",
    routes: site(),
    run: async ({ page, open, asked, url }) => {
      await open("/one");
      await mark(page);
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
    },
  },
  {
    name: "the keyboard alone does the same",
    routes: site(),
    run: async ({ page, open }) => {
      await open("/one");
      await mark(page);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await untilHeading(page, "Two");
      await until(page, "document.activeElement.localName === 'h1'");
      assert(await isMarked(page));
    },
  },
  {
    name: "Back and Forward show the pages where they were scrolled to",
    routes: site(),
    run: async ({ page, open }) => {
      await open("/one");
      await mark(page);
      await page.evaluate("scrollTo(0, 1200)");
      await page.evaluate("document.querySelector('#low').click()");
      await untilHeading(page, "Two");
      await page.evaluate("scrollTo(0, 700)");
      await page.waitForTimeout(300);
      await page.goBack();
      await untilHeading(page, "One");
      await until(page, "scrollY === 1200");
      assertEquals(await page.title(), "First");
      await page.goForward();
      await untilHeading(page, "Two");
      await until(page, "scrollY === 700");
      assert(await isMarked(page));
    },
  },
  {
    name: "a reload and a way back from another document keep the scroll as well",
    routes: site(),
    run: async ({ page, open, url }) => {
      await open("/one");
      await page.evaluate("scrollTo(0, 1200)");
      await page.evaluate("document.querySelector('#low').click()");
      await untilHeading(page, "Two");
      await page.evaluate("scrollTo(0, 700)");
      await page.waitForTimeout(300);
      await page.reload();
      await until(page, "scrollY === 700");
      await page.goto(`${url}/ui.css`);
      await page.goBack();
      await untilHeading(page, "Two");
      await until(page, "scrollY === 700");
      await page.goBack();
      await untilHeading(page, "One");
      await until(page, "scrollY === 1200");
    },
  },
  {
    name: "a # in the address is scrolled to, on another page and on this one",
    routes: site([h.a(h.id("far"), h.href("/two#end"), "end")]),
    run: async ({ page, open, url }) => {
      await open("/one");
      await mark(page);
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
    },
  },
  {
    name: "without a script the links lead to the pages",
    hasScript: false,
    routes: site(),
    run: async ({ page, open, url }) => {
      await open("/one");
      await page.click("#low");
      assertEquals([await heading(page), page.url()], ["Two", `${url}/two`]);
    },
  },
];

testInBrowser("navigate", basics);

function races(): readonly TrialRow[] {
  const first = Promise.withResolvers<void>();
  return [{
    name: "a second click cancels the first, whichever answers first",
    routes: site([h.a(h.id("slow"), h.href("/slow"), "slow")], [
      page("/slow", "Slow", async () => {
        await first.promise;
        return h.h1("Slow");
      }),
    ]),
    run: async ({ page, open, url }) => {
      await open("/one");
      await page.click("#slow");
      await page.locator("#main[aria-busy=true]").waitFor();
      await page.click("nav >> text=Two");
      await untilHeading(page, "Two");
      first.resolve();
      await page.waitForTimeout(150);
      assertEquals([await heading(page), page.url()], ["Two", `${url}/two`]);
      assertEquals(await page.locator("[aria-busy]").count(), 0);
    },
  }];
}

testInBrowser("navigate, twice at once", races());

/** Pages for which the region alone would not do: each is asked for again, by the browser. */
function leaving(): readonly TrialRow[] {
  const to = (given: Route["page"], layouts: Route["layouts"] = [layout]): Route => ({
    pattern: "/to",
    ...(given === undefined ? {} : { page: given }),
    ...(layouts === undefined ? {} : { layouts }),
  });
  const row = (
    name: string,
    route: Route,
    more: Partial<TrialRow> & { readonly lands?: string } = {},
  ): TrialRow => ({
    name,
    routes: site([h.a(h.id("go"), h.href("/to"), "go")], [route]),
    run: async ({ page, open, asked, url }) => {
      await open("/one");
      await mark(page);
      await page.focus("#go");
      await page.keyboard.press("Enter");
      await untilLeft(page);
      assertEquals(page.url(), url + (more.lands ?? "/to"));
      assertEquals(asked.slice(0, 2), ["GET /to", "GET /to"]);
    },
    ...more,
  });
  return [
    row(
      "a 500",
      to(() => {
        throw new Error("on purpose");
      }),
      { expected: ["500"] },
    ),
    row("a redirect", to((c) => c.redirect("/two")), { lands: "/two" }),
    row("a page without the region", to(() => h.p("bare"), [(_c, child) => h.html(h.body(child))])),
    row("what is no page", to((c) => c.text(200, "text"))),
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
    row(
      "a page in another language",
      to(() => h.p("olá"), [
        (c, child) => h.html(h.lang("pt"), h.head(ui.head(c)), h.body(h.main(h.id("main"), child))),
      ]),
    ),
  ];
}

testInBrowser("navigate leaves to the browser", leaving());

/** Links that are followed by the browser: nothing is asked by the script. */
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
    await page.focus("#go");
    await page.keyboard.press("Enter");
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
    row(
      "ui.noNavigate around it",
      h.div(ui.noNavigate(), h.a(h.id("go"), h.href("/two"), "go")),
      leaves,
    ),
    row("another window", h.a(h.id("go"), h.href("/two"), h.target("_blank"), "go"), opens),
    row("a key that asks for a window", h.a(h.id("go"), h.href("/two"), "go"), async (trial) => {
      const opened = trial.context.waitForEvent("page");
      await trial.page.click("#go", { modifiers: ["ControlOrMeta"] });
      await (await opened).close();
      assert(await isMarked(trial.page));
    }),
    row("a file", h.a(h.id("go"), h.href("/two"), h.download("two"), "go"), async ({ page }) => {
      const download = page.waitForEvent("download");
      await page.click("#go");
      await (await download).cancel();
      assert(await isMarked(page));
    }),
  ];
}

testInBrowser("navigate lets the browser follow", others());

function parts(): readonly TrialRow[] {
  const part = Promise.withResolvers<Node>();
  return [
    {
      name: "late parts of the page come into the region",
      routes: site([h.a(h.id("go"), h.href("/late"), "go")], [
        page("/late", "Late", (c) => [h.h1("Late"), h.div(c.defer(part.promise, h.i("soon")))]),
      ]),
      run: async ({ page, open }) => {
        await open("/one");
        await mark(page);
        await page.click("#go");
        await page.locator("main i").waitFor();
        assertEquals(await page.title(), "Late");
        part.resolve(h.b("there"));
        await page.locator("main b").waitFor();
        assertEquals(await page.locator("main i, main template").count(), 0);
        assert(await isMarked(page));
      },
    },
    {
      name: "a sheet from which the link was followed closes",
      routes: site([
        ui.dialogOpen("menu", h.id("open"), "Menu"),
        ui.sheet("menu", "Menu", h.a(h.id("go"), h.href("/two"), "Two")),
      ]),
      run: async ({ page, open }) => {
        await open("/one");
        await mark(page);
        // Outside of the region, as in a header.
        await page.evaluate("document.body.append(document.querySelector('#menu'))");
        await page.click("#open");
        await page.click("#go");
        await untilHeading(page, "Two");
        await page.locator("#menu").waitFor({ state: "hidden" });
        assert(await isMarked(page));
      },
    },
    {
      name: "messages outside the region are shown",
      routes: site([h.a(h.id("go"), h.href("/flash"), "go")], [
        page("/flash", "Flash", () => h.h1("Flash")),
        {
          pattern: "/queue",
          methods: {
            GET: (c) => {
              c.flash("success", "Saved");
              return c.noContent();
            },
          },
        },
      ]),
      run: async ({ page, open }) => {
        await open("/one");
        await mark(page);
        await page.evaluate("fetch('/queue')");
        await page.focus("#go");
        await page.keyboard.press("Enter");
        await page.getByText("Saved").waitFor();
        assert(await isMarked(page));
      },
    },
  ];
}

testInBrowser("what a page brings beside its region", parts());

const slowData = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })";

const prefetches: readonly TrialRow[] = [
  {
    name: "what is pointed at is fetched once, and shown without asking again",
    routes: site(),
    run: async ({ page, open, asked }) => {
      await open("/one");
      await page.hover("nav >> text=Two");
      await until(
        page,
        "performance.getEntriesByType('resource').some((e) => e.name.endsWith('/two'))",
      );
      await page.click("nav >> text=Two");
      await untilHeading(page, "Two");
      assertEquals(asked, ["GET /two purpose=prefetch"]);
    },
  },
  {
    name: "what is passed over quickly, leads elsewhere or is opted out is not fetched",
    routes: site([
      h.a(h.id("out"), h.href("/two"), ui.noNavigate(), "out"),
      h.a(h.id("swap"), h.href("/two"), ui.swap("main"), "swap"),
      h.a(h.id("here"), h.href("#main"), "here"),
    ]),
    run: async ({ page, open, asked }) => {
      await open("/one");
      for (const id of ["out", "swap", "here"]) {
        await page.hover(`#${id}`);
        await page.waitForTimeout(150);
      }
      await page.evaluate(`for (const selector of ["nav a[href='/two']", "h1"]) {
        const init = { bubbles: true, pointerType: "mouse" };
        document.querySelector(selector).dispatchEvent(new PointerEvent("pointerover", init));
      }`);
      await page.waitForTimeout(150);
      assertEquals(asked, []);
    },
  },
  {
    name: "a finger that goes down fetches at once",
    routes: site(),
    run: async ({ page, open, asked }) => {
      await open("/one");
      await page.evaluate(`document.querySelector("nav a[href='/two']")
        .dispatchEvent(new Event("touchstart", { bubbles: true }))`);
      await page.waitForTimeout(150);
      assertEquals(asked, ["GET /two purpose=prefetch"]);
    },
  },
  {
    name: "nothing is fetched ahead where data is dear",
    routes: site(),
    run: async ({ page, open, asked }) => {
      await page.addInitScript(slowData);
      await open("/one");
      await page.hover("nav >> text=Two");
      await page.waitForTimeout(200);
      assertEquals(asked, []);
      await page.click("nav >> text=Two");
      await untilHeading(page, "Two");
      assertEquals(asked, ["GET /two"]);
    },
  },
  {
    name: "a page that is fetched ahead takes no message",
    routes: [
      ...site(),
      {
        pattern: "/queue",
        methods: {
          GET: (c) => {
            c.flash("success", "Saved");
            return c.noContent();
          },
        },
      },
    ],
    run: async ({ page, open, url }) => {
      await open("/one");
      await page.evaluate("fetch('/queue')");
      await page.hover("nav >> text=Two");
      await page.waitForTimeout(200);
      await page.goto(`${url}/one`);
      await page.getByText("Saved").waitFor();
    },
  },
];

testInBrowser("prefetch", prefetches);

/** Counts the transitions that the script asks for. */
const countTransitions = `{
  globalThis.transitions = 0;
  const start = document.startViewTransition;
  document.startViewTransition = function (run) {
    globalThis.transitions++;
    return start.call(document, run);
  };
}`;

const transitions: readonly TrialRow[] = [
  {
    name: "the change is a transition where the browser has one",
    routes: site(),
    run: async ({ page, open }) => {
      await open("/one");
      await page.evaluate(countTransitions);
      await page.click("nav >> text=Two");
      await untilHeading(page, "Two");
      assertEquals(await page.evaluate("globalThis.transitions"), 1);
    },
  },
  {
    name: "whoever asked for less motion sees none",
    routes: site(),
    run: async ({ page, open }) => {
      await page.emulateMedia({ reducedMotion: "reduce" });
      await open("/one");
      await page.evaluate(countTransitions);
      await page.click("nav >> text=Two");
      await untilHeading(page, "Two");
      assertEquals(await page.evaluate("globalThis.transitions"), 0);
    },
  },
  {
    name: "a browser without them shows the page all the same",
    routes: site(),
    run: async ({ page, open }) => {
      await page.addInitScript("document.startViewTransition = undefined");
      await open("/one");
      await page.click("nav >> text=Two");
      await untilHeading(page, "Two");
      assertEquals(await focusOf(page), "h1");
    },
  },
];

testInBrowser("view transitions", transitions);

const speculation: readonly TrialRow[] = [{
  name: "ui.speculationRules is taken under the default policy",
  routes: [
    {
      pattern: "/start",
      layouts: [(c, children) =>
        h.html(
          h.head(h.title("Start"), ui.head(c), ui.speculationRules(c, { eagerness: "eager" })),
          h.body(children),
        )],
      page: () => h.main(h.a(h.id("go"), h.href("/two"), "two"), h.a(h.href("/start"), "start")),
    },
    ...site(),
  ],
  run: async ({ page, open, asked }) => {
    await open("/start");
    assert(await page.evaluate("HTMLScriptElement.supports('speculationrules')"));
    await page.hover("#go");
    const end = performance.now() + 3_000;
    while (asked.length === 0 && performance.now() < end) await page.waitForTimeout(50);
    assertEquals(asked[0], "GET /two purpose=prefetch");
  },
}];

testInBrowser("speculation rules", speculation);

const wasKept = "globalThis.isKept";

/** Leaves the page for another and comes back to it as it was. */
async function leaveAndReturn({ page, url }: Trial): Promise<void> {
  await mark(page);
  await page.evaluate(`addEventListener("pageshow", (e) => ${wasKept} = e.persisted)`);
  await page.goto(`${url}/plain`);
  await page.evaluate("history.back()");
  await until(page, wasKept);
  assert(await isMarked(page));
}

const plain: Route = { pattern: "/plain", page: () => h.p("plain") };

function kept(): readonly TrialRow[] {
  // It answers when nobody waits any more.
  const slow: Route = {
    pattern: "/slow",
    page: (c) => new Promise((resolve) => c.signal.addEventListener("abort", () => resolve())),
  };
  return [
    {
      name: "a page that is left while something is on its way comes back at rest, and works",
      routes: [
        ...site([
          h.a(h.id("slow"), h.href("/slow"), ui.swap("target"), "slow"),
          h.p(h.id("target"), "before"),
          h.a(h.id("away"), h.href("/slow"), "away"),
        ]),
        slow,
        plain,
      ],
      run: async (trial) => {
        const { page, open, url } = trial;
        await open("/one");
        await page.click("#slow");
        await page.click("#away");
        await page.locator("#main[aria-busy=true]").waitFor();
        await leaveAndReturn(trial);
        await page.waitForTimeout(200);
        assertEquals(await page.locator("[aria-busy]").count(), 0);
        assertEquals(page.url(), `${url}/one`);
        await page.click("nav >> text=Two");
        await untilHeading(page, "Two");
        assert(await isMarked(page));
      },
    },
    {
      name: "its history and its scroll go on as before",
      routes: [...site(), plain],
      run: async (trial) => {
        const { page, open } = trial;
        await open("/one");
        await page.evaluate("scrollTo(0, 1200)");
        await page.evaluate("document.querySelector('#low').click()");
        await untilHeading(page, "Two");
        await page.evaluate("scrollTo(0, 700)");
        await leaveAndReturn(trial);
        assertEquals(await scrolled(page), 700);
        await page.evaluate("history.back()");
        await untilHeading(page, "One");
        await until(page, "scrollY === 1200");
        assert(await isMarked(page));
      },
    },
  ];
}

testInBrowser("the browser's cache of pages", kept(), { hasPageCache: true });
