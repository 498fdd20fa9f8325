import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import * as h from "../../../html/mod.ts";
import { csrfInput, type Ctx, type Node, type Route, struct, text as text_ } from "../../../mod.ts";
import * as ui from "../../../ui/mod.ts";
import type { Page } from "../browser.ts";
import { isMarked, pageRoute, start, testInBrowser, until, untilLeft } from "../kit/site.ts";
import type { TrialRow } from "../kit/site.ts";

const text = (page: Page, selector: string): Promise<string> => page.locator(selector).innerText();

testInBrowser("the functions of the client script", [
  ["ui.swap replaces by id and returns whether it did, and runs no script", "/", [
    start(),
  ], async ({ page }) => {
    const swap = (html: string): Promise<unknown> =>
      page.evaluate(`ui.swap("target", ${JSON.stringify(html)})`);
    const hostile =
      '<img src=x onerror="globalThis.isRun = 1"><script>globalThis.isRun = 1</script>';
    assert(await swap(`<div id="target">${hostile}<b>after</b></div>`));
    assert(!await swap(`<div id="other"></div>`));
    assertEquals(await text(page, "#target"), "after");
    assertEquals(await page.evaluate("globalThis.isRun"), undefined);
  }, { expected: ["Content Security Policy", "404"] }],
  ["ui.swap returns the status, and 422 focuses the invalid field, even in a hidden tab", "/", [
    start(),
  ], async ({ page }) => {
    const tabs = h.render(
      h.div(
        h.id("target"),
        ui.tabs("endereço", [
          { label: "One", content: h.p("one") },
          {
            label: "Two",
            content: h.input(h.id("bad"), h.aria("invalid", "true"), h.aria("label", "x")),
          },
        ]),
      ),
    );
    await page.evaluate("addEventListener('fw:swap', (e) => globalThis.told = e.detail.status)");
    await page.evaluate(`ui.swap("target", ${JSON.stringify(tabs)}, 422)`);
    assertEquals(await page.evaluate("globalThis.told"), 422);
    assertEquals(await page.evaluate("document.activeElement.id"), "bad");
    assertEquals(await page.getByRole("tab", { selected: true }).innerText(), "Two");
  }],
  ["ui.hydrate initializes elements inserted by a script, once", "/", [
    start(),
  ], async ({ page }) => {
    await page.evaluate(`{
        const message = document.createElement("p");
        message.id = "message";
        message.dataset.uiFade = "60";
        document.body.append(message);
        ui.hydrate(message);
        ui.hydrate(message);
      }`);
    await until(page, "!document.querySelector('#message')");
  }],
  ["incomplete markup does not break the rest of the page", "/", [
    pageRoute("/", () => [
      h.div(h.bool("data-ui-tabs"), h.div(h.a(h.href("#nowhere"), "tab"))),
      h.p(h.id("fades"), ui.fade(60), "saved"),
    ]),
  ], async ({ page }) => {
    await until(page, "!document.querySelector('#fades')");
  }, { expected: ["Cannot set properties of null", "Cannot read properties of null"] }],
  ["a swapped element is initialized: [data-ui-fade] disappears, [data-ui-show-when] hides", "/", [
    start(),
    {
      pattern: "/to",
      page: () =>
        h.form(
          h.id("target"),
          h.p(h.id("fades"), ui.fade(60), "saved"),
          h.select(h.name("kind"), h.option("a"), h.option("b")),
          h.input(h.id("hidden"), h.name("x"), ui.showWhen("kind", "b")),
        ),
    },
  ], async ({ page }) => {
    await page.click("#go");
    await page.locator("#hidden").waitFor({ state: "hidden" });
    assert(await page.locator("#hidden").isDisabled());
    await until(page, "!document.querySelector('#fades')");
  }],
]);

