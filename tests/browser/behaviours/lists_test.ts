import { assert, assertEquals } from "@std/assert";
import { type Ctx, struct, text } from "../../../mod.ts";
import type { Page } from "../browser.ts";
import { focusOf, h, pageRoute, testInBrowser, ui, until } from "../kit/site.ts";

const cities = [{ value: "1", label: "Braga" }, { value: "2", label: "Évora" }, {
  value: "3",
  label: "Lisboa",
}];

const City = struct({ city: text("required"), other: text() });
const choice = pageRoute("/", (c: Ctx) =>
  ui.form(c, City, {
    method: "get",
    values: { city: "2" },
    fields: {
      city: { type: "combobox", choices: cities },
      other: { type: "combobox", choices: cities },
    },
  }));

const tags = pageRoute("/", () =>
  ui.form(
    h.method("get"),
    ui.field(
      "tags",
      "Tags",
      ui.combobox({ options: ["clay", "stone", "wood"] }, h.multiple(), h.name("tags")),
    ),
  ));

const list = pageRoute("/", (c: Ctx) =>
  ui.listPage(c, {
    title: "Items",
    page: { rows: ["One", "Two", "Three", "Four"] },
    columns: [
      { title: "Item", cell: (row) => ui.item(row, { href: `/${row}` }) },
      { title: "Code", cell: () => "code" },
      { title: "Kind", cell: () => "kind" },
    ],
    label: (row) => row,
    search: "Search items",
    acts: {
      value: (row) => row,
      buttons: [
        ui.menu("Kind", ui.bulkItem("kind.a", "Tool")),
        ui.bulkButton("delete", "trash", ui.destructive, "Delete"),
      ],
    },
    empty: ["None", "None yet"],
  }));

async function stateOf(page: Page, id: string): Promise<readonly unknown[]> {
  return await page.evaluate(`((input) => [
    input.value,
    input.ariaExpanded,
    [...document.getElementById(input.getAttribute("aria-controls")).children]
      .filter((one) => one.checkVisibility()).map((one) => one.textContent),
    document.getElementById(input.getAttribute("aria-activedescendant"))?.textContent,
  ])(document.getElementById(${JSON.stringify(id)}))`) as readonly unknown[];
}

let renderings = 0;

/** A region with every widget that the script adds; a link renders the region again. */
const swapped = pageRoute("/", (c: Ctx) =>
  h.div(
    h.id("region"),
    h.a(h.id("again"), h.href("/?again"), ui.swap("region"), "again"),
    h.p(h.id("rendering"), String(++renderings)),
    ui.form(c, City, { fields: { city: { type: "combobox", choices: cities } } }),
    ui.field(
      "tags",
      "Tags",
      ui.combobox({ options: ["clay", "stone"] }, h.multiple(), h.name("tags")),
    ),
    ui.combobox({ options: ["low", "high"] }, h.name("level"), h.aria("label", "Level")),
    ui.field(
      "note",
      "Note",
      ui.textarea(h.name("note"), h.maxlength(80)),
      ui.help(ui.charCount(80)),
    ),
    ui.field("cover", "Cover", ui.dropzone("PNG", h.name("cover"))),
  ));

