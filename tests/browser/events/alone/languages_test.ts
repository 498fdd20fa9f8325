import { assertEquals } from "@std/assert";
import { testServed } from "../../browser.ts";
import { withSite } from "../site.ts";

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with" : "without";
  testServed(
    `the language switch shows the same page in the other language, ${how} scripts`,
    withSite,
    async (url, browser) => {
      const context = await browser.newContext({ javaScriptEnabled, locale: "en-GB" });
      const page = await context.newPage();
      await page.goto(`${url}/about`);
      assertEquals(await page.locator("h1").textContent(), "A terrace, not a feed");
      await page.getByRole("link", { name: "Português" }).click();
      await page.waitForURL(`${url}/pt-PT/about`);
      assertEquals(await page.locator("html").getAttribute("lang"), "pt-PT");
      assertEquals(await page.locator("h1").textContent(), "Um terraço, não um feed");
      await page.getByRole("link", { name: "Todos os eventos" }).first().click();
      await page.waitForURL(`${url}/pt-PT/events`);
      assertEquals(await page.locator("html").getAttribute("lang"), "pt-PT");
    },
  );
}
