import { readCapped } from "../base/capped_body.ts";
import { shortPartOf, thrownMessage } from "../base/diagnose/error_text.ts";
import { buildPath, decodePath, joinBase } from "../base/url/path.ts";
import { ExportConnection } from "../request/request_ctx.ts";
import type { Crawl, ExportTarget } from "./crawl.ts";
import { writeRedirectPage } from "./made.ts";
import { fileName, findBadPart, hasExtension } from "./names.ts";
import { rewritePage, styleLinks } from "./page.ts";
import type { ExportProblemCode } from "./report.ts";
import { resolveLink, rewriteLink, servedPath } from "./urls.ts";

/** The maximum size of a response in bytes; a larger one counts as an endless stream. */
const maxBytes = 256 * 1_024 * 1_024;
const maxPageMs = 60_000;
/** The timeout of a route that is only asked whether it moved: others may wait for an event. */
const maxMovedMs = 5_000;
const pagesAtOnce = 8;

/** Exports the pending paths, several concurrently. */
export async function exportWaiting(crawl: Crawl): Promise<void> {
  await runSeveral(crawl.waiting.splice(0), async (target) => {
    await writeTarget(crawl, target, await requestPath(crawl, target));
    crawl.reportProgress(target.path);
  });
}

/** Runs work for each item, several concurrently. All end before a failure is thrown, so that none writes afterwards. */
async function runSeveral<T>(
  items: readonly T[],
  work: (item: T, at: number) => Promise<void>,
): Promise<void> {
  const left = items.entries();
  const failures: unknown[] = [];
  const run = async (): Promise<void> => {
    for (const [at, item] of left) {
      if (failures.length > 0) return;
      await work(item, at).catch((error) => void failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: pagesAtOnce }, run));
  if (failures.length > 0) throw failures[0];
}

/** Exports the permanent redirects of routes without an extension; a host cannot infer the type of the others. */
export async function exportOldPaths(crawl: Crawl): Promise<void> {
  const targets = crawl.untyped.map((route) => {
    const path = buildPath(route.pattern, {});
    return { path, key: decodePath(path) ?? path, route, isPage: true };
  });
  const responses: Awaited<ReturnType<typeof requestPath>>[] = [];
  await runSeveral(targets, async (target, at) => {
    responses[at] = await requestPath(crawl, target, { maxMs: maxMovedMs });
  });
  for (const [at, target] of targets.entries()) {
    const { route: { pattern, source = "" }, path } = target;
    const response = responses[at];
    const isMoved = response?.kind === "redirect" && response.status === 301 &&
      findBadPart(target) === undefined;
    if (!isMoved) crawl.skipped.push({ pattern, source, reason: "no_extension" });
    else if (crawl.takeName(fileName(target), path)) await writeRedirect(crawl, target, response);
  }
}

/** Exports the page for unknown paths, requested at a path that hosts reserve for it. */
export async function exportNotFound(crawl: Crawl): Promise<void> {
  const path = "/404.html";
  if (crawl.names.take("404.html", path) !== undefined) return;
  const target = { path, key: path, route: undefined, isPage: true };
  const response = await requestPath(crawl, target, { wantedStatus: 404 });
  if (response.kind === "html" && response.status === 404) {
    return await writePage(crawl, target, response);
  }
  const got = "detail" in response ? response.detail : `${response.status}`;
  crawl.warn("no_not_found", "404.html", got);
}

interface Content {
  readonly kind: "html" | "file";
  readonly bytes: Uint8Array;
  readonly status: number;
  readonly headers: Headers;
}

type Leading = { readonly kind: "redirect"; readonly location: string; readonly status: 301 | 302 };

interface Failure {
  readonly kind: "failure";
  readonly code: ExportProblemCode;
  readonly detail: string;
}

