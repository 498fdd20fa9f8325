import { assert, assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import type { Node, Route } from "../../../mod.ts";
import * as ui from "../../../ui/mod.ts";
import { page, scrolled, site, untilHeading } from "../kit/pages.ts";
import { focusOf, isMarked, mark, testInBrowser, until, untilAsked } from "../kit/site.ts";
import type { Trial, TrialRow } from "../kit/site.ts";
import { routeOf } from "../../routes.ts";

/** Leaves a message for the next page. */
const queue = routeOf("GET", "/queue", (c) => {
  c.flash("success", "Saved");
  return c.noContent();
});

function parts(): readonly TrialRow[] {
  const part = Promise.withResolvers<Node>();
  return [
    ["late parts of the page arrive in the region", "/one", [
      ...site([h.a(h.id("go"), h.href("/late"), "go")], [
        page("/late", "Late", (c) => [h.h1("Late"), h.div(c.defer(part.promise, h.i("soon")))]),
      ]),
    ], async ({ page }) => {
      await page.click("#go");
      await page.locator("main i").waitFor();
      assertEquals(await page.title(), "Late");
      part.resolve(h.b("there"));
      await page.locator("main b").waitFor();
      assertEquals(await page.locator("main i, main template").count(), 0);
      assert(await isMarked(page));
    }],
    ["a sheet closes after one of its links is followed", "/one", [
      ...site([
        ui.dialogOpen("menu", h.id("open"), "Menu"),
        ui.sheet("menu", "Menu", h.a(h.id("go"), h.href("/two"), "Two")),
      ]),
    ], async ({ page }) => {
      // Outside the region, as in a header.
      await page.evaluate("document.body.append(document.querySelector('#menu'))");
      await page.click("#open");
      await page.click("#go");
      await untilHeading(page, "Two");
      await page.locator("#menu").waitFor({ state: "hidden" });
      assert(await isMarked(page));
    }],
    ["messages outside the region are shown", "/one", [
      ...site([h.a(h.id("go"), h.href("/flash"), "go")], [
        page("/flash", "Flash", () => h.h1("Flash")),
        queue,
      ]),
    ], async ({ page }) => {
      await page.evaluate("fetch('/queue')");
      // Hover or focus would prefetch the page, and a prefetched page has no message.
      await page.evaluate("document.querySelector('#go').click()");
      await page.getByText("Saved").waitFor();
      assert(await isMarked(page));
    }],
  ];
}

testInBrowser("parts of a page outside its region", parts());

const isFetched = "performance.getEntriesByType('resource').some((e) => e.name.endsWith('/two'))";
const slowData = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })";

testInBrowser("prefetch", [
  ["a hovered link is fetched once and shown without a second request", "/one", [
    ...site(),
  ], async ({ page, asked }) => {
    await page.hover("nav >> text=Two");
    await until(page, isFetched);
    await page.click("nav >> text=Two");
    await untilHeading(page, "Two");
    assertEquals(asked, ["GET /two purpose=prefetch"]);
  }],
  ["links that are passed quickly, external or opted out are not prefetched", "/one", [
    ...site([
      h.a(h.id("out"), h.href("/two"), ui.noNavigate(), "out"),
      h.a(h.id("swap"), h.href("/two"), ui.swap("main"), "swap"),
      h.a(h.id("here"), h.href("#main"), "here"),
    ]),
  ], async ({ page, asked }) => {
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
  }],
  ["a touch prefetches immediately", "/one", site(), async ({ page, asked }) => {
    await page.evaluate(`document.querySelector("nav a[href='/two']")
        .dispatchEvent(new Event("touchstart", { bubbles: true }))`);
    await untilAsked(asked, "GET /two purpose=prefetch");
    assertEquals(asked, ["GET /two purpose=prefetch"]);
  }],
  ["nothing is prefetched if the user saves data", undefined, [
    ...site(),
  ], async ({ page, open, asked }) => {
    await page.addInitScript(slowData);
    await open("/one");
    await page.hover("nav >> text=Two");
    await page.waitForTimeout(200);
    assertEquals(asked, []);
    await page.click("nav >> text=Two");
    await untilHeading(page, "Two");
    assertEquals(asked, ["GET /two"]);
  }, { isApart: true }],
  ["a page prefetched before a post is fetched again", "/one", [
    ...site([
      h.form(
        h.id("form"),
        h.method("post"),
        h.action("/save"),
        ui.swap("form"),
        ui.noPush(),
        h.button("Save"),
      ),
    ], [{ pattern: "/save", methods: { POST: (c) => c.render(200, h.p(h.id("form"), "saved")) } }]),
  ], async ({ page, asked }) => {
    await page.hover("nav >> text=Two");
    await until(page, isFetched);
    await page.click("text=Save");
    await page.getByText("saved").waitFor();
    await page.click("nav >> text=Two");
    await untilHeading(page, "Two");
    assertEquals(asked, ["GET /two purpose=prefetch", "POST /save fragment=form", "GET /two"]);
  }],
  ["a prefetched page consumes no message", "/one", [
    ...site(),
    queue,
  ], async ({ page, url }) => {
    await page.evaluate("fetch('/queue')");
    await page.hover("nav >> text=Two");
    await until(page, isFetched);
    await page.goto(`${url}/one`);
    await page.getByText("Saved").waitFor();
  }],
]);

const countTransitions = `{
  globalThis.transitions = 0;
  const start = Document.prototype.startViewTransition;
  Document.prototype.startViewTransition = function (run) {
    globalThis.transitions++;
    return start.call(document, run);
  };
}`;

testInBrowser("view transitions", [
  ...([[null, 1], ["reduce", 0]] as const).map(([reducedMotion, count]): TrialRow => ({
    name: `the change is a view transition if supported, with motion ${reducedMotion}`,
    routes: site(),
    run: async ({ page, open }) => {
      await page.emulateMedia({ reducedMotion });
      await open("/one");
      await page.evaluate(countTransitions);
      await page.click("nav >> text=Two");
      await untilHeading(page, "Two");
      assertEquals(await page.evaluate("globalThis.transitions"), count);
    },
  })),
  ["a browser without view transitions still shows the page", undefined, [
    ...site(),
  ], async ({ page, open }) => {
    await page.addInitScript("Document.prototype.startViewTransition = undefined");
    await open("/one");
    await page.click("nav >> text=Two");
    await untilHeading(page, "Two");
    assertEquals(await focusOf(page), "h1");
  }, { isApart: true }],
]);

const wasKept = "globalThis.isKept";

/** Leaves the page for another and returns to the cached one. */
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
  // It responds after the client has gone.
  const slow: Route = {
    pattern: "/slow",
    page: (c) => new Promise((resolve) => c.signal.addEventListener("abort", () => resolve())),
  };
  return [
    ["a page left during a request returns idle and working", undefined, [
      ...site([
        h.a(h.id("slow"), h.href("/slow"), ui.swap("target"), "slow"),
        h.p(h.id("target"), "before"),
        h.a(h.id("away"), h.href("/slow"), "away"),
      ]),
      slow,
      plain,
    ], async (trial) => {
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
    }],
    ["its history and scroll position keep working", undefined, [
      ...site(),
      plain,
    ], async (trial) => {
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
    }],
  ];
}

testInBrowser("the browser's page cache", kept(), { hasPageCache: true });
