import { attributeOf, scanDocument } from "../../html/document_scan.ts";
import { escape } from "../../html/escape.ts";
import { fragment as list, render } from "../../html/mod.ts";
import { isNode, type Node } from "../../html/node.ts";
import { reloadElement } from "../base/conventions.ts";
import type { Answer, Answered } from "../base/ctx/answer.ts";
import type { Ctx } from "../base/ctx/ctx.ts";
import type { LayoutHandler } from "../base/ctx/route.ts";
import { createFirstCheck } from "../base/values.ts";
import { extendVary } from "../base/headers.ts";
import { isRightToLeft } from "../i18n/languages.ts";
import { buildHtml } from "../request/answer.ts";
import { isPromiseLike } from "../request/chain.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import { validationMessage } from "../schema/messages.ts";
import { Late, writeLate } from "./defer.ts";
import { addIslands, OnPage } from "./island.ts";

export interface PageOptions {
  readonly hasReload: boolean;
  /** Whether there is a page at `/`, to which the framework's own error pages link. @default false */
  readonly hasStart?: boolean;
}

export interface RenderOptions {
  readonly status: number;
  /** The layouts, outermost first; `undefined` for a node that is a whole document. */
  readonly layouts: readonly LayoutHandler[] | undefined;
  readonly pages: PageOptions;
}

/**
 * Responds with a node inside layouts, from the innermost to the outermost. Without any layout the node is
 * wrapped in a minimal document. A fragment request gets the node alone. The title of a page with status 422
 * starts with "Error: ", the text of `errorTitle` of the validation messages.
 */
export function renderPage(c: RequestCtx, node: Node, options: RenderOptions): Answered {
  const { status, layouts } = options;
  if (c.fragment !== undefined) return writeFragment(c, status, render(node));
  // A screen reader reads the title of a page first.
  if (status === 422 && c.title !== "") {
    c.title = validationMessage("errorTitle", { param: c.title });
  }
  const wrapped = wrapLayouts(c, node, layouts ?? []);
  return wrapped instanceof Promise
    ? wrapped.then((whole) => writePage(c, whole, options))
    : writePage(c, wrapped, options);
}

/**
 * Responds with several nodes, each of which replaces the element with its id. If the request is not for a
 * fragment, they are rendered one after another inside the layouts; else `FW-Swap` lists their ids. The script
 * parses each separately, because HTML drops a table row after another element. The mark between them, in
 * `FW-Next`, is unguessable, so that text inside an attribute cannot look like it.
 *
 * @throws {TypeError} for a node that is not an element with an id, and for a duplicate id.
 */
export function renderAll(c: RequestCtx, nodes: readonly Node[], options: RenderOptions): Answered {
  const ids = idsOf(nodes);
  if (c.fragment === undefined) return renderPage(c, list(...nodes), options);
  const mark = crypto.randomUUID();
  const response = writeFragment(c, options.status, nodes.map(render).join(`<!--${mark}-->`));
  response.headers.set("FW-Swap", ids.join(" "));
  if (nodes.length > 1) response.headers.set("FW-Next", mark);
  return response;
}

function wrapLayouts(c: Ctx, node: Node, layouts: readonly LayoutHandler[]): Node | Promise<Node> {
  let current = node;
  for (let index = layouts.length - 1; index >= 0; index--) {
    const layout = layouts[index];
    if (layout === undefined) continue;
    const inner = current;
    const next = layout(c, inner);
    if (isNode(next)) {
      if (c.env === "dev") warnOfNested(c, next, inner);
      current = next;
    } else if (!isPromiseLike(next)) throw noNode(c, next);
    else {
      // After the first asynchronous layout, the rest is awaited one by one.
      const rest = layouts.slice(0, index);
      return Promise.resolve(next).then((outer) => {
        if (!isNode(outer)) throw noNode(c, outer);
        if (c.env === "dev") warnOfNested(c, outer, inner);
        return wrapLayouts(c, outer, rest);
      });
    }
  }
  return current;
}

const isFirst = createFirstCheck(100);

/** Reports, in development, a layout that got a whole document as its children. */
function warnOfNested(c: Ctx, outer: Node, inner: Node): void {
  if (outer === inner || !documentStart.test(render(inner)) || !isFirst(c.pattern)) return;
  c.log.warn(
    "a layout contains a whole document, so the page has html elements inside each other",
    {
      route: c.pattern,
      fix:
        "return h.html from the outermost layout only, and h.fragment from the page and other layouts",
    },
  );
}

/** Refuses a value that is not a node: a forgotten `return` would render an empty page. */
function noNode(c: Ctx, given: unknown): TypeError {
  const what = given === null ? "null" : typeof given;
  return new TypeError(
    `Cannot render the route "${c.pattern}": a layout returned ${what}; return a node.`,
  );
}

