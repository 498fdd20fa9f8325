import { extendVary } from "../../base/headers.ts";
import type { ByteRange } from "../../base/file_source.ts";
import { sliceQuery } from "../../base/url/path.ts";
import type { Exchange } from "../../request/exchange.ts";
import type { HeaderPair } from "../../request/default_headers.ts";
import { appendHeaders } from "../../request/responses.ts";
import { parseRange } from "./range.ts";
import { allowsRange, checkConditions, findWeakened } from "./conditions.ts";
import type { StaticFile } from "./file.ts";
import type { Form } from "./form.ts";

/** Responds to `GET` and `HEAD` with a file. */
export function answerFile(file: StaticFile, c: Exchange): Response | Promise<Response> {
  const { headers } = c.request;
  // Only GET has ranges (RFC 9110, section 14.2), and they are parts of the file as it is.
  const range = c.method === "GET" ? headers.get("range") : null;
  if (range !== null) {
    const identity = file.identity();
    return identity instanceof Promise
      ? identity.then((form) => answerRange(file, { c, form, range }))
      : answerRange(file, { c, form: identity, range });
  }
  return answerWhole(file, c);
}

/** One request for a file, and the form that is sent. */
interface Sending {
  readonly c: Exchange;
  readonly form: Form;
}

function answerWhole(file: StaticFile, c: Exchange): Response | Promise<Response> {
  const { headers } = c.request;
  const form = c.method === "HEAD" ? file.announce(headers) : file.choose(headers);
  return form instanceof Promise
    ? form.then((chosen) => sendWhole(file, { c, form: chosen }))
    : sendWhole(file, { c, form });
}

function sendWhole(file: StaticFile, { c, form }: Sending): Response | Promise<Response> {
  const heads = form.heads({ isFingerprinted: isFingerprinted(file, c), isSecure: c.isSecure });
  const status = checkConditions(c.request.headers, form);
  if (status === 304) return notModified(c.request.headers, { form, init: heads.notModified });
  if (status === 412) return refuse(c, status);
  if (c.method === "HEAD") return new Response(null, heads.whole);
  const { bytes, source, size } = form.init;
  if (bytes !== undefined) return new Response(bytes, heads.whole);
  return respond(source.read({ start: 0, end: size }), heads.whole);
}

function answerRange(
  file: StaticFile,
  { c, form, range: header }: Sending & { readonly range: string },
): Response | Promise<Response> {
  const { headers } = c.request;
  const heads = form.heads({ isFingerprinted: isFingerprinted(file, c), isSecure: c.isSecure });
  const status = checkConditions(headers, form);
  if (status === 304) return notModified(headers, { form, init: heads.notModified });
  if (status === 412) return refuse(c, status);
  const { size } = form.init;
  const range = allowsRange(headers.get("if-range"), form) ? parseRange(header, size) : undefined;
  if (range === undefined) return answerWhole(file, c);
  if (range === "unsatisfiable") {
    return refuse(c, 416, [
      ["content-range", `bytes */${size}`],
      ["x-content-type-options", "nosniff"],
    ]);
  }
  const partial = new Headers(heads.whole.headers);
  partial.set("content-range", `bytes ${range.start}-${range.end - 1}/${size}`);
  partial.set("content-length", String(range.end - range.start));
  return sendPart(form, { range, headers: partial });
}

function sendPart(
  form: Form,
  part: { readonly range: ByteRange; readonly headers: Headers },
): Response | Promise<Response> {
  const { range, headers } = part;
  const { bytes, source } = form.init;
  const content = bytes === undefined ? source.read(range) : bytes.subarray(range.start, range.end);
  return respond(content, { status: 206, headers });
}

/** Creates a 304 with the tag of the response that the client holds (RFC 9111, section 4.3.4). */
function notModified(
  asked: Headers,
  { form, init }: { readonly form: Form; readonly init: ResponseInit },
): Response {
  const weak = findWeakened(asked, form.tag);
  if (weak === undefined) return new Response(null, init);
  const headers = new Headers(init.headers);
  headers.set("etag", weak);
  extendVary(headers, "Accept-Encoding");
  return new Response(null, { ...init, headers });
}

function refuse(
  c: Exchange,
  status: 412 | 416,
  pairs: readonly HeaderPair[] = [],
): Response {
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

/**
 * Reports whether the URL carries the file's fingerprint as the value of `v`. With a looser check,
 * any client could make a cache keep a changing response for a year.
 */
function isFingerprinted(file: StaticFile, c: Exchange): boolean {
  const query = sliceQuery(c.target.url, c.target.pathEnd);
  if (query === "") return false;
  const { fingerprint } = file;
  if (fingerprint === undefined) return false;
  return query === `?v=${fingerprint}` || new URLSearchParams(query).get("v") === fingerprint;
}
