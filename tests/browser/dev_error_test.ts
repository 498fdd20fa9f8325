import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { testUnless } from "../../tools/skip.ts";
import { pageSaying, withDev } from "../cli/dev/project.ts";
import { noChromium, type Page, withBrowser } from "./browser.ts";

const hostile = "</pre><img src=x onerror='globalThis.pwned = 1'><script>pwned = 1</script>";

const failingPage = `import type { Node } from "@fw/fw";

export function Page(): Node {
  throw new TypeError(${JSON.stringify(hostile)}, { cause: new Error("the reason") });
}
`;

testUnless(noChromium, {
  name: "a page that throws shows its code, in both colour schemes and widths, until the fix",
  fn: () =>
    withDev({ "app/page.ts": failingPage }, (project) =>
      withBrowser(async (browser) => {
        for (const colorScheme of ["light", "dark"] as const) {
          const context = await browser.newContext({ colorScheme });
          const page = await context.newPage();
          const breaches = watchBreaches(page);
          for (const width of [360, 1280]) {
            await page.setViewportSize({ width, height: 800 });
            await page.goto(project.url);
            assertEquals(await page.innerText("h1"), hostile);
            assertEquals(await page.locator(".place").first().innerText(), "app/page.ts:4:9");
            assertStringIncludes(await page.locator(".marked").first().innerText(), "throw new");
            assertEquals(await page.evaluate("globalThis.pwned"), undefined);
            const overflow = await page.evaluate(
              "document.documentElement.scrollWidth - innerWidth",
            );
            assertEquals(overflow, 0, `no sideways scroll at ${width}`);
          }
          const [paper, card] = await Promise.all(
            ["body", ".problem"].map((name) => paint(page, name)),
          );
          assertEquals(
            [paper, card],
            colorScheme === "light"
              ? ["rgb(246, 247, 249)", "rgb(255, 255, 255)"]
              : ["rgb(18, 21, 27)", "rgb(26, 31, 40)"],
          );
          assertEquals(breaches, []);
          await context.close();
        }
        const page = await browser.newPage();
        await page.goto(project.url);
        assert(await page.getByText("Error: the reason").first().isVisible());
        assert(!await page.getByText("@fw/fw/runtime").first().isVisible());
        project.write("app/page.ts", pageSaying("fixed"));
        await page.locator("h1", { hasText: /^fixed$/ }).waitFor();
      })),
});

function watchBreaches(page: Page): readonly string[] {
  const breaches: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) breaches.push(message.text());
  });
  return breaches;
}

async function paint(page: Page, selector: string): Promise<unknown> {
  return await page.evaluate(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`,
  );
}
