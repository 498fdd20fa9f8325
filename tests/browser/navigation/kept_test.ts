import { assert, assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { csrfInput, type Route } from "../../../mod.ts";
import * as ui from "../../../ui/mod.ts";
import { heading, page, site, untilHeading } from "../kit/pages.ts";
import { isMarked, pageRoute, testInBrowser, until, untilAsked } from "../kit/site.ts";
import type { TrialRow } from "../kit/site.ts";

/** A page that delays its second and later requests, and shows the number of the request. */
function slowPage(release: Promise<void>): Route {
  let count = 0;
  return page("/slow", "Slow", async () => {
    if (++count > 1) await release;
    return h.fragment(
      h.h1("Slow"),
      h.p(h.id("count"), `request ${count}`),
      h.input(h.id("note"), h.aria("label", "Note")),
      h.input(h.id("secret"), h.type("password"), h.aria("label", "Secret")),
      h.a(h.id("away"), h.href("/two"), "away"),
    );
  });
}

const count = "document.querySelector('#count')?.textContent";

function rows(): readonly TrialRow[] {
  const release = Promise.withResolvers<void>();
  let signedOut = Promise.withResolvers<void>();
  return [
    ["Back shows the page as it was left, then the server's new version", "/slow", [
      ...site([], [slowPage(release.promise)]),
    ], async ({ page, asked }) => {
      await page.evaluate("globalThis.note = document.querySelector('#note')");
      await page.fill("#note", "typed");
      await page.fill("#secret", "typed");
      await page.click("#away");
      await untilHeading(page, "Two");
      await page.goBack();
      await untilHeading(page, "Slow");
      await untilAsked(asked, "GET /slow");
      assertEquals(await page.evaluate(count), "request 1");
      assertEquals(await page.title(), "Slow");
      assertEquals(await page.inputValue("#note"), "typed");
      // As in browsers, passwords are never restored.
      assertEquals(await page.inputValue("#secret"), "");
      await page.fill("#note", "typed since");
      release.resolve();
      await until(page, `${count} === "request 2"`);
      assertEquals(await page.inputValue("#note"), "typed since");
      assert(await page.evaluate("note === document.querySelector('#note')"));
      assert(await isMarked(page));
    }],
    ["Back to a page with a swapped element in the region, past one with another", "/slow", [
      ...site([], [
        page("/slow", "Slow", (c) => [
          h.h1("Slow"),
          h.a(h.id("swap"), h.href("/slow?2"), ui.swap("found"), "swap"),
          h.p(h.id("found"), c.url.search),
          h.input(h.id("note"), h.aria("label", "Note")),
          h.a(h.id("away"), h.href("/away"), "away"),
        ]),
        page("/away", "Away", (c) => [
          h.h1("Away"),
          h.a(h.id("swap"), h.href("/away?3"), ui.swap("other"), "swap"),
          h.p(h.id("other"), c.url.search),
        ]),
      ]),
    ], async ({ page, asked }) => {
      await page.click("#swap");
      await until(page, "document.querySelector('#found').textContent === '?2'");
      await page.fill("#note", "typed");
      await page.click("#away");
      await untilHeading(page, "Away");
      await page.click("#swap");
      await until(page, "document.querySelector('#other').textContent === '?3'");
      await page.goBack();
      await until(page, "document.querySelector('#other').textContent === ''");
      asked.length = 0;
      await page.goBack();
      await untilHeading(page, "Slow");
      assertEquals(await page.textContent("#found"), "?2");
      assertEquals(await page.inputValue("#note"), "typed");
      await untilAsked(asked, "GET /slow?2");
      assert(await isMarked(page));
    }],
    ["Back before the removal of a swapped element shows it again", "/both", [
      pageRoute("/both", (c) => {
        const link = (id: string, options?: ui.SwapOptions) =>
          h.a(h.id(`to-${id}-${options?.place}`), h.href(`/both?${id}`), ui.swap(id, options), id);
        const text = c.url.search;
        return [
          link("a"),
          link("b"),
          link("a", { place: "remove" }),
          h.p(h.id("a"), text),
          h.p(h.id("b"), text),
        ];
      }),
    ], async ({ page }) => {
      await page.click("#to-a-undefined");
      await until(page, "document.querySelector('#a').textContent === '?a'");
      await page.click("#to-a-remove");
      await until(page, "!document.querySelector('#a')");
      await page.click("#to-b-undefined");
      await until(page, "document.querySelector('#b').textContent === '?b'");
      await page.goBack();
      await page.locator("#a").waitFor();
    }],
    ["Back shows a list with its added pages as it was left, or again after a write", "/list", [
      ...site([], [
        page("/list", "List", (c) => {
          const at = Number(c.query("at") ?? 0);
          const row = (nth: number) =>
            h.li(h.styleAttr("height:40rem"), h.a(h.href("/row"), `row ${at}${nth}`));
          return [
            h.h1("List"),
            h.ul(h.id("list"), [1, 2].map(row)),
            at < 3 && h.a(h.id("more"), ui.more(`/list?at=${at + 1}`, "list"), "More"),
          ];
        }),
        page("/row", "Row", (c) => [
          h.h1("Row"),
          h.form(h.id("form"), h.method("post"), h.action("/save"), ui.swap("form"), csrfInput(c)),
          h.button(h.formAttr("form"), "Save"),
        ]),
        { pattern: "/save", kind: "page", methods: { POST: (c) => c.noContent() } },
      ]),
    ], async ({ page, asked }) => {
      const count = 'document.querySelectorAll("#list li").length';
      await until(page, `(scrollTo(0, document.body.scrollHeight), ${count} === 8)`);
      await page.click("text=row 31");
      await untilHeading(page, "Row");
      asked.length = 0;
      await page.goBack();
      await untilHeading(page, "List");
      assert(await page.getByText("row 31").isVisible());
      // The mouse may rest on a link, which is then prefetched.
      const pages = asked.filter((each) => !each.endsWith("purpose=prefetch"));
      assertEquals([await page.evaluate(count), pages], [8, []]);
      await page.click("text=row 31");
      await untilHeading(page, "Row");
      await page.click("text=Save");
      await untilAsked(asked, "POST /save fragment=form");
      await until(page, "!document.querySelector('[aria-busy]')");
      await page.goBack();
      await untilAsked(asked, "GET /list");
      await until(page, `${count} === 8`);
    }],
    ["Back shows no earlier page after a form post such as a sign-out", "/secret", [
      ...site([], [
        page("/secret", "Secret", async (c) => {
          if (c.url.searchParams.has("out")) await signedOut.promise;
          return [
            h.h1("Secret"),
            h.form(h.method("post"), h.action("/out"), csrfInput(c), h.button("Sign out")),
            h.a(h.id("on"), h.href("/secret?out"), "on"),
          ];
        }),
        { pattern: "/out", kind: "page", methods: { POST: (c) => c.redirect("/two") } },
      ]),
    ], async ({ page, asked }) => {
      signedOut.resolve();
      await page.click("#on");
      await until(page, "location.search === '?out'");
      await page.click("text=Sign out");
      await untilHeading(page, "Two");
      assert(await isMarked(page));
      signedOut = Promise.withResolvers();
      asked.length = 0;
      await page.goBack();
      await until(page, "location.search === '?out'");
      await untilAsked(asked, "GET /secret?out");
      assertEquals(await heading(page), "Two");
      signedOut.resolve();
      await untilHeading(page, "Secret");
    }],
    ["going back two entries never shows the page between, even if both share an element", "/one", [
      page("/one", "First", () => [h.h1("One"), h.a(h.id("go"), h.href("/one?again"), "again")]),
      page("/two", "Second", () => h.h1("Two")),
    ], async ({ page }) => {
      await page.click("#go");
      await until(page, "location.search === '?again'");
      await page.click("nav >> text=Two");
      await untilHeading(page, "Two");
      await page.evaluate("history.go(-2)");
      await untilHeading(page, "One");
      assertEquals(await page.evaluate("location.search"), "");
    }],
    [
      "offline: a cached page is shown, and any other is reported in place until it loads",
      "/place",
      [
        ...site([h.a(h.id("swap"), h.href("/one?b"), ui.swap("place"), "swap")]),
        page("/place", "Place", () => [
          h.h1("Place"),
          h.a(h.id("swap"), h.href("/place"), ui.swap("place"), "swap"),
          h.p(h.id("place"), "as it was"),
          h.input(h.id("draft")),
        ]),
      ],
      async ({ page, context, asked }) => {
        await page.click("nav >> text=One");
        await untilHeading(page, "One");
        let isOffline = true;
        await context.setOffline(isOffline);
        await page.goBack();
        await untilHeading(page, "Place");
        await page.click("#swap");
        await page.getByRole("alert").getByText("There is no connection.").waitFor();
        assertEquals(await page.textContent("#place"), "as it was");
        await page.evaluate("document.querySelector('[role=alert]').id = 'first'");
        await page.click("text=Try again");
        await until(page, "document.querySelector('[role=alert]:not(#first)')");
        isOffline = false;
        await context.setOffline(isOffline);
        await until(page, "!document.querySelector('[role=alert]')");
        await untilAsked(asked, "GET /place fragment=place");
        // A user who continues meanwhile is not navigated away.
        isOffline = true;
        await context.setOffline(isOffline);
        await page.press("nav >> text=Two", "Enter");
        await page.getByRole("alert").waitFor();
        assertEquals(await heading(page), "Place");
        await page.fill("#draft", "going on");
        isOffline = false;
        await context.setOffline(isOffline);
        await until(page, "navigator.onLine");
        assertEquals(await page.inputValue("#draft"), "going on");
        await page.click("text=Try again");
        await untilHeading(page, "Two");
        await until(page, "!document.querySelector('[role=alert]')");
        assert(await isMarked(page));
      },
      { expected: ["ERR_INTERNET_DISCONNECTED"] },
    ],
    ["fields beside a list are matched by name and id, whatever precedes them", "/talks", [
      pageRoute("/talks", (c) => [
        h.form(
          h.action("/talks"),
          ui.swap("list"),
          c.query("kind") !== undefined && h.input(h.name("only-now"), h.value("new")),
          ui.values({ kind: c.query("kind") ?? "all" }),
          h.input(h.name("q"), h.value(c.query("q") ?? "")),
          h.input(h.type("checkbox"), h.name("day"), h.value("mon")),
          h.input(
            h.type("checkbox"),
            h.name("day"),
            h.value("tue"),
            h.checked(c.query("day") === "tue"),
          ),
          h.select(h.name("size"), ui.selectOptions(["s", "m"], c.query("size") ?? "s")),
        ),
        h.a(h.id("go"), h.href("/talks?kind=walk&q=Fado&day=tue&size=m"), ui.swap("list"), "go"),
        h.p(h.id("list"), c.query("q") ?? "all"),
      ]),
    ], async ({ page }) => {
      await page.click("#go");
      await until(page, "document.querySelector('#list').textContent === 'Fado'");
      await until(page, "document.querySelector('[name=q]').value === 'Fado'");
      assertEquals(
        await page.evaluate("`${new URLSearchParams(new FormData(document.forms[0]))}`"),
        "kind=walk&q=Fado&day=tue&size=m",
      );
    }],
  ];
}

testInBrowser("a page restored from the history, or not restorable", rows());
