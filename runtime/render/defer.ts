import { escape } from "../../html/escape.ts";
import { type Child, childHtml, htmlNode, type Node } from "../../html/node.ts";
import { type Key, key } from "../base/keys.ts";
import { sliceQuery } from "../base/url/path.ts";
import type { DeferOptions } from "../base/ctx/streams.ts";
import { type Deadline, dropDeadline, startDeadline } from "../body/deadline.ts";
import { failureFields, type RequestCtx } from "../request/request_ctx.ts";
import { buildHtml } from "../request/answer.ts";
import { mark } from "../request/stage.ts";
import { devErrorSlot } from "./dev_error.ts";
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

/**
 * Writes a page with deferred parts: the finished content at once, then each part as it arrives. The header
 * `FW-Late` holds the key in the ids of this response's parts; a comment with the key ends each piece, for
 * scripts that read the response as a stream.
 *
 * @returns `undefined` for a page without pending parts.
 */
export function writeLate(c: RequestCtx, page: {
  readonly status: number;
  readonly html: string;
  /** Set if a script inserts the page into an existing one, where inline scripts do not run. */
  readonly isFragment?: boolean;
}): Response | undefined {
  const parts = c.get(Late);
  if (parts === undefined) return undefined;
  const { status, html, isFragment = false } = page;
  parts.keep(html);
  if (parts.isEmpty) return undefined;
  // A part sent after the head may contain the CSRF token, and the scripts of a page contain its nonce.
  if (!c.isExport) mark(c, "private");
  const isLate = !isWhole(c, isFragment);
  const pieces = !isLate
    ? writeWhole(parts, html, (whole) => isFragment ? whole : addLateIslands(c, whole))
    : isFragment
    ? writeFragment(parts, html)
    : writePieces(c, parts, html);
  const response = buildHtml(c, status, bodyOf(c, parts, pieces), "stream");
  if (isLate) {
    response.headers.set("FW-Late", parts.key);
    // Without it, nginx would buffer the page until its last part.
    response.headers.set("X-Accel-Buffering", "no");
  }
  return response;
}

/** Reports whether the page waits for its parts: on request, or if a link could not return the same page. */
function isWhole(c: RequestCtx, isFragment: boolean): boolean {
  return (c.method !== "GET" && !isFragment) || c.isExport || c.query(waitParameter) !== undefined;
}

async function* writePieces(c: RequestCtx, parts: LateParts, html: string): AsyncGenerator<string> {
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
  parts: LateParts,
  pieces: AsyncGenerator<string>,
): ReadableStream<Uint8Array> {
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

type LatePart = { readonly id: string; readonly number: number; readonly html: string };

const errorSlot = '<span role="alert">This part could not be loaded.</span>';

/** The deferred parts of one page, iterated in the order in which they arrive. */
class LateParts implements AsyncIterable<LatePart> {
  /** The prefix of the ids: a script may insert parts of several responses into one document. */
  readonly key: string = crypto.randomUUID().slice(0, 8);
  link = "Show this page with all its parts";
  readonly #c: RequestCtx;
  readonly #waiting: Map<string, { readonly number: number; readonly options: DeferOptions }> =
    new Map();
  #arrived: LatePart[] = [];
  #count = 0;
  #deadline: Deadline | undefined;
  #wake: (() => void) | undefined;
  #isClosed = false;

  constructor(c: RequestCtx) {
    this.#c = c;
  }

  /** Adds a part and handles its rejection. @throws {TypeError} once the page has been sent. */
  add(part: Promise<Child>, options: DeferOptions): string {
    if (this.#isClosed) throw new TypeError("Cannot defer a part: the page has been sent.");
    const number = ++this.#count;
    const id = `${this.key}-${number}`;
    if (options.link !== undefined) this.link = options.link;
    this.#waiting.set(id, { number, options });
    Promise.resolve(part).then(childHtml).then(
      (html) => this.#put(id, () => html),
      (error) => this.#fail(id, error),
    );
    return id;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0 && this.#arrived.length === 0;
  }

  /** Drops the parts that a page lacks: an error page does not wait for those of the page that failed. */
  keep(page: string): void {
    const early = page + this.#arrived.map(({ html }) => html).join("");
    for (const id of this.#waiting.keys()) {
      if (!early.includes(openMark(id))) this.#waiting.delete(id);
    }
    this.#arrived = this.#arrived.filter(({ id }) => early.includes(openMark(id)));
  }

  open(): void {
    const { writeMs } = this.#c.app.config.timeouts;
    this.#deadline = startDeadline(performance.now() + writeMs, () => this.#expire(writeMs));
  }

  close(): void {
    this.#isClosed = true;
    if (this.#deadline !== undefined) dropDeadline(this.#deadline);
    this.#wake?.();
  }

  #expire(writeMs: number): void {
    if (!this.#c.hasWriteDeadline) return;
    const reason = "The deadline of the deferred parts has passed.";
    this.#c.abort(new DOMException(reason, "TimeoutError"));
    const error = new Error(
      `the part did not arrive within ${writeMs} ms (config.timeouts.writeMs)`,
    );
    for (const id of [...this.#waiting.keys()]) this.#fail(id, error);
  }

  #put(id: string, write: (options: DeferOptions) => string): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    this.#arrived.push({ id, number: waiting.number, html: write(waiting.options) });
    this.#wake?.();
  }

  #fail(id: string, error: unknown): void {
    this.#put(id, (options) => {
      // A client that disconnects aborts the work, which may then throw.
      if (!this.#isClosed) this.#log(error);
      if (options.error === undefined) return this.#ownSlot([error]);
      try {
        return childHtml(options.error(error));
      } catch (inner) {
        this.#log(inner);
        return this.#ownSlot([error, inner]);
      }
    });
  }

  #log(error: unknown): void {
    this.#c.log.error("late part failed", failureFields(this.#c, error));
  }

  /** The page has been sent, so in development the slot of a failed part shows the code. */
  #ownSlot(errors: readonly unknown[]): string {
    if (this.#c.env !== "dev") return errorSlot;
    return childHtml(devErrorSlot(this.#c, { errors }));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LatePart> {
    while (!this.#isClosed) {
      const part = this.#arrived.shift();
      if (part !== undefined) yield part;
      else if (this.#waiting.size === 0) break;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
    this.close();
  }
}

/**
 * Replaces the content between a part's marks. A missing position is tolerated, since another part may have
 * replaced it. Code that hydrates replaced elements listens to `fw:swap`. Methods are called from their
 * prototypes, because a form field or an image of the same name shadows them.
 */
const lateScript = `
function fwLate(i){
var d=document,q=Document.prototype.getElementById,p=q.call(d,"fw-part-"+i),s=q.call(d,"fw-late-"+i),n,t;
if(p&&s){
t=s.parentNode;
while((n=s.nextSibling)&&!(n.nodeType===8&&n.data==="/fw-late-"+i))Node.prototype.removeChild.call(t,n);
if(n)n.remove();
s.replaceWith(p.content);
EventTarget.prototype.dispatchEvent.call(t,new CustomEvent("fw:swap",{bubbles:true,detail:{target:t,status:200}}))
}
if(p)p.remove();
d.currentScript.remove()
}`.replaceAll("\n", "");
