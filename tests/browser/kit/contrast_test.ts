import { assert, assertEquals, assertGreaterOrEqual, assertNotEquals } from "@std/assert";
import { FieldErrors } from "../../../mod.ts";
import type { Page } from "../browser.ts";
import { h, pageRoute, testInBrowser, type TrialRow, ui, until } from "./site.ts";

const errors = new FieldErrors().add("title", "is required");

const isCurrent = true;

const parts = pageRoute("/", () => [
  ui.nav(ui.navLink("#a", "Current", isCurrent), ui.navLink("#b", "Other")),
  ui.pagination({ page: 2, pages: 3, href: (page) => `?page=${page}` }),
  ui.tabs("tabs", [{ label: "One", content: "1" }, { label: "Two", content: "2" }]),
  ui.progress("Done", 40),
  ui.switch("on", "On", h.checked()),
  ui.switch("off", "Off"),
  ui.field(
    "title",
    "Title",
    ui.input(h.name("title")),
    ui.help("Help"),
    ui.errors(errors, "title"),
  ),
  ui.field("fine", "Fine", ui.input(h.name("fine"))),
  ui.card(h.id("card"), "card"),
  ui.stack(h.id("busy"), h.aria("busy", "true"), h.p("busy")),
]);

async function style(page: Page, selector: string, names: string[]): Promise<string[]> {
  const [element, part] = selector.split("::");
  return await page.evaluate(`(() => { const style = getComputedStyle(
    document.querySelector(${JSON.stringify(element)}), ${
    JSON.stringify(part === undefined ? null : `::${part}`)
  }); return ${JSON.stringify(names)}.map((name) => style.getPropertyValue(name)); })()`);
}

async function colors(page: Page, selector: string): Promise<number> {
  const image = await page.locator(selector).screenshot();
  return await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob("${image.toString("base64")}"), (one) => one.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    canvas.drawImage(bitmap, 0, 0);
    const { data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
    const found = new Map();
    for (let at = 0; at < data.length; at += 4) {
      const key = data.slice(at, at + 3).join();
      found.set(key, (found.get(key) ?? 0) + 1);
    }
    return [...found.values()].filter((count) => count > bitmap.width).length;
  })()`);
}

testInBrowser("the kit with more contrast, forced colours or reduced motion", [
  ["forced colours: current, checked and invalid states differ in more than colour", undefined, [
    parts,
  ], async ({ page, open }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await open("/");
    for (
      const [current, other] of [
        [".ui-nav-link[aria-current]", ".ui-nav-link:not([aria-current])"],
        [".ui-page[aria-current]", "a.ui-page"],
        [".ui-tab[aria-selected=true]", ".ui-tab[aria-selected=false]"],
      ] as const
    ) {
      assertNotEquals(
        await style(page, current, ["background-color"]),
        await style(page, other, ["background-color"]),
        current,
      );
    }
    assertGreaterOrEqual(await colors(page, ".ui-progress"), 2);
    assertNotEquals(
      await style(page, "#on", ["background-color"]),
      await style(page, "#off", ["background-color"]),
    );
    // The knob is inside its track.
    const [width = "", track = ""] = [
      ...await style(page, "#on::before", ["width"]),
      ...await style(page, "#on", ["width"]),
    ];
    assert(parseFloat(width) < parseFloat(track) / 2, `${width} of ${track}`);
    assertNotEquals(
      await style(page, ".ui-error", ["border-inline-start-width"]),
      await style(page, ".ui-help", ["border-inline-start-width"]),
    );
    assertNotEquals(
      await style(page, "#title", ["border-top-width"]),
      await style(page, "#fine", ["border-top-width"]),
    );
    assertEquals(await style(page, "#card", ["border-top-width", "border-top-style"]), [
      "1px",
      "solid",
    ]);
  }],
  ...(["light", "dark"] as const).map((colorScheme): TrialRow => ({
    name: `more contrast, ${colorScheme}: borders and small text have the text's colour`,
    routes: [parts],
    run: async ({ page, open }) => {
      await page.emulateMedia({ contrast: "no-preference", colorScheme });
      await open("/");
      const before = await style(page, "#card", ["border-top-color"]);
      await page.emulateMedia({ contrast: "more", colorScheme });
      // Colours of controls change with a transition.
      await until(page, "!document.getAnimations().some((each) => each instanceof CSSTransition)");
      const [text] = await style(page, "body", ["color"]);
      assertNotEquals(await style(page, "#card", ["border-top-color"]), before);
      assertEquals(await style(page, ".ui-help", ["color"]), [text]);
      assertEquals(await style(page, "#fine", ["border-top-color"]), [text]);
      await page.emulateMedia({ contrast: null });
    },
  })),
  ["reduced motion: busy elements still show it", undefined, [parts], async ({ page, open }) => {
    for (const reducedMotion of ["reduce", "no-preference"] as const) {
      await page.emulateMedia({ reducedMotion });
      await open("/");
      await until(
        page,
        "getComputedStyle(document.querySelector('#busy'), '::before').animationName !== 'none'",
      );
    }
  }],
]);
