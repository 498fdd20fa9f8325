/**
 * Tabs in the background. All pages of a headless Chromium are visible, and its protocol cannot
 * hide one, so this sets the state that scripts read.
 */
import type { Browser, BrowserContext, Page } from "./browser.ts";

const emulation = `{
  let isHidden = false;
  Object.defineProperties(Document.prototype, {
    hidden: { get: () => isHidden },
    visibilityState: { get: () => isHidden ? "hidden" : "visible" },
  });
  globalThis.hideTab = (next) => {
    isHidden = next;
    document.dispatchEvent(new Event("visibilitychange"));
  };
}`;

export async function openWindow(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext();
  await context.addInitScript(emulation);
  return context;
}

export async function hideTab(page: Page): Promise<void> {
  await page.evaluate("hideTab(true)");
}

export async function showTab(page: Page): Promise<void> {
  await page.evaluate("hideTab(false)");
}

/** Opens a page in several tabs, one after another; each new tab hides the previous one. */
export async function openTabs(
  window: BrowserContext,
  { url, count }: { readonly url: string; readonly count: number },
): Promise<Page[]> {
  const tabs: Page[] = [];
  for (let opened = 0; opened < count; opened++) {
    const last = tabs.at(-1);
    if (last !== undefined) await hideTab(last);
    const page = await window.newPage();
    await page.goto(url);
    tabs.push(page);
  }
  return tabs;
}
