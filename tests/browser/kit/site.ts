/** Small applications with the kit's script, tried in a real Chromium. */
import { assert, assertEquals } from "@std/assert";
import { testUnless } from "../../../tools/skip.ts";
import * as h from "../../../html/mod.ts";
import { App, createLogger } from "../../../mod.ts";
import type { Child, Ctx, Node, Route, Settings } from "../../../mod.ts";
import * as ui from "../../../ui/mod.ts";
import {
  type Browser,
  type BrowserContext,
  type BrowserOptions,
  type ConsoleMessage,
  noChromium,
  noPageCache,
  type Page,
  sharedContext,
  type WebError,
  withBrowser,
} from "../browser.ts";

export { h, ui };

export interface Trial {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly url: string;
  /** What was asked of it, in order: `GET /list?q=x fragment=list`. */
  readonly asked: string[];
  open(path: string): Promise<void>;
}

export interface TrialPlan {
  readonly routes: readonly Route[];
  readonly run: (trial: Trial) => Promise<void>;
  /** @default true */
  readonly hasScript?: boolean;
  /** Whether it has a context of its own, since it leaves there what cannot be put back. @default false */
  readonly isApart?: boolean;
  readonly config?: Settings;
  /** The width of the window, which is 800 high then. @default 1280, and 720 high */
  readonly width?: number;
  /** The default exports of living islands, by path. */
  readonly islands?: Readonly<Record<string, unknown>>;
  /** Parts of messages on the console that the row means to cause. */
  readonly expected?: readonly string[];
}

/** One try of an application, which may begin with a path that is opened. */
export type TrialRow =
  | readonly [name: string, plan: TrialPlan]
  | readonly [name: string, path: string, plan: TrialPlan]
  | (TrialPlan & { readonly name: string });

/** The layout of the applications: a count tells whether the page was left. */
export function layout(c: Ctx, children: Node): Node {
  return h.html(
    h.lang("en"),
    h.head(h.meta(h.charset("utf-8")), h.title(c.title || c.url.pathname), ui.head(c)),
    h.body(
      ui.body(),
      ui.nav(ui.navLink("/", "Home", c.pattern === "/")),
      h.main(children),
      ui.flashes(c),
    ),
  );
}

export function pageRoute(
  pattern: string,
  body: (c: Ctx) => Child | Promise<Child>,
  methods?: Route["methods"],
): Route {
  return {
    pattern,
    page: async (c) => {
      const content = await body(c);
      return content === undefined ? undefined : h.fragment(content);
    },
    layouts: [layout],
    ...(methods === undefined ? {} : { methods }),
  };
}

/**
 * Tries each row on an empty page; errors of its scripts and of its policy fail it. Rows share a page and
 * the place where their applications are: a fresh page takes three times as much work, and at another
 * place the kit's files would be loaded and compiled again.
 */
export function testInBrowser(
  name: string,
  rows: readonly TrialRow[],
  options: BrowserOptions = {},
): void {
  testUnless(options.hasPageCache ? noPageCache : noChromium, {
    name,
    fn: async (t) => {
      await withBrowser(async (browser) => {
        const page = await (options.hasPageCache ? browser : sharedContext()).newPage();
        for (const row of rows) {
          const { name, plan } = planOf(row);
          await t.step(
            name,
            () => plan.isApart === true ? tryApart(browser, plan) : tryShared(page, plan),
          );
        }
      }, options);
    },
  });
}

function planOf(row: TrialRow): { readonly name: string; readonly plan: TrialPlan } {
  if ("name" in row) return { name: row.name, plan: row };
  if (row.length === 2) return { name: row[0], plan: row[1] };
  const [name, path, plan] = row;
  const run = async (trial: Trial): Promise<void> => {
    await trial.open(path);
    await plan.run(trial);
  };
  return { name, plan: { ...plan, run } };
}

/** Where the application of each row is while it runs. */
let stage: Deno.HttpServer<Deno.NetAddr> | undefined;
let handler: Deno.ServeHandler<Deno.NetAddr> = notFound;
/** The responses that are not over. */
const answering = new Set<Promise<void>>();

// Outside the tests, as the browser is.
if (noChromium === undefined) {
  Deno.test.beforeAll(() => {
    stage = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request, info) => {
      if (new URL(request.url).pathname === restPath) return rest();
      const sent = info.completed.catch(() => {}).finally(() => answering.delete(sent));
      answering.add(sent);
      return handler(request, info);
    });
  });
  Deno.test.afterAll(async () => await stage?.shutdown());
}

function notFound(): Response {
  return new Response(null, { status: 404 });
}

const restPath = "/between-two-rows";

/** An empty page with the opener policy of the others: a page without it would be shown in a new frame. */
function rest(): Response {
  return new Response("<!doctype html><title>Rest</title>", {
    headers: { "content-type": "text/html", "cross-origin-opener-policy": "same-origin" },
  });
}

async function tryShared(page: Page, row: TrialPlan): Promise<void> {
  const isScriptless = row.hasScript === false;
  // Detaching it lets scripts run again.
  const session = isScriptless ? await page.context().newCDPSession(page) : undefined;
  try {
    await session?.send("Emulation.setScriptExecutionDisabled", { value: true });
    await tryRow(page, row);
  } finally {
    await session?.detach();
    await reset(page);
  }
}

