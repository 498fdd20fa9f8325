/** What can be wrong with a page that is shown: access, and width. */
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
 * in their attributes: each of their states is judged on the first page that shows it. Whether an
 * empty span or a drawing without a name is seen changes nothing, where no list counts its children: one
 * holds no text, the other is for eyes alone.
 */
const addJudged = `(() => {
  const isSeen = (one) => {
    if (!one.checkVisibility({ visibilityProperty: true })) return 0;
    const { width, height, right } = one.getBoundingClientRect();
    return width > 1 && height > 1 && right > 0 ? 2 : 1;
  };
  const isCounted = (one) => one.parentElement.matches("ul, ol, dl, [role]");
  const isEmpty = (one) => !one.hasChildNodes() &&
    one.getAttributeNames().every((name) => name === "class");
  const isDrawing = (one) => !one.matches("[tabindex], [role]") &&
    one.querySelector("a, [tabindex], [role], text, foreignObject") === null;
  const idle = new Set([
    ...Array.from(document.querySelectorAll("span")).filter(isEmpty),
    ...Array.from(document.querySelectorAll("svg[aria-hidden=true]")).filter(isDrawing),
  ].filter((one) => !isCounted(one)).flatMap((one) => [one, ...one.querySelectorAll("*")]));
  const seen = Array.from(document.querySelectorAll("body *"))
    .filter((one) => !idle.has(one)).map(isSeen).join("");
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
 * The rules that ask every element pass over repeated words by their selectors: to leave words out of
 * the context instead compares each element with each of them.
 */
const settings = {
  rules: [
    { id: "color-contrast", selector: "*:not([data-repeated])" },
    { id: "target-size", selector: "*:not([data-repeated])" },
    { id: "scrollable-region-focusable", selector: "*:not(select,textarea,[data-repeated])" },
    { id: "region", selector: "body *:not([data-repeated])" },
  ],
  // Else the text of each element is written out, not only of those with a fault.
  noHtml: true,
};

/** What one run of axe found. */
interface Judged {
  readonly faults: string[];
  /** The states of buttons that it was the first to judge. */
  readonly more: readonly string[];
}

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
  const judge = judgeBy(options.isRecolored ? colorRules : layoutRules, {
    isNew: options.isRecolored ? "{ isNew: false, more: [] }" : addJudged,
  });
  let judged = await page.evaluate<Judged | undefined>(judge);
  if (judged === undefined) {
    await addAxe(page);
    judged = await page.evaluate<Judged>(judge);
  }
  for (const state of judged.more) known.add(state);
  return judged.faults;
}

/**
 * The expression that judges a page, `undefined` where the script that judges is missing.
 *
 * @param again The rules for a document that was judged before.
 * @param options `isNew` is the expression that says whether it was.
 */
function judgeBy(again: readonly string[], options: { readonly isNew: string }): string {
  return `globalThis.axe === undefined ? undefined : (async () => {
    ${markRepeated}
    const { isNew, more } = ${options.isNew};
    const { violations } = await axe.run({
      runOnly: isNew ? ${JSON.stringify(rules)} : { type: "rule", values: ${
    JSON.stringify(again)
  } },
      // What is right is not worked out in full.
      resultTypes: ["violations"],
      elementRef: true,
    });
    const faults = violations.flatMap(({ id, nodes }) => nodes.map(({ element, failureSummary }) =>
      id + ": " + element.outerHTML.slice(0, 300) + " " + failureSummary));
    // axe takes a control for one that nobody aims at once next to nothing of it is left.
    const squeezed = Array.from(document.querySelectorAll(":is(a, button, summary) > svg"))
      .filter((icon) => icon.checkVisibility({ visibilityProperty: true }) &&
        icon.parentElement.checkVisibility({ visibilityProperty: true }) &&
        icon.getBoundingClientRect().width < 8)
      .map((icon) => "squeezed: " + icon.parentElement.outerHTML.slice(0, 300));
    return { faults: [...faults, ...squeezed], more };
  })()`;
}

/** Runs the script as the browser runs those of pages, which compiles it once: `page.evaluate` never does. */
async function addAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const expression = `${axe.source};
    axe.configure(${JSON.stringify(settings)});
    globalThis.known = new Set(${JSON.stringify([...known])});
    undefined`;
  const { exceptionDetails } = await session.send("Runtime.evaluate", { expression });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
  await session.detach();
}

export async function recolor(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await until(
    page,
    `document.documentElement.classList.contains("dark") === ${colorScheme === "dark"}`,
  );
}

/** Ends what moves, where it would end by itself: a colour on its way is not a colour to judge. */
export async function settle(page: Page): Promise<void> {
  // The end of a transition of an element starts those of elements that inherit from it.
  await page.evaluate(`(() => {
    const moving = () => document.getAnimations().filter((one) =>
      one.playState !== "finished" && one.effect.getComputedTiming().endTime < Infinity);
    for (let found = moving(); found.length > 0; found = moving()) {
      for (const one of found) one.finish();
    }
  })()`);
}

export async function overflow(page: Page): Promise<number> {
  return Number(
    await page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    ),
  );
}
