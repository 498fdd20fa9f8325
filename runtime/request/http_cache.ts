import { HttpError } from "../base/errors/errors.ts";
import { trimBlanks } from "../base/headers.ts";
import { buildAnswer } from "./answer.ts";
import { hasWaiting } from "./flash.ts";
import type { RequestCtx } from "./request_ctx.ts";
import { respond } from "./stage.ts";
import { bindTag, hasReadCookies, markTokenTag, spokenLanguage, tokenTag } from "./validators.ts";

/** Implements `c.etag`: stages the header, and a 304 if the client's version is current. */
export function declareEtag(c: RequestCtx, tag: string | undefined): boolean {
  if (tag === undefined || tag === "") return isNotModified(c);
  const header = c.headers.get("if-none-match");
  // The client's tag includes a language, but this route may not have read it yet.
  if (c.app.config.languages.some((each) => header?.includes(`;${each}`))) void c.language;
  const plain = formatEtag(c, tag);
  c.header("etag", plain);
  c.answer.hasValidator = true;
  if (!isConditional(c)) return false;
  if (header === null || hasWaiting(c)) return isNotModified(c);
  const etag = bindTag(c, plain);
  const bound = tokenTag(c, etag);
  const heldBound = bound === undefined ? undefined : findHeldTag(header, bound);
  const held = heldBound ?? findHeldTag(header, etag);
  if (held === undefined) return isNotModified(c);
  if (heldBound !== undefined) markTokenTag(c);
  const isBound = heldBound !== undefined || etag !== plain;
  // The compression of the client's copy weakened its tag, and a cache updates a stored response only by a
  // 304 with the same tag (RFC 9111, section 4.3.4).
  if (isBound || held.startsWith("W/")) c.header("etag", held);
  return stageNotModified(c);
}

/** Implements `c.ifMatch`. @throws {HttpError} 412 if the client names only other versions. */
export function requireMatch(c: RequestCtx, tag: string | undefined): void {
  const current = tag === undefined || tag === "" ? undefined : formatEtag(c, tag);
  const header = c.headers.get("if-match");
  if (header === null) return;
  if (current !== undefined && holdsVersion(c, header, current)) return;
  throw new HttpError(412, "this was changed in the meantime", { code: "precondition_failed" });
}

/**
 * Checks whether an `If-Match` names the version, as the application wrote it or as `c.etag` sent it: in any
 * language, because the client may have read the version in another one, and weakened by the compression of the
 * response, which most clients ask for.
 */
function holdsVersion(c: RequestCtx, header: string, current: string): boolean {
  if (trimBlanks(header) === "*") return true;
  const bound = ["", ...c.app.config.languages].map((language) => bindTag(c, current, language));
  return [current, ...bound, ...bound.map((etag) => tokenTag(c, etag))].some((etag) =>
    etag !== undefined && !etag.startsWith("W/") && findHeldTag(header, etag) !== undefined
  );
}

/** Implements `c.lastModified`; a tag takes precedence over the date (RFC 9110, section 13.1.3). */
export function declareLastModified(c: RequestCtx, date: Date | undefined): boolean {
  const time = date?.getTime() ?? 0;
  // A date does not distinguish a fragment from its page, languages or users, and browsers revalidate
  // with the date of either.
  const isOneOfMany = c.fragment !== undefined || spokenLanguage(c) !== undefined ||
    hasReadCookies(c);
  if (time === 0 || Number.isNaN(time) || isOneOfMany) return isNotModified(c);
  // A date in the future would make every later change look old (RFC 9110, section 8.8.2.1).
  const modified = Math.floor(Math.min(time, Date.now()) / 1_000);
  c.header("last-modified", new Date(modified * 1_000).toUTCString());
  c.answer.hasValidator = true;
  if (!isConditional(c)) return false;
  const { headers } = c;
  if (headers.has("if-none-match") || hasWaiting(c)) return isNotModified(c);
  const since = parseHttpDate(headers.get("if-modified-since"));
  if (since === undefined || modified * 1_000 > since) return isNotModified(c);
  return stageNotModified(c);
}

export function declareCacheControl(c: RequestCtx, value: string): void {
  if (value === "") return;
  if (!directives.test(value)) {
    throw new TypeError(
      `Cannot set Cache-Control to "${value}": write directives such as "public, max-age=60".`,
    );
  }
  c.header("cache-control", value);
}