const caches: readonly TrialRow[] = [{
  name: "a cached fragment is never shown as its page",
  isApart: true,
  routes: [
    pageRoute("/", (c) => {
      c.cacheControl("max-age=600");
      if (c.etag("v1")) return undefined;
      return [
        h.a(h.id("go"), h.href("/?x=1"), ui.swap("target"), "go"),
        h.div(h.id("target"), c.query("x") ?? "before"),
      ];
    }),
    pageRoute("/away", () => h.p(h.id("away"), "away")),
  ],
  run: async ({ page, open, url }) => {
    await open("/?x=1");
    await page.goto(`${url}/`);
    await page.click("#go");
    await until(page, "document.querySelector('#target').textContent === '1'");
    await page.goto(`${url}/away`);
    await page.goBack();
    await page.locator("nav").waitFor();
    assertEquals(await page.locator("#target").innerText(), "1");
    await page.reload();
    assertEquals(await page.locator("nav").count(), 1);
    await page.goto(`${url}/?x=1`);
    assertEquals(await page.locator("nav").count(), 1);
  },
}];

testInBrowser("the browser's cache", caches);

function photoPage(isKept: (c: Ctx) => boolean): Route {
  const form = (c: Ctx, said: string): Node =>
    h.form(
      h.id("photos"),
      ui.uploadTo("photos"),
      csrfInput(c),
      h.input(h.id("photo"), h.type("file"), h.name("photo"), h.aria("label", "Photo")),
      ui.uploadBar(),
      h.p(h.id("said"), said),
      h.button(h.id("send"), "Send"),
    );
  return {
    ...pageRoute("/photos", (c) => form(c, ""), {
      POST: async (c) => {
        const photo = await c.file("photo");
        if (!isKept(c)) return c.redirect("/photos");
        return await c.render(200, form(c, `${photo.name} ${photo.size}`));
      },
    }),
    middleware: [{ MiddlewarePOST: (c, next) => (c.allowBody(500_000), next()) }],
  };
}

const file = {
  name: "sea.bin",
  mimeType: "application/octet-stream",
  buffer: Buffer.alloc(300_000, 7),
};

/** A form with a file of at most 1 KiB, swapped or as a whole page. */
function coverPage(...attributes: Node[]): Route {
  const Book = struct({ title: text_("required") });
  const files = { cover: { maxSizeBytes: 1_024, optional: true } };
  const form = (c: Ctx): Node =>
    ui.form(c, Book, { files, labels: { cover: "A = cover" } }, h.id("book"), ...attributes);
  return pageRoute("/book", form, {
    POST: async (c) => {
      const sent = await c.tryBind(Book, { files });
      if (!sent.ok) return c.text(422, [...sent.errors].join());
      return c.redirect(`/sent?size=${sent.files.cover?.size}`);
    },
  });
}

/** A file over its limit is reported before the request, and a smaller one is sent. */
const sizeTrials: readonly TrialRow[] = [
  { name: "a whole page", attributes: [] },
  { name: "a form that is swapped", attributes: [ui.swap("book")] },
].map(({ name, attributes }) => ({
  name: `a file over its limit is not sent, and the browser explains why: ${name}`,
  routes: [coverPage(...attributes), pageRoute("/sent", (c) => c.query("size"))],
  run: async ({ page, open, asked }) => {
    await open("/book");
    const send = page.getByRole("button", { name: "Save" });
    const message = (): Promise<unknown> => page.evaluate("cover.validationMessage");
    await page.fill("#title", "Sea");
    await page.setInputFiles("#cover", { ...file, buffer: Buffer.alloc(1_025) });
    assertEquals(await message(), "A = cover must be at most 1 KiB");
    await send.click();
    assertEquals(await page.evaluate("document.activeElement.id"), "cover");
    assertEquals(await page.inputValue("#title"), "Sea");
    assertEquals(await page.evaluate("cover.files.length"), 1);
    assertEquals(asked, []);
    assert(await isMarked(page));
    await page.evaluate("book.reset()");
    await until(page, "cover.validationMessage === ''");
    await page.setInputFiles("#cover", { ...file, buffer: Buffer.alloc(2_000) });
    await page.setInputFiles("#cover", { ...file, buffer: Buffer.alloc(1_024) });
    assertEquals(await message(), "");
    await page.fill("#title", "Sea");
    await send.click();
    await page.waitForURL("**/sent?size=1024");
  },
}));

