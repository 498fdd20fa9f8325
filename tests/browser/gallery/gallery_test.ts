import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { type Page, testServed } from "../browser.ts";
import { isThorough } from "../../thorough.ts";
import { focusText } from "../kit/site.ts";
import { findFaults, overflow, recolor, settle } from "../page_faults.ts";
import { paths, visit, type VisitOptions, withGallery } from "./site.ts";

const openers: [name: string, path: string, open: string, shown: string][] = [
  ["dialog", "/components/overlays", "[data-ui-open=share]", "#share"],
  ["sheet", "/components/overlays", "[data-ui-open=filters]", "#filters"],
  ["command dialog", "/components/overlays", "[data-ui-open=commands]", "#commands"],
  ["menu", "/components/overlays", ".ui-menu summary", ".ui-menu-panel"],
  ["confirmation", "/components/overlays", "[data-ui-confirm] button", "dialog[open]"],
  [
    "row menu",
    "/screens/orders",
    "tbody tr:nth-child(8) summary",
    "tbody tr:nth-child(8) .ui-menu-panel",
  ],
];

for (const width of isThorough ? [1_280, 360] : [360]) {
  testServed(
    `gallery: overlays have no accessibility violation, ${width} px`,
    withGallery,
    (url, browser, t) =>
      visit(browser, { viewport: { width, height: 740 } }, async ({ page, said }) => {
        for (const [name, path, open, shown] of openers) {
          await t.step(name, async () => {
            await page.emulateMedia({ colorScheme: "light" });
            // Earlier overlays have closed; reloading the page would take as long as checking it.
            if (page.url() !== url + path) await page.goto(url + path);
            assert(!await page.locator(shown).first().isVisible());
            await page.click(open);
            await page.locator(shown).first().waitFor({ state: "visible" });
            await settle(page);
            assertEquals(await findFaults(page), []);
            assertEquals(await overflow(page), 0);
            const box = await page.locator(shown).first().boundingBox();
            assert(box !== null && box.x >= 0);
            assertLessOrEqual(box.x + box.width, width);
            await recolor(page, "dark");
            await settle(page);
            assert(await page.locator(shown).first().isVisible());
            assertEquals(await findFaults(page, { isRecolored: true }), []);
            await page.keyboard.press("Escape");
            await page.locator(shown).first().waitFor({ state: "hidden" });
            assertEquals(said.splice(0), []);
          });
        }
      }),
  );
}

const without: VisitOptions = { javaScriptEnabled: false };

const scriptless: [name: string, path: string, run: (page: Page) => Promise<void>][] = [
  ["the button for light and dark is hidden", "/", async (page) => {
    assert(await page.locator("[data-ui-theme]").isHidden());
  }],
  [
    "messages are part of the page and have no inactive button",
    "/components/feedback",
    async (page) => {
      assertEquals(await page.locator(".ui-toast:visible").count(), 3);
      assertEquals(await page.locator(".ui-toast-close:visible").count(), 0);
    },
  ],
];

testServed(
  "gallery: without a script no inactive button is shown",
  withGallery,
  (url, browser, t) =>
    visit(browser, without, async ({ page }) => {
      for (const [name, path, run] of scriptless) {
        await t.step(name, async () => {
          await page.goto(url + path);
          await run(page);
        });
      }
    }),
);

const themes: [name: string, options: VisitOptions, stored: string | undefined, isDark: boolean][] =
  [
    ["a light system", { colorScheme: "light" }, undefined, false],
    ["a dark system", { colorScheme: "dark" }, undefined, true],
    ["a dark choice on a light system", { colorScheme: "light" }, "fw_theme=dark", true],
    ["a light choice on a dark system", { colorScheme: "dark" }, "fw_theme=light", false],
    ["an invalid stored value", { colorScheme: "light" }, "fw_theme=purple", false],
    ["a cookie with another name", { colorScheme: "light" }, "my-fw_theme=dark", false],
    ["dark, without a script", { colorScheme: "dark", javaScriptEnabled: false }, undefined, true],
    [
      "a light choice on a dark system without a script",
      { colorScheme: "dark", javaScriptEnabled: false },
      "fw_theme=light",
      false,
    ],
    [
      "a dark choice on a light system without a script",
      { colorScheme: "light", javaScriptEnabled: false },
      "fw_theme=dark",
      true,
    ],
  ];

