import { assertEquals } from "@std/assert";
import { testUnless } from "../../../../tools/skip.ts";
import { noChromium, withBrowser } from "../../../browser/browser.ts";
import { withSite } from "../real_site.ts";

testUnless(noChromium, {
  name: "Chromium signs in and out again: form-action allows the logout at the provider",
  fn: async () => {
    await withSite({ alg: "ES256" }, async ({ origin, provider, reasons }) => {
      await withBrowser(async (browser) => {
        const page = await browser.newPage();
        const blocked: string[] = [];
        page.on("console", (message) => void blocked.push(message.text()));
        await page.goto(`${origin}/account`);
        assertEquals(new URL(page.url()).origin, provider.issuer);
        await page.fill("input[name=login]", "ada");
        await page.fill("input[name=password]", "x");
        await page.click("button[type=submit]");
        await page.click("button[type=submit]");
        await page.waitForURL(`${origin}/account`);

        // A page that does not read the user keeps the default policy for forms.
        await page.goto(`${origin}/forgetful`);
        blocked.length = 0;
        await page.click("button");
        while (!blocked.join().includes("form-action")) await page.waitForTimeout(20);
        assertEquals(page.url(), `${origin}/forgetful`);

        await page.goto(`${origin}/account`);
        assertEquals(page.url(), `${origin}/account`);
        blocked.length = 0;
        await page.click("button");
        await page.waitForURL(`${provider.issuer}/session/end**`);
        assertEquals(blocked.filter((text) => text.includes("form-action")), []);
        await page.click("button[name=logout]");
        await page.waitForURL(`${origin}/`);
        assertEquals(reasons, []);
      });
    });
  },
});
