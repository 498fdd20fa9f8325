/**
 * A real Chromium for the browser suites: one for each file of tests, with contexts of their own for
 * each test.
 */
import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type ConsoleMessage,
  type Page,
  type WebError,
} from "npm:playwright-core@1.65.1";
import { testUnless } from "../../tools/skip.ts";

export type { Browser, BrowserContext, CDPSession, ConsoleMessage, Page, WebError };

// The shell without a window costs a third of the CPU time for a page, a tenth for a screenshot.
const shellNames = ["chromium-headless-shell"];
const fullNames = ["chromium", "chromium-browser", "google-chrome"];

/**
 * What is switched off. Of such lists the last one counts, so those names of Playwright's own that matter
 * to pages of this machine are here again.
 */
const disabledFeatures = [
  // Browsers of users have it on. It shows a page of the same site in a new frame, a third of the work for a page.
  ..."RenderDocument AimEnabled AvoidCorsURLLoaderRestartOnRedirect".split(" "),
  ..."AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose".split(" "),
  ..."HttpsFirstBalancedModeAutoEnable HttpsUpgrades MediaRouter".split(" "),
  ..."NetworkTimeServiceQuerying OptimizationHints PaintHolding PreconnectToSearch".split(" "),
  "ThirdPartyStoragePartitioning",
];

const shellPath = findProgram(shellNames);
const fullPath = findProgram(fullNames);
const path = shellPath ?? fullPath;

/** Why the browser suites cannot run here; `undefined` where they can. */
export const noChromium: string | undefined = reasonWithout(path);

/** Why the suites that need a cache of pages cannot run here; `undefined` where they can. */
export const noPageCache: string | undefined = reasonWithout(fullPath);

export interface BrowserOptions {
  /**
   * Whether pages that are left are kept, to show them again as they were. The shell cannot, so it is
   * a Chromium with all of its parts. @default false
   */
  readonly hasPageCache?: boolean;
}

let shared: Browser | undefined;
let common: BrowserContext | undefined;

// Outside the tests, so that their sanitizers find what a test leaves open and nothing else.
if (path !== undefined) {
  Deno.test.beforeAll(async () => {
    shared = await launch(path);
    common = await shared.newContext();
    // It keeps the process of the context alive between two tests.
    const page = await common.newPage();
    // Until then a timer runs, which would end inside of a test.
    await page.waitForLoadState("networkidle");
  });
  Deno.test.afterAll(async () => await shared?.close());
}

/**
 * Returns the context that tests share: its pages share one process and all that was loaded and compiled
 * in it, so that one takes two thirds of the work for a page of a fresh context. Each test leaves it
 * without pages and cookies; what else it may leave there has to be of its own origin.
 */
export function sharedContext(): BrowserContext {
  if (common === undefined) throw new Error("Cannot open a page: chromium did not start");
  return common;
}

/**
 * Runs a test in the browser of its file, then closes the contexts that it left open.
 *
 * @param run Gets the browser; one of its own when there are options.
 */
export async function withBrowser(
  run: (browser: Browser) => Promise<void>,
  options: BrowserOptions = {},
): Promise<void> {
  const browser = options.hasPageCache
    ? await launch(fullPath, { ignoreDefaultArgs: ["--disable-back-forward-cache"] })
    : shared;
  if (browser === undefined) throw new Error("Cannot run the test: chromium did not start");
  try {
    await run(browser);
  } finally {
    if (browser !== shared) await browser.close();
    else await tidy(browser);
  }
}

/**
 * Runs a test on one page of the shared context; errors of the page's scripts fail it.
 *
 * @param run Gets the page, which is empty.
 */
export async function withPage(run: (page: Page) => Promise<void>): Promise<void> {
  const errors: Error[] = [];
  await withBrowser(async () => {
    const page = await sharedContext().newPage();
    page.on("pageerror", (error) => errors.push(error));
    await run(page);
  });
  if (errors.length > 0) throw new AggregateError(errors, "a script of the page failed");
}

/**
 * Defines a test over a served site, in the browser of its file.
 *
 * @param serve Serves the site for as long as what it is given runs.
 */
export function testServed(
  name: string,
  serve: (run: (url: string) => Promise<void>) => Promise<void>,
  run: (url: string, browser: Browser, t: Deno.TestContext) => Promise<void>,
): void {
  const fn = (t: Deno.TestContext): Promise<void> =>
    serve((url) => withBrowser((browser) => run(url, browser, t)));
  testUnless(noChromium, { name, fn });
}

/** Closes what a test left open; of the shared context its first page stays. */
async function tidy(browser: Browser): Promise<void> {
  const own = browser.contexts().filter((context) => context !== common);
  const pages = common?.pages().slice(1) ?? [];
  await Promise.all([...own, ...pages].map((each) => each.close()));
  await common?.clearCookies();
}

/** Serves a handler at a free port while a test runs. */
export async function withServer(
  handler: Deno.ServeHandler<Deno.NetAddr>,
  run: (url: string) => Promise<void>,
): Promise<void> {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  try {
    await run(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}

/** Gives a page an authenticator with the user's finger on it, or with another's. */
export async function addAuthenticator(
  page: Page,
  { isUser = true }: { readonly isUser?: boolean } = {},
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: isUser,
      automaticPresenceSimulation: true,
    },
  });
}

async function launch(
  executablePath: string | undefined,
  options: { readonly ignoreDefaultArgs?: string[] } = {},
): Promise<Browser> {
  if (executablePath === undefined) throw new Error("Cannot start chromium: it is not installed");
  return await chromium.launch({
    executablePath,
    ...options,
    headless: true,
    args: [
      ..."--no-sandbox --disable-gpu --disable-quic --no-first-run".split(" "),
      ..."--disable-background-networking --disable-component-update --disable-sync".split(" "),
      `--disable-features=${disabledFeatures.join()}`,
      // Pages of one context share a process: to start one takes a tenth of what a test does.
      "--renderer-process-limit=1",
    ],
  });
}

function reasonWithout(executable: string | undefined): string | undefined {
  return executable === undefined ? "chromium is not installed" : undefined;
}

function findProgram(names: readonly string[]): string | undefined {
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  return names.flatMap((name) => folders.map((folder) => `${folder}/${name}`)).find(isFile);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
