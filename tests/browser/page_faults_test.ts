import { assertEquals } from "@std/assert";
import { testUnless } from "../../tools/skip.ts";
import { noChromium, type Page, withPage } from "./browser.ts";
import { findFaults } from "./page_faults.ts";

/**
 * The expected faults. Words have several letters, because axe does not judge the contrast of a
 * single one.
 */
const rows: readonly (readonly [name: string, html: string, rules: readonly string[]])[] = [
  ["a clean page", `<p>Words <a href="/">and a link</a></p><button>Save</button>`, []],
  ["low contrast", `<p class="pale">Words</p>`, ["color-contrast"]],
  ["a button without a name", `<button></button>`, ["button-name"]],
  ["targets too small", `<div class="small">${targets()}</div>`, ["target-size", "target-size"]],
  [
    "an icon without space",
    `<button aria-label="Act"><svg aria-hidden="true" width="2" height="9"></svg></button>`,
    ["squeezed"],
  ],
  [
    "a word of a listing",
    `<pre><code><span class="name">let</span> <span class="pale">total</span></code></pre>`,
    ["color-contrast"],
  ],
];

function targets(): string {
  return `<button aria-label="One"></button><button aria-label="Two"></button>`;
}

const style = `
button { display: inline-block; min-width: 30px; min-height: 30px; color: #000 }
.pale { color: #ccc }
.name { color: #333 }
.small { font-size: 0 }
.small button { min-width: 0; min-height: 0; width: 10px; height: 10px; padding: 0; border: 0; margin: 0 }`;

async function open(page: Page, html: string): Promise<void> {
  await page.setViewportSize({ width: 1_280, height: 900 });
  const document = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title>
    <meta name="viewport" content="width=device-width"><style>${style}</style>
    <body style="background:#fff;color:#000"><main><h1>Page</h1>${html}</main>`;
  await page.goto(`data:text/html,${encodeURIComponent(document)}`);
}

async function findRules(page: Page): Promise<string[]> {
  const faults = await findFaults(page);
  return faults.map((fault) => fault.slice(0, fault.indexOf(":"))).toSorted();
}

testUnless(noChromium, {
  name: "findFaults: reports faults of a page",
  fn: (t) =>
    withPage(async (page) => {
      for (const [name, html, rules] of rows) {
        await t.step(name, async () => {
          await open(page, html);
          assertEquals(await findRules(page), rules);
        });
      }
    }),
});
