import { assert, assertEquals } from "@std/assert";
import * as h from "../../html/mod.ts";
import type { Page } from "./browser.ts";
import * as ui from "../../ui/mod.ts";
import { overflow } from "./page_faults.ts";
import { page as pageRoute, testInBrowser, type TrialRow } from "./kit_site.ts";

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

async function boxOf(page: Page, selector: string): Promise<Box> {
  const box = await page.locator(selector).boundingBox();
  assert(box !== null, selector);
  return box;
}

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

const rows: readonly TrialRow[] = [
  {
    name: "1280 px: what a container holds has room between, a form is no wider than one reads",
    routes: [content],
    run: async ({ page, open }) => {
      await page.setViewportSize({ width: 1280, height: 900 });
      await open("/");
      const [head, form, table] = [
        await boxOf(page, "#head"),
        await boxOf(page, "#form"),
        await boxOf(page, "[aria-label=All]"),
      ];
      assertEquals([form.y - head.y - head.height, table.y - form.y - form.height], [24, 24]);
      assertEquals(form.width, 640);
    },
  },
  {
    name: "360 px: what a page is about stays between its heading and its buttons",
    routes: [content],
    run: async ({ page, open }) => {
      await page.setViewportSize({ width: 360, height: 800 });
      await open("/");
      const order = [
        (await boxOf(page, "h1")).y,
        (await boxOf(page, "#lead")).y,
        (await boxOf(page, "#new")).y,
      ];
      assertEquals(order.toSorted((one, other) => one - other), order);
      assertEquals(await overflow(page), 0);
    },
  },
  {
    name: "360 px: a table that goes on has a shadow at that edge, and none at its end",
    routes: [content],
    run: async ({ page, open }) => {
      await page.setViewportSize({ width: 360, height: 800 });
      await open("/");
      const region = "[aria-label=All]";
      const box = await boxOf(page, region);
      // In the line of the caption, whose end holds no text.
      const edge = { x: box.x + box.width - 4, y: box.y + box.height - 28, width: 2, height: 16 };
      const before = await page.screenshot({ clip: edge });
      await page.evaluate(`document.querySelector("${region}").scrollLeft = 10_000`);
      const after = await page.screenshot({ clip: edge });
      assert(!before.equals(after));
    },
  },
  {
    name: "forced colours: the ground of a table is the system's alone",
    routes: [content],
    run: async ({ page, open }) => {
      await page.emulateMedia({ forcedColors: "active" });
      await open("/");
      const style = "getComputedStyle(document.querySelector('[aria-label=All]')).backgroundImage";
      assertEquals(await page.evaluate(style), "none");
    },
  },
  {
    name: "a table without rows has one frame",
    routes: [content],
    run: async ({ page, open }) => {
      await open("/");
      const style = "getComputedStyle(document.querySelector('td .ui-empty')).borderTopWidth";
      assertEquals(await page.evaluate(style), "0px");
    },
  },
];

testInBrowser("the layout that the kit gives a page", rows);
