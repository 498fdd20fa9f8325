import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { csrfInput, type Ctx, httpError, type Node, type Route } from "../../../mod.ts";
import * as ui from "../../../ui/mod.ts";
import { focusOf, isMarked, layout, pageRoute, testInBrowser, until } from "../kit/site.ts";
import {
  layout as navigateLayout,
  page as navigatePage,
  site,
  untilHeading,
} from "../kit/pages.ts";

const start = (c: Ctx): Node =>
  h.div(
    h.form(
      h.id("form"),
      h.method("post"),
      h.action("/to"),
      ui.swap("form"),
      csrfInput(c),
      ui.input(h.id("name"), h.name("name"), h.value("Ada")),
      h.button(h.id("send"), "Send"),
    ),
    h.table(h.tbody(h.id("rows"), h.tr(h.td("before")))),
    h.a(h.id("go"), h.href("/to?x=1"), ui.swap("rows"), "go"),
  );

/** A page whose links and posts fail. */
function failing(answer: (c: Ctx) => Response | Node | Promise<Response | Node>): Route[] {
  const to: Route = {
    pattern: "/to",
    layouts: [layout],
    page: async (c) => await answer(c),
    methods: { POST: async (c) => await answer(c) },
  };
  return [pageRoute("/", start), to];
}

const fail = (): never => {
  throw httpError(503, "later");
};

testInBrowser("a server's failure message appears in place", [
  ["POST 5xx: the server's text and reference appear in the form, which is kept", "/", [
    ...failing(fail),
  ], async ({ page, asked }) => {
    await page.fill("#name", "Grace");
    await page.press("#send", "Enter");
    const notice = page.locator("#form [role=alert]");
    await notice.waitFor();
    assertMatch(await notice.innerText(), /Service Unavailable[\s\S]*Reference: [\w-]{10,}/);
    assertEquals(await page.locator("#form main, #form h1").count(), 0);
    assertEquals(await page.inputValue("#name"), "Grace");
    assertEquals(await focusOf(page), "#send");
    assertEquals(await page.getByRole("alertdialog").count(), 0);
    assertEquals(await page.locator("[aria-busy]").count(), 0);
    assertEquals(asked, ["POST /to fragment=form"]);
    // The next attempt shows its own message.
    await page.keyboard.press("Enter");
    await until(page, `document.querySelectorAll("[role=alert]").length === 1`);
    assert(await isMarked(page));
  }, { expected: ["503"] }],
  ["GET 5xx: the message appears above the target, and the request is not repeated", "/", [
    ...failing(fail),
  ], async ({ page, asked, url }) => {
    await page.click("#go");
    await page.locator("[role=alert]").waitFor();
    assertEquals(
      await page.evaluate(`document.querySelector("[role=alert]").nextElementSibling.localName`),
      "table",
    );
    assertEquals(await page.innerText("#rows"), "before");
    assertEquals(page.url(), `${url}/`);
    assertEquals(asked, ["GET /to?x=1 fragment=rows"]);
    assert(await isMarked(page));
  }, { expected: ["503"] }],
  ["an error page of the app: no script, style, duplicate id or second heading", "/", [
    ...failing((c) =>
      c.html(
        500,
        h.raw(
          "<title>Oops</title><style>body { display: none }</style><script>pwned = 1</script>" +
            '<main id="form"><h1 id="name">Oops</h1><p>Our fault, number 42</p></main>',
        ),
      )
    ),
  ], async ({ page }) => {
    await page.click("#send");
    const notice = page.locator("#form [role=alert]");
    await notice.waitFor();
    assertEquals(await notice.innerText(), "Oops\n\nOur fault, number 42");
    assertEquals(await notice.locator("[id], style, script, h1").count(), 0);
    assertEquals(await page.evaluate("globalThis.pwned"), undefined);
  }, { expected: ["500"] }],
  ["a problem document: its detail and reference are shown", "/", [
    ...failing((c) =>
      c.json(500, { title: "Internal", detail: "The <b>store</b> is full", request_id: "r-1" })
    ),
  ], async ({ page }) => {
    await page.click("#send");
    await page.locator("#form [role=alert]").waitFor();
    assertEquals(await page.innerText("#form [role=alert]"), "The <b>store</b> is full (r-1)");
  }, { expected: ["500"] }],
  ["an empty response: the status is shown", "/", [
    ...failing((c) => c.html(502, h.p())),
  ], async ({ page }) => {
    await page.click("#send");
    await page.locator("#form [role=alert]").waitFor();
    assertStringIncludes(await page.innerText("#form [role=alert]"), "502");
  }, { expected: ["502"] }],
  ["GET 5xx of a link in a modal dialog: the message appears inside the dialog", "/", [
    pageRoute("/", () =>
      h.div(
        h.p(h.id("rows"), "before"),
        h.dialog(h.id("box"), h.a(h.id("go"), h.href("/to"), ui.swap("rows"), "go")),
      )),
    pageRoute("/to", fail),
  ], async ({ page }) => {
    await page.evaluate("document.querySelector('#box').showModal()");
    await page.click("#go");
    await page.locator("#box [role=alert]").waitFor();
    assertEquals(await page.innerText("#rows"), "before");
    // The next attempt removes it.
    await page.evaluate("document.querySelector('#box [role=alert]').id = 'first'");
    await page.click("#go");
    await until(page, "document.querySelector('#box [role=alert]:not(#first)')");
    assertEquals(await page.locator("[role=alert]").count(), 1);
  }, { expected: ["503"] }],
  ["navigation to a 5xx without the region: shown in place, once; Back returns", "/one", [
    ...site([h.a(h.id("bad"), h.href("/bad"), "bad")], [{
      pattern: "/bad",
      layouts: [navigateLayout],
      page: fail,
    }]),
  ], async ({ page, asked, url }) => {
    await page.press("#bad", "Enter");
    await page.locator("#main [role=alert]").waitFor();
    assertEquals(page.url(), `${url}/bad`);
    assertEquals(await page.title(), "503 Service Unavailable");
    assertEquals(await page.locator("#main h1").count(), 0);
    assertEquals(asked, ["GET /bad"]);
    await page.goBack();
    await untilHeading(page, "One");
    assert(await isMarked(page));
  }, { expected: ["503"] }],
  ["navigation to a 5xx with the region: that page is shown, requested once", "/one", [
    ...site([h.a(h.id("bad"), h.href("/bad"), "bad")], [
      navigatePage("/bad", "Bad", (c) => {
        c.status(500);
        return h.h1("Ours");
      }),
    ]),
  ], async ({ page, asked }) => {
    await page.press("#bad", "Enter");
    await untilHeading(page, "Ours");
    assertEquals(asked, ["GET /bad"]);
    assertEquals(await page.title(), "Bad");
  }, { expected: ["500"] }],
]);
