import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";

import type { Ctx, Node } from "../../../mod.ts";
import { listFiles, root } from "../../../tools/workspace.ts";
import type { Page } from "../browser.ts";
import { h, isMarked, pageRoute, postForm, testInBrowser, ui, until } from "../kit/site.ts";

/** The members that the scripts read: a field of that name shadows the one of its form. */
const hidden = new Set<string>();
for (const path of await listFiles("ui/client", [".js"])) {
  const script = await Deno.readTextFile(join(root, path));
  for (const [, name = ""] of script.matchAll(/\.([a-z]\w*)/gi)) hidden.add(name);
  for (const [, names = ""] of script.matchAll(/\{ ([\w, ]+) \}/g)) {
    for (const name of names.split(", ")) hidden.add(name);
  }
}
assert(["dataset", "children", "ariaBusy", "matches"].every((name) => hidden.has(name)));

const fields: Node = h.map([...hidden], (name) => h.input(h.type("hidden"), h.name(name)));
const isLate = false;

/** Renders a deferred part in a form, and one in place of a form. */
function lateForms(c: Ctx): Node {
  const late = (text: string): Promise<Node> =>
    new Promise((resolve) => setTimeout(() => resolve(h.b(text)), 80));
  return h.div(
    h.id("target"),
    h.a(h.id("go"), h.href("/to"), ui.swap("target"), ui.noPush(), "go"),
    h.form(fields, c.defer(late("late one"), "soon")),
    c.defer(late("late two"), h.form(fields, "soon")),
  );
}

/** Renders an upload form that replaces itself. */
function refusedForm(c: Ctx, problem?: string): Node {
  return postForm(
    c,
    h.id("target"),
    h.enctype("multipart/form-data"),
    ui.uploadTo("target"),
    fields,
    h.input(h.id("wrong"), h.name("wrong"), problem && h.aria("invalid", "true")),
    problem && h.p(problem),
    ui.uploadBar(),
    h.button(h.id("go"), "go"),
  );
}

// Such names confuse Playwright too, so the tests use coordinates and expressions.

async function press(page: Page, selector: string): Promise<void> {
  await page.evaluate(`Document.prototype.querySelector.call(document, "${selector}").click()`);
}

/** Returns a point in the first line of a form where nothing else is. */
async function groundOf(page: Page, id: string): Promise<{ right: number; top: number }> {
  return await page.evaluate(
    `Element.prototype.getBoundingClientRect.call(document.getElementById("${id}")).toJSON()`,
  );
}

const isShown = (text: string): string => `document.body.innerText.includes("${text}")`;

const images: Node = h.map(
  `
    getElementById querySelector querySelectorAll body title activeElement createElement
    addEventListener documentElement startViewTransition
  `.trim().split(/\s+/),
  (name) => h.img(h.name(name), h.alt(""), h.src("data:image/gif,")),
);

const target = (text: string): Node => h.div(h.id("target"), text);
const answer = (text: string): Node => h.div(target(text));
/** Delays the response to an optimistic swap. */
const opened = Promise.withResolvers<void>();

