import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { list, struct, text } from "../../../mod.ts";
import { overflow } from "../page_faults.ts";
import { boxOf, h, pageRoute, testInBrowser, type TrialRow, ui, until } from "./site.ts";

const columns = ["Title", "Place", "Date", "Seats", "Price", "State"].map((title) => ({
  title,
  cell: (row: string) => `${row} ${title}`,
}));

const content = pageRoute("/", () =>
  ui.container(
    ui.pageHeader(
      "Events",
      h.id("head"),
      ui.buttonLink("/new", "New event", h.id("new")),
      h.p(h.id("lead"), "In order of the date."),
    ),
    ui.form(h.id("form"), ui.field("q", "Name", ui.input(h.name("q")))),
    ui.dataTable({ caption: "All", columns, rows: ["Fado"] }),
    ui.dataTable({ caption: "None", columns, rows: [], empty: ui.emptyState("Nothing yet") }),
  ));

const layout = (...children: h.Child[]) =>
  pageRoute("/", () => h.fragment(ui.header(h.id("bar"), ...children), h.main(h.p("Content"))));

/** The header of an application with accounts and two languages. */
const fullHeader = layout(
  ui.brand("/", "Lookout"),
  ui.nav(["Events", "Places", "Orders", "Members", "About us"].map((to) => ui.navLink("/", to))),
  ui.spacer(),
  ui.dialogOpen("search", ui.ghost, "Search"),
  ui.buttonLink("/pt", ui.ghost, "Português"),
  h.form(h.method("post"), ui.submit(ui.outline, "Sign out")),
  ui.themeToggle(),
);

const narrow = pageRoute("/", () =>
  h.fragment(
    ui.header(
      h.id("bar"),
      ui.brand("/", "Biblioteca"),
      ui.nav(ui.navLink("/", "Livros")),
      ui.spacer(),
      ui.badge("Emprestados: ", h.b("3")),
      h.form(h.method("post"), ui.submit(ui.ghost, "English"), ui.submit(ui.ghost, "Português")),
      ui.themeToggle(),
    ),
    ui.container(ui.dataTable({
      caption: "All",
      columns: [
        { title: "Title", cell: () => h.a(h.href("/1"), "Mau Tempo no Canal") },
        { title: "Author", cell: () => "A. Author with quite a long name" },
        { title: "Year", numeric: true, cell: () => "1944" },
        { title: "Status", cell: () => ui.badge("Free") },
      ],
      rows: [1],
    })),
  ));

