import type { Answered } from "../../base/ctx/answer.ts";
import type { ByteRange, SourceFile } from "../../base/file_source.ts";
import { appendHeaders, extendVary, type HeaderPair, trimBlanks } from "../../base/headers.ts";
import { sliceQuery } from "../../base/url/path.ts";
import { findHeldTag, isStrongMatch, listTags, parseHttpDate } from "../../request/http_cache.ts";
import type { RequestCtx } from "../../request/request_ctx.ts";
import type { StaticFile } from "./file.ts";
import { type Form, type Heads, headsOf } from "./form.ts";

export function sendFile(file: StaticFile, c: RequestCtx): Answered {
  const { headers } = c;
  // Only GET has ranges (RFC 9110, section 14.2), which are parts of the uncompressed file.
  const range = c.method === "GET" ? headers.get("range") : null;
  const whole = (): Answered => {
    const form = file.choose(headers);
    return form instanceof Promise
      ? form.then((chosen) => sendWhole(c, createSendable(file, c, chosen)))
      : sendWhole(c, createSendable(file, c, form));
  };
  if (range === null) return whole();
  const form = file.identity();
  return form instanceof Promise
    ? form.then((identity) => sendPart(c, createSendable(file, c, identity), range) ?? whole())
    : sendPart(c, createSendable(file, c, form), range) ?? whole();
}

/** A form with its heads, and the source of the bytes that are not in memory. */
export interface Sendable {
  readonly form: Validators & Pick<Form, "bytes" | "size">;
  readonly heads: Heads;
  readonly source: SourceFile;
}

function createSendable(file: StaticFile, c: RequestCtx, form: Form): Sendable {
  const { isSecure } = c;
  const heads = headsOf(form, file, { isFingerprinted: isFingerprinted(file, c), isSecure });
  return { form, heads, source: file.source };
}

export function sendWhole(c: RequestCtx, { form, heads, source }: Sendable): Answered {
  const early = checkEarly(c, form, heads);
  if (early !== undefined) return early;
  if (c.method === "HEAD") return new Response(null, heads.whole);
  return respond(form.bytes ?? source.read({ start: 0, end: form.size }), heads.whole);
}

/** Sends the part that a `Range` asks for; returns `undefined` if the whole is to be sent. */
export function sendPart(
  c: RequestCtx,
  { form, heads, source }: Sendable,
  header: string,
): Answered | undefined {
  const early = checkEarly(c, form, heads);
  if (early !== undefined) return early;
  const { bytes, size } = form;
  if (!allowsRange(c.headers.get("if-range"), form)) return undefined;
  const range = parseRange(header, size);
  if (range === undefined) return undefined;
  if (range === "unsatisfiable") {
    return refuse(c, 416, [
      ["content-range", `bytes */${size}`],
      ["x-content-type-options", "nosniff"],
    ]);
  }
  const partial = new Headers(heads.whole.headers);
  partial.set("content-range", `bytes ${range.start}-${range.end - 1}/${size}`);
  partial.set("content-length", String(range.end - range.start));
  const part = bytes === undefined ? source.read(range) : bytes.subarray(range.start, range.end);
  return respond(part, { status: 206, headers: partial });
}

