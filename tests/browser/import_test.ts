import { assert, assertEquals } from "@std/assert";
import { testUnless } from "../../tools/skip.ts";
import { noChromium } from "./browser.ts";
import { readWithoutScript, tryImport } from "./import_site.ts";
import { until } from "./kit/site.ts";

testUnless(noChromium, {
  name: "progress: the bar of an import moves and ends; without a script the page shows the state",
  fn: async () => {
    const seen = await tryImport({
      rows: 2_000,
      atHalf: async (page, url) => {
        await until(page, "document.querySelector('#import progress').value === 50");
        const browser = page.context().browser();
        assert(browser !== null);
        assertEquals(await readWithoutScript(browser, url), "1000 of 2000 rows");
      },
    });
    assert(seen.includes(50) && seen.at(-1) === 100, seen.join());
  },
});
