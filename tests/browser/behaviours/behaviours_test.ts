import { assert, assertEquals } from "@std/assert";
import type { Child, Ctx, Route } from "../../../mod.ts";
import type { Page } from "../browser.ts";
import { focusOf, h, pageRoute, postForm, press, testInBrowser, ui, until } from "../kit/site.ts";
import type { TrialRow } from "../kit/site.ts";

const one = (body: (c: Ctx) => Child, methods?: Route["methods"]): readonly Route[] => [
  pageRoute("/", body, methods),
];

const tabPage = one(() => [
  ui.tabs("t", [
    { label: "One", content: h.p("first") },
    { label: "Two", content: h.p(h.id("deep"), "second") },
    {
      label: "Three",
      content: h.form(
        h.input(h.id("must"), h.required(), h.aria("label", "x")),
        h.button(h.id("send"), "Send"),
      ),
    },
  ]),
  h.a(h.id("link"), h.href("#deep"), "to the second"),
]);

async function shownTab(page: Page): Promise<string[]> {
  const shown = page.locator(".ui-tab-panel:visible");
  assertEquals(await shown.count(), 1);
  return [await page.getByRole("tab", { selected: true }).innerText(), await shown.innerText()];
}

testInBrowser("snippet", [
  ["without access to the clipboard the button selects the line", "/", [
    ...one(() => ui.snippet("deno task dev")),
  ], async ({ page }) => {
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.click("[data-ui-copy]");
    await until(page, "String(getSelection()) === 'deno task dev'");
  }],
]);

testInBrowser("tabs", [
  ["a click and the arrow keys select, and wrap around at the ends", "/", [
    ...tabPage,
  ], async ({ page, url }) => {
    assertEquals(await shownTab(page), ["One", "first"]);
    await page.getByRole("tab", { name: "Two" }).click();
    assertEquals(await shownTab(page), ["Two", "second"]);
    assertEquals(page.url(), `${url}/#t-2`);
    await press(page, "ArrowLeft", "ArrowLeft");
    assertEquals((await shownTab(page))[0], "Three");
    assertEquals(page.url(), `${url}/#t-3`);
    await press(page, "Home");
    assertEquals((await shownTab(page))[0], "One");
    await press(page, "End");
    assertEquals((await shownTab(page))[0], "Three");
    assertEquals(
      await page.getByRole("tab", { name: "Three" }).evaluate("document.activeElement.id"),
      "t-tab-3",
    );
    await press(page, "Tab");
    assertEquals(await focusOf(page), "#t-3");
  }],
  ["the arrow keys are reversed from right to left", "/", tabPage, async ({ page }) => {
    await page.evaluate("document.documentElement.dir = 'rtl'");
    await page.getByRole("tab", { name: "One" }).click();
    await press(page, "ArrowLeft");
    assertEquals((await shownTab(page))[0], "Two");
  }],
  ["the browser keeps its own shortcuts", "/", tabPage, async ({ page }) => {
    await page.getByRole("tab", { name: "One" }).click();
    // Nothing else on the page may handle these keys: a headless browser has no shortcuts of its
    // own.
    await page.evaluate(`addEventListener("keydown", (event) => {
        if (/Arrow|Home/.test(event.key)) (globalThis.taken ??= []).push(event.defaultPrevented);
        event.preventDefault();
      })`);
    await press(page, "Alt+ArrowRight", "Alt+ArrowLeft", "Control+Home", "Shift+ArrowRight");
    assertEquals(await page.evaluate("taken"), [false, false, false, false]);
    assertEquals((await shownTab(page))[0], "One");
  }],
  ["a URL with a fragment in a panel shows it, on load and later", "/#deep", [
    ...tabPage,
  ], async ({ page, url }) => {
    assertEquals((await shownTab(page))[0], "Two");
    await page.getByRole("tab", { name: "One" }).click();
    await page.click("#link");
    await until(page, "document.querySelector('[aria-selected=true]').textContent === 'Two'");
    assertEquals(page.url(), `${url}/#deep`);
  }],
  ["a panel with an invalid field is shown", "/", tabPage, async ({ page }) => {
    await page.evaluate("document.querySelector('form').requestSubmit()");
    assertEquals((await shownTab(page))[0], "Three");
    assertEquals(await focusOf(page), "#must");
  }],
  ["all panels are visible without a script", "/", tabPage, async ({ page }) => {
    assertEquals(await page.locator(".ui-tab-panel:visible").count(), 3);
  }, { hasScript: false }],
]);

const sentNames: Route["methods"] = {
  POST: async (c) =>
    c.text(200, [...(await c.formData()).keys()].filter((name) => name !== "_csrf").join()),
};

