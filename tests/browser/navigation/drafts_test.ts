import { assert, assertEquals } from "@std/assert";
import type { Ctx, Node } from "../../../mod.ts";
import type { Page } from "../browser.ts";
import { h, isMarked, pageRoute, postForm, testInBrowser, ui, until } from "../kit/site.ts";
import { page as navigatePage, scrolled, site, untilHeading } from "../kit/pages.ts";

/** A form with every kind of control. */
const form = (c: Ctx): Node =>
  h.div(
    postForm(
      c,
      h.id("form"),
      h.action("/send"),
      h.input(h.name("title"), h.value("rendered")),
      h.input(h.name("untouched"), h.value("as it was")),
      h.input(h.type("checkbox"), h.name("tag"), h.value("a"), h.checked()),
      h.input(h.type("checkbox"), h.name("tag"), h.value("b")),
      h.input(h.type("radio"), h.name("kind"), h.value("x"), h.checked()),
      h.input(h.type("radio"), h.name("kind"), h.value("y")),
      h.select(h.name("size"), ui.selectOptions(["small", "large"], "small")),
      h.select(h.name("days"), h.multiple(), ui.selectOptions(["mo", "tu", "we"])),
      h.textarea(h.name("note"), "rendered"),
      h.input(h.type("password"), h.name("secret")),
      ui.field("vat", "VAT", ui.input(h.name("vat")), ui.with(ui.showWhen("kind", "y"))),
    ),
    h.details(h.id("more"), h.summary("More"), h.p("open")),
    h.details(h.id("less"), h.open(), h.summary("Less"), h.p("open")),
  );

const state = (page: Page): Promise<unknown> =>
  page.evaluate(`[...new FormData(document.querySelector("#form"))]
    .filter(([name]) => name !== "_csrf").map(([name, value]) => name + "=" + value)
    .concat([more.open, less.open, document.querySelector("#vat").closest(".ui-field").hidden])`);

async function fill(page: Page): Promise<void> {
  await page.fill("[name=title]", "typed");
  await page.click("[name=tag][value=a]");
  await page.click("[name=tag][value=b]");
  await page.click("[name=kind][value=y]");
  await page.selectOption("[name=size]", "large");
  await page.selectOption("[name=days]", ["mo", "we"]);
  await page.fill("[name=note]", "two\nlines");
  await page.fill("[name=secret]", "hunter2");
  await page.fill("#vat", "DE1");
  await page.click("#more summary");
  await page.click("#less summary");
}

const drafted = [
  "title=typed",
  "untouched=as it was",
  "tag=b",
  "kind=y",
  "size=large",
  "days=mo",
  "days=we",
  "note=two\nlines",
  // As in browsers, passwords are never restored.
  "secret=",
  "vat=DE1",
  true,
  false,
  false,
];

/** A page with the form at the top and a link below the fold. */
const pages = site([], [
  navigatePage("/form", "Form", (c) => [
    h.h1("Form"),
    form(c),
    h.p(h.styleAttr("height: 2000px"), "tall"),
    h.a(h.id("away"), h.href("/two"), "away"),
  ]),
]);

const list = pageRoute("/list", (c) => {
  const p = c.query("p") ?? "1";
  return h.div(
    h.id("list"),
    h.p(h.id("page"), p),
    h.input(h.id("note"), h.value(`note ${p}`)),
    h.a(h.id("next"), h.href(`/list?p=${Number(p) + 1}`), ui.swap("list"), "next"),
    h.form(
      h.action("/list"),
      ui.swap("list"),
      h.input(h.id("p"), h.name("p"), h.value(p)),
      h.button(h.id("find"), "Find"),
    ),
  );
});

testInBrowser("going back restores the page as the user left it", [
  ["Back restores input, checks, choices, open elements and the scroll position", "/form", [
    ...pages,
  ], async ({ page }) => {
    await fill(page);
    await page.locator("#away").scrollIntoViewIfNeeded();
    const y = await scrolled(page);
    assert(y > 500);
    await page.click("#away");
    await untilHeading(page, "Two");
    await page.goBack();
    await untilHeading(page, "Form");
    await until(page, `scrollY === ${y}`);
    assertEquals(await state(page), drafted);
    assert(await isMarked(page));
  }],
  ["Forward restores the input on the page that Back left, and each entry its own", "/one", [
    ...pages,
  ], async ({ page }) => {
    await page.evaluate(`document.querySelector("#main").insertAdjacentHTML("beforeend",
        '<a id="to" href="/form">form</a>')`);
    await page.click("#to");
    await untilHeading(page, "Form");
    await fill(page);
    await page.evaluate("scrollTo(0, 700)");
    await page.goBack();
    await untilHeading(page, "One");
    await page.goForward();
    await untilHeading(page, "Form");
    await until(page, "scrollY === 700");
    assertEquals(await state(page), drafted);
    // Opening the same page again is another entry without drafts.
    await page.evaluate("scrollTo(0, 0)");
    await page.click("nav >> text=One");
    await untilHeading(page, "One");
    await page.evaluate(`document.querySelector("#main").insertAdjacentHTML("beforeend",
        '<a id="to" href="/form">form</a>')`);
    await page.click("#to");
    await untilHeading(page, "Form");
    assertEquals(await page.inputValue("[name=title]"), "rendered");
  }],
  ["a form with a footer asks before a link leaves its unsaved input", "/footed", [
    ...pages,
    navigatePage("/footed", "Footed", () => [
      h.h1("Footed"),
      h.form(
        h.method("post"),
        h.action("/footed"),
        h.input(h.name("title"), h.aria("label", "title")),
        ui.formFooter(ui.submit("Save")),
      ),
    ]),
  ], async ({ page }) => {
    await page.click("nav >> text=One");
    await untilHeading(page, "One");
    await page.goBack();
    await untilHeading(page, "Footed");
    await page.click("[name=title]");
    await page.keyboard.type("typed");
    const asked = page.waitForEvent("dialog");
    await page.evaluate(`setTimeout(() => document.querySelector("nav a").click())`);
    const dialog = await asked;
    assertEquals(dialog.type(), "beforeunload");
    await dialog.dismiss();
    assertEquals(await page.inputValue("[name=title]"), "typed");
    page.once("dialog", (dialog) => dialog.accept());
    await page.click("nav >> text=One");
    await untilHeading(page, "One");
  }],
  ["Back to a swap restores its input, except input that was submitted", "/list", [
    list,
  ], async ({ page }) => {
    await page.fill("#note", "draft of 1");
    await page.click("#next");
    await until(page, `document.querySelector("#page").textContent === "2"`);
    assertEquals(await page.inputValue("#note"), "note 2");
    await page.fill("#note", "draft of 2");
    await page.fill("#p", "7");
    await page.click("#find");
    await until(page, `document.querySelector("#page").textContent === "7"`);
    await page.goBack();
    await until(page, `document.querySelector("#page").textContent === "2"`);
    assertEquals(await page.inputValue("#note"), "draft of 2");
    assertEquals(await page.inputValue("#p"), "2");
    await page.goBack();
    await until(page, `document.querySelector("#page").textContent === "1"`);
    assertEquals(await page.inputValue("#note"), "draft of 1");
  }],
]);