function checkEarly(c: RequestCtx, form: Validators, heads: Heads): Response | undefined {
  const { headers: asked, method } = c;
  const status = method === "GET" || method === "HEAD" ? checkConditions(asked, form) : undefined;
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

function respond(content: Content | Promise<Content>, init: ResponseInit): Answered {
  return content instanceof Promise
    ? content.then((body) => new Response(body, init))
    : new Response(content, init);
}

/** Compares the value of `v`: otherwise any client could make a cache keep a changing file for a year. */
function isFingerprinted(file: StaticFile, c: RequestCtx): boolean {
  const query = sliceQuery(c.target.url, c.target.pathEnd);
  if (query === "") return false;
  const { fingerprint } = file;
  if (fingerprint === undefined) return false;
  return query === `?v=${fingerprint}` || new URLSearchParams(query).get("v") === fingerprint;
}

export interface Validators {
  readonly tag: string | undefined;
  readonly modifiedSeconds: number | undefined;
}

/** The minimum age of a date that distinguishes two versions (RFC 9110, section 8.8.2.2). */
const strongAgeSeconds = 1;

/** Evaluates preconditions in the order of RFC 9110, section 13.2.2; `undefined` if all are met. */
export function checkConditions(headers: Headers, validators: Validators): 304 | 412 | undefined {
  const { tag, modifiedSeconds } = validators;
  const match = headers.get("if-match");
  if (match !== null) {
    const isAny = trimBlanks(match) === "*";
    if (!isAny && (tag === undefined || !isStrongMatch(match, tag))) return 412;
  } else {
    const since = parseSeconds(headers.get("if-unmodified-since"));
    if (since !== undefined && modifiedSeconds !== undefined && modifiedSeconds > since) return 412;
  }
  const noneMatch = headers.get("if-none-match");
  if (noneMatch !== null) {
    const isHeld = tag === undefined
      ? trimBlanks(noneMatch) === "*"
      : findHeldTag(noneMatch, tag) !== undefined;
    return isHeld ? 304 : undefined;
  }
  const since = parseSeconds(headers.get("if-modified-since"));
  if (since === undefined || modifiedSeconds === undefined) return undefined;
  return modifiedSeconds <= since ? 304 : undefined;
}

/** Finds a weak tag of the client: the listener weakens the tags of responses that it compresses. */
function findWeakened(headers: Headers, tag: string | undefined): string | undefined {
  const header = headers.get("if-none-match");
  if (header === null || tag === undefined || isWeak(tag)) return undefined;
  const weak = `W/${tag}`;
  const isHeld = trimBlanks(header) !== "*" && listTags(header, weak).includes(weak);
  return isHeld ? weak : undefined;
}

/** Reports whether an `If-Range` allows the range (RFC 9110, section 13.1.5): only for an exact version. */
export function allowsRange(header: string | null, validators: Validators): boolean {
  if (header === null) return true;
  const { tag, modifiedSeconds } = validators;
  const value = trimBlanks(header);
  if (value.includes('"')) return tag !== undefined && !isWeak(tag) && value === tag;
  const date = parseSeconds(value);
  return date !== undefined && date === modifiedSeconds &&
    Date.now() / 1_000 - date > strongAgeSeconds;
}

function isWeak(tag: string): boolean {
  return tag.startsWith("W/");
}

function parseSeconds(header: string | null): number | undefined {
  const ms = parseHttpDate(header?.trim());
  return ms === undefined ? undefined : ms / 1_000;
}

/** The number of characters of a `Range` that are read; clients need less than a tenth. */
const maxRangeChars = 128;

/**
 * Parses a `Range` (RFC 9110, section 14.2) against the length of the content.
 *
 * One range is supported. For several, the whole file is sent, which the RFC allows: a client cannot make the
 * response longer than the file. The same applies to a unit other than `bytes`.
 *
 * @returns The range; `undefined` to send the whole; `"unsatisfiable"` for 416, also for malformed and
 * reversed ranges.
 */
export function parseRange(header: string, size: number): ByteRange | undefined | "unsatisfiable" {
  // Some clients send a range with every request, and no Content-Range can describe a part of an empty file.
  if (size === 0 || !/^bytes=/i.test(header) || header.includes(",")) return undefined;
  if (header.length > maxRangeChars) return "unsatisfiable";
  const [, first, last] = /^[ \t]*(\d*)-(\d*)[ \t]*$/.exec(header.slice("bytes=".length)) ?? [];
  if (first === undefined || last === undefined) return "unsatisfiable";
  if (first === "") {
    const length = Number(last);
    if (last === "" || length === 0) return "unsatisfiable";
    return { start: Math.max(0, size - length), end: size };
  }
  const start = Number(first);
  const end = last === "" ? size : Math.min(Number(last) + 1, size);
  return start < end ? { start, end } : "unsatisfiable";
}
