import { assert, assertEquals } from "@std/assert";
import type { Node } from "../../../mod.ts";
import type { Page } from "../browser.ts";
import {
  h,
  isMarked,
  pageRoute,
  start,
  testInBrowser,
  type TrialRow,
  ui,
  until,
} from "../kit/site.ts";
import { routeOf } from "../../routes.ts";

const text = (page: Page, selector: string): Promise<string> => page.locator(selector).innerText();

function several(): readonly TrialRow[] {
  return [
    ["each of several elements is parsed alone: rows, cells and items beside others", "/", [
      start(
        h.b(h.id("count"), "1"),
        h.table(
          h.thead(h.tr(h.th(h.id("sum"), "1"))),
          h.tbody(h.id("rows"), h.tr(h.id("row-2"), h.td("old"))),
        ),
        h.select(h.option(h.id("choice"), "old")),
      ),
      routeOf("GET", "/to", (c) =>
        c.renderAll(
          200,
          h.b(h.id("count"), "2"),
          h.tr(h.id("row-2"), h.td("new")),
          h.th(h.id("sum"), "2"),
          h.option(h.id("choice"), "new"),
          h.div(h.id("target"), c.defer(Promise.resolve(h.p("late")), "soon")),
        )),
    ], async ({ page }) => {
      await page.click("#go");
      await until(page, "document.querySelector('#target').textContent === 'late'");
      assertEquals(
        await page.locator("#count, #row-2 > td, thead th#sum, #choice").allTextContents(),
        ["2", "2", "new", "new"],
      );
    }],
    ["text that resembles the separator stays text", "/", [
      start(h.p(h.id("total"), "0")),
      routeOf("GET", "/to", (c) => {
        const mark = "<!--fw-next--><!----><b id=made>made</b>";
        return c.renderAll(
          200,
          h.div(h.id("target"), h.raw(`<i title="${mark}">after</i>`)),
          h.p(h.id("total"), "1"),
        );
      }),
    ], async ({ page }) => {
      await page.click("#go");
      await until(page, "document.querySelector('#total').textContent === '1'");
      assertEquals([await text(page, "#target"), await page.locator("#made").count()], [
        "after",
        0,
      ]);
    }],
    ["a trigger places elements without a place or target: at the end, before, or removed", "/", [
      pageRoute("/", () => [
        h.ul(h.id("list"), h.li(h.id("a"), "a")),
        h.form(
          h.id("add"),
          h.method("post"),
          h.action("/to"),
          ui.swap("list", { place: "append" }),
          h.button("Add"),
        ),
        h.p(
          ui.swap("a", { place: "before" }),
          h.a(h.id("before"), h.href("/one"), "before"),
        ),
        h.a(h.id("whole"), h.href("/whole"), ui.swap("list", { place: "append" }), "whole"),
        h.a(h.id("wrong"), h.href("/wrong"), ui.swap("list", { place: "append" }), "wrong"),
        h.a(h.id("remove"), h.href("/none"), ui.swap("a", { place: "remove" }), "remove"),
      ]),
      routeOf("POST", "/to", (c) =>
        c.render(
          200,
          h.fragment(
            h.li(h.id("a"), "a2"),
            h.li(h.id("b"), "b"),
            h.li(h.id("c"), ui.place("prepend", "list"), "c"),
          ),
        )),
      routeOf("GET", "/one", (c) => c.render(200, h.li("one"))),
      routeOf("GET", "/whole", (c) =>
        c.render(
          200,
          h.section(h.h2("Guests"), h.ul(h.id("list"), h.li(h.id("a"), "a3"), h.li("d"))),
        )),
      routeOf("GET", "/wrong", (c) => c.render(404, h.li("wrong"))),
      routeOf("GET", "/none", (c) => c.noContent()),
    ], async ({ page }) => {
      const is = (want: string) =>
        until(
          page,
          `[...document.querySelectorAll("#list > *")].map((li) => li.textContent).join() === "${want}"`,
        );
      await is("a");
      await page.click("#add button");
      await is("c,a2,b");
      await page.click("#before");
      await is("c,one,a2,b");
      await page.click("#whole");
      await is("a3,d");
      await page.click("#remove");
      await is("d");
      await page.click("#wrong");
      await page.waitForURL("**/wrong");
    }, { expected: ["404 (Not Found)"] }],
    ["the target need not be among them", "/", [
      start(h.p(h.id("total"), "0")),
      { pattern: "/to", methods: { GET: (c) => c.renderAll(200, h.p(h.id("total"), "1")) } },
    ], async ({ page }) => {
      await page.click("#go");
      await until(page, "document.querySelector('#total').textContent === '1'");
      assertEquals(await text(page, "#target"), "before");
      assertEquals(await page.locator("[aria-busy]").count(), 0);
    }],
  ];
}

