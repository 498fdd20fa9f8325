import { readCapped } from "../base/capped_body.ts";
import { joinBase } from "../base/url/path.ts";
import { ExportConnection } from "../request/request_ctx.ts";
import type { Crawl, ExportTarget } from "./crawl.ts";
import { hasExtension } from "./names.ts";
import { type ExportProblem, exportProblem, type ExportProblemCode } from "./report.ts";
import { resolveLink, type Site } from "./urls.ts";

/** A larger response counts as an endless stream. */
const maxBytes = 256 * 1_024 * 1_024;

export type Exported =
  | (
    & ({ readonly kind: "html"; readonly html: string } | {
      readonly kind: "file";
      readonly bytes: Uint8Array;
    })
    & { readonly status: number; readonly headers: Headers }
  )
  | { readonly kind: "redirect"; readonly location: string; readonly status: 301 | 302 }
  | { readonly kind: "error"; readonly error: ExportProblem };

/** Requests a path; its status must be below 400, or the one that is wanted. */
export async function requestPath(
  { site, pipeline, options: { timeoutMs } }: Crawl,
  target: ExportTarget,
  { wantedStatus }: { readonly wantedStatus?: number } = {},
): Promise<Exported> {
  const connection = new ExportConnection();
  const controller = new AbortController();
  const { signal } = controller;
  const request = new Request(site.origin + joinBase(site.base, target.path), {
    headers: {
      accept: target.isPage ? "text/html,*/*;q=0.8" : "*/*",
      // The same in every export, so that a page which shows it is the same.
      "x-request-id": "export",
    },
    signal,
  });
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    const response = await inTime(pipeline(request, connection), signal);
    const { status } = response;
    const read = status >= 400 && status !== wantedStatus
      ? failure("page_failed", target, failureText(status, connection.error))
      : status >= 300 && status < 400 && response.headers.has("location")
      ? readRedirect(response, target, site)
      : await readFile(response, target, { wantedStatus, signal });
    if (read.kind !== "html" && read.kind !== "file") await response.body?.cancel().catch(() => {});
    return read;
  } catch (error) {
    return signal.aborted
      ? failure("page_failed", target, `takes more than ${timeoutMs} ms; end it, or exclude it.`)
      : failure("page_failed", target, failureText(500, error));
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

async function readFile(
  { status, headers, body }: Response,
  target: ExportTarget,
  options: { readonly wantedStatus: number | undefined; readonly signal: AbortSignal },
): Promise<Exported> {
  const { wantedStatus, signal } = options;
  const type = headers.get("content-type") ?? "no type";
  const isHtml = /^\s*text\/html\b/i.test(type);
  const coding = headers.get("content-encoding") ?? "identity";
  const fail = (detail: string): Exported => failure("page_failed", target, detail);
  if (coding !== "identity") {
    return fail(`answers in the coding ${coding}; let it look at Accept-Encoding.`);
  }
  if (/^text\/event-stream\b/i.test(type)) return fail("is a stream; end it, or exclude it.");
  if (body === null || status >= 300) {
    if (status !== wantedStatus) {
      return fail(`answers ${status} without a body; let it give a page, or exclude it.`);
    }
  } else if (!isHtml && !hasExtension(target.path)) return failure("not_html", target, type);
  const bytes = await readCapped(body, { maxBytes, signal });
  // A body whose reading was ended is not whole.
  signal.throwIfAborted();
  if (bytes === undefined) return fail(`gives more than ${maxBytes} bytes; exclude it.`);
  return isHtml
    ? { kind: "html", html: new TextDecoder().decode(bytes), status, headers }
    : { kind: "file", bytes, status, headers };
}

function failure(code: ExportProblemCode, target: ExportTarget, detail: string): Exported {
  return { kind: "error", error: exportProblem(code, target.path, detail) };
}

function failureText(status: number, error: unknown): string {
  if (error === undefined) return `answers ${status}`;
  const name = error instanceof Error && error.name !== "Error" ? `${error.name}: ` : "";
  return `answers ${status}: ${name}${error instanceof Error ? error.message : String(error)}`;
}

/** Waits up to the deadline, since a handler may have none of its own. */
function inTime<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    Promise.resolve(work).then(resolve, reject);
  });
}

function readRedirect(
  { status, headers }: Response,
  target: ExportTarget,
  site: Site,
): Exported {
  const location = headers.get("location") ?? "";
  const own = site.origin + site.base + target.path;
  const url = URL.parse(location, own);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return failure("redirect_target", target, location);
  }
  const resolved = resolveLink(site, url.href, own);
  const isInside = resolved !== undefined && resolved !== "elsewhere";
  const bare = (path: string): string => path.replace(/\/$/, "");
  if (isInside && resolved.key !== undefined && bare(resolved.key) === bare(target.key)) {
    return failure("redirect_loop", target, "");
  }
  return {
    kind: "redirect",
    location: isInside ? url.pathname + url.search + url.hash : url.href,
    status: status === 301 || status === 308 ? 301 : 302,
  };
}