testInBrowser("uploads", [
  ...sizeTrials,
  ["a form with a file shows the upload progress, then its response", "/photos", [
    photoPage(() => true),
  ], async ({ page, asked }) => {
    assert(!await page.locator("progress").isVisible());
    await page.evaluate(`{
        globalThis.seen = [];
        const bar = document.querySelector("progress");
        const box = bar.parentElement;
        new MutationObserver(() => seen.push([box.hidden, bar.getAttribute("value"), box.innerText]))
          .observe(box, { attributes: true, subtree: true });
      }`);
    await page.setInputFiles("#photo", file);
    await page.click("#send");
    await page.getByText("sea.bin 300000").waitFor();
    assertEquals(asked, ["POST /photos fragment=photos"]);
    const seen = await page.evaluate("globalThis.seen") as [boolean, string | null, string][];
    assert(seen.some(([, , text]) => /\d %/.test(text)), "the percentage was never shown");
    assert(seen.some(([isHidden]) => !isHidden), "the bar was never shown");
    assert(seen.some(([, value]) => Number(value) > 0 || value === null), "the bar never moved");
    assert(await isMarked(page));
  }],
  ["a cancelled upload ends silently, and the form stays and can be submitted again", "/photos", [
    photoPage(() => true),
  ], async ({ page, asked }) => {
    await page.setInputFiles("#photo", file);
    // The upload never ends by itself.
    const held = Promise.withResolvers<{ abort(): Promise<void> }>();
    await page.route("**/photos", held.resolve);
    await page.click("#send");
    await page.getByRole("button", { name: "Cancel" }).click();
    await until(page, "document.querySelector('[data-ui-upload-box]').hidden");
    await until(page, "!document.querySelector('[aria-busy], dialog, [data-ui-toast]')");
    assertEquals(await page.evaluate("photo.files.length"), 1);
    // Held requests would continue after the route is removed.
    await (await held.promise).abort().catch(() => {});
    await page.unrouteAll();
    await page.click("#send");
    await page.getByText("sea.bin 300000").waitFor();
    assertEquals(asked, ["POST /photos fragment=photos"]);
  }, { expected: ["ERR_FAILED", "ERR_ABORTED"] }],
  ["a redirect after an upload is a full navigation", "/photos", [
    photoPage(() => false),
  ], async ({ page, asked }) => {
    await page.setInputFiles("#photo", file);
    await page.click("#send");
    await untilLeft(page);
    assertEquals(asked, ["POST /photos fragment=photos", "GET /photos"]);
  }],
  ["an upload over the limit (413) is reported and not retried, and the form stays", "/photos", [
    photoPage(() => true),
  ], async ({ page, asked }) => {
    await page.setInputFiles("#photo", { ...file, buffer: Buffer.alloc(2_000_000, 7) });
    await page.click("#send");
    await page.locator(".ui-toast.ui-destructive").getByText("over the limit of").waitFor();
    assertEquals(asked, ["POST /photos fragment=photos"]);
    assert(await isMarked(page));
    assertEquals(await page.evaluate("photo.files.length"), 1);
    assertEquals(await page.locator("[aria-busy]").count(), 0);
  }, { expected: ["413"] }],
  ["an upload that fails to arrive asks before a retry", "/photos", [
    photoPage(() => true),
  ], async ({ page }) => {
    await page.route("**/photos", (route) => route.abort("connectionfailed"));
    await page.setInputFiles("#photo", file);
    await page.click("#send");
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    assert(!await page.locator("progress").isVisible());
    assertEquals(await page.locator("[aria-busy]").count(), 0);
  }, { expected: ["ERR_CONNECTION_FAILED"] }],
  ["without a script it is a plain post", "/photos", [
    photoPage(() => true),
  ], async ({ page, asked }) => {
    await page.setInputFiles("#photo", file);
    await page.click("#send");
    await page.getByText("sea.bin 300000").waitFor();
    assertEquals(asked, ["POST /photos"]);
  }, { hasScript: false }],
]);
