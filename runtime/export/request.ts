import { readCapped } from "../base/capped_body.ts";
import { shortPartOf, thrownMessage } from "../base/diagnose/error_text.ts";
import { joinBase } from "../base/url/path.ts";
import { ExportConnection } from "../request/request_ctx.ts";
import type { Crawl, ExportTarget } from "./crawl.ts";
import { hasExtension } from "./names.ts";
import type { ExportProblemCode } from "./report.ts";
import { resolveLink, type Site } from "./urls.ts";

/** The maximum size of a response in bytes; a larger one counts as an endless stream. */
const maxBytes = 256 * 1_024 * 1_024;

export interface ExportedContent {
  readonly kind: "html" | "file";
  readonly bytes: Uint8Array;
  readonly status: number;
  readonly headers: Headers;
}

export type Exported =
  | ExportedContent
  | { readonly kind: "redirect"; readonly location: string; readonly status: 301 | 302 }
  | { readonly kind: "failure"; readonly code: ExportProblemCode; readonly detail: string };

/** Requests a path; its status must be below 400, or the expected one. */
export async function requestPath(
  { site, pipeline, options: { timeoutMs } }: Crawl,
  target: ExportTarget,
  wantedStatus?: number,
): Promise<Exported> {
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
  const timer = setTimeout(() => controller.abort(), timeoutMs);
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
      ? readRedirect(response, target, site)
      : await readContent(response, target, { wantedStatus, signal });
    if (!("bytes" in read)) await response.body?.cancel().catch(() => {});
    return read;
  } catch (error) {
    return failure(
      signal.aborted
        ? `takes more than ${timeoutMs} ms; end it, or exclude it.`
        : failureText(500, error),
    );
  } finally {
    clearTimeout(timer);
    late.catch(() => {});
    controller.abort();
  }
}

async function readContent(
  { status, headers, body }: Response,
  { path }: ExportTarget,
  options: { readonly wantedStatus: number | undefined; readonly signal: AbortSignal },
): Promise<Exported> {
  const { wantedStatus, signal } = options;
  const type = headers.get("content-type") ?? "no type";
  const isHtml = /^\s*text\/html\b/i.test(type);
  const coding = headers.get("content-encoding") ?? "identity";
  const isEmpty = body === null || status >= 300;
  const fault = coding !== "identity"
    ? `responds in the coding ${coding}; make it respect Accept-Encoding.`
    : /^text\/event-stream\b/i.test(type)
    ? "is a stream; end it, or exclude it."
    : isEmpty && status !== wantedStatus
    ? `answers ${status} without a body; return a page, or exclude it.`
    : undefined;
  if (fault !== undefined) return failure(fault);
  if (!isEmpty && !isHtml && !hasExtension(path)) return failure(type, "not_html");
  const bytes = await readCapped(body, { maxBytes, signal });
  if (bytes === undefined) return failure(`returns more than ${maxBytes} bytes; exclude it.`);
  return { kind: isHtml ? "html" : "file", bytes, status, headers };
}

function failure(detail: string, code: ExportProblemCode = "page_failed"): Exported {
  return { kind: "failure", code, detail };
}

function failureText(status: number, error: unknown): string {
  if (error === undefined) return `answers ${status}`;
  const name = error instanceof Error ? shortPartOf(error, "name") : "Error";
  return `answers ${status}: ${name === "Error" ? "" : `${name}: `}${thrownMessage(error)}`;
}

function readRedirect({ status, headers }: Response, target: ExportTarget, site: Site): Exported {
  const location = headers.get("location") ?? "";
  const own = site.origin + site.base + target.path;
  const url = URL.parse(location, own);
  if (url === null || !/^https?:$/.test(url.protocol)) return failure(location, "redirect_target");
  const resolved = resolveLink(site, url.href, own);
  const isInside = resolved !== undefined && resolved !== "elsewhere";
  const bare = (path: string): string => path.replace(/\/$/, "");
  if (isInside && resolved.key !== undefined && bare(resolved.key) === bare(target.key)) {
    return failure("", "redirect_loop");
  }
  return {
    kind: "redirect",
    location: isInside ? url.pathname + url.search + url.hash : url.href,
    status: status === 301 || status === 308 ? 301 : 302,
  };
}