const token = "[!#$%&'*+.^_`|~0-9a-z-]+";
const quoted = String.raw`"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t -~\x80-\xff])*"`;
const directive = `${token}(?:=(?:${token}|${quoted}))?`;
const directives = new RegExp(
  `^(?:[ \\t]*,)*[ \\t]*${directive}[ \\t]*(?:,[ \\t]*(?:${directive}[ \\t]*)?)*$`,
  "i",
);

/**
 * Returns the tag of the page or the fragment, which are different representations of one URL, whose tags must
 * differ (RFC 9110, section 8.8.3). Browsers revalidate with the tag of the representation they have, even if
 * `Vary` rules it out, and would show a fragment as the page.
 */
function formatEtag({ fragment }: RequestCtx, tag: string): string {
  const etag = /^(?:W\/)?".*"$/.test(tag) ? tag : `"${tag}"`;
  if (!/^(?:W\/)?"[\x21\x23-\x7e]*"$/.test(etag)) {
    throw new TypeError(
      `Cannot set the ETag ${
        JSON.stringify(tag)
      }: write printable ASCII without spaces and quotes.`,
    );
  }
  return fragment === undefined ? etag : `${etag.slice(0, -1)};${fragment}"`;
}

/** Checks whether the response may be a 304: for a GET or HEAD with status 200 (RFC 9110, section 13.2.1). */
function isConditional(c: RequestCtx): boolean {
  const { method, answer: { status } } = c;
  return (method === "GET" || method === "HEAD") && (status === 0 || status === 200);
}

function stageNotModified(c: RequestCtx): boolean {
  // As in the response with a body: a cache replaces its stored headers by these.
  c.header("vary", "Accept-Encoding");
  if (!isNotModified(c)) respond(c, buildAnswer(c, new Response(null, { status: 304 })));
  return true;
}

function isNotModified(c: RequestCtx): boolean {
  return c.answer.given?.status === 304;
}

/** The three formats that a recipient must accept: IMF-fixdate, RFC 850 and asctime. */
const forms: readonly RegExp[] = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)) GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)) GMT$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)) (?<year>\d{4})$/,
];

/**
 * Parses a date of a header (RFC 9110, section 5.6.7).
 *
 * @param header The header's value; `null` or `undefined` for none.
 * @returns Milliseconds since 1970; `undefined` for anything else.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseHttpDate } from "@fw/fw/addon";
 *
 * assertEquals(parseHttpDate("Sun, 06 Nov 1994 08:49:37 GMT"), 784111777000);
 * assertEquals(parseHttpDate("-5"), undefined);
 * ```
 */
export function parseHttpDate(header: string | null | undefined): number | undefined {
  if (header === null || header === undefined) return undefined;
  for (const form of forms) {
    const { day = "", month = "", year = "", time = "" } = form.exec(header)?.groups ?? {};
    if (day === "") continue;
    // `Date.parse` alone accepts much more, and its reading of two-digit years is undefined.
    const isLeap = time.endsWith(":60");
    const clock = isLeap ? `${time.slice(0, -2)}59` : time;
    const parsed = Date.parse(`${day.trim()} ${month} ${fullYear(year)} ${clock} GMT`);
    // It also accepts the 31st of every month, as a day of the next one.
    if (new Date(parsed).getUTCDate() !== Number(day)) return undefined;
    return isLeap ? parsed + 1_000 : parsed;
  }
  return undefined;
}

/** Returns the full year of two digits, never more than 50 years ahead. */
function fullYear(year: string): string {
  if (year.length === 4) return year;
  const now = new Date().getUTCFullYear();
  const full = now - now % 100 + Number(year);
  return String(full > now + 50 ? full - 100 : full);
}

const maxTags = 64;
const item = /[ \t,]*((?:W\/)?)("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/y;

/** Returns the tag of a list that has the same text, weak or strong. */
export function findHeldTag(header: string, etag: string): string | undefined {
  const opaque = etag.slice(etag.indexOf('"'));
  return listTags(header, etag).find((held) => held.endsWith(opaque));
}

/** Compares strongly (RFC 9110, section 13.1.1); the caller handles `*`. */
export function isStrongMatch(header: string, etag: string): boolean {
  return !etag.startsWith("W/") && listTags(header, etag).includes(etag);
}

/** Parses a list of tags; `*` is the own tag. Its malformed rest, and anything after 64 tags, is dropped. */
export function listTags(header: string, own: string): string[] {
  const value = trimBlanks(header);
  if (value === own || value === "*") return [own];
  const tags: string[] = [];
  item.lastIndex = 0;
  for (let found = item.exec(value); found !== null; found = item.exec(value)) {
    if (tags.push(found.slice(1).join("")) === maxTags) break;
  }
  return tags;
}
