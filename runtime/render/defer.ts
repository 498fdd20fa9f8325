import { escape } from "../../html/escape.ts";
import { type Child, childHtml, htmlNode, type Node } from "../../html/node.ts";
import { type Key, key } from "../base/keys.ts";
import { sliceQuery } from "../base/url/path.ts";
import type { DeferOptions } from "../base/ctx/streams.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import { buildHtml } from "../request/answer.ts";
import { mark } from "../request/stage.ts";
import { type LatePart, LateParts, lateScript } from "./defer_parts.ts";
import { addLateIslands, takeLateLoader } from "./island.ts";

export const Late: Key<LateParts> = key<LateParts>("fw.late");

/** The query parameter that requests the complete page, for readers without JavaScript. */
const waitParameter = "fw_late";

/**
 * Implements `c.defer`.
 *
 * @returns The fallback shown until the part arrives.
 * @throws {TypeError} once the page has been sent completely.
 */
export function deferPart(
  c: RequestCtx,
  part: Promise<Child>,
  options: DeferOptions & { readonly fallback: Child },
): Node {
  let parts = c.get(Late);
  if (parts === undefined) {
    parts = new LateParts(c);
    c.set(Late, parts);
  }
  const id = parts.add(part, options);
  return htmlNode(`${openMark(id)}${childHtml(options.fallback)}${closeMark(id)}`);
}

/** Returns the opening mark: a `template`, which is valid anywhere, even inside tables and lists. */
function openMark(id: string): string {
  return `<template id="fw-late-${id}"></template>`;
}

function closeMark(id: string): string {
  return `<!--/fw-late-${id}-->`;
}

interface LatePage {
  readonly status: number;
  readonly html: string;
  /** Whether a script inserts the page into an existing one, where inline scripts do not run. */
  readonly isFragment?: boolean;
}

/**
 * Writes a page with deferred parts: the finished content at once, then each part as it arrives. The header
 * `FW-Late` holds the key in the ids of this response's parts; a comment with the key ends each piece, for
 * scripts that read the response as a stream.
 *
 * @returns `undefined` for a page without pending parts.
 */
export function writeLate(c: RequestCtx, page: LatePage): Response | undefined {
  const parts = c.get(Late);
  if (parts === undefined) return undefined;
  const { status, html, isFragment = false } = page;
  // An error page does not wait for the parts of the page that failed.
  parts.keep((id, early) => html.includes(openMark(id)) || early.includes(openMark(id)));
  if (parts.isEmpty) return undefined;
  // A part sent after the head may contain the CSRF token, and the scripts of a page contain its nonce.
  if (!c.isExport) mark(c, "private");
  const isLate = !isWhole(c, isFragment);
  const pieces = !isLate
    ? writeWhole(parts, html, (whole) => isFragment ? whole : addLateIslands(c, whole))
    : isFragment
    ? writeFragment(parts, html)
    : writePieces(c, { parts, html });
  const response = buildHtml(c, status, bodyOf(c, { parts, pieces }), "stream");
  if (isLate) {
    response.headers.set("FW-Late", parts.key);
    // Without it, nginx would buffer the page until its last part.
    response.headers.set("X-Accel-Buffering", "no");
  }
  return response;
}

/**
 * Reports whether the page waits for its parts: if the reader requested it, or if the link for readers
 * without JavaScript would not return the same page.
 */
function isWhole(c: RequestCtx, isFragment: boolean): boolean {
  return (c.method !== "GET" && !isFragment) || c.isExport || c.query(waitParameter) !== undefined;
}

async function* writePieces(
  c: RequestCtx,
  page: { readonly parts: LateParts; readonly html: string },
): AsyncGenerator<string> {
  const { parts, html } = page;
  const end = html.lastIndexOf("</body>");
  const at = end < 0 ? html.length : end;
  const nonce = escape(c.nonce);
  const script = (code: string): string => `<script nonce="${nonce}">${code}</script>`;
  const link = waitLink(c, parts.link);
  yield html.slice(0, at) + link + script(lateScript) + endMark(parts.key);
  for await (const { id, html: part } of parts) {
    const loader = takeLateLoader(c);
    yield partOf(id, part) + loader + script(`fwLate("${id}")`) + endMark(parts.key);
  }
  yield html.slice(at);
}

async function* writeFragment(parts: LateParts, html: string): AsyncGenerator<string> {
  yield html + endMark(parts.key);
  for await (const { id, html: part } of parts) yield partOf(id, part) + endMark(parts.key);
}

function partOf(id: string, html: string): string {
  return `<template id="fw-part-${id}">${html}</template>`;
}

/** Ends a piece. The key is unguessable, so that no text inside a piece can look like the end. */
function endMark(key: string): string {
  return `<!--${key}-->`;
}

async function* writeWhole(
  parts: LateParts,
  html: string,
  complete: (whole: string) => string,
): AsyncGenerator<string> {
  const arrived: LatePart[] = [];
  for await (const part of parts) arrived.push(part);
  let whole = html;
  // A part deferred inside another has a higher number, so it is found in a piece sent earlier.
  for (const { id, html: part } of arrived.sort((one, other) => one.number - other.number)) {
    const start = whole.indexOf(openMark(id));
    const end = whole.indexOf(closeMark(id), start);
    if (start < 0 || end < 0) continue;
    whole = whole.slice(0, start) + part + whole.slice(end + closeMark(id).length);
  }
  yield complete(whole);
}

/** Writes the link to the complete page for readers without JavaScript. */
function waitLink({ target }: RequestCtx, text: string): string {
  const query = sliceQuery(target.url, target.pathEnd);
  const href = `${query === "" ? "?" : `${query}&`}${waitParameter}=wait`;
  return `<noscript><p><a href="${escape(href)}">${escape(text)}</a></p></noscript>`;
}

/** Creates the body of the page. Nothing is rendered before the first read, so `HEAD` renders nothing. */
function bodyOf(
  c: RequestCtx,
  page: { readonly parts: LateParts; readonly pieces: AsyncGenerator<string> },
): ReadableStream<Uint8Array> {
  const { parts, pieces } = page;
  let isOpen = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller): Promise<void> {
      if (!isOpen) {
        isOpen = true;
        c.resume();
        parts.open();
      }
      const { done, value } = await pieces.next();
      if (!done) return controller.enqueue(encoder.encode(value));
      c.finish();
      controller.close();
    },
    cancel(): void {
      parts.close();
      if (!isOpen) c.resume();
      c.abort(new DOMException("The client has gone.", "AbortError"));
      c.finish();
    },
  }, { highWaterMark: 0 });
}

const encoder = new TextEncoder();
