import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import * as h from "../../html/mod.ts";
import { csrfInput, type Ctx, type Node, type Route } from "../../mod.ts";
import * as ui from "../../ui/mod.ts";
import type { Page } from "./browser.ts";
import {
  isMarked,
  mark,
  page as pageRoute,
  testInBrowser,
  type TrialRow,
  until,
  untilLeft,
} from "./kit_site.ts";

/** A page whose links lead to `/to` in the place of a target. */
function start(...more: Node[]): Route {
  return pageRoute("/", () => [
    h.a(h.id("go"), h.href("/to"), ui.swap("target"), "go"),
    h.div(h.id("target"), "before"),
    ...more,
  ]);
}

const text = (page: Page, selector: string): Promise<string> => page.locator(selector).innerText();

/** A promise that the test settles. */
function gate<T>(): PromiseWithResolvers<T> {
  return Promise.withResolvers<T>();
}

function several(): readonly TrialRow[] {
  return [
    {
      name: "each node of c.renderAll replaces the element of its own id",
      routes: [
        start(h.p(h.id("total"), "0"), h.p(h.id("other"), "same")),
        {
          pattern: "/to",
          methods: {
            GET: (c) =>
              c.renderAll(
                200,
                h.div(h.id("target"), "after"),
                h.p(h.id("total"), "1"),
                h.p(h.id("none")),
              ),
          },
        },
      ],
      run: async ({ page, open }) => {
        await open("/");
        await mark(page);
        await page.click("#go");
        await until(page, "document.querySelector('#total').textContent === '1'");
        assertEquals(await text(page, "#target"), "after");
        assertEquals(await text(page, "#other"), "same");
        assert(await isMarked(page));
      },
    },
    {
      name: "the target need not be among them",
      routes: [
        start(h.p(h.id("total"), "0")),
        { pattern: "/to", methods: { GET: (c) => c.renderAll(200, h.p(h.id("total"), "1")) } },
      ],
      run: async ({ page, open }) => {
        await open("/");
        await page.click("#go");
        await until(page, "document.querySelector('#total').textContent === '1'");
        assertEquals(await text(page, "#target"), "before");
        assertEquals(await page.locator("[aria-busy]").count(), 0);
      },
    },
    {
      name: "a row of a table and an item of a list can be replaced",
      routes: [
        pageRoute("/", () =>
          h.table(h.tbody(h.tr(
            h.id("row-1"),
            h.td("old"),
            h.td(h.a(h.id("go"), h.href("/to"), ui.swap("row-1"), "go")),
          )))),
        {
          pattern: "/to",
          methods: { GET: (c) => c.render(200, h.tr(h.id("row-1"), h.td("new"))) },
        },
      ],
      run: async ({ page, open }) => {
        await open("/");
        await page.click("#go");
        await until(page, "document.querySelector('table td').textContent === 'new'");
        assertEquals(await page.locator("tbody > tr > td").count(), 1);
      },
    },
  ];
}

testInBrowser("several elements, and parts of tables", several());

function races(): readonly TrialRow[] {
  const first = gate<void>();
  return [{
    name: "of two for the same target the later wins, whichever answers first",
    routes: [
      pageRoute("/", () => [
        h.a(h.id("slow"), h.href("/slow"), ui.swap("target"), "slow"),
        h.a(h.id("fast"), h.href("/fast"), ui.swap("target"), "fast"),
        h.div(h.id("target"), "before"),
      ]),
      {
        pattern: "/slow",
        methods: {
          GET: async (c) => {
            await first.promise;
            return c.render(200, h.div(h.id("target"), "slow"));
          },
        },
      },
      { pattern: "/fast", methods: { GET: (c) => c.render(200, h.div(h.id("target"), "fast")) } },
    ],
    run: async ({ page, open, url }) => {
      await open("/");
      await page.click("#slow");
      await page.locator("#target[aria-busy=true]").waitFor();
      await page.click("#fast");
      await until(page, "document.querySelector('#target').textContent === 'fast'");
      first.resolve();
      await new Promise((resolve) => setTimeout(resolve, 100));
      assertEquals([await text(page, "#target"), page.url()], ["fast", `${url}/fast`]);
      assertEquals(await page.locator("[aria-busy]").count(), 0);
    },
  }];
}

testInBrowser("two swaps at once", races());

