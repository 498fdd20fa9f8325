/**
 * A real Chromium for the browser suites.
 *
 * @module
 */
import { type Browser, type BrowserContext, chromium, type Page } from "npm:playwright-core@1.65.1";

export type { Browser, BrowserContext, Page };

const executablePath = "/usr/bin/chromium";

/** Whether the browser suites can run here. */
export const hasChromium: boolean = isFile(executablePath);

if (!hasChromium) console.log("skipped: chromium is not installed");

/** How a browser is started. */
export interface BrowserOptions {
  /** Whether it keeps the pages that are left, to show them again as they were. @default false */
  readonly hasPageCache?: boolean;
}

/**
 * Runs a test in a fresh browser with a fresh profile.
 *
 * @param run Gets the browser; it is closed afterwards, whatever happens.
 */
export async function withBrowser(
  run: (browser: Browser) => Promise<void>,
  options: BrowserOptions = {},
): Promise<void> {
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    ...(options.hasPageCache ? { ignoreDefaultArgs: ["--disable-back-forward-cache"] } : {}),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  try {
    await run(browser);
  } finally {
    await browser.close();
  }
}

/**
 * Runs a test on one page of a fresh browser; errors of the page's scripts fail it.
 *
 * @param run Gets the page, which is empty.
 */
export async function withPage(run: (page: Page) => Promise<void>): Promise<void> {
  const errors: Error[] = [];
  await withBrowser(async (browser) => {
    const page = await browser.newPage();
    page.on("pageerror", (error) => errors.push(error));
    await run(page);
  });
  if (errors.length > 0) throw new AggregateError(errors, "a script of the page failed");
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
