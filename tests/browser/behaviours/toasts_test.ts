import { assert, assertEquals, assertNotEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import * as ui from "../../../ui/mod.ts";
import type { Page } from "../browser.ts";
import { layout, openStopped, pageRoute, testInBrowser } from "../kit/site.ts";

const start = pageRoute("/", () => [h.button(h.id("start"), "start"), h.h1("Page")]);

const shown = async (page: Page): Promise<string[]> =>
  await page.locator("[data-ui-toast]:visible p").allInnerTexts();

const focused = (page: Page): Promise<unknown> =>
  page.evaluate(`document.activeElement.closest("[data-ui-toast]")?.querySelector("p").textContent
    ?? (document.activeElement.id || document.activeElement.localName)`);

testInBrowser("messages: shows a few at once, reachable by keyboard, with a shape for each kind", [
  ["three at a time, and the others wait and have their full time once shown", undefined, [
    start,
  ], async (trial) => {
    const { page } = trial;
    await openStopped(trial, "/");
    await page.evaluate("for (let at = 1; at <= 5; at++) ui.toast('success', 't' + at, 700)");
    assertEquals(await shown(page), ["t1", "t2", "t3"]);
    await page.clock.runFor(699);
    assertEquals(await shown(page), ["t1", "t2", "t3"]);
    await page.clock.runFor(1);
    assertEquals(await shown(page), ["t4", "t5"]);
    await page.clock.runFor(699);
    assertEquals(await shown(page), ["t4", "t5"]);
    await page.clock.runFor(1);
    assertEquals(await page.locator("[data-ui-toast]").count(), 0);
  }, { isApart: true }],
  ["messages rendered by the server also queue", "/", [{
    ...start,
    layouts: [(_c, child) =>
      h.html(
        h.lang("en"),
        h.head(h.title("x"), ui.head(_c)),
        h.body(
          ui.body(),
          child,
          ui.toaster(["a", "b", "c", "d"].map((text) => ui.toast("error", text))),
        ),
      )],
  }], async ({ page }) => {
    assertEquals(await shown(page), ["a", "b", "c"]);
    await page.locator("[data-ui-close]").first().click();
    assertEquals(await shown(page), ["b", "c", "d"]);
  }],
  ["a region with them may be swapped: the messages stay, and new ones join them", "/swapped?n=0", [
    {
      ...pageRoute("/swapped", (c) => {
        const n = Number(c.query("n"));
        const again = (how: ui.Placing) =>
          h.a(h.id(how), h.href(`/swapped?n=${n + 1}`), ui.swap("part", { place: how }), how);
        return h.div(
          h.id("part"),
          ui.toaster(ui.toast("error", `served ${n}`)),
          again("morph"),
          again("replace"),
          h.p(h.id("n"), n),
        );
      }),
      layouts: [(c, child) => h.html(h.head(h.title("x"), ui.head(c)), h.body(ui.body(), child))],
    },
  ], async ({ page }) => {
    for (const [at, how] of ["morph", "replace"].entries()) {
      await page.click(`#${how}`);
      await page.getByText(`served ${at + 1}`).waitFor();
    }
    assertEquals(await shown(page), ["served 0", "served 1", "served 2"]);
    assertEquals(await page.locator("[data-ui-toaster]").count(), 1);
  }],
  ["F8 moves to the first error; closing keeps the focus and finally restores it", "/", [
    start,
  ], async ({ page }) => {
    await page.focus("#start");
    await page.evaluate(`ui.toast("info", "told", 0);
        for (const text of ["e1", "e2", "e3"]) ui.toast("error", text)`);
    await page.keyboard.press("F8");
    assertEquals(await focused(page), "e1");
    await page.keyboard.press("Enter");
    assertEquals(await focused(page), "e2");
    await page.keyboard.press("Enter");
    assertEquals(await focused(page), "e3");
    await page.keyboard.press("Enter");
    assertEquals(await focused(page), "told");
    await page.keyboard.press("Enter");
    assertEquals(await focused(page), "start");
    assertEquals(await page.locator("[data-ui-toast]").count(), 0);
    // There is no message to move to.
    await page.keyboard.press("F8");
    assertEquals(await focused(page), "start");
  }],
  ["the page gets the focus if the previously focused element is gone", "/", [
    start,
  ], async ({ page }) => {
    await page.focus("#start");
    await page.evaluate(`ui.toast("error", "e1")`);
    await page.keyboard.press("F8");
    await page.evaluate(`document.querySelector("#start").remove()`);
    await page.keyboard.press("Enter");
    assertEquals(await focused(page), "main");
  }],
  ["warnings and errors have different shapes, also in alerts and with forced colours", "/", [{
    ...pageRoute("/", () => [
      ui.alert("Warning", ui.warning),
      ui.alert("Error", ui.destructive),
      ui.toaster(
        h.div(h.class("ui-toast ui-warning"), h.p("Warning")),
        h.div(h.class("ui-toast ui-destructive"), h.p("Error")),
      ),
    ]),
    layouts: [layout],
  }], async ({ page }) => {
    for (const forcedColors of ["none", "active"] as const) {
      await page.emulateMedia({ forcedColors });
      for (const part of ["alert", "toast"]) {
        const [warning, error] = await page.evaluate(`["warning", "destructive"].map((kind) => {
            const style = getComputedStyle(
              document.querySelector(".ui-${part}.ui-" + kind), "::before");
            return [style.content, style.clipPath, style.backgroundColor, style.width].join();
          })`) as string[];
        assertNotEquals(warning?.split(",")[1], error?.split(",")[1]);
        assert(/polygon/.test(warning ?? ""), warning);
        assert(!/, 0\)/.test(warning?.split("polygon")[1]?.split(")")[1] ?? ""), warning);
      }
    }
  }],
]);