/** A fragment of which a late part never comes, since the connection breaks. */
function brokenAnswer(cut: Promise<void>): Response {
  const piece = new TextEncoder().encode('<div id="target">soon</div><!--key-->');
  let isSent = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller): Promise<void> {
      if (!isSent) {
        isSent = true;
        return controller.enqueue(piece);
      }
      await cut;
      controller.error(new Error("cut"));
    },
  });
  return new Response(body, { headers: { "content-type": "text/html", "FW-Late": "key" } });
}

function late(): readonly TrialRow[] {
  const one = gate<Node>();
  const two = gate<Node>();
  const cut = gate<void>();
  return [
    {
      name: "late parts come into a fragment that is shown already",
      routes: [
        start(),
        {
          pattern: "/to",
          page: (c) =>
            h.table(
              h.id("target"),
              h.tbody(
                h.tr(h.td("now")),
                c.defer(one.promise, h.tr(h.td(h.id("wait"), "soon"))),
                c.defer(two.promise, h.tr(h.td("later"))),
              ),
            ),
        },
      ],
      run: async ({ page, open }) => {
        await open("/");
        await mark(page);
        await page.evaluate(
          "addEventListener('fw:swap', (e) => globalThis.last = e.target.localName)",
        );
        await page.click("#go");
        await page.locator("#wait").waitFor();
        two.resolve(h.tr(h.td("second")));
        await page.getByText("second").waitFor();
        one.resolve(h.tr(h.td(h.script(h.raw("globalThis.isRun = true")), "first")));
        await page.getByText("first").waitFor();
        assertEquals(await page.locator("#target td").allInnerTexts(), ["now", "first", "second"]);
        assertEquals(await page.locator("template").count(), 0);
        assertEquals(await page.evaluate("[globalThis.last, globalThis.isRun]"), [
          "tbody",
          undefined,
        ]);
        assert(await isMarked(page));
      },
    },
    {
      name: "a page and a fragment with late parts do not take each other's",
      routes: [
        pageRoute("/", (c) => [
          h.a(h.id("go"), h.href("/to"), ui.swap("target"), "go"),
          h.div(h.id("target"), "before"),
          h.div(h.id("own"), c.defer(Promise.resolve(h.b("page")), "soon")),
        ]),
        {
          pattern: "/to",
          page: (c) => h.div(h.id("target"), c.defer(Promise.resolve(h.b("fragment")), "soon")),
        },
      ],
      run: async ({ page, open }) => {
        await open("/");
        await page.click("#go");
        await page.getByText("fragment").waitFor();
        assertEquals(await text(page, "#own"), "page");
      },
    },
    {
      name: "an answer that breaks off leaves what came",
      routes: [start(), { pattern: "/to", methods: { GET: () => brokenAnswer(cut.promise) } }],
      run: async ({ page, open }) => {
        await open("/");
        await mark(page);
        await page.click("#go");
        await page.getByText("soon").waitFor();
        cut.resolve();
        await page.locator("#target:not([aria-busy])").waitFor();
        assertEquals(await text(page, "#target"), "soon");
        assert(await isMarked(page));
      },
      expected: ["ERR_INCOMPLETE_CHUNKED_ENCODING"],
    },
  ];
}

testInBrowser("late parts of a fragment", late());

