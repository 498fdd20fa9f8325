/** Small applications with the kit's script, in a real Chromium. */
import { assert, assertEquals } from "@std/assert";
import { testUnless } from "../../../tools/skip.ts";
import * as h from "../../../html/mod.ts";
import { App, createLogger, csrfInput } from "../../../mod.ts";
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
import { until as untilTrue } from "../../until.ts";

export { h, ui };

export interface Trial {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly url: string;
  /** The requests to the application, in order: `GET /list?q=x fragment=list`. */
  readonly asked: string[];
  open(path: string): Promise<void>;
}

export interface TrialOptions {
  /** @default true */
  readonly hasScript?: boolean;
  /**
   * Whether the row needs its own context, because it leaves state that cannot be reset.
   * @default false
   */
  readonly isApart?: boolean;
  readonly config?: Settings;
  /** The width of the window, whose height is then 800. @default 1280, with a height of 720 */
  readonly width?: number;
  /** The default exports of living islands, by path. */
  readonly islands?: Readonly<Record<string, unknown>>;
  /** Parts of console messages that the row causes on purpose. */
  readonly expected?: readonly string[];
}

export interface TrialPlan extends TrialOptions {
  readonly name: string;
  /** The path that is opened first, if any. */
  readonly path?: string | undefined;
  readonly routes: readonly Route[];
  readonly run: (trial: Trial) => Promise<void>;
}

/** A row that tests one application. */
export type TrialRow =
  | readonly [
    name: string,
    path: string | undefined,
    routes: readonly Route[],
    run: TrialPlan["run"],
    options?: TrialOptions,
  ]
  | TrialPlan;

/** The layout of the applications: a counter shows whether the page was left. */
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

/** Returns a form that posts, with the input of its CSRF token. */
export function postForm(c: Ctx, ...parts: Child[]): Node {
  return h.form(h.method("post"), csrfInput(c), ...parts);
}

/** Returns a page whose link replaces a target with `/to`. */
export function start(...more: Node[]): Route {
  return pageRoute("/", () => [
    h.a(h.id("go"), h.href("/to"), ui.swap("target"), "go"),
    h.div(h.id("target"), "before"),
    ...more,
  ]);
}

/**
 * Runs each row on an empty page; script errors and policy violations fail it. Rows share a page
 * and the server's port: a new page takes three times as much work, and on another port the kit's
 * files would be loaded and compiled again.
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
          const plan = planOf(row);
          await t.step(
            plan.name,
            () => plan.isApart === true ? tryApart(browser, plan) : tryShared(page, plan),
          );
        }
      }, options);
    },
  });
}

function planOf(row: TrialRow): TrialPlan {
  if ("name" in row) return row;
  const [name, path, routes, run, options] = row;
  return { name, path, routes, run, ...options };
}

/** The handler of the current row's application. */
let stage: Deno.HttpServer<Deno.NetAddr> | undefined;
let handler: Deno.ServeHandler<Deno.NetAddr> = notFound;
const answering = new Set<Promise<void>>();

// Outside the tests, like the browser.
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

/**
 * Returns an empty page with the same opener policy, without which Chromium would use a new frame.
 */
function rest(): Response {
  return new Response("<!doctype html><title>Rest</title>", {
    headers: { "content-type": "text/html", "cross-origin-opener-policy": "same-origin" },
  });
}

async function tryShared(page: Page, row: TrialPlan): Promise<void> {
  const isScriptless = row.hasScript === false;
  // Detaching the session enables scripts again.
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

/** Resets the state of a page and its context that a row may change, except init scripts. */
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
  const faults: string[] = [];
  const onError = (error: WebError): void => void faults.push(String(error.error()));
  const onMessage = (message: ConsoleMessage): void => {
    if (message.type() === "error") faults.push(message.text());
  };
  try {
    context.on("weberror", onError);
    context.on("console", onMessage);
    if (row.width) await page.setViewportSize({ width: row.width, height: 800 });
    const open = async (path: string): Promise<void> => {
      await page.goto(url + path);
      if (row.hasScript !== false) {
        await until(page, "globalThis.ui !== undefined");
        // The row loads the part of the script that pages load on demand.
        await page.evaluate("ui.swap('', '')");
      } else assert(await page.evaluate("globalThis.ui === undefined"));
      await mark(page);
      asked.length = 0;
    };
    if (row.path !== undefined) await open(row.path);
    await row.run({ page, context, url, asked, open });
    const isExpected = (text: string): boolean =>
      row.expected?.some((part) => text.includes(part)) === true;
    assertEquals(faults.filter((text) => !isExpected(text)), []);
  } finally {
    context.off("weberror", onError);
    context.off("console", onMessage);
    // The page requests nothing more of this application or the next row's.
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

/**
 * Waits until an expression is true on the page. Playwright's own function needs `eval`, which the
 * policies forbid.
 */
export async function until(page: Page, expression: string): Promise<void> {
  // While one page replaces another, evaluation fails.
  const ask = async (): Promise<boolean> =>
    Boolean(await page.evaluate(`Boolean(${expression})`).catch(() => false));
  await untilTrue(ask, expression);
}

/** Waits until the application gets a request, as {@linkcode Trial.asked} records it. */
export async function untilAsked(asked: readonly string[], line: string): Promise<void> {
  await untilTrue(() => asked.includes(line), line);
}

/**
 * Opens a path and stops the page's clock: its timers run only by `page.clock.runFor()`. Such a
 * page cannot be shared, so the row needs `isApart`.
 */
export async function openStopped({ page, open }: Trial, path: string): Promise<void> {
  await page.clock.install({ time: 0 });
  await open(path);
  // Enough for the slowest machine: the clock ran while the page was opened.
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

export async function focusText(page: Page): Promise<string> {
  return String(await page.evaluate("document.activeElement.textContent.trim()"));
}

/** Returns the position of an element in the window. */
export async function boxOf(
  page: Page,
  selector: string,
): Promise<Omit<DOMRectReadOnly, "toJSON">> {
  return await page.evaluate(
    `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().toJSON()`,
  );
}
