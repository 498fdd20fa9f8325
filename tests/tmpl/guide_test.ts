import { assert, assertEquals } from "@std/assert";
import { inspectTemplates } from "../../tmpl/syntax.ts";

Deno.test("the templates of the guide can be parsed and escaped", async () => {
  const guide = await Deno.readTextFile(new URL("../../docs/templates.md", import.meta.url));
  const blocks = [...guide.matchAll(/^```html\n([^]*?)^```$/gm)].map(([, text = ""]) => text);
  assert(blocks.length > 0);
  for (const [i, text] of blocks.entries()) {
    const { faults, trees } = inspectTemplates({ [`${i}.html`]: text }, { functions: {} });
    assertEquals(faults, []);
    assert(trees.get(`${i}.html`)?.root.nodes.some(({ kind }) => kind === "range"), text);
  }
});
