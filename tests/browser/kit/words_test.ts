import { assert, assertEquals } from "@std/assert";
import type { Node, Route } from "../../../mod.ts";
import type { Page } from "../browser.ts";
import { h, pageRoute, testInBrowser, ui } from "./site.ts";
import { samples } from "../../ui/samples.ts";
import { overflow, settle } from "../page_faults.ts";

const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

const parts: readonly [name: string, node: Node][] = [
  ["header", ui.header(ui.brand("/", word), ui.nav(ui.navLink("/", word)), ui.themeToggle())],
  ["pageHeader", ui.pageHeader(word, ui.button(word), h.p(word))],
  ["breadcrumb", ui.breadcrumb([{ text: word, href: "/" }, { text: word }])],
  ["button", ui.row(ui.button(ui.icon("plus"), word), ui.buttonLink("/", ui.outline, word))],
  ["badge", ui.row(ui.badge(ui.success, ui.icon("check"), word))],
  ["alert", ui.alert(word, ui.icon("info"), ui.info, h.p(word))],
  ["card", ui.card(ui.cardHeader(word, h.p(word)), ui.cardFooter(ui.button(word), "and"))],
  ["stat", ui.grid(ui.small, ui.card(ui.stat(word, word, h.p(word))), ui.card("other"))],
  ["emptyState", ui.emptyState(word, ui.icon("inbox"), h.p(word), ui.button(word))],
  ["itemList", ui.itemList(ui.listItem(word, { image: ui.sign("box"), detail: word }))],
  ["avatar", ui.row(ui.avatar(word), word)],
  ["field", ui.field("f", word, ui.input(h.value(word)), ui.help(word), ui.error(word))],
  ["select", ui.field("s", word, ui.select(ui.selectOptions([word])))],
  ["checkbox", ui.checkbox("c", word, ui.help(word))],
  ["switch", ui.switch("w", word)],
  ["radioGroup", ui.radioGroup("r", { legend: word, options: [{ value: "1", label: word }] })],
  ["fieldset", ui.fieldset(word, ui.checkbox("o", word))],
  ["actions", ui.actions(ui.button(ui.outline, "Cancel"), ui.button(word))],
  ["tabs", ui.tabs("t", [{ label: word, content: h.p(word) }])],
  ["accordion", ui.accordion("a", [{ title: word, content: h.p(word) }])],
  ["menu", ui.menu(word, ui.menuTitle(word), ui.menuLink("/", ui.icon("edit"), word))],
  ["toast", ui.toast("error", word)],
  ["dataTable", ui.dataTable({ caption: word, columns: [{ title: word, cell }], rows: [word] })],
  ["code", h.p(h.code(word))],
  ["quotation", h.blockquote(word)],
];

function cell(text: string): Node {
  return ui.row(ui.badge(text), ui.button(text));
}

function site(node: Node): readonly Route[] {
  return [pageRoute("/", () => ui.container(node))];
}

/** Elements whose lines may overflow, because they scroll. */
const scrollers = ".ui-nav, .ui-tab-list, .ui-table-wrap, .ui-sr-only, .ui-skip";

/** Lists elements that reach beyond the window or clearly beyond their box. */
async function beyond(page: Page): Promise<string[]> {
  return await page.evaluate(`[...document.querySelectorAll("body *")]
    .filter((element) => !element.closest("${scrollers}") && element.checkVisibility())
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      const isCut = element.scrollWidth > element.clientWidth + 8 && element.clientWidth > 0 &&
        !/^(input|select|svg|summary)$/.test(element.localName);
      return width > 1 && (left < -1 || right > innerWidth + 1 || isCut);
    })
    .map((element) => element.closest("section")?.id + " " + element.localName + "." + element.getAttribute("class"))`);
}

