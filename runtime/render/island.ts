import * as h from "../../html/mod.ts";
import { element } from "../../html/build.ts";
import { escape } from "../../html/escape.ts";
import type { Child, Node } from "../../html/node.ts";
import { type Key, key } from "../base/keys.ts";
import { createFirstCheck } from "../base/values.ts";
import type { Ctx } from "../base/ctx/ctx.ts";
import type { Application } from "../base/ctx/application.ts";
import { islandLoader as loader, writeProps } from "./island_loader.ts";

export type IslandMaker = (
  c: Ctx,
  island: { readonly src: string; readonly props: unknown; readonly children: readonly Child[] },
) => Node;

class PageIslands {
  /** The URLs of the modules by `src`; `undefined` for one that is missing. */
  readonly urls: Map<string, string | undefined> = new Map();
  readonly eager: Set<string> = new Set();
  isUsed = false;
  /** Whether the page gets the loader although it has no island yet. */
  isAsked = false;
  isLoaded = false;
}

export const OnPage: Key<PageIslands> = key<PageIslands>("fw.islands");

/**
 * @param hasFile Checks synchronously whether a static file of this name exists, if that is known.
 * @param living The default exports of living islands by the path of their module.
 */
export function createIslands(
  { env, log }: Pick<Application, "env" | "log">,
  hasFile: (name: string) => boolean,
  living: Readonly<Record<string, unknown>> = {},
): IslandMaker {
  const isFirst = createFirstCheck(1_000);
  /** Returns the URL of a module; a missing one throws in development, and is `undefined` in production. */
  const findModule = (c: Ctx, src: string, { urls }: PageIslands): string | undefined => {
    if (urls.has(src)) return urls.get(src);
    const fault = faultOf(src, hasFile);
    if (fault !== undefined) {
      const text = `Cannot mount the island "${src}": ${fault}.`;
      if (env === "dev") throw new TypeError(text);
      if (isFirst(src)) log.error(text, { src, route: c.pattern });
    }
    const url = fault === undefined ? c.asset(src) : undefined;
    urls.set(src, url);
    return url;
  };
  return (c, { src, props, children }) => {
    const page = pageIslands(c);
    const url = findModule(c, src, page);
    if (url === undefined) return failedIsland(children);
    const data = writeProps(props);
    if (!data.ok) {
      const { pattern: route } = c;
      if (isFirst(`${route}\n${src}`)) {
        log.warn(
          "the props of an island do not fit into JSON, so that its fallback stays; send plain values",
          { src, route, fault: data.fault },
        );
      }
      return failedIsland(children);
    }
    const open = `<div${markOf(url)} data-fw-props="${escape(data.json)}"`;
    const parts = Object.hasOwn(living, src) ? partsOf(living[src]) : undefined;
    // The view gets the same props as the browser: a date is a string.
    const view = parts && h.fragment(parts.view(JSON.parse(data.json)));
    if (env === "dev" && parts && view) checkActions(src, parts, h.render(view));
    const node = element(open, "</div>", view === undefined ? children : [...children, view]);
    page.isUsed = true;
    // Values are escaped: the first ">" ends the opening tag.
    const isLate = node.html.slice(0, node.html.indexOf(">")).includes(' data-fw-when="');
    if (!isLate) page.eager.add(url);
    return node;
  };
}

function pageIslands(c: Ctx): PageIslands {
  let page = c.get(OnPage);
  if (page === undefined) {
    page = new PageIslands();
    c.set(OnPage, page);
  }
  return page;
}

function markOf(url: string): string {
  return ` data-fw-island="${escape(url)}"`;
}

function failedIsland(children: readonly Child[]): Node {
  return element('<div data-fw-island-state="failed"', "</div>", children);
}

/** `Symbol.for`, because the module may come from another copy of the package. */
const partsKey = Symbol.for("fw.live");

interface LivingParts {
  readonly view: (state: object) => Child;
}

/** Returns the view and the actions of a living island; `undefined` for any other value. */
export function partsOf(module: unknown): LivingParts | undefined {
  if (typeof module !== "function") return undefined;
  return (module as { readonly [partsKey]?: LivingParts })[partsKey];
}

