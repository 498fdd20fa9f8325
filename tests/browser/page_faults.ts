/** Faults of a displayed page: accessibility and width. */
// The minified file loads twice as fast as the package's entry.
import axe from "npm:axe-core@4.14.1/axe.min.js";
import type { Page } from "./browser.ts";
import { until } from "./kit/site.ts";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The rules that depend on colours; the others give the same results in every colour scheme. */
const colorRules = ["color-contrast", "link-in-text-block"];

/**
 * Marks repeated words of a code listing, which are most of a page's text. The first one with the
 * same look is checked for them.
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
 * The rules that check every element skip repeated words by selector: excluding them from the
 * context compares each element with each of them.
 */
const settings = {
  rules: [
    { id: "color-contrast", selector: "*:not([data-repeated])" },
    { id: "target-size", selector: "*:not([data-repeated])" },
    { id: "scrollable-region-focusable", selector: "*:not(select,textarea,[data-repeated])" },
    { id: "region", selector: "body *:not([data-repeated])" },
  ],
  // Otherwise axe writes out the text of every element, not only of those with a fault.
  noHtml: true,
};

/**
 * Returns axe's findings for the current state of a page.
 *
 * @param options With `isRecolored` the page was judged before in another colour scheme, and only the
 * rules about colours are checked again. @default false
 */
export async function findFaults(
  page: Page,
  options: { readonly isRecolored?: boolean } = {},
): Promise<string[]> {
  if (await page.evaluate("globalThis.axe === undefined")) await addAxe(page);
  const runOnly = options.isRecolored ? { type: "rule", values: colorRules } : rules;
  return await page.evaluate<string[]>(`(async () => {
    ${markRepeated}
    const { violations } = await axe.run({
      runOnly: ${JSON.stringify(runOnly)},
      // Passed rules need no details.
      resultTypes: ["violations"],
      elementRef: true,
    });
    const faults = violations.flatMap(({ id, nodes }) => nodes.map(({ element, failureSummary }) =>
      id + ": " + element.outerHTML.slice(0, 300) + " " + failureSummary));
    // axe treats a control as no target once it is almost zero pixels wide.
    const squeezed = Array.from(document.querySelectorAll(":is(a, button, summary) > svg"))
      .filter((icon) => icon.checkVisibility({ visibilityProperty: true }) &&
        icon.parentElement.checkVisibility({ visibilityProperty: true }) &&
        icon.getBoundingClientRect().width < 8)
      .map((icon) => "squeezed: " + icon.parentElement.outerHTML.slice(0, 300));
    return [...faults, ...squeezed];
  })()`);
}

/**
 * Runs the script as a page's own, which is compiled once; `page.evaluate` compiles it each time.
 */
async function addAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const expression = `${axe.source};
    axe.configure(${JSON.stringify(settings)});
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

/** Finishes finite animations, because a colour in transition cannot be checked. */
export async function settle(page: Page): Promise<void> {
  // The end of an element's transition starts those of inheriting elements.
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