testInBrowser("a word wider than a phone breaks", [{
  name: "in every component",
  routes: site(h.fragment(parts.map(([name, node]) => h.section(h.id(`part-${name}`), node)))),
  run: async ({ page, open }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open("/");
    await page.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)");
    await settle(page);
    assertEquals([await overflow(page), await beyond(page)], [0, []]);
  },
}]);

const eighty = "a".repeat(80);
const shown = samples.filter(({ place = "body", shows }) =>
  // `ui.nowrap` is meant to do this.
  place === "body" && !shows.includes("nowrap")
);

testInBrowser("a word of 80 letters does not widen the page", [{
  name: "every sample of the kit",
  hasScript: false,
  routes: [
    pageRoute(
      "/",
      () => shown.map(({ make }) => h.div(h.data("sample", ""), ui.container(make(eighty)))),
    ),
    // The images of the samples.
    { pattern: "/{path...}", methods: { GET: (c) => c.noContent() } },
  ],
  run: async ({ page, open }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open("/");
    await page.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)");
    await settle(page);
    const widths = await page.evaluate(
      "[...document.querySelectorAll('[data-sample]')].map((each) => each.scrollWidth)",
    ) as number[];
    const wide = shown.filter((_, at) => (widths[at] ?? 0) > 360).map(({ shows }) => shows);
    assertEquals([widths.length, await overflow(page), wide], [shown.length, 0, []]);
  },
}]);

const dialogs: Node = h.fragment(
  ui.dialogOpen("dialog", "open"),
  ui.dialog("dialog", word, h.p(word), ui.actions(ui.dialogClose("dialog", word))),
  ui.dialogOpen("sheet", "open"),
  ui.sheet("sheet", word, h.p(word), ui.actions(ui.button(word))),
  ui.dialogOpen("commands", "open"),
  ui.commandDialog("commands", ui.commandGroup(word, ui.menuLink("/", ui.icon("edit"), word))),
);

testInBrowser("a long word in an overlay breaks", [{
  name: "dialog, sheet, commands and a question",
  routes: site(h.fragment(dialogs, h.form(ui.confirm(word, word), ui.submit(h.id("ask"), "ask")))),
  run: async ({ page, open }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open("/");
    for (const id of ["dialog", "sheet", "commands"]) {
      await page.click(`[data-ui-open=${id}]`);
      await settle(page);
      assertEquals([id, ...await beyond(page)], [id]);
      await page.keyboard.press("Escape");
    }
    await page.click("#ask");
    await settle(page);
    assertEquals(await beyond(page), []);
  },
}]);

const long: Node = h.fragment(
  ui.header(ui.brand("/", "Brand"), ui.nav(ui.navLink("/", "Home")), ui.themeToggle()),
  h.main(
    h.h2(h.id("first"), "First"),
    h.map(Array.from({ length: 60 }, (_, at) => at), (at) => h.p(ui.buttonLink(`#${at}`, at))),
    h.h2(h.id("second"), "Second"),
    h.map(Array.from({ length: 60 }, (_, at) => at), (at) => h.p(ui.buttonLink(`#${at}`, at))),
  ),
);

async function gap(page: Page, expression: string): Promise<number> {
  return Number(
    await page.evaluate(
      `${expression}.getBoundingClientRect().top -
        document.querySelector(".ui-header").getBoundingClientRect().bottom`,
    ),
  );
}

testInBrowser(
  "the header does not hide jump targets and focused elements",
  [360, 1_280].map((width) => ({
    name: `${width} px`,
    routes: [pageRoute("/", () => long)],
    run: async ({ page, open }) => {
      await page.setViewportSize({ width, height: 740 });
      await open("/");
      await page.goto(`${page.url()}#second`);
      assert(await gap(page, "document.querySelector('#second')") >= 0);
      await page.keyboard.press("Tab");
      for (let stop = 0; stop < 12; stop++) {
        await page.keyboard.press("Shift+Tab");
        assert(await gap(page, "document.activeElement") >= 0, `stop ${stop}`);
      }
    },
  })),
);