testInBrowser("several elements, and parts of tables", several());

function races(): readonly TrialRow[] {
  const first = Promise.withResolvers<void>();
  return [{
    name: "of two swaps of the same target the later one wins, whichever response arrives first",
    routes: [
      pageRoute("/", () => [
        h.a(h.id("slow"), h.href("/slow"), ui.swap("target"), "slow"),
        h.a(h.id("fast"), h.href("/fast"), ui.swap("target"), "fast"),
        h.div(h.id("target"), "before"),
      ]),
      routeOf("GET", "/slow", async (c) => {
        await first.promise;
        return c.render(200, h.div(h.id("target"), "slow"));
      }),
      { pattern: "/fast", methods: { GET: (c) => c.render(200, h.div(h.id("target"), "fast")) } },
    ],
    run: async ({ page, open, url }) => {
      await open("/");
      await page.click("#slow");
      await page.locator("#target[aria-busy=true]").waitFor();
      await page.click("#fast");
      await until(page, "document.querySelector('#target').textContent === 'fast'");
      first.resolve();
      await new Promise((resolve) => setTimeout(resolve, 100));
      assertEquals([await text(page, "#target"), page.url()], ["fast", `${url}/fast`]);
      assertEquals(await page.locator("[aria-busy]").count(), 0);
    },
  }];
}

testInBrowser("two concurrent swaps", races());

/** A fragment with a late part that never arrives, because the connection breaks. */
function brokenAnswer(cut: Promise<void>): Response {
  const piece = new TextEncoder().encode('<div id="target">soon</div><!--key-->');
  let isSent = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller): Promise<void> {
      if (!isSent) {
        isSent = true;
        return controller.enqueue(piece);
      }
      await cut;
      // The body is shorter than its length; the runtime would log an error in a stream.
      controller.close();
    },
  });
  return new Response(body, {
    headers: { "content-type": "text/html", "content-length": "999", "FW-Late": "key" },
  });
}

function late(): readonly TrialRow[] {
  const one = Promise.withResolvers<Node>();
  const two = Promise.withResolvers<Node>();
  const cut = Promise.withResolvers<void>();
  return [
    ["late parts arrive in a fragment that is already shown", "/", [
      start(),
      {
        pattern: "/to",
        page: (c) =>
          h.table(
            h.id("target"),
            h.tbody(
              h.tr(h.td("now")),
              c.defer(one.promise, h.tr(h.td(h.id("wait"), "soon"))),
              c.defer(two.promise, h.tr(h.td("later"))),
            ),
          ),
      },
    ], async ({ page }) => {
      await page.evaluate(
        "addEventListener('fw:swap', (e) => globalThis.last = e.target.localName)",
      );
      await page.click("#go");
      await page.locator("#wait").waitFor();
      two.resolve(h.tr(h.td("second")));
      await page.getByText("second").waitFor();
      one.resolve(h.tr(h.td(h.script(h.raw("globalThis.isRun = true")), "first")));
      await page.getByText("first").waitFor();
      assertEquals(await page.locator("#target td").allInnerTexts(), ["now", "first", "second"]);
      assertEquals(await page.locator("template").count(), 0);
      assertEquals(await page.evaluate("[globalThis.last, globalThis.isRun]"), [
        "tbody",
        undefined,
      ]);
      assert(await isMarked(page));
    }],
    ["a page and a fragment do not take each other's late parts", "/", [
      pageRoute("/", (c) => [
        h.a(h.id("go"), h.href("/to"), ui.swap("target"), "go"),
        h.div(h.id("target"), "before"),
        h.div(h.id("own"), c.defer(Promise.resolve(h.b("page")), "soon")),
      ]),
      {
        pattern: "/to",
        page: (c) => h.div(h.id("target"), c.defer(Promise.resolve(h.b("fragment")), "soon")),
      },
    ], async ({ page }) => {
      await page.click("#go");
      await page.getByText("fragment").waitFor();
      assertEquals(await text(page, "#own"), "page");
    }],
    ["a truncated response keeps the parts that arrived", "/", [
      start(),
      { pattern: "/to", methods: { GET: () => brokenAnswer(cut.promise) } },
    ], async ({ page }) => {
      await page.click("#go");
      await page.getByText("soon").waitFor();
      cut.resolve();
      await page.locator("#target:not([aria-busy])").waitFor();
      assertEquals(await text(page, "#target"), "soon");
      assert(await isMarked(page));
    }, { expected: ["ERR_CONTENT_LENGTH_MISMATCH"] }],
  ];
}

testInBrowser("deferred parts of a fragment", late());
