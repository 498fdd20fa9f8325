import { assert, assertEquals, assertGreaterOrEqual } from "@std/assert";
import type { Ctx, Node } from "../../../mod.ts";
import type { Page } from "../browser.ts";
import { overflow } from "../page_faults.ts";
import { boxOf, h, pageRoute, testInBrowser, type TrialRow, ui } from "./site.ts";

const names = Array.from({ length: 12 }, (_, at) => `A-10${at + 10}`);

/** A list inside the frame of an application in three languages. */
function list(c: Ctx): Node {
  c.title = "Invoices";
  return ui.shell(
    c,
    {
      brand: "Shop",
      nav: [{ label: "Overview", href: "/" }],
      breadcrumb: [{ text: "Overview", href: "/" }, { text: "Invoices" }],
      actions: [
        h.form(["English", "العربية", "Português"].map((name) => ui.submit(ui.ghost, name))),
        ui.themeToggle(),
      ],
    },
    ui.grid(
      ui.small,
      ui.card(ui.stat("Average price", "€204.42")),
      ui.card(ui.stat("Products", "1,284")),
    ),
    ui.rows(
      ui.dataTable({
        caption: "Invoices",
        columns: [
          {
            title: "Number",
            cell: (name) =>
              ui.item(name, { href: "#x", image: ui.thumb(undefined), detail: "A note" }),
          },
          { title: "Customer", cell: () => h.a(h.href("/c"), "Ada") },
          { title: "Issued", kind: "date", cell: () => "Nov 27, 2026" },
          { title: "Total", kind: "money", cell: () => "€204.42" },
        ],
        rows: names,
        select: { form: "bulk", value: (name) => name, label: (name) => name },
        menu: { items: () => ui.menuLink("/", "Edit"), label: (name) => name },
        cards: true,
      }),
      ui.bulkBar(c, "bulk", ui.bulkButton("archive", "archive", "Archive")),
    ),
  );
}

function longForm(c: Ctx): Node {
  return ui.shell(
    c,
    { brand: "Shop", nav: [] },
    ui.form(
      h.map(names, (name) => ui.field(name, name, ui.input(h.name(name)))),
      ui.formFooter(ui.submit("Save")),
    ),
  );
}

const routes = [pageRoute("/", list), pageRoute("/form", longForm)];

/** Lists pairs of elements of the top bar that overlap. */
async function overlapping(page: Page): Promise<readonly string[]> {
  return await page.evaluate(`(() => {
    const parts = [...document.querySelectorAll(".ui-topbar :is(a, button)")]
      .filter((part) => part.checkVisibility());
    const boxes = parts.map((part) => part.getBoundingClientRect());
    return parts.flatMap((part, at) => parts.slice(at + 1).filter((_, other) => {
      const [one, two] = [boxes[at], boxes[at + 1 + other]];
      return Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1 &&
        Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 1;
    }).map((other) => part.textContent + " and " + other.textContent));
  })()`);
}

/** Walks through the page and lists the focused elements that a bar hides. */
async function hidden(page: Page, key: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (let stop = 0; stop < 40; stop++) {
    await page.keyboard.press(key);
    const covered = await page.evaluate<string>(`(() => {
      const element = document.activeElement;
      const { left, top, width, height } = element.getBoundingClientRect();
      const isSeen = element === document.body || element.closest(".ui-bulk, .ui-save, .ui-topbar, .ui-skip") ||
        [0.1, 0.5, 0.9].some((part) => [0.2, 0.8].some((line) => {
          const at = document.elementFromPoint(left + width * part, top + height * line);
          return at && (element.contains(at) || at.contains(element) || at.closest("tr, label"));
        }));
      return isSeen ? "" : element.outerHTML.slice(0, 60);
    })()`);
    if (covered !== "") found.push(covered);
  }
  return found;
}

testInBrowser("the kit on small windows, with large text", [
  ...[390, 320, 195].map((width): TrialRow => ({
    name: `${width} px: the parts of the top bar do not overlap`,
    routes,
    width,
    run: async ({ page, open }) => {
      await open("/");
      assertEquals([await overlapping(page), await overflow(page)], [[], 0]);
    },
  })),
  // Every length is in rem, so this is also a phone of 390 px with text of 200 %.
  ["195 px: names, values and figures have room for a word", "/", routes, async ({ page }) => {
    assertGreaterOrEqual((await boxOf(page, "tbody .ui-item > a")).width, 50);
    assertGreaterOrEqual((await boxOf(page, ".ui-stat-value")).width, 90);
    const cut = "[...document.querySelectorAll('tbody td')]" +
      ".filter((cell) => cell.getBoundingClientRect().right > innerWidth - 16).length";
    assertEquals(await page.evaluate(cut), 0);
  }, { width: 195 }],
  ...[["/", 390, 640], ["/", 1_280, 600], ["/form", 390, 640], ["/", 320, 256]].map((
    [path, width, height],
  ): TrialRow => ({
    name: `${width} × ${height} px: no bar of ${path} hides the focused element`,
    routes,
    run: async ({ page, open }) => {
      await page.setViewportSize({ width: Number(width), height: Number(height) });
      await open(String(path));
      await page.evaluate("document.querySelector('tbody .ui-checkbox')?.click()");
      assert(await page.evaluate("document.querySelector('.ui-bulk, .ui-save').checkVisibility()"));
      assertEquals(await hidden(page, "Tab"), []);
      assertEquals(await hidden(page, "Shift+Tab"), []);
    },
  })),
  ["the link in a row that is a link is a target of 24 pixels", "/", routes, async ({ page }) => {
    assertGreaterOrEqual((await boxOf(page, "td > a")).height, 24);
  }],
  ["a list on A4 is a table with column heads, not cards", undefined, [
    ...routes,
  ], async ({ page, open }) => {
    await page.setViewportSize({ width: 718, height: 900 });
    await page.emulateMedia({ media: "print" });
    await open("/");
    const heads = await boxOf(page, "thead th:nth-child(2)");
    const names = await boxOf(page, "tbody th");
    await page.emulateMedia({ media: null });
    assertEquals([Math.round(heads.x), heads.height > 20], [Math.round(names.x), true]);
  }],
]);
