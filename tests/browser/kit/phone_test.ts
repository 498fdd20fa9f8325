import { assert, assertEquals, assertGreaterOrEqual, assertLessOrEqual } from "@std/assert";
import { FieldErrors } from "../../../mod.ts";
import type { Page } from "../browser.ts";
import { overflow, settle } from "../page_faults.ts";
import { boxOf, h, pageRoute, testInBrowser, ui, until } from "./site.ts";
import type { TrialPlan, TrialRow } from "./site.ts";

async function withTouch(page: Page, run: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    assert(await page.evaluate("matchMedia('(pointer: coarse)').matches"));
    await run();
  } finally {
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: false });
    await session.detach();
  }
}

const phone = { width: 390, height: 844 };
const numbers = Array.from({ length: 20 }, (_, at) => at + 6);

const items = ui.dataTable({
  caption: "Items",
  columns: [
    { title: "Title", cell: (at) => h.a(h.href(`/${at}`), `Item number ${at}`) },
    { title: "Code", cell: (at) => `C${at}` },
    { title: "Kind", cell: () => "Tool" },
  ],
  rows: numbers,
});

const notes = ui.dataTable({
  caption: "Notes",
  columns: [
    { title: "Title", cell: (at) => `Item number ${at}` },
    { title: "Day", cell: () => "2026-11-23" },
    { title: "Kind", cell: () => "Small tool" },
    { title: "Note", cell: () => "A note of many short words, that would fit into any width" },
    { title: "Place", cell: () => "東京都千代田区丸の内一丁目九番一号" },
  ],
  rows: numbers,
}, h.id("notes"));

const tableRows: readonly TrialRow[] = [
  ["columns of short texts take only the width they need", "/", [
    pageRoute("/", () => ui.container(items)),
  ], ({ page }) =>
    withTouch(page, async () => {
      const place = await boxOf(page, ".ui-table-wrap");
      assertLessOrEqual((await boxOf(page, "table")).width, place.width);
      const heights = await page.evaluate(
        "[...document.querySelectorAll('tbody tr')].map((row) => row.offsetHeight)",
      ) as number[];
      assertLessOrEqual(Math.max(...heights), 44, "every row is one line");
    }), { width: 390 }],
  ["beside a long text a short one takes one line, and both have room", "/", [
    pageRoute("/", () => ui.container(notes)),
  ], async ({ page }) => {
    const [title, day, kind, note, place] = await page.evaluate(`
        [...document.querySelectorAll("tbody tr:first-child > *")].map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          const lines = new Set([...range.getClientRects()].map(({ top }) => top)).size;
          return { lines, width: cell.offsetWidth };
        })`) as { lines: number; width: number }[];
    assertEquals([title?.lines, day?.lines, kind?.lines], [1, 1, 1]);
    assertLessOrEqual(kind?.width ?? 0, 100);
    assertGreaterOrEqual(note?.width ?? 0, 136);
    assertGreaterOrEqual(place?.width ?? 0, 136);
    assertLessOrEqual(place?.width ?? 0, 200);
  }, { width: 390 }],
];

const written = ui.table(
  "Codes",
  h.tbody(
    h.tr(
      h.th(h.scope("row"), "One"),
      h.td(h.id("free"), "C1"),
      h.td(ui.nowrap, h.id("kept"), "C1"),
    ),
  ),
);

const writtenRow: TrialRow = {
  name: "a custom cell has room unless its text stays on one line",
  routes: [pageRoute("/", () => h.div(h.styleAttr("inline-size: 200px"), written))],
  run: async ({ page, open }) => {
    await page.setViewportSize(phone);
    await open("/");
    assertGreaterOrEqual((await boxOf(page, "#free")).width, 136);
    assertLessOrEqual((await boxOf(page, "#kept")).width, 60);
  },
};

testInBrowser("a table on a phone", [...tableRows, writtenRow]);

const languages = h.form(
  h.method("post"),
  ui.submit(ui.ghost, "English"),
  ui.submit(ui.ghost, "Português"),
);

function linked(pattern: string, names: readonly string[], current: number): TrialPlan["routes"] {
  return [pageRoute(pattern, () =>
    h.fragment(
      ui.header(
        h.id("bar"),
        ui.brand("/", "Biblioteca"),
        ui.nav(names.map((name, at) => ui.navLink(`/${at}`, name, at === current))),
        ui.spacer(),
        languages,
        ui.themeToggle(),
      ),
      ui.container(
        h.h1("Livros"),
        items,
        h.h2(h.id("low"), "Low"),
        h.div(h.styleAttr("height: 100vh")),
      ),
    ))];
}

const english = ["Home", "Events", "Places", "Orders", "Members", "Account"];
const portuguese = ["Início", "Eventos", "Locais", "Encomendas", "Membros", "A minha conta"];

/** Returns whether links fade at the start and the end of the row, where more are hidden. */
async function fades(page: Page): Promise<boolean[]> {
  // Animations follow the scroll position with the next frame.
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
  );
  return await page.evaluate(`(() => {
    const style = getComputedStyle(document.querySelector("#bar .ui-nav"));
    return ["start", "end"].map((edge) =>
      style.maskImage !== "none" && parseFloat(style.getPropertyValue("--ui-fade-" + edge)) > 8);
  })()`);
}

