/** Cases reported for other libraries that replace parts of pages. */
import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { type Child, csrfInput, type Ctx, type Node } from "../../../mod.ts";
import { h, isMarked, openStopped, pageRoute, testInBrowser, ui, until } from "../kit/site.ts";

/** A form that is sent after a pause, and a link in the region of the navigation. */
const pausedForm = [
  pageRoute("/", () =>
    h.div(
      ui.navigate("region"),
      h.form(h.action("/found"), ui.submitOn("input"), h.input(h.name("q"), h.id("q"))),
      h.div(h.id("region"), h.h1("One"), h.a(h.id("out"), h.href("/two"), "out")),
    )),
  pageRoute("/two", () => region("Two")),
  pageRoute("/found", () => region("Found")),
];

function upload(c: Ctx, state?: Child): Node {
  return h.form(
    h.id("form"),
    h.method("post"),
    h.enctype("multipart/form-data"),
    ui.swap("form"),
    csrfInput(c),
    h.input(h.type("file"), h.name("file"), h.id("file")),
    h.input(h.name("name"), h.id("name"), state),
    h.button("Send"),
  );
}

const region = (title: string, ...content: Child[]): Node =>
  h.div(ui.navigate("region"), h.div(h.id("region"), h.h1(title), ...content));

const filesOf = "document.querySelector('#file').files.length";
const isAt = (title: string): string => `document.querySelector("h1").textContent === "${title}"`;

testInBrowser("cases reported for other libraries", [
  ["the focus moves to an input of the same name whose type has no selection", "/", [
    pageRoute("/", () => [
      h.a(h.id("go"), h.href("/to"), ui.swap("target"), "go"),
      h.div(
        h.id("target"),
        h.input(h.id("text"), h.name("value")),
        h.input(h.id("number"), h.name("value"), h.type("number")),
      ),
    ]),
    pageRoute("/to", () => h.div(h.id("target"), h.input(h.name("value"), h.type("number")))),
  ], async ({ page }) => {
    await page.fill("#text", "abc");
    await page.evaluate("document.querySelector('#go').click()");
    await until(page, "!document.querySelector('#text')");
    await until(page, "document.activeElement.type === 'number'");
    assert(await isMarked(page));
  }],
  ["the chosen file of a refused form stays, and that of an accepted one goes", "/", [
    pageRoute("/", (c) => upload(c), {
      POST: async (c) => {
        const isRefused = (await c.formData()).get("name") === "";
        return await c.render(
          isRefused ? 422 : 200,
          upload(c, isRefused ? h.aria("invalid", "true") : h.data("done", "")),
        );
      },
    }),
  ], async ({ page }) => {
    await page.setInputFiles("#file", {
      name: "a.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("A"),
    });
    await page.click("button:text('Send')");
    await until(page, "document.querySelector('#name[aria-invalid]')");
    assertEquals(await page.evaluate(filesOf), 1);
    await page.fill("#name", "A");
    await page.click("button:text('Send')");
    await until(page, "document.querySelector('#name[data-done]')");
    assertEquals(await page.evaluate(filesOf), 0);
  }, { expected: ["422"] }],
  ["a click on a link in edited text does not leave the page", "/", [
    pageRoute("/", () =>
      region(
        "One",
        h.p(
          h.contenteditable(),
          "Text with ",
          h.a(h.id("in"), h.href("/two"), "a link"),
        ),
        h.a(h.id("out"), h.href("/two"), "out"),
      )),
    pageRoute("/two", () => region("Two")),
  ], async ({ page, asked }) => {
    await page.click("#in");
    assertEquals(asked.filter((line) => !line.includes("prefetch")), []);
    await page.click("#out");
    await until(page, isAt("Two"));
  }],
  ["a followed link takes precedence over a form that would be sent after a pause", undefined, [
    ...pausedForm,
  ], async (trial) => {
    const { page } = trial;
    await openStopped(trial, "/");
    await page.locator("#q").pressSequentially("x");
    await page.click("#out");
    await until(page, isAt("Two"));
    await page.clock.runFor(1_000);
    assertEquals(await page.locator("[data-ui-go]").count(), 0);
  }, { isApart: true }],
  ["a link that does not leave the page leaves the form that is sent after a pause", undefined, [
    ...pausedForm,
    pageRoute("/links", () => [
      h.form(h.action("/found"), ui.submitOn("input"), h.input(h.name("q"), h.id("q"))),
      h.a(h.href("#q"), "below"),
      h.a(h.href("/two"), h.download("two"), "file"),
      h.a(h.href("/two"), h.target("_blank"), "window"),
      h.a(h.href("/two"), "tab"),
    ]),
  ], async (trial) => {
    const { page } = trial;
    for (const name of ["below", "file", "window", "tab"]) {
      await openStopped(trial, "/links");
      await page.locator("#q").pressSequentially("x");
      await page.evaluate(`addEventListener("click", (event) => event.preventDefault())`);
      const modifiers = name === "tab" ? ["Control" as const] : [];
      await page.getByRole("link", { name }).click({ modifiers });
      await page.clock.runFor(1_000);
      await until(page, isAt("Found"));
    }
  }, { isApart: true }],
  ["a form sent by Enter starts the pause anew", undefined, [
    pageRoute("/", (c) => [
      h.form(
        h.action("/"),
        ui.swap("shown"),
        ui.submitOn("input"),
        h.input(h.name("q"), h.id("q")),
      ),
      h.h1(h.id("shown"), c.query("q")),
    ]),
  ], async (trial) => {
    const { page } = trial;
    await openStopped(trial, "/");
    await page.locator("#q").pressSequentially("x");
    await page.clock.runFor(200);
    await page.press("#q", "Enter");
    await until(page, isAt("x"));
    await page.locator("#q").pressSequentially("y");
    await page.clock.runFor(200);
    assertEquals(await page.locator("[data-ui-go]").count(), 0);
    assert(!trial.asked.some((line) => line.includes("q=xy")), trial.asked.join());
    await page.clock.runFor(200);
    await until(page, isAt("xy"));
  }, { isApart: true }],
  ["a form is sent by a button with any value", "/", [
    pageRoute("/", () =>
      h.form(
        h.id("form"),
        h.action("/sent"),
        ui.swap("form"),
        h.button(h.name("act"), h.value('a"b\\'), "Send"),
      )),
    pageRoute("/sent", (c) => h.div(h.id("form"), h.h1(c.query("act")))),
  ], async ({ page }) => {
    await page.click("button");
    await until(page, isAt('a\\"b\\\\'));
    assert(await isMarked(page));
  }],
  ["Forward shows a page whose history state another script has replaced", "/", [
    pageRoute("/", () => region("One", h.a(h.id("out"), h.href("/two"), "out"))),
    pageRoute("/two", () => region("Two")),
  ], async ({ page }) => {
    await page.click("#out");
    await until(page, isAt("Two"));
    await page.evaluate("history.replaceState({ tab: 1 }, '', '#tab')");
    await page.goBack();
    await until(page, isAt("One"));
    await page.goForward();
    await until(page, isAt("Two"));
    assert(await isMarked(page));
  }],
]);
