import { assertEquals } from "@std/assert";
import { testUnless } from "../../tools/skip.ts";
import { noChromium, type Page, withPage } from "./browser.ts";
import { findFaults } from "./page_faults.ts";

const wide = { width: 1_280, height: 900 };
const narrow = { width: 360, height: 740 };

type Turn = (page: Page) => Promise<void>;

const darken: Turn = (page) => page.emulateMedia({ colorScheme: "dark" });
const shrink: Turn = (page) => page.setViewportSize(narrow);

/** Clicks the button of the page, which has a name and no fault. */
const press: Turn = (page) => page.evaluate<void>("document.querySelector('#press').click()");

/**
 * The first look of a page. Words have more than one letter: axe leaves the contrast of a single one to
 * the eye.
 */
const firstRows: readonly (readonly [name: string, html: string, rules: readonly string[]])[] = [
  ["a clean page", `<p>Words <a href="/">and a link</a></p><button>Save</button>`, []],
  ["low contrast", `<p class="pale">Words</p>`, ["color-contrast"]],
  ["a button without a name", `<button></button>`, ["button-name"]],
  ["a field without a name", `<input>`, ["label"]],
  ["a link without a name", `<a href="/"></a>`, ["link-name"]],
  ["an image without a text", `<img src="data:,">`, ["image-alt"]],
  ["targets too small", `<div class="small">${targets()}</div>`, ["target-size", "target-size"]],
  [
    "an icon without room",
    `<button aria-label="Act"><svg aria-hidden="true" width="2" height="9"></svg></button>`,
    ["squeezed"],
  ],
  [
    "a low contrast beside an empty span",
    `<p><span class="ui-spacer"></span><b class="pale">Words</b></p>`,
    ["color-contrast"],
  ],
  [
    "a button without a name beside a drawing",
    `<svg aria-hidden="true"><path d="M0 0h9"></path></svg><button></button>`,
    ["button-name"],
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
const secondRows: readonly {
  readonly name: string;
  readonly html: string;
  readonly turn: Turn;
  readonly isRecolored?: boolean;
  readonly rules: readonly string[];
}[] = [
  { name: "a clean page", html: `<p>Words</p>`, turn: darken, rules: [] },
  {
    name: "low contrast in the dark",
    html: `<p class="pale-dark">Words</p>`,
    turn: darken,
    rules: ["color-contrast"],
  },
  {
    name: "low contrast in the dark, colours only",
    html: `<p class="pale-dark">Words</p>`,
    turn: darken,
    isRecolored: true,
    rules: ["color-contrast"],
  },
  {
    name: "a word of a listing in the dark, colours only",
    html: `<pre><code><span class="pale-dark">let</span></code></pre>`,
    turn: darken,
    isRecolored: true,
    rules: ["color-contrast"],
  },
  {
    name: "targets too small in a narrow window",
    html: `<div class="small-narrow">${targets()}</div>`,
    turn: shrink,
    rules: ["target-size", "target-size"],
  },
  {
    name: "targets too small in a narrow window, colours only",
    html: `<div class="small-narrow">${targets()}</div>`,
    turn: shrink,
    isRecolored: true,
    rules: [],
  },
  {
    name: "a button without a name that a narrow window shows",
    html: `<button class="narrow-only"></button>`,
    turn: shrink,
    rules: ["button-name"],
  },
  {
    name: "a button without a name that a narrow window shows beside an empty span",
    html: `<span class="ui-spacer narrow-only"></span><button class="narrow-only"></button>`,
    turn: shrink,
    rules: ["button-name"],
  },
  {
    name: "low contrast beside an empty span and a drawing that a narrow window shows",
    html: `<span class="ui-spacer narrow-only"></span>
    <svg class="narrow-only" aria-hidden="true"><path d="M0 0h9"></path></svg>
    <p class="pale-narrow">Words</p>`,
    turn: shrink,
    rules: ["color-contrast"],
  },
  {
    name: "an empty span in a list that a narrow window shows",
    html: `<ul><li>One</li><span class="narrow-only"></span></ul>`,
    turn: shrink,
    rules: ["list"],
  },
  {
    name: "a link in a hidden drawing that a narrow window shows",
    html: `<svg class="narrow-only" aria-hidden="true"><a href="/"><text y="20">x</text></a></svg>`,
    turn: shrink,
    rules: ["aria-hidden-focus"],
  },
  {
    name: "a name that a script takes away",
    html: pressing(
      `<button aria-label="Save" id="target"></button>`,
      "removeAttribute('aria-label')",
    ),
    turn: press,
    rules: ["button-name"],
  },
  {
    name: "a state of the button for the theme that has no name",
    html: pressing(
      `<button data-ui-theme="light" aria-label="Theme" id="target"></button>`,
      "removeAttribute('aria-label')",
    ),
    turn: press,
    rules: ["button-name"],
  },
];

function targets(): string {
  return `<button aria-label="One"></button><button aria-label="Two"></button>`;
}

/** Adds a button that changes the element `target`. */
function pressing(html: string, change: string): string {
  return `${html}<button id="press" onclick="target.${change}">Change</button>`;
}

const style = `
button, .ui-spacer { display: inline-block; min-width: 30px; min-height: 30px; color: #000 }
.pale { color: #ccc }
.name { color: #333 }
.small { font-size: 0 }
.small button { min-width: 0; min-height: 0; width: 10px; height: 10px; padding: 0; border: 0; margin: 0 }
@media (prefers-color-scheme: dark) { .pale-dark { color: #ccc } }
@media (min-width: 600px) { .narrow-only { display: none } }
@media (max-width: 599px) {
  .pale-narrow { color: #ccc }
  .small-narrow { font-size: 0 }
  .small-narrow button {
    min-width: 0; min-height: 0; width: 10px; height: 10px; padding: 0; border: 0; margin: 0;
  }
}`;

/** Opens a document of its own: to set the content of a page keeps the marks of what was judged. */
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
      for (const { name, html, turn, isRecolored, rules } of secondRows) {
        await t.step(name, async () => {
          await open(page, html);
          assertEquals(await findRules(page), []);
          await turn(page);
          assertEquals(await findRules(page, isRecolored), rules);
        });
      }
    }),
});
