/**
 * What can be wrong with a page that is shown: access, and width.
 *
 * @module
 */
// Half as long to read as what the name of the package alone stands for.
import axe from "npm:axe-core@4.14.1/axe.min.js";
import type { Page } from "./browser.ts";
import { until } from "./kit/site.ts";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The rules that depend on colours: what the others find is the same in every colour scheme. */
const colorRules = ["color-contrast", "link-in-text-block"];

/** These, and the rules that depend on where things are: the others judge what is there to be seen. */
const layoutRules = [...colorRules, "target-size", "scrollable-region-focusable"];

/**
 * What all other rules depend on: the elements, and which of them can be seen. It is kept by the document
 * itself, so that another load is judged in full. The buttons that turn a page into another look say so
 * in their attributes: each of their states is judged on the first page that shows it.
 */
const addJudged = `(() => {
  const isSeen = (one) => {
    if (!one.checkVisibility({ visibilityProperty: true })) return 0;
    const { width, height, right } = one.getBoundingClientRect();
    return width > 1 && height > 1 && right > 0 ? 2 : 1;
  };
  const seen = Array.from(document.querySelectorAll("body *"), isSeen).join("");
  const turns = Array.from(document.querySelectorAll("[data-ui-theme], [data-gallery-dir]"));
  const states = turns.map((one) => one.outerHTML);
  const html = states.reduce((html, state) => html.replace(state, ""), document.body.outerHTML);
  const key = [document.title, seen, html].join();
  const judged = globalThis.judged ??= new Set();
  const more = states.filter((state) => !known.has(state));
  const isNew = !judged.has(key) || more.length > 0;
  judged.add(key);
  for (const state of more) known.add(state);
  return { isNew, more };
})()`;

/** The states of buttons that were judged in this file of tests. */
const known = new Set<string>();

/**
 * Marks the words of a listing that look like one before them in the same listing, which are most of the
 * text of a page. Their colours are judged by that one.
 */
const markRepeated = `for (const listing of document.querySelectorAll("pre")) {
  const seen = new Set();
  for (const word of listing.querySelectorAll("code > span[class]")) {
    const isPlain = word.children.length === 0 && word.attributes.length === 1;
    if (isPlain && seen.has(word.className)) word.dataset.repeated = "";
    else seen.add(word.className);
  }
}`;

/**
 * What axe finds wrong with a page as it is now. A document of which nothing changed but colours and
 * places since it was judged is judged again by the rules that depend on them.
 *
 * @param options With `isRecolored` the page was judged before in another colour scheme, and only what
 * depends on colours is judged again. @default false
 */
export async function findFaults(
  page: Page,
  options: { readonly isRecolored?: boolean } = {},
): Promise<string[]> {
  if (!await page.evaluate("globalThis.axe !== undefined")) await addAxe(page);
  await page.evaluate(markRepeated);
  const { isNew, more } = options.isRecolored
    ? { isNew: false, more: [] }
    : await page.evaluate<{ readonly isNew: boolean; readonly more: readonly string[] }>(addJudged);
  for (const state of more) known.add(state);
  const again = options.isRecolored ? colorRules : layoutRules;
  const context = JSON.stringify({ exclude: ["[data-repeated]"] });
  const run = JSON.stringify({
    runOnly: isNew ? rules : { type: "rule", values: again },
    // What is right is not worked out in full.
    resultTypes: ["violations"],
  });
  const found: { id: string; nodes: { html: string; failureSummary: string }[] }[] = await page
    .evaluate(`axe.run(${context}, ${run}).then((found) => found.violations)`);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`)
  );
}

/** Runs the script as the browser runs those of pages, which compiles it once: `page.evaluate` never does. */
async function addAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const expression = `${axe.source}; undefined`;
  const { exceptionDetails } = await session.send("Runtime.evaluate", { expression });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
  await session.detach();
  await page.evaluate(`void (globalThis.known = new Set(${JSON.stringify([...known])}))`);
}

/** Shows a page that follows the system in another colour scheme. */
export async function recolor(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await until(
    page,
    `document.documentElement.classList.contains("dark") === ${colorScheme === "dark"}`,
  );
}

/** Ends what moves, where it would end by itself: a colour on its way is no colour to judge. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(
    "for (const one of document.getAnimations()) " +
      "if (one.effect.getComputedTiming().endTime < Infinity) one.finish()",
  );
}

/** How many pixels a page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
  return Number(
    await page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    ),
  );
}