const kinds = one(
  (c) =>
    postForm(
      c,
      ui.select(h.id("kind"), h.name("kind"), ui.selectOptions(["person", "company"])),
      h.div(
        h.id("company"),
        ui.showWhen("kind", "company"),
        h.input(h.id("vat"), h.name("vat"), h.value("1")),
        h.input(h.id("off"), h.name("off"), h.disabled()),
        h.label(h.input(h.id("more"), h.type("checkbox"), h.name("more")), "more"),
      ),
      h.div(h.id("rest"), ui.showWhen("more", "on"), h.input(h.name("rest"), h.value("2"))),
      h.button(h.type("reset"), h.id("reset"), "Reset"),
      h.button(h.id("send"), "Send"),
    ),
  sentNames,
);

const groups: readonly TrialRow[] = [
  ["a group is shown and submitted only while its field has the value", "/", [
    ...kinds,
  ], async ({ page }) => {
    assert(!await page.locator("#company").isVisible());
    await page.selectOption("#kind", "company");
    assert(await page.locator("#company").isVisible());
    assert(await page.locator("#off").isDisabled());
    await page.check("#more");
    assert(await page.locator("#rest").isVisible());
    await page.selectOption("#kind", "person");
    assert(
      !await page.locator("#rest").isVisible(),
      "what hangs on a hidden field is hidden too",
    );
    await page.click("#send");
    assertEquals(await page.locator("body").innerText(), "kind");
  }],
  ["a group that is shown again is submitted again, and a reset restores the first state", "/", [
    ...kinds,
  ], async ({ page }) => {
    await page.selectOption("#kind", "company");
    await page.selectOption("#kind", "person");
    await page.selectOption("#kind", "company");
    await page.click("#reset");
    await page.locator("#company").waitFor({ state: "hidden" });
    await page.selectOption("#kind", "company");
    await page.click("#send");
    assertEquals(await page.locator("body").innerText(), "kind,vat");
  }],
  ["Back shows the group of the restored choice", "/", kinds, async ({ page }) => {
    await page.selectOption("#kind", "company");
    await page.click("#send");
    await page.getByText("kind,vat").waitFor();
    await page.goBack();
    await page.locator("#company").waitFor();
  }],
  ["without a script all groups are shown and submitted", "/", kinds, async ({ page }) => {
    await page.click("#send");
    assertEquals(await page.locator("body").innerText(), "kind,vat,rest");
  }, { hasScript: false }],
];

/**
 * A form with nested groups, some of which depend on a later group or on a control outside the
 * form.
 */
const nested = one(
  (c) => [
    postForm(
      c,
      h.id("order"),
      h.div(
        ui.showWhen("deliver", "on"),
        h.div(
          ui.showWhen("country", "CH"),
          h.input(h.name("canton"), h.required(), h.aria("label", "Canton")),
        ),
      ),
      h.div(h.id("gift"), ui.showWhen("wrap", "on"), h.input(h.name("card"), h.value("1"))),
      h.div(
        ui.showWhen("deliver", "on"),
        h.input(h.type("checkbox"), h.name("wrap"), h.checked(), h.aria("label", "Wrap")),
      ),
      ui.select(h.name("country"), ui.selectOptions(["CH", "DE"])),
      h.button(h.id("send"), "Send"),
    ),
    h.input(
      h.id("deliver"),
      h.type("checkbox"),
      h.name("deliver"),
      h.attr("form", "order"),
      h.aria("label", "Deliver"),
    ),
  ],
  sentNames,
);

const nestedSteps: readonly [name: string, steps: readonly string[], sent: string][] = [
  ["an inner group of a hidden one is neither sent nor required", [], "country"],
  ["every group around a control is shown", ["on"], "canton,card,wrap,country,deliver"],
  ["the outer group is hidden again", ["on", "off"], "country"],
  ["the inner group is hidden, the outer one shown", ["on", "DE"], "card,wrap,country,deliver"],
  ["the inner group is chosen while the outer one is hidden", ["DE", "CH"], "country"],
  [
    "a group is shown after both were hidden",
    ["on", "DE", "off", "CH", "on"],
    "canton,card,wrap,country,deliver",
  ],
];

testInBrowser("conditional fields", [
  ...groups,
  ...nestedSteps.map(([name, steps, sent]): TrialRow => ({
    name: `nested: ${name}`,
    routes: nested,
    run: async ({ page, open }) => {
      await open("/");
      for (const step of steps) {
        if (step === "on" || step === "off") await page.setChecked("#deliver", step === "on");
        else await page.selectOption("[name=country]", step);
      }
      const canton = page.locator("[name=canton]");
      if (await canton.isVisible()) await canton.fill("ZH");
      assertEquals(await page.locator("#gift").isVisible(), sent.includes("card"));
      await page.click("#send");
      await page.locator("body > pre").waitFor();
      assertEquals(await page.locator("body").innerText(), sent);
    },
  })),
]);
