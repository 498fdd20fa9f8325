import { assert, assertEquals } from "@std/assert";
import { focusOf, h, pageRoute, testInBrowser, type TrialRow, ui, until } from "../kit/site.ts";

const dialogs = pageRoute("/", () => [
  ui.dialogOpen("form", h.id("open-form"), "Form"),
  ui.dialog(
    "form",
    "Form",
    h.input(h.type("hidden"), h.name("secret")),
    h.input(h.name("off"), h.disabled()),
    ui.field("name", "Name", ui.input(h.name("name"))),
    ui.field("note", "Note", ui.textarea(h.name("note"))),
    ui.actions(ui.submit("Save")),
  ),
  ui.dialogOpen("own", h.id("open-own"), "Own"),
  ui.sheet(
    "own",
    "Own",
    ui.input(h.id("first"), h.name("first")),
    ui.input(h.id("second"), h.name("second"), h.autofocus()),
  ),
  h.p(h.styleAttr("height: 3000px"), "tall"),
]);

const menus = pageRoute("/", () => [
  ui.menu(
    h.group(h.id("menu"), "Menu"),
    ui.menuLink("#a", h.id("copy"), ui.icon("copy"), "Copy"),
    ui.menuLink("#b", h.id("cut"), "Cut"),
  ),
]);

const tabs = pageRoute("/", () =>
  ui.tabs("tabs", [
    { label: "One", content: "1" },
    { label: "Two", content: "2" },
    { label: "Three", content: "3" },
  ]));

const lists = pageRoute("/", () => [
  ui.commandDialog("commands", ui.commandLink("/a", "Apples"), ui.commandLink("/b", "Pears")),
]);

const wide = Array.from({ length: 12 }, (_, at) => h.td(h.styleAttr("min-width: 9rem"), `${at}`));
const tables = pageRoute("/", () => [
  ui.table("Narrow", h.tbody(h.tr(h.td("1")))),
  ui.table("Wide", h.tbody(h.tr(wide))),
]);

const stops = `[...document.querySelectorAll(".ui-table-wrap")].map((one) => one.tabIndex).join()`;

const rows: readonly TrialRow[] = [
  ...[true, false].map((hasScript): TrialRow => ({
    name: `a dialog has the focus on its first field, ${hasScript ? "with" : "without"} the script`,
    hasScript,
    routes: [dialogs],
    run: async ({ page, open }) => {
      await open("/");
      await page.click("#open-form");
      await until(page, `document.activeElement.id === "name"`);
      await page.keyboard.press("Escape");
      await page.click("#open-own");
      await until(page, `document.activeElement.id === "second"`);
    },
  })),
  ["behind a dialog the page does not scroll", "/", {
    routes: [dialogs],
    run: async ({ page }) => {
      await page.click("#open-form");
      await page.mouse.move(10, 600);
      await page.mouse.wheel(0, 500);
      await page.waitForTimeout(200);
      assertEquals(await page.evaluate("scrollY"), 0);
      await page.keyboard.press("Escape");
      await page.mouse.wheel(0, 500);
      await until(page, "scrollY > 0");
    },
  }],
  ...["Enter", " "].map((key): TrialRow => ({
    name: `"${key}" opens a menu and moves into it`,
    routes: [menus],
    run: async ({ page, open }) => {
      await open("/");
      await page.focus("#menu");
      await page.keyboard.press(key);
      assertEquals(await focusOf(page), "#copy");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await until(page, `location.hash === "#b"`);
    },
  })),
  ["the arrows in a field of a menu are the field's, and Escape closes the menu", "/", {
    routes: [
      pageRoute("/", () => ui.addFilter(ui.select(h.id("kind"), ui.selectOptions(["a", "b"])))),
    ],
    run: async ({ page }) => {
      await page.click("summary");
      await page.focus("#kind");
      await page.keyboard.press("ArrowDown");
      assertEquals(await page.inputValue("#kind"), "b");
      await page.keyboard.press("Escape");
      assertEquals(await page.locator("details[open]").count(), 0);
    },
  }],
  ["a click opens a menu and leaves the focus", "/", {
    routes: [menus],
    run: async ({ page }) => {
      await page.click("#menu");
      assertEquals(await focusOf(page), "#menu");
      await page.locator("#copy").waitFor();
    },
  }],
  ["arrow keys in tabs keep the hash in step, as a click does", "/", {
    routes: [tabs],
    run: async ({ page }) => {
      await page.getByRole("tab", { name: "One" }).focus();
      await page.keyboard.press("ArrowRight");
      assertEquals(await page.evaluate("location.hash"), "#tabs-2");
      await page.keyboard.press("End");
      assertEquals(await page.evaluate("location.hash"), "#tabs-3");
      await page.getByRole("tab", { name: "One" }).click();
      assertEquals(await page.evaluate("location.hash"), "#tabs-1");
    },
  }],
  ["commands say in a live region when nothing is found", "/", {
    routes: [lists],
    run: async ({ page }) => {
      const told = (selector: string): Promise<unknown> =>
        page.evaluate(`document.querySelector("${selector}").textContent`);
      assertEquals(await page.getAttribute(".ui-command-empty", "role"), "status");
      await page.keyboard.press("ControlOrMeta+k");
      await until(page, "document.querySelector('.ui-command-list').role === 'listbox'");
      assertEquals(await told(".ui-command-empty"), "");
      await page.keyboard.type("zzz");
      assertEquals(await told(".ui-command-empty"), "Nothing found.");
      assert(await page.locator(".ui-command-empty").isVisible());
      await page.fill(".ui-command-search input", "appl");
      assertEquals(await told(".ui-command-empty"), "");
    },
  }],
  ["a table is a tab stop only where it overflows, also when the window changes", "/", {
    routes: [tables],
    run: async ({ page }) => {
      await until(page, `${stops} === "-1,0"`);
      await page.setViewportSize({ width: 2_400, height: 700 });
      await until(page, `${stops} === "-1,-1"`);
      await page.setViewportSize({ width: 400, height: 700 });
      await until(page, `${stops} === "-1,0"`);
    },
  }],
];

testInBrowser("what keys do in the kit", rows);