const documentStart = /^\s*<(?:!doctype|html[\s>])/i;

function writePage(c: RequestCtx, node: Node, { status, layouts, pages }: RenderOptions): Response {
  let html = render(node);
  if (layouts?.length === 0 && !documentStart.test(html)) html = minimalDocument(c, html);
  if (c.answer.headers?.has("content-security-policy") || c.answer.formActions !== undefined) {
    html = addPolicy(c.answer, html);
  }
  if (pages.hasReload) html = addReload(html);
  if (c.get(OnPage) !== undefined) html = addIslands(c, html);
  const late = c.get(Late) === undefined ? undefined : writeLate(c, { status, html });
  return late ?? buildHtml(c, status, html);
}

function minimalDocument({ title, language }: Ctx, body: string): string {
  return `<!doctype html><html lang="${language}"${isRightToLeft(language) ? ' dir="rtl"' : ""}>` +
    `<head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>${escape(title)}</title></head><body>${body}</body></html>`;
}

/** Names the page's own policy: the kit's script does not swap it into a page with another policy. */
function addPolicy({ headers, formActions = [] }: Answer, html: string): string {
  const own = headers?.get("content-security-policy")?.replaceAll(/'nonce-[^']*'/g, "") ?? "";
  const text = escape([own, ...formActions].join(" "));
  return html.replace("</head>", () => `<meta name="fw-policy" content="${text}"></head>`);
}

export function addReload(html: string): string {
  const end = html.lastIndexOf("</body>");
  return end < 0 ? html + reloadElement : html.slice(0, end) + reloadElement + html.slice(end);
}

export function renderDocument(c: RequestCtx, status: number, node: Node): Response {
  return writePage(c, node, { status, layouts: undefined, pages: { hasReload: false } });
}

/** Responds to a fragment request, without layouts, document or dev script. */
function writeFragment(c: RequestCtx, status: number, html: string): Response {
  const response = writeLate(c, { status, html, isFragment: true }) ?? buildHtml(c, status, html);
  if (c.title !== "") response.headers.set("FW-Title", encodeTitle(c.title));
  return response;
}

/** The maximum length of a title in a header, in characters; a title bar shows fewer. */
const maxTitleChars = 300;

/** Encodes a title for a header, with white space collapsed as in a `title` element. */
function encodeTitle(title: string): string {
  const text = title.replace(/\s+/g, " ").trim().slice(0, maxTitleChars);
  return encodeURIComponent(text.toWellFormed());
}

/**
 * Returns the ids of nodes that change elements; those with their own target are omitted.
 *
 * @throws {TypeError} for a node that is not an element with an id, and for a duplicate id.
 */
function idsOf(nodes: readonly Node[]): readonly string[] {
  const ids = new Set<string>();
  for (const [index, node] of nodes.entries()) {
    const html = render(node);
    const [first] = scanDocument(html);
    const tag = first?.start === html.search(/\S/) ? first : undefined;
    if (tag !== undefined && attributeOf(tag, "data-fw-place") !== undefined) continue;
    const id = tag && attributeOf(tag, "id");
    const fix = id === undefined
      ? "it is not an element with an id; give it the id of what it replaces"
      : !isFragmentId(id)
      ? `its id "${id}" is none for a header; use letters and digits`
      : ids.size === ids.add(id).size
      ? `the id "${id}" comes twice; join the two nodes`
      : undefined;
    if (fix === undefined) continue;
    throw new TypeError(`Cannot render the node ${index + 1} of c.renderAll: ${fix}.`);
  }
  if (nodes.length > 0) return [...ids];
  throw new TypeError("Cannot render all of nothing: give c.renderAll a node.");
}

/**
 * Converts a redirect of a fragment request to a 204. A script cannot see a redirect's target, so
 * `FW-Location` carries it unchanged and the client navigates.
 */
export function answerStep(response: Response): Response {
  const location = response.headers.get("location");
  if (location === null || response.status === 304) return response;
  // The body of a redirect is for clients that do not follow it.
  response.body?.cancel().catch(() => {});
  const headers = new Headers(response.headers);
  for (const name of ["location", "content-type", "content-length", "content-encoding"]) {
    headers.delete(name);
  }
  headers.set("FW-Location", location);
  // Without it a cache could serve the 204 to a browser that requests the page.
  extendVary(headers, "FW-Fragment");
  return new Response(null, { status: 204, headers });
}

const maxChars = 100;

/**
 * Checks whether a string can be the id of an element that is swapped: letters, digits, `_`, `.`, `:` and
 * `-`. HTML allows more; these need no escaping in a header, a tag or an attribute, so a client's id can
 * never become a second header or a piece of HTML.
 */
export function isFragmentId(text: string): boolean {
  return text.length <= maxChars && /^[\w.:-]+$/.test(text);
}