const api: readonly TrialRow[] = [
  {
    name: "ui.swap replaces by id and tells whether it did; nothing in it runs",
    routes: [start()],
    run: async ({ page, open }) => {
      await open("/");
      const swap = (html: string): Promise<unknown> =>
        page.evaluate(`ui.swap("target", ${JSON.stringify(html)})`);
      const hostile =
        '<img src=x onerror="globalThis.isRun = 1"><script>globalThis.isRun = 1</script>';
      assert(await swap(`<div id="target">${hostile}<b>after</b></div>`));
      assert(!await swap(`<div id="other"></div>`));
      assertEquals(await text(page, "#target"), "after");
      assertEquals(await page.evaluate("globalThis.isRun"), undefined);
    },
    expected: ["Content Security Policy", "404"],
  },
  {
    name: "ui.swap tells the status, and 422 focuses the field at fault, in a hidden tab as well",
    routes: [start()],
    run: async ({ page, open }) => {
      await open("/");
      const tabs = h.render(
        h.div(
          h.id("target"),
          ui.tabs("t", [
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
    },
  },
  {
    name: "ui.hydrate sets up what a script has put into the page, once",
    routes: [start()],
    run: async ({ page, open }) => {
      await open("/");
      await page.evaluate(`{
        const message = document.createElement("p");
        message.id = "message";
        message.dataset.uiFade = "60";
        document.body.append(message);
        ui.hydrate(message);
        ui.hydrate(message);
      }`);
      await until(page, "!document.querySelector('#message')");
    },
  },
  {
    name: "markup that lacks something does not keep the rest from working",
    routes: [
      pageRoute("/", () => [
        h.div(h.bool("data-ui-tabs"), h.div(h.a(h.href("#nowhere"), "tab"))),
        h.p(h.id("fades"), ui.fade(60), "saved"),
      ]),
    ],
    run: async ({ page, open }) => {
      await open("/");
      await until(page, "!document.querySelector('#fades')");
    },
    expected: ["Cannot set properties of null", "Cannot read properties of null"],
  },
  {
    name: "a swapped element is set up: [data-ui-fade] leaves, [data-ui-show-when] hides",
    routes: [start(), {
      pattern: "/to",
      page: () =>
        h.form(
          h.id("target"),
          h.p(h.id("fades"), ui.fade(60), "saved"),
          h.select(h.name("kind"), h.option("a"), h.option("b")),
          h.input(h.id("hidden"), h.name("x"), ui.showWhen("kind", "b")),
        ),
    }],
    run: async ({ page, open }) => {
      await open("/");
      await page.click("#go");
      await page.locator("#hidden").waitFor({ state: "hidden" });
      assert(await page.locator("#hidden").isDisabled());
      await until(page, "!document.querySelector('#fades')");
    },
  },
];

testInBrowser("the client's functions", api);

const caches: readonly TrialRow[] = [{
  name: "a fragment that may be cached is never shown as its page",
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

/** A form that takes a file. */
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
    middleware: [{ MiddlewarePOST: (c, next) => (c.allowBody(5_000_000), next()) }],
  };
}

const file = {
  name: "sea.bin",
  mimeType: "application/octet-stream",
  buffer: Buffer.alloc(3_000_000, 7),
};

const uploads: readonly TrialRow[] = [
  {
    name: "a form with a file shows how much has gone, then its answer",
    routes: [photoPage(() => true)],
    run: async ({ page, open, asked }) => {
      await open("/photos");
      await mark(page);
      assert(!await page.locator("progress").isVisible());
      await page.evaluate(`{
        globalThis.seen = [];
        const bar = document.querySelector("progress");
        new MutationObserver(() => seen.push([bar.hidden, bar.getAttribute("value")]))
          .observe(bar, { attributes: true });
      }`);
      await page.setInputFiles("#photo", file);
      await page.click("#send");
      await page.getByText("sea.bin 3000000").waitFor();
      assertEquals(asked, ["POST /photos fragment=photos"]);
      const seen = await page.evaluate("globalThis.seen") as [boolean, string | null][];
      assert(seen.some(([isHidden]) => !isHidden), "the bar was never shown");
      assert(seen.some(([, value]) => Number(value) > 0 || value === null), "the bar never moved");
      assert(await isMarked(page));
    },
  },
  {
    name: "a redirect after an upload is followed for real",
    routes: [photoPage(() => false)],
    run: async ({ page, open, asked }) => {
      await open("/photos");
      await mark(page);
      await page.setInputFiles("#photo", file);
      await page.click("#send");
      await untilLeft(page);
      assertEquals(asked, ["POST /photos fragment=photos", "GET /photos"]);
    },
  },
  {
    name: "an upload that never arrives asks before it is sent again",
    routes: [photoPage(() => true)],
    run: async ({ page, open }) => {
      await open("/photos");
      await page.route("**/photos", (route) => route.abort("connectionfailed"));
      await page.setInputFiles("#photo", file);
      await page.click("#send");
      await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
      assert(!await page.locator("progress").isVisible());
      assertEquals(await page.locator("[aria-busy]").count(), 0);
    },
    expected: ["ERR_CONNECTION_FAILED"],
  },
  {
    name: "without a script it is a plain post",
    hasScript: false,
    routes: [photoPage(() => true)],
    run: async ({ page, open, asked }) => {
      await open("/photos");
      await page.setInputFiles("#photo", file);
      await page.click("#send");
      await page.getByText("sea.bin 3000000").waitFor();
      assertEquals(asked, ["POST /photos"]);
    },
  },
];

testInBrowser("uploads", uploads);
