import { assert, assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import type { Ctx, Node, Route } from "../../../mod.ts";
import * as ui from "../../../ui/mod.ts";
import type { Page } from "../browser.ts";
import { done, postPage } from "../kit/form.ts";
import { isMarked, pageRoute, testInBrowser, until, untilLeft } from "../kit/site.ts";
import type { TrialRow } from "../kit/site.ts";

/** Responses that cannot replace the target. */
function fallbacks(): readonly TrialRow[] {
  const failing = (answer: (c: Ctx) => Node | Response | Promise<Node | Response>): Route =>
    pageRoute("/to", (c) => answer(c) as Promise<Node>);
  const start = pageRoute("/", () => [
    h.a(h.id("go"), h.href("/to?x=1"), ui.swap("target"), "go"),
    h.div(h.id("target"), "before"),
  ]);
  const leaves = (
    name: string,
    answer: (c: Ctx) => Node | Response,
    expected: readonly string[] = [],
  ): TrialRow => ({
    name,
    routes: [start, { ...failing(() => h.p()), page: answer }],
    run: async ({ page, open, asked, url }) => {
      await open("/");
      // The development script warns about it.
      await page.evaluate("addEventListener('fw:miss', (e) => sessionStorage.missed = e.detail)");
      await page.click("#go");
      await untilLeft(page);
      assertEquals(await page.evaluate("sessionStorage.missed"), "target");
      assertEquals(page.url(), `${url}/to?x=1`);
      assertEquals(asked, ["GET /to?x=1 fragment=target", "GET /to?x=1"]);
    },
    expected,
  });
  return [
    leaves("a 404 without the target is shown by the browser", (c) => c.html(404, h.p("none")), [
      "404",
    ]),
    leaves("an answer without the target is shown by the browser", () => h.p(h.id("other"), "x")),
    leaves("what is not HTML is shown by the browser", (c) => c.json(200, { id: "target" })),
    ["no response: the browser navigates and shows its own error", "/", [
      start,
    ], async ({ page }) => {
      await page.route("**/to*", (route) => route.abort("connectionfailed"));
      await page.click("#go");
      await until(page, "location.protocol === 'chrome-error:'");
    }, { expected: ["ERR_CONNECTION_FAILED"] }],
    ["a response from another origin is not shown in the page", "/", [
      start,
      failing((c) => h.div(h.id("target"), c.fragment ? "foreign" : "the page itself")),
    ], async ({ page, asked }) => {
      // A redirect by a proxy, which fetch follows by itself.
      await page.evaluate(`{
          const { fetch } = globalThis;
          globalThis.fetch = async (...given) => Object.defineProperty(
            await fetch(...given), "url", { value: "http://127.0.0.1:9/elsewhere" });
        }`);
      await page.click("#go");
      await page.getByText("the page itself").waitFor();
      assertEquals(asked, ["GET /to?x=1 fragment=target", "GET /to?x=1"]);
    }],
    ["a missing target makes the browser load the page", "/", [
      pageRoute("/", () => h.a(h.id("go"), h.href("/to"), ui.swap("target"), "go")),
      failing(() => h.div(h.id("target"), "after")),
    ], async ({ page, asked }) => {
      await page.click("#go");
      await page.getByText("after").waitFor();
      assertEquals(asked, ["GET /to fragment=target", "GET /to"]);
    }],
  ];
}

testInBrowser("a response that cannot be swapped falls back to a navigation", fallbacks());

function failedPosts(): readonly TrialRow[] {
  const refused = postPage((c) => c.html(409, h.p(h.id("refused"), "taken")));
  const finished = postPage(() => h.p(h.id("elsewhere"), "done"));
  const lost = postPage(done);
  const answer = async (row: { page: Page; button: string }) => {
    const dialog = row.page.getByRole("alertdialog");
    await dialog.waitFor();
    await dialog.getByRole("button", { name: row.button }).click();
    await dialog.waitFor({ state: "detached" });
  };
  return [
    ["a refused post (4xx) is repeated by the browser, which shows the reason", "/form", [
      refused.route,
    ], async ({ page, asked }) => {
      await page.fill("#name", "Ada");
      await page.click("#send");
      await page.locator("#refused").waitFor();
      assertEquals(asked, ["POST /form fragment=form", "POST /form"]);
      assertEquals(refused.taken[1]?.get("by"), "button");
    }, { expected: ["409"] }],
    ["a successful post (2xx) is not repeated, and the browser loads its URL", "/form", [
      finished.route,
    ], async ({ page, asked }) => {
      await page.fill("#name", "Ada");
      await page.click("#send");
      await untilLeft(page);
      assertEquals(asked, ["POST /form fragment=form", "GET /form"]);
      assertEquals(finished.taken.length, 1);
    }],
    ["without a response the user is asked before the post is repeated in place", "/form", [
      lost.route,
    ], async ({ page, asked }) => {
      await page.route(
        "**/form",
        (route) =>
          route.request().headers()["fw-fragment"] === undefined
            ? route.continue()
            : route.abort("connectionfailed"),
      );
      await page.fill("#name", "Ada");
      await page.click("#send");
      await page.getByRole("alertdialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("alertdialog").waitFor({ state: "detached" });
      assertEquals(asked, []);
      assert(await isMarked(page));
      assertEquals(await page.inputValue("#name"), "Ada");
      assertEquals(await page.locator("[aria-busy]").count(), 0);
      await page.click("#send");
      await page.getByRole("alertdialog").waitFor();
      await page.unroute("**/form");
      await answer({ page, button: "Send again" });
      await page.locator("#done").waitFor();
      assertEquals(asked, ["POST /form fragment=form"]);
      assertEquals(lost.taken[0]?.get("by"), "button");
    }, { expected: ["ERR_CONNECTION_FAILED"] }],
  ];
}

testInBrowser("a post whose response cannot be shown", failedPosts());
