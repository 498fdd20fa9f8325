import { attributeOf, scanDocument } from "../../html/document_scan.ts";
import { render } from "../../html/mod.ts";
import type { Node } from "../../html/node.ts";
import { extendVary } from "../base/headers.ts";
import { buildHtml } from "../request/answer.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import { writeLate } from "./defer.ts";

/** Responds to a fragment request with a node alone: no layouts, no document around it, no dev script. */
export function renderFragment(c: RequestCtx, status: number, node: Node): Response {
  return writeFragment(c, status, render(node));
}

/**
 * Responds to a fragment request with several nodes, whose ids `FW-Swap` names. The script parses each by itself,
 * since HTML drops a row that follows another element. The mark between them, in `FW-Next`, is not to be guessed:
 * text inside an attribute could be taken for it.
 */
export function renderFragments(
  c: RequestCtx,
  status: number,
  all: { readonly nodes: readonly Node[]; readonly ids: readonly string[] },
): Response {
  const { nodes, ids } = all;
  const mark = crypto.randomUUID();
  const response = writeFragment(c, status, nodes.map(render).join(`<!--${mark}-->`));
  response.headers.set("FW-Swap", ids.join(" "));
  if (nodes.length > 1) response.headers.set("FW-Next", mark);
  return response;
}

function writeFragment(c: RequestCtx, status: number, html: string): Response {
  const response = writeLate(c, { status, html, isFragment: true }) ?? buildHtml(c, status, html);
  if (c.title !== "") response.headers.set("FW-Title", encodeTitle(c.title));
  return response;
}

/** The most characters of a title that a header carries; a title bar shows fewer. */
const maxTitleChars = 300;

/** Encodes a title for a header, with the white space of a `title` element. */
function encodeTitle(title: string): string {
  const text = title.replace(/\s+/g, " ").trim().slice(0, maxTitleChars);
  return encodeURIComponent(text.toWellFormed());
}

/**
 * Returns the ids of nodes that change elements; those with a place of their own are left out.
 *
 * @throws {TypeError} for a node that is not an element with an id, and for an id that comes twice.
 */
export function idsOf(nodes: readonly Node[]): readonly string[] {
  const ids = new Set<string>();
  for (const [index, node] of nodes.entries()) {
    const { id, isPlaced } = readStart(render(node));
    if (isPlaced) continue;
    const fail = (fix: string): never => {
      throw new TypeError(`Cannot render the node ${index + 1} of c.renderAll: ${fix}.`);
    };
    if (id === undefined) fail("it is no element with an id; give it the id of what it replaces");
    else if (!isFragmentId(id)) fail(`its id "${id}" is none for a header; use letters and digits`);
    else if (ids.has(id)) fail(`the id "${id}" comes twice; join the two nodes`);
    else ids.add(id);
  }
  if (nodes.length > 0) return [...ids];
  throw new TypeError("Cannot render all of nothing: give c.renderAll a node.");
}

/** Reads the element with which HTML begins: its id, and whether it says itself where it goes. */
function readStart(html: string): { readonly id?: string | undefined; readonly isPlaced: boolean } {
  for (const tag of scanDocument(html)) {
    if (tag.start !== html.search(/\S/)) break;
    return {
      id: attributeOf(tag, "id"),
      isPlaced: attributeOf(tag, "data-fw-place") !== undefined,
    };
  }
  return { isPlaced: false };
}

/**
 * Converts a redirect of a fragment request to a 204. A script could not see the redirect's target, so it
 * travels unchanged in `FW-Location`. The client then navigates.
 */
export function answerStep(response: Response): Response {
  const location = response.headers.get("location");
  if (location === null || response.status === 304) return response;
  // The body of a redirect is for people without a browser that follows it.
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
 * Checks whether a string can be the id of an element that is swapped: letters, digits, `_`, `.`, `:` and `-`.
 * HTML allows more; these stand in a header, in a tag and in an attribute without any escaping, so
 * that what a client sends as an id can never be a second header or a piece of HTML.
 */
function isFragmentId(text: string): boolean {
  return text.length <= maxChars && /^[\w.:-]+$/.test(text);
}

/**
 * Reads the header `FW-Fragment`.
 *
 * @returns The id of the element that the client wants to replace; `undefined` for a request for the
 * whole page, and for a value that is not an id, which gets the whole page as well.
 */
export function parseFragmentId(header: string | null): string | undefined {
  return header !== null && isFragmentId(header) ? header : undefined;
}
