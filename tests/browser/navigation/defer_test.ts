import { assertEquals } from "@std/assert";
import { testUnless } from "../../../tools/skip.ts";
import * as h from "../../../html/mod.ts";
import { App } from "../../../mod.ts";
import { noChromium, withBrowser } from "../browser.ts";

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Serves a page whose parts stand where few elements may: in a table and in a list. */
async function withLatePage(run: (url: string) => Promise<void>): Promise<void> {
  const app = new App({ logRequest: () => false });
  app.route({
    pattern: "/",
    page: (c) =>
      h.main(
        h.table(h.tbody(c.defer(wait(60).then(() => h.tr(h.td("late row"))), h.tr(h.td("soon"))))),
        h.ul(c.defer(wait(20).then(() => [h.li("one"), h.li("two")]), h.li("soon"))),
      ),
  });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, app.handler());
  try {
    await run(`http://127.0.0.1:${server.addr.port}/`);
  } finally {
    await server.shutdown();
  }
}

const want =
  "<table><tbody><tr><td>late row</td></tr></tbody></table><ul><li>one</li><li>two</li></ul>";

for (const javaScriptEnabled of [true, false]) {
  testUnless(noChromium, {
    name: `c.defer: the parts stand in their places ${
      javaScriptEnabled ? "under the default policy" : "behind the link, without JavaScript"
    }`,
    fn: async () => {
      await withLatePage(async (url) => {
        await withBrowser(async (browser) => {
          const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
          await page.goto(url);
          if (!javaScriptEnabled) await page.click("noscript a");
          assertEquals(await page.locator("main").innerHTML(), want);
        });
      });
    },
  });
}
