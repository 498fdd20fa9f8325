import { assert, assertEquals } from "@std/assert";
import { testUnless } from "../../../tools/skip.ts";
import { noChromium, type Page, withPage } from "../browser.ts";
import { withGallery } from "./site.ts";
import { isMarked, mark, until } from "../kit/site.ts";

const rows: readonly [name: string, path: string, run: (page: Page) => Promise<void>][] = [
  ["the orders are sorted, paged and found in place", "/screens/orders", async (page) => {
    await page.click("th a:has-text('Amount')");
    await page.waitForURL("**/screens/orders?sort=amount&direction=asc&page=1");
    await page.click(".ui-pagination a[rel=next]");
    await page.waitForURL("**/screens/orders?sort=amount&direction=asc&page=2");
    assertEquals(await page.title(), "Orders · fw ui");
    const before = await page.evaluate("history.length");
    await page.locator("#q").pressSequentially("grace");
    await page.waitForURL("**/screens/orders?q=grace&state=");
    await page.getByText("11 orders").waitFor();
    assertEquals(await page.evaluate("history.length"), before);
    assert(await isMarked(page));
    await page.reload();
    await page.getByText("11 orders").waitFor();
    assertEquals(await page.inputValue("#q"), "grace");
  }],
  ["signing in says what is wrong in place", "/screens/sign-in", async (page) => {
    await page.click("#sign-in [type=submit]");
    await page.getByText("Email is required").waitFor();
    assert(await isMarked(page));
  }],
];

for (const [name, path, run] of rows) {
  testUnless(noChromium, {
    name: `gallery: ${name}`,
    fn: async () => {
      await withGallery(async (url) => {
        await withPage(async (page) => {
          await page.goto(url + path);
          await until(page, "globalThis.ui !== undefined");
          await mark(page);
          await run(page);
        });
      });
    },
  });
}
