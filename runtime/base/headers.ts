/** A header's name in lower case and its value. */
export type HeaderPair = readonly [name: string, value: string];

/** Returns the headers that a CORS policy adds to a response, by the `Origin` of the request. */
export type CorsHeaders = (origin: string | null) => readonly HeaderPair[];

export function appendHeaders(headers: Headers, pairs: readonly HeaderPair[]): void {
  for (const [name, value] of pairs) headers.append(name, value);
}

/** @throws {TypeError} naming the first header that ends the process of Deno's listener. */
export function checkHeaders(headers: Headers): void {
  headers.forEach((value, name) => void checkHeader(name, value));
}

/** Checks headers that are set later, because a handler may keep them after its return. */
export function checkLateHeaders(headers: Headers): Headers {
  // Defining properties costs sixty times as much as assigning them.
  headers.append = checkedAppend;
  headers.set = checkedSet;
  return headers;
}

const { append, set } = Headers.prototype;

function checkedAppend(this: Headers, name: string, value: string): void {
  append.call(this, name, checkHeader(name, value));
}

function checkedSet(this: Headers, name: string, value: string): void {
  set.call(this, name, checkHeader(name, value));
}

/** The getter of `headers`: the framework's responses have another one, which notes that they were read. */
export const readHeaders = Object.getOwnPropertyDescriptor(Response.prototype, "headers")
  ?.get as (this: Response) => Headers;

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: Map<string, string>;
  readonly quality: number;
  /** Precision of the range: 0 for everything, 1 for a type, 2 for a subtype, more with parameters. */
  readonly precision: number;
}

/** The maximum length of a parsed `Accept` header; browsers send less than a tenth of it. */
const maxAcceptChars = 2_048;

/** Splits a list at its separators outside of quoted strings (RFC 9110, section 5.6.4). */
export function splitList(text: string, separator: "," | ";"): string[] {
  if (!text.includes('"')) return text.split(separator);
  const items: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isQuoted && char === "\\") at++;
    else if (char === '"') isQuoted = !isQuoted;
    else if (char === separator && !isQuoted) {
      items.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...items, text.slice(start)];
}

/** Empties quoted strings, because their text is not a directive. */
export function withoutQuoted(text: string): string {
  return text.includes('"') ? text.replace(/"(?:[^"\\]|\\.)*(?:"|$)/g, '""') : text;
}

/** Parses a media type or range: its types and the names of its parameters are returned in lower case. */
function parseMedia(text: string): Pick<MediaRange, "type" | "subtype" | "parameters"> {
  const [media = "", ...rest] = splitList(text, ";");
  const [type = "", subtype = "", ...more] = trimBlanks(media).toLowerCase().split("/");
  const parameters = new Map(rest.map((parameter) => {
    const equals = parameter.indexOf("=");
    const end = equals < 0 ? parameter.length : equals;
    const value = trimBlanks(parameter.slice(end + 1)).replace(/^"(.*)"$/s, "$1");
    return [trimBlanks(parameter.slice(0, end)).toLowerCase(), value.replace(/\\(.)/gs, "$1")];
  }));
  parameters.delete("");
  return { type, subtype: more.length === 0 ? subtype : "", parameters };
}

/** The maximum number of items of a weighted list that are read; clients send fewer than ten. */
const maxItems = 32;