async function tryApart(browser: Browser, row: TrialPlan): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: row.hasScript !== false });
  try {
    await tryRow(await context.newPage(), row);
  } finally {
    await context.close();
  }
}

/** Puts back what a row may change of a page and its context, other than scripts that start with it. */
async function reset(page: Page): Promise<void> {
  const context = page.context();
  await Promise.all(
    context.pages().slice(1).filter((each) => each !== page).map((each) => each.close()),
  );
  await page.unrouteAll();
  await page.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: null });
  await page.setViewportSize({ width: 1_280, height: 720 });
  await page.mouse.move(0, 0);
  await page.evaluate("localStorage.clear(), sessionStorage.clear()");
  await context.clearCookies();
}

async function tryRow(page: Page, row: TrialPlan): Promise<void> {
  if (stage === undefined) throw new Error("Cannot try a row: the server did not start");
  const asked: string[] = [];
  const app = newApp(row, asked);
  handler = app.handler();
  const url = `http://127.0.0.1:${stage.addr.port}`;
  const context = page.context();
  context.setDefaultTimeout(patienceMs);
  const faults: string[] = [];
  const onError = (error: WebError): void => void faults.push(String(error.error()));
  const onMessage = (message: ConsoleMessage): void => {
    if (message.type() === "error") faults.push(message.text());
  };
  try {
    context.on("weberror", onError);
    context.on("console", onMessage);
    if (row.width) await page.setViewportSize({ width: row.width, height: 800 });
    await row.run({
      page,
      context,
      url,
      asked,
      open: async (path) => {
        await page.goto(url + path);
        if (row.hasScript !== false) {
          await until(page, "globalThis.ui !== undefined");
          // It loads the part of the script that pages load by need.
          await page.evaluate("ui.swap('', '')");
        } else assert(await page.evaluate("globalThis.ui === undefined"));
        await mark(page);
        asked.length = 0;
      },
    });
    const isExpected = (text: string): boolean =>
      row.expected?.some((part) => text.includes(part)) === true;
    assertEquals(faults.filter((text) => !isExpected(text)), []);
  } finally {
    context.off("weberror", onError);
    context.off("console", onMessage);
    // It asks nothing more of this application, nor of the one of the next row.
    await page.goto(url + restPath);
    await Promise.all(answering);
    handler = notFound;
    await app.shutdown();
  }
}

const ownPaths = /^\/(?:ui\.|favicon)/;

function newApp(row: TrialPlan, asked: string[]): App {
  const app = new App({
    logger: createLogger({ write: () => {} }),
    secret: "k".repeat(32),
    public: new URL("../../../ui/files/", import.meta.url),
    ...row.config,
  }, { islands: row.islands ?? {} });
  const record = (c: Ctx, next: () => Promise<Response>): Promise<Response> => {
    const purpose = c.request.headers.get("purpose") ?? c.request.headers.get("sec-purpose");
    const parts = [c.method, c.url.pathname + c.url.search];
    if (c.fragment !== undefined) parts.push(`fragment=${c.fragment}`);
    if (purpose !== null) parts.push(`purpose=${purpose}`);
    if (!ownPaths.test(c.url.pathname)) asked.push(parts.join(" "));
    return next();
  };
  for (const route of row.routes) {
    app.route({ ...route, middleware: [{ Middleware: record }, ...route.middleware ?? []] });
  }
  app.route({ pattern: "/favicon.ico", methods: { GET: (c) => c.noContent() } });
  return app;
}

/** How long something may take on a busy machine. */
const patienceMs = 30_000;

/** Waits until an expression holds on the page. Playwright's own way needs `eval`, which no policy allows. */
export async function until(page: Page, expression: string): Promise<void> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    // While one page gives way to another nothing can be asked.
    if (await page.evaluate(`Boolean(${expression})`).catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`it never came to hold: ${expression}`);
}

/** Waits until the application was asked for something, as {@linkcode Trial.asked} records it. */
export async function untilAsked(asked: readonly string[], line: string): Promise<void> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    if (asked.includes(line)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`it was never asked for ${line}, only for ${asked.join(", ")}`);
}

/**
 * Opens a path and stops the page's clock: its timers run only by `page.clock.runFor()`. The page
 * cannot be shared after that, so the row must be apart.
 */
export async function openStopped({ page, open }: Trial, path: string): Promise<void> {
  await page.clock.install({ time: 0 });
  await open(path);
  // Far enough for the busiest machine: the clock went on while the page was opened.
  await page.clock.pauseAt(3_600_000);
}

export async function mark(page: Page): Promise<void> {
  await page.evaluate("globalThis.isMarked = true");
}

export async function isMarked(page: Page): Promise<boolean> {
  return await page.evaluate("globalThis.isMarked === true");
}

export async function untilLeft(page: Page): Promise<void> {
  await until(page, "globalThis.isMarked !== true && document.readyState === 'complete'");
}

export async function focusOf(page: Page): Promise<string> {
  return await page.evaluate(
    "(({ localName, id }) => id ? `#${id}` : localName)(document.activeElement)",
  );
}

export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** The text of what has the focus. */
export async function focusText(page: Page): Promise<string> {
  return String(await page.evaluate("document.activeElement.textContent.trim()"));
}

/** Where an element stands in the window. */
export async function boxOf(
  page: Page,
  selector: string,
): Promise<Omit<DOMRectReadOnly, "toJSON">> {
  return await page.evaluate(
    `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().toJSON()`,
  );
}