/** Requests a path; its status must be below 400, or the expected one. */
async function requestPath(
  crawl: Crawl,
  target: ExportTarget,
  { wantedStatus, maxMs = maxPageMs }: { wantedStatus?: number; maxMs?: number } = {},
): Promise<Content | Leading | Failure> {
  const { site, pipeline } = crawl;
  const connection = new ExportConnection();
  const controller = new AbortController();
  const { signal } = controller;
  const request = new Request(site.origin + joinBase(site.base, target.path), {
    headers: {
      accept: target.isPage ? "text/html,*/*;q=0.8" : "*/*",
      // Constant, so that a page that shows it is the same in every export.
      "x-request-id": "export",
    },
    signal,
  });
  const timer = setTimeout(() => controller.abort(), maxMs);
  // A handler may have no deadline of its own.
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  try {
    const response = await Promise.race([pipeline(request, connection), late]);
    const { status } = response;
    const read = status >= 400 && status !== wantedStatus
      ? failure(failureText(status, connection.error))
      : status >= 300 && status < 400 && response.headers.has("location")
      ? readRedirect(crawl, target, response)
      : await readContent(response, target, { wantedStatus, signal });
    if (!("bytes" in read)) await response.body?.cancel().catch(() => {});
    return read;
  } catch (error) {
    const isLate = `takes more than ${maxMs} ms; end it, or exclude it.`;
    return failure(signal.aborted ? isLate : failureText(500, error));
  } finally {
    clearTimeout(timer);
    late.catch(() => {});
    controller.abort();
  }
}

async function readContent(
  { status, headers, body }: Response,
  { path, isPage }: ExportTarget,
  { wantedStatus, signal }: { wantedStatus: number | undefined; signal: AbortSignal },
): Promise<Content | Failure> {
  const type = headers.get("content-type") ?? "no type";
  const isHtml = /^\s*text\/html\b/i.test(type);
  const coding = headers.get("content-encoding") ?? "identity";
  const isEmpty = body === null || status >= 300;
  if (coding !== "identity") {
    return failure(`responds in the coding ${coding}; make it respect Accept-Encoding.`);
  }
  if (/^text\/event-stream\b/i.test(type)) return failure("is a stream; end it, or exclude it.");
  if (isEmpty && status !== wantedStatus) {
    return failure(`answers ${status} without a body; return a page, or exclude it.`);
  }
  if (!isEmpty && !isHtml && (isPage || !hasExtension(path))) return failure(type, "not_html");
  const bytes = await readCapped(body, { maxBytes, signal });
  if (bytes === undefined) return failure(`returns more than ${maxBytes} bytes; exclude it.`);
  return { kind: isHtml ? "html" : "file", bytes, status, headers };
}

function failure(detail: string, code: ExportProblemCode = "page_failed"): Failure {
  return { kind: "failure", code, detail };
}

function failureText(status: number, error: unknown): string {
  if (error === undefined) return `answers ${status}`;
  const name = error instanceof Error ? shortPartOf(error, "name") : "Error";
  return `answers ${status}: ${name === "Error" ? "" : `${name}: `}${thrownMessage(error)}`;
}

function readRedirect(
  { site }: Crawl,
  { path, key }: ExportTarget,
  { status, headers }: Response,
): Leading | Failure {
  const location = headers.get("location") ?? "";
  const own = site.origin + site.base + path;
  const url = URL.parse(location, own);
  if (url === null || !/^https?:$/.test(url.protocol)) return failure(location, "redirect_target");
  const resolved = resolveLink(site, url.href, own);
  const isInside = resolved !== undefined && resolved !== "elsewhere";
  const bare = (path: string): string => path.replace(/\/$/, "");
  if (isInside && resolved.key !== undefined && bare(resolved.key) === bare(key)) {
    return failure("", "redirect_loop");
  }
  return {
    kind: "redirect",
    location: isInside ? url.pathname + url.search + url.hash : url.href,
    status: status === 301 || status === 308 ? 301 : 302,
  };
}

