import { script, swapScript } from "../../../ui/files/mod.ts";
import { testUnless } from "../../../tools/skip.ts";
import { noBundler } from "../../cli/islands/no_bundler.ts";
import { withDev } from "../../cli/dev/project.ts";
import { noChromium, withPage } from "../browser.ts";

testUnless(noChromium ?? noBundler, {
  name: "living islands: the state and the stores survive a saved source",
  fn: async () => {
    const source = (word: string): string =>
      `import * as h from "@fw/fw/h";
import { live, store } from "@fw/fw/island";
const total = store("total", 0);
export default live({
  view: ({ count }: { count: number }) =>
    h.button(h.on("click", "add"), \`\${count} ${word} \${total.value}\`),
  add: ({ count }) => {
    total.set(total.value + 10);
    return { count: count + 1 };
  },
});
`;
    await withDev({
      "app/layout.ts": `import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
export function Layout(c: Ctx, children: Node): Node {
  return h.html(h.lang("en"), h.head(h.title("Test"), ui.navigateScript(c)), h.body(children));
}
`,
      "app/page.ts": `import type { Ctx, Node } from "@fw/fw";
export function Page(c: Ctx): Node {
  return c.island("/islands/count.js", { count: 1 });
}
`,
      "islands/count.ts": source("of"),
      "public/ui.js": script,
      "public/ui.swap.js": swapScript,
    }, (project) =>
      withPage(async (page) => {
        await page.goto(project.url);
        await page.getByText("1 of 0", { exact: true }).waitFor();
        await page.locator("[data-fw-island-state=mounted]").waitFor();
        await page.locator("button").click();
        await page.locator("button").click();
        await page.getByText("3 of 20", { exact: true }).waitFor();
        project.write("islands/count.ts", source("from"));
        await page.getByText("3 from 20", { exact: true }).waitFor();
      }));
  },
});
