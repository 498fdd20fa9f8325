import { assert, assertEquals } from "@std/assert";
import { testUnless } from "../../tools/skip.ts";
import { noChromium } from "../browser/browser.ts";
import { tryImport } from "../browser/import_site.ts";

testUnless(noChromium, {
  name: "progress: the bar of an import of 50,000 rows moves and ends",
  fn: async () => {
    const seen = await tryImport({ rows: 50_000 });
    console.log(`the bar had ${new Set(seen).size} values`);
    assert(new Set(seen).size >= 3, seen.join());
    assertEquals(seen, seen.toSorted((a, b) => a - b));
    assertEquals(seen.at(-1), 100);
  },
});
