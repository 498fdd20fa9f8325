import { assertEquals } from "@std/assert";
import { testUnless } from "../../tools/skip.ts";
import { noChromium, type Page, withPage } from "./browser.ts";
import { findFaults } from "./page_faults.ts";

const wide = { width: 1_280, height: 900 };
const narrow = { width: 360, height: 740 };

type Turn = (page: Page) => Promise<void>;

const darken: Turn = (page) => page.emulateMedia({ colorScheme: "dark" });
const shrink: Turn = (page) => page.setViewportSize(narrow);

/**
 * The first look of a page. Words have more than one letter: axe leaves the contrast of a single one to
 * the eye.
 */
const firstRows: readonly (readonly [name: string, html: string, rules: readonly string[]])[] = [
  ["a clean page", `<p>Words <a href="/">and a link</a></p><button>Save</button>`, []],
  ["low contrast", `<p class="pale">Words</p>`, ["color-contrast"]],
  ["a button without a name", `<button></button>`, ["button-name"]],
  ["targets too small", `<div class="small">${targets()}</div>`, ["target-size", "target-size"]],
  [
    "an icon without room",
    `<button aria-label="Act"><svg aria-hidden="true" width="2" height="9"></svg></button>`,
    ["squeezed"],
  ],
  [
    "a word of a listing",
    `<pre><code><span class="name">let</span> <span class="pale">total</span></code></pre>`,
    ["color-contrast"],
  ],
  [
    "words of a listing that look the same, which are one fault",
    `<pre><code><span class="pale">let</span> <span class="pale">total</span></code></pre>`,
    ["color-contrast"],
  ],
  [
    "a word of a listing with a colour of its own",
    `<pre><code><span class="name">let</span> <span class="name" style="color:#ccc">total</span></code></pre>`,
    ["color-contrast"],
  ],
  [
    "a word of a second listing on another ground",
    `<pre><code><span class="name">let</span></code></pre>
    <pre style="background:#222"><code><span class="name">let</span></code></pre>`,
    ["color-contrast"],
  ],
];

/** A page that is whole in its first look, and what is found in the second. */
const secondRows: readonly (readonly [
  name: string,
  html: string,
  turn: Turn,
  isRecolored: boolean,
  rules: readonly string[],
])[] = [
  ["low contrast", `<p class="pale-dark">Words</p>`, darken, true, ["color-contrast"]],
  [
    "low contrast in a listing",
    `<pre><code><span class="pale-dark">let</span></code></pre>`,
    darken,
    true,
    ["color-contrast"],
  ],
  [
    "targets too small in a narrow window, in full",
    `<div class="small-narrow">${targets()}</div>`,
    shrink,
    false,
    ["target-size", "target-size"],
  ],
  [
    "targets too small in a narrow window, colours only",
    `<div class="small-narrow">${targets()}</div>`,
    shrink,
    true,
    [],
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
.small button { min-width: 0; min-height: 0; width: 10px; height: 10px; padding: 0; border: 0; margin: 0 }
@media (prefers-color-scheme: dark) { .pale-dark { color: #ccc } }
@media (max-width: 599px) {
  .small-narrow { font-size: 0 }
  .small-narrow button {
    min-width: 0; min-height: 0; width: 10px; height: 10px; padding: 0; border: 0; margin: 0;
  }
}`;

async function open(page: Page, html: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(wide);
  const document = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title>
    <meta name="viewport" content="width=device-width"><style>${style}</style>
    <body style="background:#fff;color:#000"><main><h1>Page</h1>${html}</main>`;
  await page.goto(`data:text/html,${encodeURIComponent(document)}`);
}

async function findRules(page: Page, isRecolored = false): Promise<string[]> {
  const faults = await findFaults(page, { isRecolored });
  return faults.map((fault) => fault.slice(0, fault.indexOf(":"))).toSorted();
}

testUnless(noChromium, {
  name: "findFaults: what is wrong with a page",
  fn: (t) =>
    withPage(async (page) => {
      for (const [name, html, rules] of firstRows) {
        await t.step(name, async () => {
          await open(page, html);
          assertEquals(await findRules(page), rules);
        });
      }
    }),
});

testUnless(noChromium, {
  name: "findFaults: what is wrong only with the second look of a document",
  fn: (t) =>
    withPage(async (page) => {
      for (const [name, html, turn, isRecolored, rules] of secondRows) {
        await t.step(name, async () => {
          await open(page, html);
          assertEquals(await findRules(page), []);
          await turn(page);
          assertEquals(await findRules(page, isRecolored), rules);
        });
      }
    }),
});
