import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { testUnless } from "../../../tools/skip.ts";
import * as h from "../../../html/mod.ts";
import { App } from "../../../mod.ts";
import { noChromium, withPage } from "../browser.ts";
import { withStaticHost } from "../static_host.ts";

const module = `import "./shared.js";
export default (el, { name }) => void (el.textContent = "mounted " + name);
`;

testUnless(noChromium, {
  name: "islands: mounted in an exported site whose policy contains the script's hash",
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const [files, out] = [join(folder, "public"), join(folder, "out")];
    await Deno.mkdir(join(files, "islands"), { recursive: true });
    await Deno.writeTextFile(join(files, "favicon.ico"), "");
    await Deno.writeTextFile(join(files, "islands/hello.js"), module);
    await Deno.writeTextFile(join(files, "islands/shared.js"), "export {};\n");
    const app = new App({ public: files, logRequest: () => false });
    app.route({
      pattern: "/deep/page",
      page: (c) =>
        h.main(
          c.island("/islands/hello.js", { name: "now" }, "fallback"),
          c.defer(
            Promise.resolve().then(() => c.island("/islands/hello.js", { name: "late" })),
            "…",
          ),
        ),
    });
    await app.export(out);
    try {
      await withStaticHost(out, ({ url }) =>
        withPage(async (page) => {
          const errors: string[] = [];
          page.on("console", (message) => {
            if (message.type() === "error") errors.push(message.text());
          });
          const answer = await page.goto(`${url}/deep/page/`);
          assertStringIncludes(await answer?.text() ?? "", "'sha256-");
          await page.getByText("mounted now").waitFor();
          await page.getByText("mounted late").waitFor();
          assertEquals(errors, []);
        }));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
