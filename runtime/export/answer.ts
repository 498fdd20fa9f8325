import { joinBase } from "../base/url/path.ts";
import { ExportConnection } from "../request/shared.ts";
import { type ExportProblem, exportProblem, type ExportProblemCode } from "./report.ts";
import { hasExtension } from "./name.ts";
import type { ExportTarget } from "./plan.ts";
import type { Site } from "./site.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";

/** The maximum size of a page; anything larger is taken for an endless stream. */
const maxBytes = 256 * 1_024 * 1_024;

/** The outcome of requesting a path. */
export type ExportAnswer =
  | { readonly kind: "html"; readonly html: string; readonly head: AnswerHead }
  | { readonly kind: "file"; readonly bytes: Uint8Array<ArrayBuffer>; readonly head: AnswerHead }
  | { readonly kind: "redirect"; readonly location: string; readonly status: 301 | 302 }
  | { readonly kind: "error"; readonly error: ExportProblem };

/** The status and headers of a response. */
export interface AnswerHead {
  /** The HTTP status. */
  readonly status: number;
  /** The headers. */
  readonly headers: Headers;
}

/** How paths are requested. */
export interface AskOptions {
  /** Handles the requests. */
  readonly pipeline: Pipeline;
  /** The site. */
  readonly site: Site;
  /** The time limit of one response, in milliseconds. */
  readonly timeoutMs: number;
  /** The required status. @default any below 400 */
  readonly wantedStatus?: number;
}

/** Requests one path as a client would and reads the response to its end. */
export async function askPath(target: ExportTarget, options: AskOptions): Promise<ExportAnswer> {
  const { site, pipeline, timeoutMs } = options;
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
    const answer = await readAnswer(response, { ...options, target, connection, signal });
    if (answer.kind === "error") await response.body?.cancel().catch(() => {});
    return answer;
  } catch (error) {
    const { path } = target;
    return signal.aborted
      ? failure("endless", { path, detail: `takes more than ${timeoutMs} ms` })
      : failure("page_failed", { path, detail: failureText(500, error) });
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

interface Asked extends AskOptions {
  readonly target: ExportTarget;
  readonly connection: ExportConnection;
  readonly signal: AbortSignal;
}

async function readAnswer(response: Response, asked: Asked): Promise<ExportAnswer> {
  const { target, wantedStatus, connection, signal } = asked;
  const { path } = target;
  const { status, headers } = response;
  if (status >= 400 && status !== wantedStatus) {
    return failure("page_failed", { path, detail: failureText(status, connection.error) });
  }
  const location = headers.get("location");
  if (status >= 300 && status < 400 && location !== null) {
    await response.body?.cancel();
    return redirectTo(location, { ...asked, status }) ??
      failure("redirect_target", { path, detail: location });
  }
  const type = headers.get("content-type") ?? "no type";
  const isHtml = /^\s*text\/html\b/i.test(type);
  const coding = headers.get("content-encoding") ?? "identity";
  if (coding !== "identity") return failure("encoded", { path, detail: coding });
  if (/^text\/event-stream\b/i.test(type)) {
    return failure("endless", { path, detail: "is a stream" });
  }
  if (response.body === null || status >= 300) {
    if (status !== wantedStatus) return failure("empty", { path, detail: String(status) });
  } else if (!isHtml && !hasExtension(path)) return failure("not_html", { path, detail: type });
  const bytes = await readBody(response, signal);
  if (bytes === undefined) {
    return failure("endless", { path, detail: `gives more than ${maxBytes} bytes` });
  }
  const head = { status, headers };
  return isHtml
    ? { kind: "html", html: new TextDecoder().decode(bytes), head }
    : { kind: "file", bytes, head };
}

function failure(
  code: ExportProblemCode,
  at: { readonly path: string; readonly detail: string },
): ExportAnswer {
  const { path, detail } = at;
  return { kind: "error", error: exportProblem(code, { subject: path, detail }) };
}

function failureText(status: number, error: unknown): string {
  if (error === undefined) return String(status);
  const text = error instanceof Error
    ? `${error.name === "Error" ? "" : `${error.name}: `}${error.message}`
    : String(error);
  return `${status}: ${text}`;
}

/** Waits for the response up to a deadline, since a handler may have none of its own. */
function inTime<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    Promise.resolve(work).then(resolve, reject);
  });
}

/** Reads the body; returns `undefined` when it is too long. */
async function readBody(
  response: Response,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), signal);
      if (done) break;
      chunks.push(value);
      length += value.length;
      if (length > maxBytes) return undefined;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Returns the target of a redirect; `undefined` when no page can lead to it. */
function redirectTo(
  location: string,
  from: { readonly target: ExportTarget; readonly site: Site; readonly status: number },
): ExportAnswer | undefined {
  const { target, site, status } = from;
  const own = site.urlOf(target.path);
  const url = URL.parse(location, own);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  const resolved = site.resolve(url.href, own);
  const isInside = resolved !== undefined && resolved !== "elsewhere";
  if (isInside && resolved.key !== undefined && samePage(resolved.key, target.key)) {
    const error = exportProblem("redirect_loop", { subject: target.path });
    return { kind: "error", error };
  }
  return {
    kind: "redirect",
    location: isInside ? url.pathname + url.search + url.hash : url.href,
    status: status === 301 || status === 308 ? 301 : 302,
  };
}

function samePage(one: string, other: string): boolean {
  const bare = (path: string): string => path.replace(/\/$/, "");
  return bare(one) === bare(other);
}