async function writeTarget(
  crawl: Crawl,
  target: ExportTarget,
  response: Content | Leading | Failure,
): Promise<void> {
  const { path, key, route } = target;
  if (response.kind === "failure") {
    // A link to it is not reported in addition.
    crawl.reached.set(key, undefined);
    return crawl.fail(response.code, target, response.detail);
  }
  if (response.kind === "redirect") return await writeRedirect(crawl, target, response);
  if (response.kind === "html") return await writePage(crawl, target, response);
  warnOfCookies(crawl, path, response);
  if (textType.test(response.headers.get("content-type") ?? "")) {
    warnOfAddress(crawl, path, new TextDecoder().decode(response.bytes));
  }
  if (/^\s*text\/css\b/i.test(response.headers.get("content-type") ?? "")) {
    addStyleLinks(crawl, target, new TextDecoder().decode(response.bytes));
  }
  const file = fileName(target);
  await crawl.folder.write(file, response.bytes);
  crawl.addFile({ file, kind: route === undefined ? "asset" : "route", path });
}

/** Adds the links of a style sheet, which the check of links reports like those of a page. */
export function addStyleLinks({ site, linking }: Crawl, target: ExportTarget, css: string): void {
  linking.push({
    target,
    links: styleLinks(css, site, site.origin + joinBase(site.base, target.path)),
  });
}

const textType =
  /^\s*(?:text\/|application\/(?:json|[\w.+-]*xml|[\w.+-]*json|javascript))|\+xml\b/i;

async function writePage(crawl: Crawl, target: ExportTarget, response: Content): Promise<void> {
  const { site } = crawl;
  const { path, key, route, isPage } = target;
  const { status, headers } = response;
  const file = fileName(target);
  warnOfCookies(crawl, path, response);
  const html = new TextDecoder().decode(response.bytes);
  const page = rewritePage(site, { path, html, policy: headers.get("content-security-policy") });
  const { text } = page;
  crawl.warnings.push(...page.warnings);
  warnOfAddress(crawl, path, text);
  await crawl.folder.write(file, new TextEncoder().encode(text));
  crawl.addFile({ file, kind: route === undefined ? "made" : isPage ? "page" : "route", path });
  crawl.reached.set(key, page.ids);
  crawl.linking.push({ target, links: page.links });
  const isHidden = page.isHidden || /\b(?:noindex|none)\b/i.test(headers.get("x-robots-tag") ?? "");
  if (isHidden || !site.isKnown || status !== 200) return;
  const url = site.origin + servedPath(site, path);
  crawl.listed.push({ url, lastModified: headers.get("last-modified") });
}

async function writeRedirect(
  crawl: Crawl,
  target: ExportTarget,
  { location, status }: Leading,
): Promise<void> {
  const { site } = crawl;
  const { path, key, isPage } = target;
  const file = fileName(target);
  const resolved = resolveLink(site, location, site.origin + site.base + path);
  const isInside = resolved !== undefined && resolved !== "elsewhere";
  const to = isInside ? rewriteLink(site, location, resolved) : location;
  const served = isPage ? servedPath(site, path) : site.base + path;
  for (const from of new Set([site.base + path, served])) {
    crawl.redirects.push({ from, to, status });
  }
  if (isInside) {
    crawl.linking.push({ target, links: [{ ...resolved, link: location, fragment: "" }] });
  }
  crawl.reached.set(key, undefined);
  if (!/\.html?$/i.test(file)) return crawl.warn("redirect_file", path, to);
  await crawl.folder.write(file, new TextEncoder().encode(writeRedirectPage(to)));
  crawl.addFile({ file, kind: "redirect", path });
}

function warnOfCookies(crawl: Crawl, path: string, { headers }: Content): void {
  for (const cookie of headers.getSetCookie()) {
    crawl.warn("cookie", path, `"${cookie.slice(0, cookie.indexOf("="))}"`);
  }
}

function warnOfAddress(crawl: Crawl, subject: string, text: string): void {
  const { origin, isKnown } = crawl.site;
  const address = origin.slice(origin.indexOf("//"));
  if (!isKnown && text.includes(address)) crawl.warn("no_base_url", subject);
}
