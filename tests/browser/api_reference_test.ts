import { assertEquals } from "@std/assert";
import { testUnless } from "../../tools/skip.ts";
import { noChromium, type Page, withBrowser } from "./browser.ts";
import { visit, type VisitOptions, withGallery } from "./gallery/site.ts";
import { until } from "./kit/site.ts";
import { findFaults, overflow, settle } from "./page_faults.ts";

const path = "/components/api";

const looks: readonly [name: string, options: VisitOptions][] = [
  ["light, 380 px", { colorScheme: "light", viewport: { width: 380, height: 740 } }],
  ["dark, 380 px", { colorScheme: "dark", viewport: { width: 380, height: 740 } }],
  ["forced colours", { forcedColors: "active" }],
];

async function findOperations(page: Page): Promise<readonly string[]> {
  const links = await page.locator(".ui-api-contents li:visible").allTextContents();
  return links.map((text) => text.trim());
}

testUnless(noChromium, {
  name: "apiReference: the list of operations is filtered, no fault of access, nothing too wide",
  fn: async (t) => {
    await withGallery((url) =>
      withBrowser(async (browser) => {
        for (const [name, options] of looks) {
          await t.step(name, () =>
            visit(browser, options, async ({ page, said }) => {
              await page.goto(url + path);
              await until(page, "globalThis.ui !== undefined");
              const all = await findOperations(page);
              assertEquals(all.length, 4);
              const count = page.locator(".ui-api-count");
              assertEquals(await count.textContent(), "Operations: 4");
              // By the path, which the list does not show, and by two words in any order.
              await page.fill("[data-ui-filter]", "slug shows");
              assertEquals(await findOperations(page), ["GET Shows an event"]);
              assertEquals(await count.textContent(), "Operations: 1");
              await settle(page);
              assertEquals(await findFaults(page), []);
              assertEquals(await overflow(page), 0);
              await page.fill("[data-ui-filter]", "nothing of the kind");
              assertEquals(await findOperations(page), []);
              assertEquals(await page.locator(".ui-api-contents summary:visible").count(), 0);
              assertEquals(await count.textContent(), "Operations: 0");
              await page.fill("[data-ui-filter]", "");
              assertEquals(await findOperations(page), all);
              assertEquals(said, []);
            }));
        }
      })
    );
  },
});

testUnless(noChromium, {
  name: "apiReference: the script fills a value into the path, once for each press",
  fn: async () => {
    await withGallery((url) =>
      withBrowser((browser) =>
        visit(browser, {}, async ({ page }) => {
          await page.goto(url + path);
          await until(page, "globalThis.ui !== undefined");
          const form = page.locator("form[data-ui-path]");
          await form.locator("xpath=..").locator("summary").click();
          const asked: string[] = [];
          await page.route("**/api/events/**", async (route) => {
            asked.push(route.request().url().slice(url.length));
            // Stays on the page.
            await route.fulfill({ status: 204 });
          });
          for (const value of ["..", "jazz", "a/b c?{slug}"]) {
            await form.locator("input").fill(value);
            await form.locator("button").click();
            await settle(page);
          }
          assertEquals(asked, ["/api/events/jazz?", "/api/events/a%2Fb%20c%3F%7Bslug%7D?"]);
        })
      )
    );
  },
});

testUnless(noChromium, {
  name: "apiReference: without a script every operation is listed, and what needs it is not there",
  fn: async () => {
    await withGallery((url) =>
      withBrowser((browser) =>
        visit(browser, { javaScriptEnabled: false }, async ({ page }) => {
          await page.goto(url + path);
          assertEquals((await findOperations(page)).length, 4);
          assertEquals(await page.locator("[data-ui-filter]:visible").count(), 0);
          assertEquals(await page.locator(".ui-api-scripted:visible").count(), 0);
          assertEquals(await page.locator(".ui-api-form:visible").count(), 2);
        })
      )
    );
  },
});