testInBrowser("field names that shadow members of the form", [
  ["a form with such fields asks for confirmation and swaps", "/", [
    pageRoute("/", () => [
      h.form(
        h.action("/to"),
        ui.swap("target"),
        ui.noPush(),
        ui.confirm("Sure?"),
        fields,
        h.button(h.id("go"), "go"),
      ),
      target("before"),
    ]),
    pageRoute("/to", () => answer("after")),
  ], async ({ page, url, asked }) => {
    await press(page, "#go");
    await until(page, "document.querySelector('dialog h2')");
    assertEquals(asked, []);
    await press(page, "dialog button:last-child");
    await until(page, isShown("after"));
    assertEquals(page.url(), `${url}/`);
  }],
  ["a form with such fields replaces itself", "/", [pageRoute("/", (c) => [
    h.form(
      h.id("target"),
      ui.swap("target"),
      ui.noPush(),
      fields,
      h.button(h.id("go"), c.fragment ? "after" : "go"),
    ),
  ])], async ({ page, asked }) => {
    await press(page, "#go");
    await until(page, isShown("after"));
    assertEquals(asked.length, 1);
  }],
  ["a form with such fields receives hover, clicks and input", "/", [pageRoute("/", () => [
    h.form(
      h.id("ground"),
      fields,
      h.select(h.name("kind"), h.id("kind"), h.option("person"), h.option("company")),
      h.p(h.id("vat"), ui.showWhen("kind", "company"), "number"),
    ),
  ])], async ({ page }) => {
    assert(!await page.evaluate(isShown("number")));
    const { right, top } = await groundOf(page, "ground");
    await page.mouse.click(right - 4, top + 4);
    await page.mouse.move(right - 8, top + 8);
    await page.keyboard.press("Escape");
    await page.evaluate(`{
        const kind = document.getElementById("kind");
        kind.value = "company";
        kind.dispatchEvent(new Event("change", { bubbles: true }));
      }`);
    await until(page, isShown("number"));
  }],
  ["a form with such fields shows the tab panel with an invalid field", "/", [pageRoute("/", () => [
    ui.tabs("parts", [
      { label: "First", content: h.p("first") },
      {
        label: "Second",
        content: h.form(
          fields,
          h.input(h.name("wrong"), h.required()),
          h.p("second"),
          h.button(h.id("go"), "go"),
        ),
      },
    ]),
  ])], async ({ page }) => {
    assert(!await page.evaluate(isShown("second")));
    await press(page, "#go");
    await until(page, isShown("second"));
  }],
  ["a form with such fields shows its first invalid field and its progress after a refusal", "/", [
    pageRoute("/", (c) => refusedForm(c), {
      POST: (c) => c.render(422, refusedForm(c, "is required")),
    }),
  ], async ({ page, asked }) => {
    await press(page, "#go");
    await until(page, isShown("is required"));
    assertEquals(asked, ["POST / fragment=target"]);
    assertEquals(await page.evaluate("document.activeElement.id"), "wrong");
    const { right, top } = await groundOf(page, "target");
    await page.mouse.click(right - 4, top + 4);
  }, { expected: ["422"] }],
  ["a form with such fields has a tooltip, and one that is a message disappears", "/", [
    pageRoute("/", () => [
      h.form(h.id("ground"), ui.tooltip("the hint"), fields, h.p("hinted")),
      h.form(ui.fade(1), fields, h.p("leaving")),
    ]),
  ], async ({ page }) => {
    await until(page, `!${isShown("leaving")}`);
    const { right, top } = await groundOf(page, "ground");
    await page.mouse.move(right - 4, top + 4);
    await until(page, isShown("the hint"));
    await page.mouse.move(right - 4, top + 300);
    await until(page, `!${isShown("the hint")}`);
    assertEquals(
      await page.evaluate(
        "Element.prototype.getAttribute.call(document.querySelector('#ground'), 'title')",
      ),
      "the hint",
    );
  }],
  ["a form with such fields replaces another optimistically", "/", [
    pageRoute("/", () => [
      h.form(h.id("old"), fields, h.p("an old form")),
      h.form(
        h.action("/to"),
        ui.swap("target"),
        ui.noPush(),
        fields,
        ui.optimistic(h.form(h.id("old"), fields, h.p("a foreseen form"))),
        h.button(h.id("go"), "go"),
      ),
      target("before"),
    ]),
    pageRoute("/to", async () => {
      await opened.promise;
      return answer("after");
    }),
  ], async ({ page }) => {
    await press(page, "#go");
    await until(page, `${isShown("a foreseen form")} && !${isShown("an old form")}`);
    opened.resolve();
    await until(page, isShown("after"));
  }],
  ["deferred parts replace placeholders in such a form, and may be one", "/", [
    pageRoute("/", (c) => lateForms(c)),
    pageRoute("/to", (c) => lateForms(c)),
  ], async ({ page }) => {
    await until(page, `${isShown("late one")} && ${isShown("late two")}`);
    await page.evaluate(
      `document.getElementById("target").insertAdjacentText("afterbegin", "old")`,
    );
    await press(page, "#go");
    await until(page, `!${isShown("old")} && ${isShown("late one")} && ${isShown("late two")}`);
    assertEquals(await page.evaluate(isShown("soon")), isLate);
  }],
  ["images named like members of the document break nothing", "/", [
    pageRoute("/", () => [
      images,
      h.a(h.id("go"), h.href("/to"), ui.swap("target"), ui.confirm("Sure?"), "go"),
      target("before"),
    ]),
    pageRoute("/to", () => answer("after")),
  ], async ({ page, asked }) => {
    await page.click("#go");
    await page.click("dialog button:last-child");
    await page.getByText("after").waitFor();
    assertEquals(asked.at(-1), "GET /to fragment=target");
    await page.evaluate("ui.toast('info', 'a message')");
    await page.getByText("a message").waitFor();
  }],
  ["images named like members of the document do not break navigation", "/", [
    pageRoute(
      "/",
      () =>
        h.div(
          h.id("region"),
          ui.navigate("region"),
          images,
          h.a(h.id("go"), h.href("/to"), "go"),
        ),
    ),
    pageRoute("/to", (c) => {
      c.title = "There";
      return h.div(h.id("region"), ui.navigate("region"), images, h.h1("after"));
    }),
  ], async ({ page, url }) => {
    await page.click("#go");
    await page.getByText("after").waitFor();
    assertEquals([page.url(), await isMarked(page)], [`${url}/to`, true]);
    await until(
      page,
      "Document.prototype.querySelector.call(document, 'title').text === 'There'",
    );
  }],
]);
