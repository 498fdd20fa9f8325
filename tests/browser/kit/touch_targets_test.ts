import { assertEquals } from "@std/assert";
import { testServed } from "../browser.ts";
import { paths, visit, withGallery } from "../gallery/site.ts";

/**
 * Lists targets smaller than 40 pixels. A label counts with its box, and a link in running text is
 * as high as its line (WCAG 2.5.8, inline).
 */
const small = `(() => {
  const selector = "a[href], button, summary, input:not([type=hidden]), select, textarea";
  const isInline = (one) => one.localName === "a" && getComputedStyle(one).display === "inline" &&
    one.closest("p, li, td, dd, h1, h2, h3, figcaption");
  const boxOf = (one) => {
    // The link of a row covers the row.
    const covers = getComputedStyle(one, "::after").position === "absolute";
    const box = (covers ? one.closest("tr") : one).getBoundingClientRect();
    const label = one.labels?.[0]?.getBoundingClientRect();
    const isBox = /^(checkbox|radio)$/.test(one.type);
    if (!isBox || !label) return box;
    return { width: label.right - box.left, height: Math.max(label.height, box.height) };
  };
  // An element that shrinks below its text overlaps its neighbour.
  const spilt = [...document.querySelectorAll(".ui-nav-link, .ui-page, .ui-button")]
    .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
    .map((one) => "spilt " + one.textContent);
  return [...spilt, ...new Set([...document.querySelectorAll(selector)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((one) => !one.closest(".ui-skip, .ui-visually-hidden, .ui-sr-only, pre"))
    .filter((one) => !isInline(one))
    .map((one) => [one, boxOf(one)])
    .filter(([, { width, height }]) => height > 0 && (height < 39.5 || width < 39.5))
    .map(([one, { width, height }]) => one.localName + "." + one.className + " " +
      one.textContent.trim().slice(0, 20) + " " + Math.round(width) + "x" + Math.round(height)))];
})()`;

testServed(
  "gallery: on a phone every target is at least 40 pixels high and wide",
  withGallery,
  async (url, browser) => {
    const options = { viewport: { width: 375, height: 800 }, hasTouch: true, isMobile: true };
    await visit(browser, options, async ({ page }) => {
      const found: Record<string, unknown> = {};
      for (const path of paths) {
        await page.goto(url + path);
        await page.evaluate(`for (const one of document.querySelectorAll("dialog"))
              one.setAttribute("open", "")`);
        await page.evaluate(`for (const one of document.querySelectorAll("details"))
              one.open = true`);
        const targets = await page.evaluate(small) as string[];
        if (targets.length > 0) found[path] = targets;
      }
      assertEquals(found, {});
    });
  },
);
