import { assert, assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import type { Child, Ctx, Node, Route } from "../../../mod.ts";
import * as ui from "../../../ui/mod.ts";
import type { Page } from "../browser.ts";
import { layout as navigating } from "../kit/pages.ts";
import { focusOf, isMarked, pageRoute, testInBrowser, until, untilLeft } from "../kit/site.ts";

const talks = ["Swifts", "Fado", "Ferries", "Tides"];

function askedOf(c: Ctx): { q: string; kind: string; page: number; direction: "asc" | "desc" } {
  return {
    q: c.query("q") ?? "",
    kind: c.query("kind") ?? "all",
    page: Number(c.query("page") ?? 1),
    direction: c.query("direction") === "desc" ? "desc" : "asc",
  };
}

/** A typical list: a search form, a sortable table and pages. */
function listRoute(...swaps: readonly Child[]): Route {
  return pageRoute("/talks", (c) => [searchForm(c), listOf(c, swaps)]);
}

function searchForm(c: Ctx): Node {
  const { q, kind } = askedOf(c);
  return h.form(
    h.action("/talks"),
    ui.swap("list"),
    ui.field("q", "Search", ui.input(h.name("q"), h.value(q))),
    ui.field(
      "kind",
      "Kind",
      ui.select(h.name("kind"), ui.selectOptions(["all", "talk", "walk"], kind)),
    ),
    ui.checkbox("late", "Late ones", h.name("late"), h.checked(c.query("late") !== undefined)),
    ui.submit("Find"),
  );
}

function listOf(c: Ctx, swaps: readonly Child[]): Node {
  const { q, page, direction } = askedOf(c);
  const found = talks.filter((talk) => talk.includes(q)).sort();
  if (direction === "desc") found.reverse();
  return h.div(
    h.id("list"),
    ui.dataTable(
      {
        caption: "Talks",
        columns: [
          { title: "Title", key: "title", cell: (talk) => h.a(h.href(`/talks/${talk}`), talk) },
        ],
        rows: found.slice(page * 2 - 2, page * 2),
        sort: { key: "title", direction },
        href: ({ direction }) => `/talks?q=${q}&direction=${direction}`,
      },
      ...swaps,
    ),
    ui.pagination({ page, pages: 2, href: (page) => `/talks?q=${q}&page=${page}` }, ...swaps),
  );
}

const talkRoute = pageRoute("/talks/{title}", (c) => h.h1(c.param("title")));

const untilFirst = (page: Page, text: string): Promise<void> =>
  until(page, `document.querySelector("tbody a")?.textContent === ${JSON.stringify(text)}`);

testInBrowser("a list with swapped links", [
  ["swap on a table and its pages: their links replace the list, links in rows do not", "/talks", [
    listRoute(ui.swap("list")),
    talkRoute,
  ], async ({ page, asked, url }) => {
    await page.press("thead a", "Enter");
    await untilFirst(page, "Tides");
    assertEquals(page.url(), `${url}/talks?q=&direction=desc`);
    assertEquals(await page.evaluate("document.activeElement.className"), "ui-sort");
    await page.click("[rel=next]");
    await untilFirst(page, "Swifts");
    assertEquals(asked, [
      "GET /talks?q=&direction=desc fragment=list",
      "GET /talks?q=&page=2 fragment=list",
    ]);
    assert(await isMarked(page));
    await page.click("tbody a");
    await untilLeft(page);
    assertEquals(page.url(), `${url}/talks/Swifts`);
    assertEquals(asked.at(-1), "GET /talks/Swifts");
  }],
  ["swap on an element around links: they replace unless they opt out", "/around", [
    pageRoute("/around", (c) =>
      h.div(
        ui.swap("list"),
        h.p(h.id("list"), c.query("at") ?? "start"),
        h.a(h.id("in"), h.href("/around?at=in"), h.b("in")),
        h.a(h.id("place"), h.href("/around?at=in#list"), "place"),
        h.a(h.id("out"), h.href("/around?at=out"), ui.noNavigate(), "out"),
      )),
  ], async ({ page, asked }) => {
    await page.click("#in");
    await until(page, "document.querySelector('#list').textContent === 'in'");
    await page.click("#place");
    await until(page, "location.hash === '#list'");
    assertEquals(asked, ["GET /around?at=in fragment=list"]);
    assert(await isMarked(page));
    await page.click("#out");
    await untilLeft(page);
  }],
  ["without a script the table, its pages and the form load whole pages", "/talks", [
    listRoute(ui.swap("list")),
    talkRoute,
  ], async ({ page, asked }) => {
    await page.click("thead a");
    await page.click("[rel=next]");
    await page.fill("#q", "Fa");
    await page.click("[type=submit]");
    assertEquals(await page.locator("tbody a").allInnerTexts(), ["Fado"]);
    assertEquals(asked, [
      "GET /talks?q=&direction=desc",
      "GET /talks?q=&page=2",
      "GET /talks?q=Fa&kind=all",
    ]);
  }, { hasScript: false }],
]);

async function fieldsOf(page: Page): Promise<[string, string, boolean]> {
  return [
    await page.inputValue("#q"),
    await page.inputValue("#kind"),
    await page.isChecked("#late"),
  ];
}

testInBrowser("fields beside a swapped region", [
  ["Back and Forward: the fields outside the target match the list", "/talks?q=F", [
    listRoute(ui.swap("list")),
  ], async ({ page }) => {
    await page.fill("#q", "T");
    await page.selectOption("#kind", "walk");
    await page.check("#late");
    await page.click("[type=submit]");
    await untilFirst(page, "Tides");
    assertEquals(await fieldsOf(page), ["T", "walk", true]);
    await page.goBack();
    await untilFirst(page, "Fado");
    assertEquals(await fieldsOf(page), ["F", "all", false]);
    await page.goForward();
    await untilFirst(page, "Tides");
    assertEquals(await fieldsOf(page), ["T", "walk", true]);
    assert(await isMarked(page));
  }],
  ["Back and Forward: a combobox outside the target matches the list", "/talks", [
    pageRoute("/talks", (c) => [
      h.form(
        h.action("/talks"),
        ui.swap("list"),
        ui.field(
          "kind",
          "Kind",
          ui.combobox(
            { options: ["all", "talk", "walk"], selected: [askedOf(c).kind] },
            h.name("kind"),
          ),
        ),
        ui.submit("Find"),
      ),
      h.p(h.id("list"), askedOf(c).kind),
    ]),
  ], async ({ page }) => {
    const kinds = (kind: string): Promise<void> =>
      until(
        page,
        `[document.querySelector("#list").textContent, document.querySelector("#kind").value,
            document.querySelector("[name=kind]").value].every((one) => one === "${kind}")`,
      );
    await page.locator("#kind[role=combobox]").fill("walk");
    await page.keyboard.press("Enter");
    await page.click("[type=submit]");
    await kinds("walk");
    await page.evaluate(`document.querySelector("#kind").isFirst = true`);
    await page.goBack();
    await kinds("all");
    assert(await page.evaluate(`document.querySelector("#kind").isFirst`));
    await page.goForward();
    await kinds("walk");
    assert(await isMarked(page));
  }],
  ["a link that filters: the fields follow, and input typed meanwhile elsewhere stays", "/talks", [
    pageRoute("/talks", (c) => [
      searchForm(c),
      h.form(h.method("post"), ui.input(h.id("note"), h.name("note"), h.aria("label", "Note"))),
      h.a(h.id("only"), h.href("/talks?q=Fado"), ui.swap("list"), "Fado"),
      listOf(c, []),
    ]),
  ], async ({ page }) => {
    await page.fill("#note", "mine");
    await page.click("#only");
    await untilFirst(page, "Fado");
    await until(page, "document.querySelector('#q').value === 'Fado'");
    await page.goBack();
    await until(page, "document.querySelector('#q').value === ''");
    assertEquals(await page.inputValue("#note"), "mine");
  }],
]);

testInBrowser("the focus on a sortable heading", [
  ["a table sorted by navigation keeps the focus on its heading", "/talks", [
    { ...listRoute(), layouts: [navigating] },
  ], async ({ page }) => {
    await page.press("thead a", "Enter");
    await untilFirst(page, "Tides");
    await until(page, "document.activeElement.matches('thead a')");
  }],
  ["on another page with the same link the focus moves to its heading", "/one", [
    ...["/one", "/two"].map((path) => ({
      ...pageRoute(path, () => [h.h1(h.id("top"), path), h.a(h.href("/two"), "Two")]),
      layouts: [navigating],
    })),
  ], async ({ page }) => {
    await page.press("main a", "Enter");
    await until(page, "document.querySelector('h1').textContent === '/two'");
    await until(page, "document.activeElement.localName === 'h1'");
    assertEquals(await focusOf(page), "#top");
  }],
]);