testInBrowser("the kit's page layout", [
  ["380 px: no list column is as narrow as a word, and no word in the header breaks", "/", [
    narrow,
  ], async ({ page }) => {
    assertLessOrEqual((await boxOf(page, "tbody tr")).height, 84);
    for (const part of [".ui-brand", ".ui-badge"]) {
      assertLessOrEqual((await boxOf(page, `#bar ${part}`)).height, 34, `${part} is one line`);
    }
    assertEquals(await overflow(page), 0);
  }, { width: 380 }],
  ...[360, 480].map((width): TrialRow => ({
    name: `${width} px: a full header has a row of actions and a scrolling row of links`,
    routes: [fullHeader],
    run: async ({ page, open }) => {
      await page.setViewportSize({ width, height: 800 });
      await open("/");
      const nav = await boxOf(page, "#bar .ui-nav");
      for (const action of [".ui-brand", "button[commandfor]", "form", ".ui-theme-toggle"]) {
        const box = await boxOf(page, `#bar ${action}`);
        assert(box.y + box.height <= nav.y, `${action} stands above the links`);
      }
      const toggle = await boxOf(page, "#bar .ui-theme-toggle");
      const bar = await boxOf(page, "#bar");
      assertEquals(Math.round(toggle.x + toggle.width), Math.round(bar.x + bar.width) - 16);
      assertLessOrEqual(bar.height, 108);
      assertEquals(await overflow(page), 0);
    },
  })),
  ["a disabled button does not change on hover", "/", [pageRoute("/", () => [
    ui.button("Go", ui.ghost, h.id("off"), h.disabled()),
    ui.button("Go", ui.ghost, h.id("on")),
  ])], async ({ page }) => {
    const groundOf = (id: string): string => `getComputedStyle(${id}).backgroundColor`;
    const [on, off] = await page.evaluate<string[]>(`[${groundOf("on")}, ${groundOf("off")}]`);
    await page.hover("#on", { force: true });
    await until(page, `${groundOf("on")} !== "${on}"`);
    await page.hover("#off", { force: true });
    await until(page, "off.matches(':hover')");
    await page.waitForTimeout(400);
    assertEquals(await page.evaluate(groundOf("off")), off);
  }],
  ["360 px: a button before the brand keeps its size", "/", [
    layout(ui.button(ui.ghost, ui.square, ui.icon("menu")), ui.brand("/", "Lookout"), ui.nav()),
  ], async ({ page }) => {
    const button = await boxOf(page, "#bar .ui-button");
    assertEquals(button.width, button.height);
    assertEquals((await boxOf(page, "#bar .ui-brand")).x, button.x + button.width + 4);
  }, { width: 360 }],
  ["a hidden caption takes no space and still names the table", "/", [
    pageRoute(
      "/",
      () => ui.dataTable({ caption: "All", columns, rows: ["Fado"] }, ui.hiddenCaption),
    ),
  ], async ({ page }) => {
    const caption = await boxOf(page, "caption");
    assertEquals([caption.width, caption.height], [1, 1]);
    await page.getByRole("table", { name: "All" }).waitFor();
    const [region, table] = [await boxOf(page, "[aria-label=All]"), await boxOf(page, "tbody")];
    assertEquals(Math.round(region.y + region.height - table.y - table.height), 1);
  }],
  ["1280 px: children of a container have gaps, and a form has a readable width", "/", [
    content,
  ], async ({ page }) => {
    const [head, form, table] = [
      await boxOf(page, "#head"),
      await boxOf(page, "#form"),
      await boxOf(page, "[aria-label=All]"),
    ];
    assertEquals([form.y - head.y - head.height, table.y - form.y - form.height], [24, 24]);
    assertEquals(form.width, 640);
  }, { width: 1280 }],
  ["360 px: the description stays between its heading and its buttons", "/", [
    content,
  ], async ({ page }) => {
    const order = [
      (await boxOf(page, "h1")).y,
      (await boxOf(page, "#lead")).y,
      (await boxOf(page, "#new")).y,
    ];
    assertEquals(order.toSorted((one, other) => one - other), order);
    assertEquals(await overflow(page), 0);
  }, { width: 360 }],
  ["360 px: an overflowing table has a shadow at that edge, and none at its end", "/", [
    content,
  ], async ({ page }) => {
    const region = "[aria-label=All]";
    const box = await boxOf(page, region);
    // At the height of the caption, whose end has no text.
    const edge = { x: box.x + box.width - 4, y: box.y + box.height - 28, width: 2, height: 16 };
    const before = await page.screenshot({ clip: edge });
    await page.evaluate(`document.querySelector("${region}").scrollLeft = 10_000`);
    const after = await page.screenshot({ clip: edge });
    assert(!before.equals(after));
  }, { width: 360 }],
  ["800 px: a telephone number in a table stays on one line", "/", [
    pageRoute("/", () =>
      ui.dataTable({
        caption: "All",
        columns: [
          { title: "Name", cell: () => "A name with a long description ".repeat(4) },
          { title: "Telephone", cell: () => "+1 202 555 0139" },
        ],
        rows: [1],
      })),
  ], async ({ page }) => {
    const number = "[...document.querySelectorAll('td')].at(-1).firstChild";
    const lines = `(() => { const range = new Range(); range.selectNode(${number});
      return range.getClientRects().length; })()`;
    assertEquals(await page.evaluate(lines), 1);
  }, { width: 800 }],
  ["the buttons of a row of fields stand beside the fields, not their labels", "/", [
    pageRoute("/", (c) => ui.form(c, struct({ lines: list(struct({ what: text() })) }))),
  ], async ({ page }) => {
    const [field, button] = [
      await boxOf(page, "[name='lines.0.what']"),
      await boxOf(page, ".ui-row .ui-row button"),
    ];
    assertEquals(button.y + button.height, field.y + field.height);
  }],
  ["the link of a mistake shows the field with its label, below the bar", "/", [
    pageRoute("/", (c) =>
      ui.shell(
        c,
        { brand: "Shop", nav: [] },
        ui.form(
          ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"]
            .map((name) => ui.field(name, name, ui.input(h.name(name)))),
        ),
      )),
  ], async ({ page }) => {
    await page.setViewportSize({ width: 1_100, height: 600 });
    await page.evaluate("location.hash = 'c'");
    await until(page, "scrollY > 0");
    const bar = await boxOf(page, ".ui-topbar");
    assertLessOrEqual(bar.y + bar.height, (await boxOf(page, "label[for=c]")).y);
  }],
  ["forced colours: a hollow dot has a ring", undefined, [
    pageRoute("/", () => ui.badge(ui.hollow, "Draft")),
  ], async ({ page, open }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await open("/");
    const style =
      "getComputedStyle(document.querySelector('.ui-badge'), '::before').borderTopWidth";
    assertEquals(await page.evaluate(style), "1px");
  }],
  ["forced colours: the background of a table is the system's", undefined, [
    content,
  ], async ({ page, open }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await open("/");
    const style = "getComputedStyle(document.querySelector('[aria-label=All]')).backgroundImage";
    assertEquals(await page.evaluate(style), "none");
  }],
  ["a menu in a bar opens beside its button", "/", [
    pageRoute("/", (c) => {
      const menu = () => ui.menu("More", ui.end, ui.menuLink("/a", "A"), ui.menuLink("/b", "B"));
      return ui.shell(
        c,
        { brand: "Shop", nav: [], actions: menu() },
        ui.header(ui.spacer(), menu()),
        h.form(ui.formFooter("Save", menu())),
      );
    }),
  ], async ({ page }) => {
    for (const bar of [".ui-topbar", ".ui-header", ".ui-save"]) {
      await page.locator(`${bar} summary`).click();
      const button = await boxOf(page, `${bar} summary`);
      const panel = await boxOf(page, `${bar} .ui-menu-panel`);
      const isBelow = panel.y >= button.y + button.height;
      assert(isBelow || panel.y + panel.height <= button.y, `${bar} covers its button`);
      await page.keyboard.press("Escape");
    }
  }],
  ["1280 px: the menu of the user opens above its button; a long entry wraps", "/", [
    pageRoute("/", (c) =>
      ui.shell(c, {
        brand: "Lookout",
        nav: [{
          label: "Rechnungsempfangsbescheinigung",
          href: "/a",
          icon: "file",
          count: "1,000+",
        }],
        user: ui.userMenu("Ada", {}, ui.menuLink("/account", "Account")),
      })),
  ], async ({ page }) => {
    await page.locator(".ui-user summary").click();
    const panel = await boxOf(page, ".ui-user .ui-menu-panel");
    const [entry, count] = [
      await boxOf(page, ".ui-side .ui-nav-link"),
      await boxOf(page, ".ui-side .ui-count"),
    ];
    assertLessOrEqual(count.x + count.width, entry.x + entry.width);
    assertLessOrEqual(panel.y + panel.height, (await boxOf(page, ".ui-user summary")).y);
  }, { width: 1280 }],
  ["a table without rows has one frame", "/", [content], async ({ page }) => {
    const style = "getComputedStyle(document.querySelector('td .ui-empty')).borderTopWidth";
    assertEquals(await page.evaluate(style), "0px");
  }],
]);