testServed("gallery: the first paint has the right theme", withGallery, async (url, browser, t) => {
  for (const [name, options, stored, isDark] of themes) {
    await t.step(name, () =>
      visit(browser, options, async ({ page }) => {
        if (stored !== undefined) {
          const [name = "", value = ""] = stored.split("=");
          await page.context().addCookies([{ name, value, url }]);
        }
        // Returns the page's look before the kit's script has loaded.
        await page.route("**/ui.js*", (route) => route.abort());
        await page.goto(url);
        assertEquals(await isDarkNow(page), isDark);
        // The script also reads the cookie when the window gets the focus.
        await page.unroute("**/ui.js*");
        await page.goto(url);
        await page.evaluate("dispatchEvent(new Event('focus'))");
        assertEquals(await isDarkNow(page), isDark);
      }));
  }
});

async function isDarkNow(page: Page): Promise<boolean> {
  const color = await page.evaluate("getComputedStyle(document.body).backgroundColor");
  const [, lightness] = /^oklch\(([\d.]+) /.exec(String(color)) ?? [];
  assert(lightness !== undefined, String(color));
  return Number(lightness) < 0.5;
}

testServed(
  "gallery: nothing moves with reduced motion, and forced colours use the system's",
  withGallery,
  async (url, browser) => {
    await visit(browser, { reducedMotion: "reduce" }, async ({ page }) => {
      await page.goto(`${url}/components/content`);
      assertEquals(await page.evaluate("document.getAnimations().length"), 0);
    });
    await visit(browser, { forcedColors: "active" }, async ({ page }) => {
      await page.goto(`${url}/components/forms`);
      const looks = await page.evaluate(
        "[...document.querySelectorAll('.ui-checkbox, .ui-radio')]" +
          ".map((control) => getComputedStyle(control).appearance)",
      );
      assertEquals(new Set(looks as string[]), new Set(["auto"]));
    });
  },
);

testServed(
  "gallery: everything is reachable by keyboard, and the focus is always visible",
  withGallery,
  (url, browser, t) =>
    visit(browser, {}, async ({ page }) => {
      await t.step("the first tab stop skips to the content", async () => {
        await page.goto(`${url}/components/buttons`);
        await page.keyboard.press("Tab");
        assertEquals(await focusText(page), "Skip to content");
        await page.keyboard.press("Enter");
        await page.keyboard.press("Tab");
        assertEquals(await focusText(page), "Primary");
      });
      for (const path of paths) {
        await t.step(`focus rings of ${path}`, async () => {
          await page.goto(url + path);
          assertEquals(await stopsWithoutRing(page), []);
        });
      }
    }),
);

/**
 * Records, until the page is left, each focused element and whether a ring or line surrounds it.
 */
const noteStops = `{
  globalThis.walk = { stops: 0, bare: [], isOver: false };
  addEventListener("focusin", ({ target }) => {
    if (walk.isOver) return;
    // A field in a group has the ring around the group, and a link that covers a row around the
    // row.
    const looks = [getComputedStyle(target), getComputedStyle(target, "::after")];
    for (const group of ["parentElement", "parentElement.parentElement"]) {
      const around = group.split(".").reduce((at, name) => at?.[name], target);
      if (around?.matches(":focus-within")) looks.push(getComputedStyle(around));
    }
    const isSeen = looks.some(({ outlineStyle, outlineWidth }) =>
      outlineStyle !== "none" && parseFloat(outlineWidth) >= 2);
    walk.stops++;
    if (!isSeen) walk.bare.push(target.outerHTML.slice(0, 120));
  });
  // Between the last and the first stop the focus is in the browser's own interface when the key is
  // pressed.
  addEventListener("keydown", ({ key }) => {
    walk.isOver ||= key === "Tab" && walk.stops > 0 && document.activeElement === document.body;
  }, true);
}`;

interface Walk {
  readonly stops: number;
  /** Focused elements without a ring or line. */
  readonly bare: readonly string[];
  readonly isOver: boolean;
}

/**
 * Walks through a page by holding Tab down, because checking after each stop takes longer than all
 * stops.
 */
async function stopsWithoutRing(page: Page): Promise<readonly string[]> {
  await page.evaluate(noteStops);
  for (let at = 0; at < 120; at += 10) {
    await Promise.all(Array.from({ length: 10 }, () => page.keyboard.down("Tab")));
    const { stops, bare, isOver } = await page.evaluate<Walk>("walk");
    if (!isOver) continue;
    await page.keyboard.up("Tab");
    assert(stops > 0);
    return bare;
  }
  throw new Error("the Tab walk through the page never ended");
}