/** Whether the current link's scroll snapping is still active. */
const snapping = "document.getAnimations().some((one) => one.animationName === 'ui-snap')";

async function scrollNav(page: Page, left: number): Promise<void> {
  await page.evaluate(`document.querySelector("#bar .ui-nav").scrollTo(${left}, 0)`);
}

testInBrowser("a header with more links than fit", [
  ...[true, false].map((hasScript): TrialRow => ({
    name: `390 px: the current link is in view ${hasScript ? "with" : "without"} a script`,
    routes: linked("/", english, 5),
    hasScript,
    run: async ({ page, open }) => {
      await page.setViewportSize(phone);
      await open("/");
      const nav = await boxOf(page, "#bar .ui-nav");
      const link = await boxOf(page, "#bar [aria-current]");
      assertGreaterOrEqual(link.left, nav.left);
      assertLessOrEqual(link.right, nav.right + 1);
      assertEquals(await page.evaluate("scrollY"), 0);
    },
  })),
  [
    "390 px, reduced motion: the current link is visible, and a scroll bar shows the rest",
    undefined,
    [
      ...linked("/", english, 5),
    ],
    async ({ page, open }) => {
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.setViewportSize(phone);
      await open("/");
      const nav = await boxOf(page, "#bar .ui-nav");
      assertLessOrEqual((await boxOf(page, "#bar [aria-current]")).right, nav.right + 1);
      const bar = "getComputedStyle(document.querySelector('#bar .ui-nav')).scrollbarWidth";
      assertEquals(await page.evaluate(bar), "thin");
      assertEquals(await page.evaluate("document.getAnimations().length"), 0);
    },
  ],
  ["390 px: links fade at an edge with hidden links", "/", [
    ...linked("/", english, 0),
  ], async ({ page }) => {
    assertEquals(await fades(page), [false, true]);
    await until(page, `!${snapping}`);
    await scrollNav(page, 40);
    assertEquals(await fades(page), [true, true]);
    await scrollNav(page, 1_000);
    assertEquals(await fades(page), [true, false]);
    await page.evaluate("document.documentElement.dir = 'rtl'");
    await scrollNav(page, 0);
    assertEquals(await fades(page), [false, true]);
    await page.evaluate("document.documentElement.dir = 'ltr'");
    await page.setViewportSize({ width: 700, height: 844 });
    assertEquals(await fades(page), [false, false]);
  }, { width: 390 }],
  ["768 px: actions that do not fit beside the links are at the end of their row", "/", [
    ...linked("/", portuguese, 0),
  ], async ({ page }) => {
    const toggle = await boxOf(page, "#bar .ui-theme-toggle");
    assertEquals(toggle.right, (await boxOf(page, ".ui-table-wrap")).right);
    assertEquals(await overflow(page), 0);
    await page.goto(`${page.url()}#low`);
    const bar = await boxOf(page, "#bar");
    assertGreaterOrEqual((await boxOf(page, "#low")).top, bar.bottom);
  }, { width: 768 }],
  ["360 to 1400 px: the header starts and ends where the content does", undefined, [
    ...linked("/", portuguese, 0),
  ], async ({ page, open }) => {
    for (const width of [360, 480, 768, 1_024, 1_180, 1_400]) {
      await page.setViewportSize({ width, height: 800 });
      await open("/");
      const content = await boxOf(page, ".ui-table-wrap");
      const brand = await boxOf(page, "#bar .ui-brand");
      const toggle = await boxOf(page, "#bar .ui-theme-toggle");
      assertEquals([brand.left, toggle.right], [content.left, content.right], `${width} px`);
    }
  }],
]);

const errors = new FieldErrors().add("email", "is required").add("vat", "is too long");
const summary = ui.errorSummary(errors, { email: "Email", vat: "VAT number" });

testInBrowser("the markers of an error summary align with their links", [{
  name: "with a mouse and by touch",
  routes: [pageRoute("/", () => ui.container(summary))],
  run: async ({ page, open }) => {
    await page.setViewportSize(phone);
    await open("/");
    // The marker is on the first baseline of its entry, as is a letter before the link.
    const shift = `(() => {
      const link = document.querySelector(".ui-alert li > a");
      const letter = document.createTextNode("x");
      link.before(letter);
      const topOf = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect().top;
      };
      const found = topOf(link.firstChild) - topOf(letter);
      letter.remove();
      return Math.abs(found);
    })()`;
    assertLessOrEqual(await page.evaluate(shift), 1);
    await withTouch(page, async () => assertLessOrEqual(await page.evaluate(shift), 1));
  },
}]);

testInBrowser("a flash message without a script", [{
  name: "appears above the content, at the top of the page",
  routes: [
    { pattern: "/delete", methods: { GET: (c) => (c.flash("success", "Gone"), c.redirect("/")) } },
    pageRoute("/", () => ui.container(h.h1("Items"), items)),
  ],
  hasScript: false,
  run: async ({ page, open }) => {
    await page.setViewportSize(phone);
    await open("/delete");
    await settle(page);
    const toast = await boxOf(page, ".ui-toast");
    const content = await boxOf(page, "main");
    assertLessOrEqual(toast.bottom, content.top);
    assertGreaterOrEqual(toast.top, (await boxOf(page, ".ui-nav")).bottom);
    const heading = await boxOf(page, "h1");
    assertEquals([toast.left, toast.right], [heading.left, heading.right]);
  },
}]);
