import { assert, assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import type { Child, Ctx, Route } from "../../../mod.ts";
import * as ui from "../../../ui/mod.ts";
import type { Page } from "../browser.ts";
import { focusOf, isMarked, openStopped, pageRoute, press, testInBrowser } from "../kit/site.ts";
import { type TrialRow, until } from "../kit/site.ts";

const one = (body: (c: Ctx) => Child): readonly Route[] => [pageRoute("/", body)];

const tipPage = one(() => [
  h.button(h.id("first"), "first"),
  h.p(h.id("help"), "Help"),
  h.button(h.id("tipped"), h.aria("describedby", "help"), ui.tooltip("Saves <it>"), "Save"),
  ui.dialogOpen("box", h.id("open"), "Open"),
  ui.dialog("box", "A box", h.button(h.id("inner"), ui.tooltip("Inside"), "Inner")),
]);

testInBrowser("tooltips", [
  ["shows on hover, even over the tooltip itself, and is the description", "/", [
    ...tipPage,
  ], async ({ page }) => {
    const tip = page.getByRole("tooltip");
    await page.hover("#tipped");
    await tip.waitFor();
    assertEquals(await tip.innerText(), "Saves <it>");
    assertEquals(await page.getAttribute("#tipped", "aria-describedby"), "help ui-tip");
    assert(!await page.getAttribute("#tipped", "title"), "the browser would show it twice");
    await tip.hover();
    await page.waitForTimeout(250);
    assert(await tip.isVisible());
    await page.hover("#first");
    await tip.waitFor({ state: "hidden" });
    assertEquals(await page.getAttribute("#tipped", "aria-describedby"), "help");
    assertEquals(await page.getAttribute("#tipped", "title"), "Saves <it>");
  }],
  ["shows on keyboard focus, and Escape hides it", "/", tipPage, async ({ page }) => {
    const tip = page.getByRole("tooltip");
    await page.press("#first", "Tab");
    await tip.waitFor();
    await press(page, "Escape");
    await tip.waitFor({ state: "hidden" });
    assertEquals(await focusOf(page), "#tipped");
    await press(page, "Tab", "Shift+Tab");
    await tip.waitFor();
    await page.mouse.move(5, 5);
    await page.waitForTimeout(250);
    assert(await tip.isVisible(), "the pointer takes away what the focus shows");
    await press(page, "Tab");
    await tip.waitFor({ state: "hidden" });
  }],
  ["shows on a touch and hides on the next", "/", tipPage, async ({ page }) => {
    const touch = (selector: string): Promise<unknown> =>
      page.evaluate(`document.querySelector("${selector}").dispatchEvent(
          new PointerEvent("pointerover", { bubbles: true, pointerType: "touch" }))`);
    await touch("#tipped");
    await page.getByRole("tooltip").waitFor();
    await touch("#first");
    await page.getByRole("tooltip").waitFor({ state: "hidden" });
  }],
  ["appears above a modal dialog and inside the window", "/", tipPage, async ({ page }) => {
    await page.click("#open");
    await page.hover("#inner");
    const tip = page.getByRole("tooltip");
    await tip.waitFor();
    const box = await tip.boundingBox();
    assert(
      box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= 360,
      JSON.stringify(box),
    );
    const { x, y, width, height } = box;
    const top = `document.elementFromPoint(${x + width / 2}, ${y + height / 2}).role`;
    assertEquals(await page.evaluate(top), "tooltip");
  }, { width: 360 }],
]);

const menuPage = one(() => [
  ui.menu(
    h.group(h.id("button"), "Options"),
    ui.menuLink("#one", h.id("one"), "One"),
    ui.menuButton(h.id("two"), h.type("button"), "Two"),
    ui.menuLink("#three", h.id("three"), "Three"),
  ),
  h.button(h.id("after"), "after"),
]);

const isOpen = (page: Page): Promise<boolean> =>
  page.evaluate("document.querySelector('details').open");

testInBrowser("menus", [
  ["opens by keyboard, the arrow keys move in it, and Escape returns the focus", "/", [
    ...menuPage,
  ], async ({ page }) => {
    await page.press("summary", "ArrowDown");
    assertEquals([await isOpen(page), await focusOf(page)], [true, "#one"]);
    await press(page, "ArrowDown", "ArrowDown", "ArrowDown");
    assertEquals(await focusOf(page), "#one");
    await press(page, "ArrowUp");
    assertEquals(await focusOf(page), "#three");
    await press(page, "Home");
    assertEquals(await focusOf(page), "#one");
    await press(page, "End");
    assertEquals(await focusOf(page), "#three");
    await press(page, "Escape");
    assertEquals([await isOpen(page), await focusOf(page)], [false, "#button"]);
    await press(page, "ArrowUp");
    assertEquals(await focusOf(page), "#three");
  }],
  ...["Enter", " "].map((key): TrialRow => ({
    name: `"${key}" opens it and moves into it`,
    routes: menuPage,
    run: async ({ page, open }) => {
      await open("/");
      await page.press("summary", key);
      assertEquals(await focusOf(page), "#one");
      await press(page, "End", "Enter");
      await until(page, `location.hash === "#three"`);
    },
  })),
  ["closes by a click outside, by leaving it and by a choice", "/", menuPage, async ({ page }) => {
    await page.click("summary");
    assertEquals([await isOpen(page), await focusOf(page)], [true, "#button"]);
    await page.mouse.click(600, 400);
    assert(!await isOpen(page));
    await page.click("summary");
    await press(page, "End", "Tab");
    assertEquals([await isOpen(page), await focusOf(page)], [false, "#after"]);
    await page.click("summary");
    await page.click("#two");
    assertEquals([await isOpen(page), await focusOf(page)], [false, "#button"]);
  }],
]);

const commandPage = [
  ...one(() => [
    ui.dialogOpen("commands", h.id("open"), "Search"),
    ui.commandDialog(
      "commands",
      ui.commandGroup(
        "Pages",
        ui.menuLink("/events", "Events"),
        ui.menuLink("/map", "Café map"),
      ),
      ui.commandGroup(
        "Actions",
        ui.menuLink("/new", h.data("ui-words", "create add"), "New event"),
      ),
    ),
  ]),
  pageRoute("/new", () => h.h1("New")),
  pageRoute("/map", () => h.h1("Map")),
];

testInBrowser("commands", [
  ["Ctrl+K opens it; typing filters, the arrow keys select and Enter follows", "/", [
    ...commandPage,
  ], async ({ page, url }) => {
    await press(page, "Control+k");
    await page.getByRole("listbox").waitFor();
    assertEquals(await page.evaluate("document.activeElement.role"), "combobox");
    const chosen = (): Promise<string> =>
      page.evaluate(`document.getElementById(
          document.activeElement.getAttribute("aria-activedescendant")).textContent`);
    assertEquals(await chosen(), "Events");
    await page.keyboard.type("ev");
    assertEquals(await page.getByRole("option").allInnerTexts(), ["Events", "New event"]);
    await press(page, "ArrowDown");
    assertEquals(await chosen(), "New event");
    await press(page, "ArrowDown");
    assertEquals(await chosen(), "Events");
    await press(page, "ArrowUp");
    assertEquals(await page.getByRole("option", { selected: true }).innerText(), "New event");
    await press(page, "Enter");
    await page.getByRole("heading", { name: "New" }).waitFor();
    assertEquals(page.url(), `${url}/new`);
  }],
  ["searches keywords and ignores accents, and announces when nothing matches", "/", [
    ...commandPage,
  ], async ({ page }) => {
    await page.click("#open");
    const said = page.getByRole("status");
    const rows: readonly [typed: string, found: string[]][] = [
      ["add", ["New event"]],
      ["CAFE", ["Café map"]],
      ["event new", ["New event"]],
      ["zzz", []],
      ["", ["Events", "Café map", "New event"]],
    ];
    for (const [typed, found] of rows) {
      await page.getByRole("combobox").fill(typed);
      assertEquals(await page.getByRole("option").allInnerTexts(), found, typed);
      assertEquals(await said.innerText(), found.length === 0 ? "Nothing found." : "");
      assertEquals(
        await page.getByRole("group").count(),
        new Set(found.map((name) => name === "New event")).size,
      );
    }
  }],
  ["resets when it is reopened", "/", commandPage, async ({ page }) => {
    await press(page, "Control+k");
    await page.keyboard.type("zzz");
    await press(page, "Escape");
    await page.getByRole("combobox").waitFor({ state: "hidden" });
    await press(page, "Control+k");
    // The list resets on the browser's close event of the dialog.
    await page.getByRole("option").nth(2).waitFor();
    assertEquals(await page.getByRole("option").count(), 3);
    assertEquals(await page.getByRole("combobox").inputValue(), "");
  }],
  ["without a script it is a list of links", "/", commandPage, async ({ page }) => {
    await page.click("#open");
    assert(await page.locator("[data-ui-command] input").isHidden());
    await page.getByRole("link", { name: "Café map" }).click();
    await page.getByRole("heading", { name: "Map" }).waitFor();
  }, { hasScript: false }],
]);

const toastPage = one(() => [
  h.p(h.id("fades"), ui.fade(200), "fades"),
  h.button(h.id("start"), "start"),
  h.main(h.p("content")),
]);

testInBrowser("messages", [
  ["a message disappears after its time, but not while it has the focus", "/", [
    ...toastPage,
  ], async ({ page }) => {
    await page.evaluate(`{
        ui.toast("success", "one", 300);
        document.querySelector("[data-ui-toast] button").focus();
      }`);
    const toast = page.locator("[data-ui-toast]");
    await page.waitForTimeout(600);
    assert(await toast.isVisible());
    await page.focus("#start");
    await toast.waitFor({ state: "detached" });
  }],
  ["a message stays while it is hovered", undefined, toastPage, async (trial) => {
    const { page } = trial;
    await openStopped(trial, "/");
    await page.evaluate("ui.toast('success', 'one', 2_000)");
    const toast = page.locator("[data-ui-toast]");
    await toast.hover();
    await page.clock.runFor(2_500);
    assert(await toast.isVisible());
    await page.hover("#start");
    await page.clock.runFor(1_000);
    assertEquals(await toast.count(), 0);
  }, { isApart: true }],
  ["an error stays until it is closed, and its text is never HTML", "/", [
    ...toastPage,
  ], async ({ page }) => {
    await page.evaluate("ui.toast('error', '<img src=x onerror=alert(1)>')");
    const toast = page.getByRole("alert");
    assertEquals(await toast.locator("p").innerText(), "<img src=x onerror=alert(1)>");
    await toast.getByRole("button", { name: "Close" }).focus();
    await press(page, "Enter");
    assertEquals(await toast.count(), 0);
    assert(await isMarked(page));
  }],
  ["a page without a place for messages gets one", "/", toastPage, async ({ page }) => {
    await page.evaluate("document.querySelector('[data-ui-toaster]').remove()");
    await page.evaluate("ui.toast('info', 'here')");
    await page.getByText("here").waitFor();
  }],
]);
