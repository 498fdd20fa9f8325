/**
 * A real Chromium for the browser suites: one for each test file, with separate contexts for each
 * test.
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
import { patienceMs } from "../until.ts";

export type { Browser, BrowserContext, CDPSession, ConsoleMessage, Page, WebError };

// The headless shell takes a third of the CPU time for a page and a tenth for a screenshot.
const shellNames = ["chromium-headless-shell"];
const fullNames = ["chromium", "chromium-browser", "google-chrome"];

/**
 * The disabled features. Chromium uses only the last such list, so it repeats Playwright's names
 * that matter for local pages.
 */
const disabledFeatures = [
  // RenderDocument is on for users. It opens pages of the same site in a new frame, a third of a
  // page's work.
  ..."RenderDocument AimEnabled AvoidCorsURLLoaderRestartOnRedirect".split(" "),
  ..."AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose".split(" "),
  ..."HttpsFirstBalancedModeAutoEnable HttpsUpgrades MediaRouter".split(" "),
  ..."NetworkTimeServiceQuerying OptimizationHints PaintHolding PreconnectToSearch".split(" "),
  "ThirdPartyStoragePartitioning",
];

const shellPath = findProgram(shellNames);
const fullPath = findProgram(fullNames);
const path = shellPath ?? fullPath;

/** The reason why the browser suites cannot run here; `undefined` if they can. */
export const noChromium: string | undefined = reasonWithout(path);

/** The reason why suites that need a page cache cannot run here; `undefined` if they can. */
export const noPageCache: string | undefined = reasonWithout(fullPath);

export interface BrowserOptions {
  /**
   * Whether left pages are cached and restored. The headless shell cannot do so, so a full Chromium
   * runs. @default false
   */
  readonly hasPageCache?: boolean;
}

let shared: Browser | undefined;
let common: BrowserContext | undefined;

// Outside the tests, so their sanitizers report only leaks of the test itself.
if (path !== undefined) {
  Deno.test.beforeAll(async () => {
    shared = await launch(path);
    common = await shared.newContext();
    // This page keeps the context's process alive between tests.
    const page = await common.newPage();
    // A timer runs until then, and must not end inside a test.
    await page.waitForLoadState("networkidle");
  });
  Deno.test.afterAll(async () => await shared?.close());
}

/**
 * Returns the context shared by the tests. Its pages share one process with all loaded and compiled
 * code, so a page takes two thirds of the work of one in a fresh context. Each test closes its
 * pages and deletes its cookies; other state must belong to its own origin.
 */
export function sharedContext(): BrowserContext {
  if (common === undefined) throw new Error("Cannot open a page: chromium did not start");
  return common;
}

/**
 * Runs a test in the browser of its file, then closes the contexts that it left open.
 *
 * @param run Gets the browser, or a separate one if there are options.
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
 * Runs a test on one page of the shared context; errors of the page's scripts fail the test.
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
 * @param serve Serves the site while its argument runs.
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

/** Closes what a test left open, except for the first page of the shared context. */
async function tidy(browser: Browser): Promise<void> {
  const own = browser.contexts().filter((context) => context !== common);
  const pages = common?.pages().slice(1) ?? [];
  await Promise.all([...own, ...pages].map((each) => each.close()));
  await common?.clearCookies();
}

/** Serves a handler on a free port while a test runs. */
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

/** Gives a page a virtual authenticator that does or does not verify the user. */
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
  const browser = await chromium.launch({
    executablePath,
    ...options,
    headless: true,
    args: [
      ..."--no-sandbox --disable-gpu --disable-quic --no-first-run".split(" "),
      ..."--disable-background-networking --disable-component-update --disable-sync".split(" "),
      `--disable-features=${disabledFeatures.join()}`,
      // The pages of a context share a process, whose start takes a tenth of a test's time.
      "--renderer-process-limit=1",
    ],
  });
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    context.setDefaultTimeout(patienceMs);
    // On a busy machine a message must not fade before the test looks at it.
    await context.addInitScript(`{
      const start = setTimeout;
      globalThis.setTimeout = (run, ms, ...given) =>
        start(run, ms >= 5_000 ? 3_600_000 : ms, ...given);
    }`);
    return context;
  };
  return browser;
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