testInBrowser("lists and choices", [
  ["a combobox opens, moves, selects and cancels by keyboard", "/", [choice], async ({ page }) => {
    await page.locator("#city[role=combobox]").focus();
    const all = ["Braga", "Évora", "Lisboa"];
    assertEquals(await stateOf(page, "city"), ["Évora", "false", [], undefined]);
    await page.keyboard.press("ArrowDown");
    assertEquals(await stateOf(page, "city"), ["Évora", "true", all, undefined]);
    await page.keyboard.press("ArrowUp");
    assertEquals((await stateOf(page, "city"))[3], "Lisboa");
    await page.keyboard.press("ArrowDown");
    assertEquals((await stateOf(page, "city"))[3], "Braga");
    await page.keyboard.press("Escape");
    assertEquals(await stateOf(page, "city"), ["Évora", "false", [], undefined]);
    await page.keyboard.type("lis");
    assertEquals(await stateOf(page, "city"), ["lis", "true", ["Lisboa"], "Lisboa"]);
    await page.keyboard.press("Enter");
    assertEquals(await stateOf(page, "city"), ["Lisboa", "false", [], undefined]);
    await page.keyboard.type("nowhere");
    await page.keyboard.press("Tab");
    assertEquals((await stateOf(page, "city"))[0], "Lisboa");
    assertEquals(await focusOf(page), "#other");
    await page.keyboard.type("bra");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?city=3&other=");
  }],
  ["a disabled combobox stays a list, unless its hidden group disables it", "/", [
    pageRoute("/", () =>
      h.form(
        ui.checkbox("on", "On", h.name("on")),
        h.div(
          ui.showWhen("on", "on"),
          ui.combobox({ options: ["a"] }, h.name("free"), h.aria("label", "Free")),
          ui.combobox({ options: ["a"] }, h.name("fixed"), h.aria("label", "Fixed"), h.disabled()),
        ),
      )),
  ], async ({ page }) => {
    await page.check("#on");
    await page.getByRole("combobox", { name: "Free", disabled: false }).fill("a");
    assert(await page.locator("select[name=fixed]:disabled").isVisible());
  }],
  ["without the script a combobox is a select element", "/", [choice], async ({ page }) => {
    assertEquals(await page.locator("select#city").inputValue(), "2");
  }, { hasScript: false }],
  ["tags are selected, filtered and removed by keyboard", "/", [tags], async ({ page }) => {
    await page.locator("#tags[role=combobox]").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    assertEquals(await page.locator(".ui-tag").allTextContents(), ["clay×"]);
    await page.keyboard.type("st");
    assertEquals(await stateOf(page, "tags"), ["st", "true", ["stone"], "stone"]);
    await page.keyboard.press("Enter");
    assertEquals(await page.locator(".ui-tag").count(), 2);
    await page.keyboard.press("Backspace");
    assertEquals(await page.locator(".ui-tag").allTextContents(), ["clay×"]);
    assertEquals(await page.evaluate("document.querySelector('select').value"), "clay");
  }],
  ["tags in a dialog: Escape closes the suggestions, composing selects none", "/", [
    pageRoute("/", () =>
      h.dialog(
        h.id("box"),
        ui.field(
          "tags",
          "Tags",
          ui.combobox({ options: ["clay", "stone"] }, h.multiple(), h.name("tags")),
        ),
      )),
  ], async ({ page }) => {
    await page.evaluate("document.querySelector('#box').showModal()");
    await page.locator("#tags[role=combobox]").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    for (const composing of ["isComposing: true", "keyCode: 229"]) {
      await page.evaluate(`document.activeElement.dispatchEvent(
            new KeyboardEvent("keydown", { key: "Enter", bubbles: true, ${composing} }))`);
      assertEquals(await page.locator(".ui-tag").count(), 0);
    }
    await page.keyboard.press("Escape");
    await page.locator("[role=listbox]").waitFor({ state: "hidden" });
    assert(await page.evaluate("document.querySelector('#box').open"));
    await page.keyboard.press("Escape");
    await page.locator("#box").waitFor({ state: "hidden" });
  }],
  ["the bulk action bar appears with the first selected row, counts and is reachable by Tab", "/", [
    list,
  ], async ({ page }) => {
    const bar = page.locator(".ui-bulk");
    assert(!await bar.isVisible());
    await page.getByRole("checkbox", { name: "Select One" }).focus();
    await page.keyboard.press("Space");
    await page.getByText("1 selected").waitFor();
    await page.getByRole("checkbox", { name: "Select Three" }).click({ modifiers: ["Shift"] });
    await page.getByText("3 selected").waitFor();
    await page.getByRole("checkbox", { name: "Select all" }).focus();
    await page.keyboard.press("Space");
    await page.getByText("4 selected").waitFor();
    await page.getByRole("checkbox", { name: "Select Four" }).focus();
    for (let at = 0; at < 3; at++) await page.keyboard.press("Tab");
    assertEquals(await page.evaluate("document.activeElement.textContent"), "Kind");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Tool" }).waitFor();
    await page.keyboard.press("Escape");
    assert(!await page.getByRole("button", { name: "Tool" }).isVisible());
    await page.getByRole("button", { name: "Select none" }).focus();
    await page.keyboard.press("Enter");
    await bar.waitFor({ state: "hidden" });
    assertEquals(await page.evaluate("document.activeElement.ariaLabel"), "Select Three");
  }],
  ["a swap keeps the user's changes in comboboxes, tags, counts and file inputs", "/", [
    swapped,
  ], async ({ page }) => {
    await page.locator("#city[role=combobox]").fill("bra");
    await page.keyboard.press("Enter");
    await page.locator("#tags[role=combobox]").fill("sto");
    await page.keyboard.press("Enter");
    await page.locator("[role=combobox][aria-label=Level]").fill("high");
    await page.keyboard.press("Enter");
    await page.setInputFiles("[name=cover]", "ui/files/ui.css");
    await page.fill("[name=note]", "typed");
    const state = (): Promise<unknown> =>
      page.evaluate(`[document.querySelector("#city").value,
          document.querySelector("[name=city]").selectedOptions[0].text,
          document.querySelector(".ui-tag").firstChild.data,
          document.querySelector("[name=tags]").value,
          document.querySelector("[name=level]").value,
          document.querySelector("[name=note]").value,
          document.querySelector("[data-ui-char-count]").textContent,
          document.querySelector(".ui-drop-list strong").textContent]`);
    const before = await state();
    assertEquals(before, [
      ...["Braga", "Braga", "stone", "stone", "high", "typed", "5 of 80", "ui.css"],
    ]);
    const rendering = await page.locator("#rendering").innerText();
    await page.locator("#city[role=combobox]").focus();
    await page.evaluate(`document.querySelector("#again").click()`);
    await until(page, `document.querySelector("#rendering").textContent !== "${rendering}"`);
    assertEquals(await state(), before);
    assertEquals(await focusOf(page), "#city");
    await page.locator("#city[role=combobox]").fill("lis");
    await page.keyboard.press("Enter");
    assertEquals(await page.locator("#city").inputValue(), "Lisboa");
  }],
  ["without the script the bulk action bar is a row of buttons", "/", [list], async ({ page }) => {
    assert(await page.getByRole("button", { name: "Delete" }).isVisible());
    assert(!await page.getByRole("checkbox", { name: "Select all" }).isVisible());
  }, { hasScript: false }],
  ["the menu hides and restores columns", "/", [list], async ({ page }) => {
    await page.locator("summary[aria-label=Columns]").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/hide=2$/);
    assertEquals(await page.locator("thead th[scope=col]").allTextContents(), [
      "",
      "Item",
      "Code",
    ]);
    await page.locator("summary[aria-label=Columns]").click();
    await page.getByRole("link", { name: "Kind" }).click();
    await page.waitForURL((url) => url.search === "");
    assertEquals(await page.locator("thead th[scope=col]").count(), 4);
  }],
]);
