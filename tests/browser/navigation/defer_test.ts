import { assertEquals } from "@std/assert";
import { h, pageRoute, testInBrowser, type TrialRow } from "../kit/site.ts";

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A page whose parts are in places that allow few elements: a table and a list. */
const latePage = pageRoute("/", (c) => [
  h.table(h.tbody(c.defer(wait(60).then(() => h.tr(h.td("late row"))), h.tr(h.td("soon"))))),
  h.ul(c.defer(wait(20).then(() => [h.li("one"), h.li("two")]), h.li("soon"))),
]);

const want =
  "<table><tbody><tr><td>late row</td></tr></tbody></table><ul><li>one</li><li>two</li></ul>";

testInBrowser(
  "c.defer: every part appears in its place",
  [true, false].map((hasScript): TrialRow => ({
    name: hasScript ? "under the default policy" : "behind the link, without JavaScript",
    hasScript,
    isApart: !hasScript,
    routes: [latePage],
    run: async ({ page, open }) => {
      await open("/");
      if (!hasScript) await page.click("noscript a");
      assertEquals(await page.locator("main").innerHTML(), want);
    },
  })),
);
