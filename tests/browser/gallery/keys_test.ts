import { assert, assertEquals } from "@std/assert";
import { type Page, testServed } from "../browser.ts";
import { visit, withGallery } from "./site.ts";

async function press(page: Page, selector: string, key: string = "Enter"): Promise<void> {
  await page.focus(selector);
  await page.keyboard.press(key);
}

const isVisible = { state: "visible" } as const;
const isHidden = { state: "hidden" } as const;

/** What HTML does by itself, so that it needs neither a pointer nor a script. */
const rows: readonly [name: string, path: string, run: (page: Page) => Promise<void>][] = [
  ["a sheet opens, closes, and gives the focus back", "/components/overlays", async (page) => {
    await press(page, "[data-ui-open=filters]");
    await page.locator("#filters").waitFor(isVisible);
    await page.keyboard.press("Escape");
    await page.locator("#filters").waitFor(isHidden);
    assertEquals(await page.evaluate("document.activeElement.dataset.uiOpen"), "filters");
  }],
  ["a dialog closes by its button", "/components/overlays", async (page) => {
    await press(page, "[data-ui-open=share]");
    await page.locator("#share").waitFor(isVisible);
    await press(page, "#share .ui-actions button", "Space");
    await page.locator("#share").waitFor(isHidden);
  }],
  ["a command is followed", "/components/overlays", async (page) => {
    await press(page, "[data-ui-open=commands]");
    await page.locator("#commands").waitFor(isVisible);
    await press(page, "#commands a:has-text('Forms')");
    await page.waitForURL("**/components/forms");
  }],
  ["a menu opens, and an entry is followed", "/components/overlays", async (page) => {
    await press(page, ".ui-menu summary");
    await page.locator(".ui-menu-panel").first().waitFor(isVisible);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/components/overlays#content");
  }],
  [
    "an accordion opens a part and closes the one before",
    "/components/navigation",
    async (page) => {
      await press(page, ".ui-accordion details:nth-of-type(2) summary");
      await page.locator(".ui-accordion p:has-text('There is')").waitFor(isVisible);
      assertEquals(await page.locator(".ui-accordion > details[open]").count(), 1);
    },
  ],
  ["a part of tabs is reached", "/components/navigation", async (page) => {
    await press(page, ".ui-tab:has-text('Account')");
    assert(await page.locator("#account-name").isVisible());
  }],
  ["a column is sorted", "/components/data", async (page) => {
    await press(page, "th a");
    await page.waitForURL("**/components/data?sort=title&direction=desc");
  }],
  ["a box, a switch and a choice answer", "/components/forms", async (page) => {
    for (const id of ["news", "remind", "plan"]) {
      await press(page, `#${id}`, "Space");
      assert(await page.locator(`#${id}`).isChecked());
    }
  }],
];

for (const javaScriptEnabled of [true, false]) {
  testServed(
    `gallery: keys alone do, ${javaScriptEnabled ? "with" : "without"} a script`,
    withGallery,
    async (url, browser, t) => {
      for (const width of [1_280, 360]) {
        const viewport = { width, height: 740 };
        await visit(browser, { javaScriptEnabled, viewport }, async ({ page }) => {
          for (const [name, path, run] of rows) {
            await t.step(`${name}, ${width} px`, async () => {
              await page.goto(url + path);
              await run(page);
            });
          }
        });
      }
    },
  );
}
