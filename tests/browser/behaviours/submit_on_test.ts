/** Forms that submit themselves. */
import { assertEquals, assertNotEquals } from "@std/assert";
import type { Child, Ctx, Node, Route } from "../../../mod.ts";
import { h, openStopped, pageRoute, testInBrowser, ui } from "../kit/site.ts";

/** The queries of a form, as the page reads them. */
function answer(c: Ctx): Node {
  return h.p(h.id("found"), `${c.query("q") ?? ""}|${c.query("kind") ?? ""}`);
}

/** A form with a field that may shadow members of the form, beside its target. */
function search(onForm: Child, onSelect?: Child): Route {
  return pageRoute("/", (c) => [
    h.form(
      h.id("form"),
      ui.swap("found"),
      ui.noPush(),
      onForm,
      ui.field("q", "Search", ui.input(h.name("q"), h.required())),
      ui.select(h.name("kind"), h.id("kind"), ui.selectOptions(["all", "talk"], "all"), onSelect),
      ui.input(h.name("requestSubmit"), h.type("hidden")),
      ui.submit("Find"),
    ),
    answer(c),
  ]);
}

const typed = search(ui.submitOn("input", { delayMs: 100 }));
const waiting = search(ui.submitOn("input", { delayMs: 1_000 }));
const chosen = search(undefined, ui.submitOn("change"));

testInBrowser("forms that submit themselves", [
  ["input: submits once after a pause in typing; the focus and the text stay", undefined, [
    typed,
  ], async (trial) => {
    const { page, asked } = trial;
    await openStopped(trial, "/");
    for (const letter of "ferry") {
      await page.clock.runFor(99);
      await page.locator("#q").press(letter);
    }
    await page.clock.runFor(100);
    await page.getByText("ferry|all").waitFor();
    assertEquals(asked.length, 1);
    await page.keyboard.type("!");
    await page.clock.runFor(100);
    await page.getByText("ferry!|all").waitFor();
    assertEquals(await page.evaluate("document.activeElement.value"), "ferry!");
  }, { isApart: true }],
  ["input: Enter submits immediately and once", undefined, [waiting], async (trial) => {
    const { page, asked } = trial;
    await openStopped(trial, "/");
    await page.locator("#q").fill("ferry");
    await page.keyboard.press("Enter");
    await page.getByText("ferry|all").waitFor();
    await page.clock.runFor(1_150);
    await page.waitForTimeout(100);
    assertEquals(asked.length, 1);
  }, { isApart: true }],
  ["input: an invalid form waits without a validation bubble", "/", [
    typed,
  ], async ({ page, asked }) => {
    await page.locator("#kind").selectOption("talk");
    await page.waitForTimeout(250);
    assertEquals(asked, []);
    assertNotEquals(await page.evaluate("document.activeElement.id"), "q");
    await page.locator("#q").fill("ferry");
    await page.getByText("ferry|talk").waitFor();
  }],
  ["change: only the control with the attribute submits", "/", [
    chosen,
  ], async ({ page, asked }) => {
    await page.locator("#q").fill("ferry");
    await page.locator("#q").blur();
    await page.waitForTimeout(100);
    assertEquals(asked, []);
    await page.locator("#kind").selectOption("talk");
    await page.getByText("ferry|talk").waitFor();
    assertEquals(asked.length, 1);
  }],
  ["without a script the button submits", "/", [typed], async ({ page }) => {
    await page.locator("#q").fill("ferry");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByText("ferry|all").waitFor();
  }, { hasScript: false }],
]);
