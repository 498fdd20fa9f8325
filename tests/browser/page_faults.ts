/**
 * What can be wrong with a page that is shown: access, and width.
 *
 * @module
 */
import axe from "npm:axe-core@4.14.1";
import type { Page } from "./browser.ts";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe finds wrong with a page as it is now. */
export async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // What is right is not worked out in full.
  const options = JSON.stringify({ runOnly: rules, resultTypes: ["violations"] });
  const found: { id: string; nodes: { html: string; failureSummary: string }[] }[] = await page
    .evaluate(`axe.run(${options}).then((found) => found.violations)`);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`)
  );
}

/** Waits until nothing moves any more: a colour on its way is no colour to judge. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(
    "Promise.allSettled(document.getAnimations().filter(({ effect }) => " +
      "effect.getComputedTiming().iterations < Infinity).map(({ finished }) => finished))",
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