const weighted = /^[ \t]*([*\w-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i;

/** Parses names in lower case with their qualities (RFC 9110, section 12.4.2); drops malformed items. */
export function parseWeights(header: string): (readonly [name: string, quality: number])[] {
  return header.slice(0, maxAcceptChars).split(",", maxItems).flatMap((item) => {
    const [, name, quality = "1"] = weighted.exec(item) ?? [];
    return name === undefined ? [] : [[name.toLowerCase(), Number(quality)] as const];
  });
}

function parseAccept(header: string): MediaRange[] {
  const ranges: MediaRange[] = [];
  for (const part of splitList(header.slice(0, maxAcceptChars), ",")) {
    const { type, subtype, parameters } = parseMedia(part);
    if (type === "" || subtype === "" || (type === "*" && subtype !== "*")) continue;
    const quality = Number(parameters.get("q") ?? 1);
    parameters.delete("q");
    const precision = type === "*" ? 0 : subtype === "*" ? 1 : 2 + parameters.size;
    const isQuality = quality >= 0 && quality <= 1;
    ranges.push({ type, subtype, parameters, quality: isQuality ? quality : 0, precision });
  }
  return ranges;
}

/** Returns the quality of an offer, taken from its most specific range. */
function qualityOf(ranges: readonly MediaRange[], offer: string): number {
  const { type, subtype, parameters } = parseMedia(offer);
  let best: MediaRange | undefined;
  for (const range of ranges) {
    const matches = (range.type === "*" || range.type === type) &&
      (range.subtype === "*" || range.subtype === subtype) &&
      [...range.parameters].every(([name, value]) => {
        const own = parameters.get(name);
        // A range may match an offer without its parameters; a refusal (`q=0`) needs exact ones.
        return own === undefined ? range.quality > 0 : own.toLowerCase() === value.toLowerCase();
      });
    if (matches && (best === undefined || range.precision > best.precision)) best = range;
  }
  return best?.quality ?? 0;
}

/**
 * Chooses among the offers by an `Accept` header (RFC 9110, section 12.5.1): the earlier of two equal ones,
 * `undefined` when the client accepts none.
 */
export function negotiate(
  header: string | null | undefined,
  offers: readonly string[],
): string | undefined {
  if (header === null || header === undefined || trimBlanks(header) === "" || header === "*/*") {
    return offers[0];
  }
  const ranges = parseAccept(header);
  let chosen: string | undefined;
  let best = 0;
  for (const offer of offers) {
    const quality = qualityOf(ranges, offer);
    if (quality > best) {
      best = quality;
      chosen = offer;
    }
  }
  return chosen;
}

/** The last header and its result: most clients send one of a few values. */
let knownAccept = "*/*";
let knownFormat: "html" | "json" | undefined = undefined;

/** Returns which of HTML and JSON the client prefers; `undefined` for no preference. */
export function preferredFormat(header: string | null): "html" | "json" | undefined {
  if (header === null) return undefined;
  if (header === knownAccept) return knownFormat;
  const ranges = parseAccept(header);
  const html = qualityOf(ranges, "text/html");
  const json = Math.max(
    qualityOf(ranges, "application/json"),
    qualityOf(ranges, "application/problem+json"),
  );
  knownAccept = header;
  return knownFormat = html > json ? "html" : json > html ? "json" : undefined;
}

/** The statuses of a redirect (RFC 9110, section 15.4). */
export type RedirectStatus = 301 | 302 | 303 | 307 | 308;

const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Returns the `Location` of a redirect: printable ASCII only, and a path never starts with two slashes, which a
 * browser would read as another host.
 *
 * @throws {RangeError} for a status that is not a redirect.
 */
export function redirectLocation(url: string, status: RedirectStatus): string {
  if (!redirectStatuses.includes(status)) {
    throw new RangeError(
      `Cannot redirect with the status "${status}": use one of ${redirectStatuses.join(", ")}.`,
    );
  }
  // Browsers drop tabs and line breaks anywhere and treat a backslash as a slash, so that
  // "/\t/evil.example" and "/\evil.example" are hosts as well.
  // deno-lint-ignore no-control-regex -- control characters are what is dropped
  let location = url.replace(/[\u0000-\u001f\u007f]/g, "").trim();
  if (/^[/\\]{2}/.test(location)) location = "/" + location.replace(/^[/\\]+/, "");
  return location.replace(/[^\u0021-\u007e]+/g, (text) => encodeURI(text.toWellFormed()));
}

/** Checks whether a `Vary` contains a header or `*` (RFC 9110, section 12.5.5). */
export function variesBy(vary: string | null, name: string): boolean {
  if (vary === null) return false;
  for (const each of vary.toLowerCase().split(",")) {
    const listed = each.trim();
    if (listed === "*" || listed === name) return true;
  }
  return false;
}

/** Adds the names that `Vary` lacks, each once. */
export function extendVary(headers: Headers, names: string): void {
  const vary = headers.get("vary") ?? "";
  const joined = joinVary(vary, names);
  // Appending would send a second line, and nginx up to 1.23 reads only the last one.
  if (joined !== vary) headers.set("vary", joined);
}

/** Returns a `Vary` with the names that it lacks, each once; `""` stands for none. */
export function joinVary(vary: string, names: string): string {
  if (vary === "" && !names.includes(",")) return names.trim();
  let joined = vary;
  for (const each of names.split(",")) {
    const name = each.trim();
    if (name === "" || variesBy(joined, name.toLowerCase())) continue;
    joined = joined === "" ? name : `${joined}, ${name}`;
  }
  return joined;
}

/**
 * Removes the blanks of HTTP, spaces and tabs, at both ends (RFC 9110, section 5.6.3). `trim` also removes a
 * no-break space, which is an ordinary byte in a header: so two different strings would become equal.
 */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && (text[start] === " " || text[start] === "\t")) start++;
  while (start < end && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
  return text.slice(start, end);
}

/** Checks whether the text can be a header's or a cookie's name: a token (RFC 9110, section 5.6.2). */
export function isToken(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}

/** Returns the trace id of a W3C `traceparent`, or `undefined` for a malformed one. */
export function parseTraceId(header: string | null): string | undefined {
  if (header === null) return undefined;
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/.exec(header);
  if (match === null) return undefined;
  const [, traceVersion, traceId, parentId, rest] = match;
  if (traceVersion === "ff" || (traceVersion === "00" && rest !== undefined)) return undefined;
  if (traceId === "0".repeat(32) || parentId === "0".repeat(16)) return undefined;
  return traceId;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Decodes a request header that the client wrote in UTF-8, which `Headers` reads as Latin-1; a value that is
 * not UTF-8 is unchanged. `c.cookie` does this itself.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { decodeHeader } from "@fw/fw";
 *
 * assertEquals(decodeHeader("S\u00c3\u00a3o Paulo"), "São Paulo");
 * ```
 */
export function decodeHeader(value: string): string {
  if (!/[\x80-\xff]/.test(value) || /[^\0-\xff]/.test(value)) return value;
  try {
    return utf8.decode(Uint8Array.from(value, (char) => char.charCodeAt(0)));
  } catch {
    return value;
  }
}

/** Checks whether a received `X-Request-ID` is safe for logs and responses. */
export function isRequestId(text: string): boolean {
  return text.length <= 128 && /^[A-Za-z0-9._:/+=-]+$/.test(text);
}

/**
 * Checks a header (RFC 9110, section 5). `Headers` allows more control characters, but one of them in a response
 * ends the process of Deno's listener. The error omits the value, which may be a secret.
 */
export function checkHeader(name: string, value: string): string {
  const isName = isToken(name);
  const trimmed = String(value).replace(/^[\t\n\r ]+|(?<![\t\n\r ])[\t\n\r ]+$/g, "");
  if (isName && !/[^\t -~\x80-\xff]/.test(trimmed)) return trimmed;
  const fix = isName
    ? "its value may hold neither a line break nor another control character, and no character beyond " +
      "U+00FF; encode others, such as with encodeURIComponent"
    : "its name may hold letters, digits and -_.~!#$%&'*+^`| only";
  throw new TypeError(`Cannot set the header ${JSON.stringify(name)}: ${fix}.`);
}
