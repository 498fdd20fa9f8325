import { assertEquals } from "@std/assert";
import { h, pageRoute, testInBrowser, type TrialRow, ui, until } from "../kit/site.ts";

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

const wide = Array.from({ length: 12 }, (_, at) => h.td(h.styleAttr("min-width: 9rem"), `${at}`));
const tables = pageRoute("/", () => [
  ui.table("Narrow", h.tbody(h.tr(h.td("1")))),
  ui.table("Wide", h.tbody(h.tr(wide))),
]);

const stops = `[...document.querySelectorAll(".ui-table-wrap")].map((one) => one.tabIndex).join()`;

testInBrowser("keyboard control of the kit", [
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
  ["on a Mac the button of the command dialog names its key", "/", [
    pageRoute("/", () => ui.commandButton("commands", "Search")),
  ], async ({ page }) => {
    assertEquals(await page.innerText("kbd"), "Ctrl K");
    await page.evaluate(`Object.defineProperty(navigator, "platform", { value: "MacIntel" });
      document.querySelector("kbd").outerHTML = "<kbd>Ctrl K</kbd>";
      ui.hydrate(document)`);
    assertEquals(await page.innerText("kbd"), "⌘K");
  }],
  ["the page behind a dialog does not scroll", "/", [dialogs], async ({ page }) => {
    await page.click("#open-form");
    await page.mouse.move(10, 600);
    await page.mouse.wheel(0, 500);
    await page.waitForTimeout(200);
    assertEquals(await page.evaluate("scrollY"), 0);
    await page.keyboard.press("Escape");
    await page.mouse.wheel(0, 500);
    await until(page, "scrollY > 0");
  }],
  ["the arrow keys in a menu's field move its caret, and Escape closes the menu", "/", [
    pageRoute("/", () => ui.addFilter(ui.select(h.id("kind"), ui.selectOptions(["a", "b"])))),
  ], async ({ page }) => {
    await page.click("summary");
    await page.press("#kind", "ArrowDown");
    assertEquals(await page.inputValue("#kind"), "b");
    await page.keyboard.press("Escape");
    assertEquals(await page.locator("details[open]").count(), 0);
  }],
  ["a table is a tab stop only while it overflows, even after the window is resized", "/", [
    tables,
  ], async ({ page }) => {
    await until(page, `${stops} === "-1,0"`);
    await page.setViewportSize({ width: 2_400, height: 700 });
    await until(page, `${stops} === "-1,-1"`);
    await page.setViewportSize({ width: 400, height: 700 });
    await until(page, `${stops} === "-1,0"`);
  }],
]);
