import { assertEquals } from "@std/assert";
import { testUnless } from "../../tools/skip.ts";
import { scaffoldProject } from "../../cli/scaffold/project.ts";
import { style as kit, theme } from "../../ui/files/mod.ts";
import { noChromium, type Page, withPage } from "./browser.ts";

const starter = scaffoldProject("x").find(({ file }) => file === "public/style.css")?.text ?? "";

const parts = `
<main><h1>Title</h1><p><a href="/">plain</a> <code>code</code></p><pre>text</pre>
<a class="ui-button ui-primary" href="/">link</a>
<button class="ui-button ui-primary">go</button><button class="ui-button ui-outline">no</button>
<div class="ui-card"><p>card</p></div>
<form class="ui-form"><div class="ui-field"><label for="a">A</label><input class="ui-input" id="a">
<textarea class="ui-textarea"></textarea></div></form></main>`;

const looks = `
  color background-color border-color border-radius padding margin font-size font-weight display
  width outline
`.trim().split(/\s+/);

async function looksOf(
  page: Page,
  { sheets, body = "" }: { readonly sheets: readonly string[]; readonly body?: string },
): Promise<string[]> {
  const styles = sheets.map((text) => `<style>${text}</style>`).join("");
  await page.setContent(
    `<!doctype html><html lang="en"><head>${styles}</head><body class="${body}">${parts}</body></html>`,
  );
  return await page.evaluate(`[...document.querySelectorAll("body *")].map((element) =>
    element.tagName + "." + element.className + " " + ${JSON.stringify(looks)}.map((name) =>
      name + "=" + getComputedStyle(element).getPropertyValue(name)).join("; "))`);
}

const orders: [name: string, sheets: readonly string[]][] = [
  ["before", [starter, theme, kit]],
  ["after", [theme, kit, starter]],
];

for (const [order, sheets] of orders) {
  testUnless(noChromium, {
    name: `the starter's style ${order} the kit's: the kit's pages look the same as without it`,
    fn: () =>
      withPage(async (page) => {
        for (const scheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme: scheme });
          assertEquals(
            await looksOf(page, { sheets, body: "ui-body" }),
            await looksOf(page, { sheets: [theme, kit], body: "ui-body" }),
          );
        }
      }),
  });
  testUnless(noChromium, {
    name: `the starter's style ${order} the kit's: a filled button keeps its colours in any body`,
    fn: () =>
      withPage(async (page) => {
        const colours = async (all: readonly string[]): Promise<string[]> =>
          (await looksOf(page, { sheets: all })).filter((line) => line.includes("ui-primary")).map(
            (line) => line.split("border-radius")[0] ?? "",
          );
        const mixed = await colours(sheets);
        assertEquals(mixed.length, 2);
        assertEquals(mixed, await colours([theme, kit]));
      }),
  });
}

Deno.test("the starter's style shares no variable with the theme and lies entirely in its layer", () => {
  const own = new Set([...starter.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  const themes = [...`${theme}${kit}`.matchAll(/(--[\w-]+)\b/g)].map(([, name]) => name);
  assertEquals(themes.filter((name) => own.has(name)), []);
  const outside = starter.replace(/\/\*[\s\S]*?\*\//g, "").replace(
    /^@layer starter \{[\s\S]*?^\}$/m,
    "",
  );
  assertEquals(outside.trim(), "@layer starter, ui;");
});
