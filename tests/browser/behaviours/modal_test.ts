import { assert, assertEquals } from "@std/assert";
import type { Node } from "../../../mod.ts";
import { focusOf, h, pageRoute, testInBrowser, ui, until } from "../kit/site.ts";
import { routeOf } from "../../routes.ts";

/** A form in a dialog that changes a list outside. */
function shelf(count: number): Node {
  return h.div(
    ui.dialogOpen("add", h.id("opener"), "Add"),
    ui.dialog(
      "add",
      "Add a book",
      h.form(
        h.id("form"),
        h.method("post"),
        h.action("/books"),
        ui.swap("books"),
        h.input(h.id("name"), h.name("book"), h.aria("label", "book")),
        h.button(h.id("send"), "Add"),
      ),
    ),
    books(count),
  );
}

const books = (count: number): Node => h.p(h.id("books"), `${count} books`);

/** A region that contains a dialog, whose form replaces the region. */
const room = (text: string): Node =>
  h.div(
    h.id("room"),
    ui.dialogOpen("add", h.id("opener"), "Add"),
    ui.dialog(
      "add",
      "Add",
      h.form(h.method("post"), h.action("/books"), ui.swap("room"), h.button(h.id("send"), text)),
    ),
    text === "two" && h.p(ui.announce("announced"), "changed"),
  );

const gate = Promise.withResolvers<void>();

/** A region with an upload in a dialog. */
const uploads = (text: string): Node =>
  h.div(
    h.id("uploads"),
    ui.dialogOpen("add", h.id("opener"), "Add"),
    ui.dialog(
      "add",
      "Add",
      h.form(
        h.method("post"),
        h.action("/uploads"),
        h.enctype("multipart/form-data"),
        ui.uploadTo("uploads"),
        ui.uploadBar(),
        h.button(h.id("send"), "Send"),
      ),
    ),
    h.p(text),
  );

let sent = 0;

