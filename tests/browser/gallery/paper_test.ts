import { assertEquals } from "@std/assert";
import { testServed } from "../browser.ts";
import { visit, withGallery } from "./site.ts";

testServed(
  "gallery: prints the content without the frame, and every tab panel",
  withGallery,
  (url, browser) =>
    visit(browser, {}, async ({ page }) => {
      await page.goto(`${url}/components/navigation`);
      await page.emulateMedia({ media: "print" });
      assertEquals(await page.locator(".ui-topbar:visible, .ui-side:visible").count(), 0);
      assertEquals(await page.locator(".ui-tab-panel:visible").count(), 3);
      assertEquals(await page.locator(".ui-tab-title:visible").count(), 3);
    }),
);

testServed(
  "gallery: prints a dark page without a script as dark text on white",
  withGallery,
  (url, browser) =>
    visit(browser, { javaScriptEnabled: false, colorScheme: "dark" }, async ({ page }) => {
      await page.goto(`${url}/components/buttons`);
      await page.emulateMedia({ media: "print" });
      const looks = await page.evaluate(`["body", ".example-box", "h1"].map((selector) => {
            const { backgroundColor, color } = getComputedStyle(document.querySelector(selector));
            return selector === "h1" ? color : backgroundColor;
          })`);
      assertEquals(looks, ["rgb(255, 255, 255)", "rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
    }),
);