/** @throws {TypeError} for an action that the view names by `h.on`, but the island does not have. */
function checkActions(src: string, { view: _, ...actions }: LivingParts, html: string): void {
  for (const [, event, action = ""] of html.matchAll(/ data-fw-on-([\w-]+)="([\w-]+)/g)) {
    if (Object.hasOwn(actions, action)) continue;
    const known = Object.keys(actions).join(", ") || "none";
    throw new TypeError(
      `Cannot run "${action}" on "${event}" in the island "${src}": it has no such action. Its actions: ${known}.`,
    );
  }
}

/** Explains why a string is not a module path of the public folder, with the fix. */
function faultOf(src: string, hasFile: (name: string) => boolean): string | undefined {
  if (!/^\/(?!\/)[^?#\\]*$/.test(src)) {
    return 'it is not a path of the public folder; write one such as "/islands/counter.js"';
  }
  // The loader accepts nothing else.
  if (hasFile(src) && /\.m?js$/i.test(src)) return undefined;
  return `there is no JavaScript module public${src}; create it, correct the name, or run ` +
    "`deno task gen`, which bundles islands/counter.ts to /islands/counter.js";
}

/** Preloads the modules of a document's islands in its head, and adds the loader to its body. */
export function addIslands(c: Ctx, html: string): string {
  const page = c.get(OnPage);
  if (page === undefined) return html;
  // An error page does not have the islands of the page that failed.
  if (!page.isAsked && !html.includes(' data-fw-island="')) return html;
  page.isLoaded = true;
  if (c.env === "dev") warnOfPlaces(c, html);
  const nonce = escape(c.nonce);
  const links = [...page.eager]
    .filter((url) => html.includes(markOf(url)))
    .map((url) => `<link rel="modulepreload" href="${escape(url)}" nonce="${nonce}">`)
    .join("");
  const body = html.lastIndexOf("</body>");
  const end = body < 0 ? html.length : body;
  const head = html.indexOf("</head>");
  const start = head < 0 || head > end ? end : head;
  return html.slice(0, start) + links + html.slice(start, end) + loaderElement(nonce) +
    html.slice(end);
}

/** Lists the islands whose `div` a browser moves: out of a paragraph, or from between table rows. */
function warnOfPlaces(c: Ctx, html: string): void {
  for (const { 1: url = "", index } of html.matchAll(/<div data-fw-island="([^"]*)"/g)) {
    const before = html.slice(0, index);
    const [last] = [...before.matchAll(/<(\/?)(?:table|thead|tbody|tfoot|tr|td|th|caption)\b/g)]
      .slice(-1).map(([tag]) => tag);
    const isBetweenRows = last !== undefined && !/^<(?:td|th|caption|\/table)$/.test(last);
    const paragraph = Math.max(before.lastIndexOf("<p>"), before.lastIndexOf("<p "));
    const isInParagraph = paragraph > before.lastIndexOf("</p>");
    if (!isBetweenRows && !isInParagraph) continue;
    c.log.warn(
      "a browser moves an island that stands in a paragraph or between the rows of a table",
      {
        island: url,
        route: c.pattern,
        fix: isInParagraph ? "use a div in place of the p" : "put it into a cell",
      },
    );
  }
}

/** Completes a document that waited for its deferred parts, one of which contains the first island. */
export function addLateIslands(c: Ctx, html: string): string {
  return c.get(OnPage)?.isLoaded ? html : addIslands(c, html);
}

/** Returns the loader for the first island of a deferred part, if the page was sent without it. */
export function takeLateLoader(c: Ctx): string {
  const page = c.get(OnPage);
  if (page === undefined || page.isLoaded || !page.isUsed) return "";
  page.isLoaded = true;
  return loaderElement(escape(c.nonce));
}

function loaderElement(nonce: string): string {
  return `<script nonce="${nonce}">${loader}</script>`;
}

/**
 * Adds the loader of islands to a page without islands: an island that arrives with a fragment is mounted
 * only if the page has the loader.
 *
 * @returns An empty node, for any place of the page or of a layout.
 * @example
 * ```ts
 * import { type Ctx, islandLoader } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import { testPage } from "@fw/fw/testing";
 *
 * const page = (c: Ctx) => h.main(h.div(h.id("chart")), islandLoader(c));
 * await testPage({ page }, "/").wantContains("data-fw-island");
 * ```
 */
export function islandLoader(c: Ctx): Node {
  pageIslands(c).isAsked = true;
  return h.fragment();
}

/**
 * Delays an island until it is within 200 pixels of the viewport.
 *
 * @returns An attribute, to be passed among the island's children.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { whenVisible } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 *
 * // c.island("/islands/chart.js", {}, whenVisible(), "…")
 * assertEquals(h.render(h.div(whenVisible())), '<div data-fw-when="visible"></div>');
 * ```
 */
export function whenVisible(): Node {
  return h.data("fw-when", "visible");
}

/**
 * Delays an island until the browser is idle, five seconds at most.
 *
 * @returns An attribute, to be passed among the island's children.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { whenIdle } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 *
 * // c.island("/islands/search.js", {}, whenIdle(), "…")
 * assertEquals(h.render(h.div(whenIdle())), '<div data-fw-when="idle"></div>');
 * ```
 */
export function whenIdle(): Node {
  return h.data("fw-when", "idle");
}

/**
 * Delays an island until a media query matches.
 *
 * @param query The query, such as `(min-width: 60em)` or `print`.
 * @returns An attribute, to be passed among the island's children.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { whenMedia } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 *
 * // c.island("/islands/map.js", {}, whenMedia("(min-width: 60em)"), "…")
 * const attribute = whenMedia("(min-width: 60em)");
 * assertEquals(h.render(h.div(attribute)), '<div data-fw-when="(min-width: 60em)"></div>');
 * ```
 */
export function whenMedia(query: string): Node {
  // The loader recognises a query by its parenthesis, which `print` lacks.
  const isTold = query.includes("(") || query.trim() === "";
  return h.data("fw-when", isTold ? query : `${query} and (min-width: 0)`);
}
