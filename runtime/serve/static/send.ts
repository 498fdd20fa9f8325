import type { ByteRange } from "../../base/file_source.ts";
import { appendHeaders, extendVary } from "../../base/headers.ts";
import { sliceQuery } from "../../base/url/path.ts";
import type { HeaderPair } from "../../request/default_headers.ts";
import type { RequestCtx } from "../../request/request_ctx.ts";
import { allowsRange, checkConditions, findWeakened, parseRange } from "./conditions.ts";
import type { StaticFile } from "./file.ts";
import type { Form, Heads } from "./form.ts";

/** Responds to `GET` and `HEAD` with a file. */
export function sendFile(file: StaticFile, c: RequestCtx): Response | Promise<Response> {
  const { headers } = c.request;
  // Only GET has ranges (RFC 9110, section 14.2), and they are parts of the file as it is.
  const range = c.method === "GET" ? headers.get("range") : null;
  if (range === null) return chooseWhole(file, c);
  const form = file.identity();
  return form instanceof Promise
    ? form.then((identity) => sendRange(file, c, identity, range))
    : sendRange(file, c, form, range);
}

function chooseWhole(file: StaticFile, c: RequestCtx): Response | Promise<Response> {
  const form = file.choose(c.request.headers, c.method === "HEAD");
  return form instanceof Promise
    ? form.then((chosen) => sendWhole(file, c, chosen))
    : sendWhole(file, c, form);
}

function sendWhole(file: StaticFile, c: RequestCtx, form: Form): Response | Promise<Response> {
  const heads = headsFor(file, c, form);
  const early = checkEarly(c, form, heads);
  if (early !== undefined) return early;
  if (c.method === "HEAD") return new Response(null, heads.whole);
  const { bytes, source, size = source.size } = form;
  if (bytes !== undefined) return new Response(bytes, heads.whole);
  return respond(source.read({ start: 0, end: size }), heads.whole);
}

function sendRange(
  file: StaticFile,
  c: RequestCtx,
  form: Form,
  header: string,
): Response | Promise<Response> {
  const { headers } = c.request;
  const heads = headsFor(file, c, form);
  const early = checkEarly(c, form, heads);
  if (early !== undefined) return early;
  const { source, bytes, size = source.size } = form;
  const range = allowsRange(headers.get("if-range"), form) ? parseRange(header, size) : undefined;
  if (range === undefined) return chooseWhole(file, c);
  if (range === "unsatisfiable") {
    return refuse(c, 416, [
      ["content-range", `bytes */${size}`],
      ["x-content-type-options", "nosniff"],
    ]);
  }
  const partial = new Headers(heads.whole.headers);
  partial.set("content-range", `bytes ${range.start}-${range.end - 1}/${size}`);
  partial.set("content-length", String(range.end - range.start));
  return respond(
    bytes === undefined ? source.read(range) : sliceBytes(bytes, range),
    { status: 206, headers: partial },
  );
}

function sliceBytes(bytes: Uint8Array<ArrayBuffer>, { start, end }: ByteRange): Content {
  return bytes.subarray(start, end);
}

/** Returns the 304 or 412 that the preconditions ask for. */
function checkEarly(c: RequestCtx, form: Form, heads: Heads): Response | undefined {
  const { headers: asked } = c.request;
  const status = checkConditions(asked, form);
  if (status !== 304) return status === undefined ? undefined : refuse(c, status);
  // The tag of the response that the client holds (RFC 9111, section 4.3.4).
  const weak = findWeakened(asked, form.tag);
  if (weak === undefined) return new Response(null, heads.notModified);
  const headers = new Headers(heads.notModified.headers);
  headers.set("etag", weak);
  extendVary(headers, "Accept-Encoding");
  return new Response(null, { status, headers });
}

function refuse(c: RequestCtx, status: 412 | 416, pairs: readonly HeaderPair[] = []): Response {
  const headers = new Headers();
  appendHeaders(headers, pairs);
  appendHeaders(headers, c.defaults.empty);
  return new Response(null, { status, headers });
}

type Content = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

function respond(
  content: Content | Promise<Content>,
  init: ResponseInit,
): Response | Promise<Response> {
  return content instanceof Promise
    ? content.then((body) => new Response(body, init))
    : new Response(content, init);
}

function headsFor(file: StaticFile, c: RequestCtx, form: Form): Heads {
  return file.heads(form, { isFingerprinted: isFingerprinted(file, c), isSecure: c.isSecure });
}

/**
 * Reports whether the URL carries the file's fingerprint as the value of `v`. With a looser check, any client
 * could make a cache keep a changing response for a year.
 */
function isFingerprinted(file: StaticFile, c: RequestCtx): boolean {
  const query = sliceQuery(c.target.url, c.target.pathEnd);
  if (query === "") return false;
  const { fingerprint } = file;
  if (fingerprint === undefined) return false;
  return query === `?v=${fingerprint}` || new URLSearchParams(query).get("v") === fingerprint;
}