testInBrowser("dialogs, sending and keys", [
  ["2xx closes the dialog of the form and 4xx keeps it; a toast above it can be clicked", "/", [
    pageRoute("/", () => shelf(0)),
    routeOf("POST", "/books", async (c) => {
      if (await c.form("book") === "") return c.html(422, books(0));
      c.flash("success", "It is there.");
      return c.html(200, books(1));
    }),
  ], async ({ page }) => {
    await page.click("#opener");
    await page.evaluate(`ui.toast("error", "over the dialog")`);
    await page.click("#send");
    await until(page, `!document.querySelector("[aria-busy]")`);
    await page.click("[data-ui-toast] [data-ui-close]");
    assertEquals(await page.locator("[data-ui-toast]").count(), 0);
    assert(await page.locator("#add").evaluate((one) => one.matches(":modal")));
    await page.fill("#name", "Ulysses");
    await page.keyboard.press("Enter");
    await until(page, `document.querySelector("#books").textContent === "1 books"`);
    assertEquals(await page.locator("dialog[open]").count(), 0);
    assertEquals(await focusOf(page), "#opener");
    await page.getByText("It is there.").click();
    assertEquals(await page.locator("dialog [data-ui-toaster]").count(), 0);
  }, { expected: ["422"] }],
  ["a 422 around its dialog shows its message and keeps earlier ones", "/", [
    pageRoute("/", () => room("one")),
    routeOf("POST", "/books", (c) => {
      c.flash("error", "It is taken.");
      return c.html(422, room("two"));
    }),
    pageRoute("/none", () => h.div(h.id("room"), "no dialog")),
  ], async ({ page }) => {
    await page.click("#opener");
    await page.evaluate(`ui.toast("error", "earlier")`);
    await page.click("#send");
    await page.getByText("two").waitFor();
    assert(await page.locator("#add").evaluate((one) => one.matches(":modal")));
    const messages = page.locator("#add [data-ui-toaster] [data-ui-toast] p");
    assertEquals(await messages.allInnerTexts(), ["earlier", "It is taken."]);
    await page.getByText("announced").waitFor({ state: "attached" });
    await page.locator("#add [data-ui-close]").last().click();
    await page.evaluate(`fetch("/none", { headers: { "FW-Fragment": "room" } })
        .then((answer) => answer.text()).then((html) => ui.swap("room", html))`);
    await page.getByText("no dialog").waitFor();
    assertEquals(await page.locator("body > [data-ui-toaster] p").allInnerTexts(), ["earlier"]);
  }, { expected: ["422"] }],
  ["a change around a running upload in a dialog keeps its progress", "/", [
    pageRoute("/", () => uploads("one")),
    routeOf("GET", "/later", (c) => c.html(200, uploads("two"))),
    routeOf("POST", "/uploads", async (c) => {
      await gate.promise;
      c.flash("error", "It is taken.");
      return c.html(422, uploads("three"));
    }),
  ], async ({ page }) => {
    await page.click("#opener");
    await page.click("#send");
    await page.getByText("Cancel").waitFor();
    await page.evaluate(`fetch("/later").then((answer) => answer.text())
        .then((html) => ui.swap("uploads", html))`);
    await page.getByText("two").waitFor({ state: "attached" });
    assert(await page.getByText("Cancel").isVisible());
    gate.resolve();
    await page.getByText("three").waitFor({ state: "attached" });
    await page.getByText("Cancel").waitFor({ state: "hidden" });
    await page.getByText("It is taken.").click();
  }, { expected: ["422"] }],
  ["two clicks on a plain form send one request; a file in response to a POST is saved", "/", [
    pageRoute("/", () => [
      h.form(h.method("POST"), h.action("/once"), h.button(h.id("once"), "once")),
      h.form(
        h.method("post"),
        h.action("/file"),
        ui.swap("place"),
        h.button(h.id("file"), "file"),
      ),
      h.p(h.id("place"), "place"),
    ]),
    routeOf("POST", "/once", async (c) => {
      sent++;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return c.text(200, "done");
    }),
    routeOf("POST", "/file", (c) => {
      c.header(
        "Content-Disposition",
        `attachment; filename="relatorio.csv"; filename*=UTF-8''relat%C3%B3rio.csv`,
      );
      return c.text(200, "a,b");
    }),
  ], async ({ page, asked }) => {
    const download = page.waitForEvent("download");
    await page.click("#file");
    assertEquals((await download).suggestedFilename(), "relatório.csv");
    assertEquals(asked, ["POST /file fragment=place"]);
    await page.evaluate(`{
        const button = document.querySelector("#once");
        button.click();
        button.click();
      }`);
    await page.getByText("done").waitFor();
    assertEquals(sent, 1);
  }],
  ["keys while composing do nothing; Escape closes only the open overlay", "/", [
    pageRoute("/", () => [
      ui.commandDialog("search", ui.menuLink("/to", "One")),
      h.button(h.id("outer"), "outer"),
      ui.dialogOpen("box", h.id("opener"), "Open"),
      ui.dialog(
        "box",
        "Box",
        ui.menu("Menu", ui.menuLink("/to", "To")),
        h.button(h.id("hint"), ui.tooltip("A hint"), "hint"),
      ),
    ]),
  ], async ({ page }) => {
    await page.keyboard.press("Control+Shift+K");
    assertEquals(await page.locator("dialog[open]").count(), 0);
    for (const composing of ["isComposing: true", "keyCode: 229"]) {
      await page.evaluate(`document.querySelector("#outer").dispatchEvent(
            new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true, ${composing} }))`);
      assertEquals(await page.locator("dialog[open]").count(), 0);
    }
    await page.click("#opener");
    await page.press("#hint", "Tab");
    await page.keyboard.press("Shift+Tab");
    await until(page, `document.querySelector("#ui-tip")`);
    await page.keyboard.press("Escape");
    await until(page, `!document.querySelector("#ui-tip")`);
    assert(await page.locator("#box").evaluate((one) => one.matches("[open]")));
    await page.press("#box summary", "Escape");
    await until(page, `!document.querySelector("#box").open`);
  }],
  ["a link in an SVG and attributes in uppercase", "/", [
    pageRoute("/", () =>
      h.div(
        ui.navigate("region"),
        h.raw(
          '<svg width="40" height="40"><a href="/to"><rect id="drawn" width="40" height="40"/></a></svg>',
        ),
        h.div(h.id("region"), "start", h.a(h.id("self"), h.href("/to"), h.target("_SELF"), "to")),
      )),
    pageRoute("/to", () => h.div(h.id("region"), "there")),
  ], async ({ page }) => {
    await page.evaluate("globalThis.isMarked = true");
    await page.click("#self");
    await page.getByText("there").waitFor();
    assert(await page.evaluate("globalThis.isMarked"));
    await page.goBack();
    await page.getByText("start").waitFor();
    await page.click("#drawn");
    await page.getByText("there").waitFor();
  }],
]);
