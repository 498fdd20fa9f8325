import { assert } from "@std/assert";
import { must } from "../../tmpl/mod.ts";

Deno.test("the templates of the guide parse and escape without errors", async () => {
  const guide = await Deno.readTextFile(new URL("../../docs/templates.md", import.meta.url));
  const blocks = [...guide.matchAll(/^```html\n([^]*?)^```$/gm)].map(([, text = ""]) => text);
  assert(blocks.length > 0);
  for (const [i, text] of blocks.entries()) {
    assert(must({ [`${i}.html`]: text }).names.includes(`${i}.html`), text);
  }
});
