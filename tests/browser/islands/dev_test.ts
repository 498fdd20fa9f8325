import { testUnless } from "../../../tools/skip.ts";
import { noBundler } from "../../cli/islands/no_bundler.ts";
import { withDev } from "../../cli/dev/project.ts";
import { noChromium, withPage } from "../browser.ts";

testUnless(noChromium ?? noBundler, {
  name: "islands: a page that is open follows a saved source",
  fn: async () => {
    const source = (text: string): string =>
      `/// <reference lib="dom" />
export default (el: HTMLElement): void => void (el.textContent = "${text}");
`;
    await withDev({
      "app/page.ts": `import type { Ctx, Node } from "@fw/fw";
export function Page(c: Ctx): Node {
  return c.island("/islands/hello.js", {}, "fallback");
}
`,
      "islands/hello.ts": source("one"),
    }, async (project) => {
      await withPage(async (page) => {
        await page.goto(project.url);
        await page.getByText("one", { exact: true }).waitFor();
        project.write("islands/hello.ts", source("two"));
        await page.getByText("two", { exact: true }).waitFor();
        project.write("islands/hello.ts", `${source("two")}const x = = 1;\n`);
        await page.getByText("The islands cannot be bundled").waitFor();
        project.write("islands/hello.ts", source("three"));
        await page.getByText("three", { exact: true }).waitFor();
      });
    });
  },
});
