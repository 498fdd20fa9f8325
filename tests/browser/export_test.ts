import { assert, assertEquals } from "@std/assert";
import { newFolder } from "../new_folder.ts";
import { join } from "@std/path";
import { testUnless } from "../../tools/skip.ts";
import * as h from "../../html/mod.ts";
import { type Ctx, type Node, nonceAttr, type Route } from "../../mod.ts";
import { anyHref, newSite } from "../runtime/app/support.ts";
import { noChromium, type Page, withBrowser } from "./browser.ts";
import { withStaticHost } from "./static_host.ts";

const script = "\r\ndocument.title = 'inline <é> ran';\r\n";

/** A page with each kind of code that a nonce allows, and one without a nonce. */
function codePage(c: Ctx): Node {
  return h.html(
    h.head(
      h.meta(h.charset("utf-8")),
      h.link(h.rel("icon"), h.href("data:image/png,")),
      h.title("none"),
      h.style(nonceAttr(c), h.raw("p { color: rgb(1, 2, 3) }")),
    ),
    h.body(
      h.p(h.id("p"), "text"),
      c.defer(
        Promise.resolve().then(() =>
          h.div(h.p(h.id("late"), "late"), c.island("/island.js", { name: "late" }))
        ),
        "waiting",
      ),
      h.script(nonceAttr(c), h.raw(script)),
      h.script(nonceAttr(c), h.type("importmap"), h.raw(`{"imports":{"m":"${c.base}/m.js"}}`)),
      h.script(
        nonceAttr(c),
        h.type("module"),
        h.raw('import { ok } from "m"; window.module = ok;'),
      ),
      h.script(h.src(c.asset("/plain.js"))),
      h.script(h.raw("window.evil = true;")),
      c.island("/island.js", { name: "ada" }, h.b("fallback")),
      h.a(h.href(anyHref(c, "/next")), "next"),
    ),
  );
}

const files: Readonly<Record<string, string>> = {
  "m.js": "export const ok = 'module ran';",
  "plain.js": "window.plain = 'file ran';",
  "island.js":
    "import './m.js';\nexport default (el, { name }) => { el.textContent = `hello ${name}`; };",
};

async function withSite(
  basePath: string,
  run: (page: Page, site: { readonly url: string; readonly messages: string[] }) => Promise<void>,
): Promise<void> {
  await using folder = await newFolder();
  const root = folder.path;
  const publicFolder = join(root, "public");
  await Deno.mkdir(publicFolder);
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(publicFolder, name), text);
  }
  const routes: Route[] = [
    { pattern: "/", page: codePage },
    {
      pattern: "/next",
      page: () => h.html(h.head(h.link(h.rel("icon"), h.href("data:image/png,"))), h.body("next")),
    },
  ];
  const { app } = newSite(routes, { config: { public: publicFolder, basePath } });
  // A host serves the site below the base path.
  const dist = join(root, "dist");
  await app.export(join(dist, basePath));
  await withStaticHost(dist, ({ url }) =>
    withBrowser(async (browser) => {
      const page = await browser.newPage();
      const messages: string[] = [];
      page.on("console", (message) => messages.push(message.text()));
      page.on("pageerror", (error) => messages.push(error.message));
      await run(page, { url: url + basePath, messages });
    }));
}

testUnless(noChromium, {
  name:
    "export: below a base path links work, scripts with a nonce run by their hash and no others",
  fn: () =>
    withSite("/docs", async (page, { url, messages }) => {
      await page.goto(`${url}/`, { waitUntil: "load" });
      await page.getByText("hello ada").waitFor();
      await page.getByText("hello late").waitFor();
      assertEquals(await page.title(), "inline <é> ran");
      assertEquals(await page.evaluate("[window.module, window.plain, window.evil]"), [
        "module ran",
        "file ran",
        undefined,
      ]);
      assertEquals(
        await page.evaluate("getComputedStyle(document.getElementById('p')).color"),
        "rgb(1, 2, 3)",
      );
      assertEquals(await page.locator("#late").innerText(), "late");
      // Only the code without a nonce is refused.
      assertEquals(messages.length, 1, messages.join("\n"));
      assert(/inline script/.test(messages[0] ?? ""), messages[0]);
      await page.getByText("next").click();
      await page.waitForURL(`${url}/next/`);
    }),
});
