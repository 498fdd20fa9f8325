import { assertEquals } from "@std/assert";
import { csrfInput, FieldErrors, validationMessagesPtBr } from "../../../mod.ts";
import type { Ctx, Node } from "../../../mod.ts";
import type { Page } from "../browser.ts";
import { h, pageRoute, testInBrowser, type TrialRow, ui, until } from "../kit/site.ts";

const form = (c: Ctx, errors?: FieldErrors): Node =>
  ui.form(
    h.id("form"),
    h.method("post"),
    h.action(`/form${c.query("swap") === undefined ? "" : "?swap"}`),
    c.query("swap") !== undefined && ui.swap("form"),
    csrfInput(c),
    ui.errorSummary(errors, { title: "Title", day: "Day" }),
    ui.field("title", "Title", ui.input(h.name("title")), ui.errors(errors, "title")),
    ui.field("day", "Day", ui.input(h.name("day")), ui.errors(errors, "day")),
    ui.radioGroup("size", { legend: "Size", options: ["S", "M"] }, ui.errors(errors, "size")),
    ui.submit("Save"),
  );

const refused = pageRoute("/form", (c) => {
  c.title = "New event";
  return form(c);
}, {
  POST: async (c) => {
    c.title = "New event";
    const errors = new FieldErrors().add("title", "is required").add("day", "Enter a day")
      .add("size", "is required");
    return await c.render(422, form(c, errors));
  },
});

async function lookAt(page: Page): Promise<unknown> {
  return await page.evaluate(`[
    document.title,
    document.activeElement.getAttribute("role") ?? document.activeElement.id,
    [...document.querySelectorAll("[role=alert] a")].map((one) => one.textContent),
    [...document.querySelectorAll(".ui-error")].map((one) => one.textContent)]`);
}

const named = ["Title is required", "Enter a day", "Size is required"];
const whole = ["Error: New event", "alert", named.slice(0, 2), named];

testInBrowser("a page with form errors", [
  ...[true, false].map((hasScript): TrialRow => ({
    name: `a whole page with 422 has the focus on the summary and "Error: " first, ${
      hasScript ? "with" : "without"
    } the script`,
    hasScript,
    routes: [refused],
    run: async ({ page, open }) => {
      await open("/form");
      assertEquals(await page.title(), "New event");
      await page.click("text=Save");
      await page.locator("[role=alert]").waitFor();
      await until(page, `document.activeElement.role === "alert"`);
      assertEquals(await lookAt(page), whole);
    },
    expected: ["422"],
  })),
  ["a fragment with 422 focuses the first invalid field", "/form?swap", [
    refused,
  ], async ({ page }) => {
    await page.click("text=Save");
    await page.locator("[role=alert]").waitFor();
    await until(page, `document.activeElement.id === "title"`);
    assertEquals(await lookAt(page), ["New event", "title", named.slice(0, 2), named]);
  }, { expected: ["422"] }],
  ["the texts are the application's", "/form", [refused], async ({ page }) => {
    await page.click("text=Save");
    await page.locator("[role=alert]").waitFor();
    assertEquals(await page.title(), "Erro: New event");
  }, { config: { validationMessages: validationMessagesPtBr }, expected: ["422"] }],
]);
