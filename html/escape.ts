/**
 * Escaping of text and quoted attribute values, and decoding of character references. The package's lowest
 * layer: it imports nothing.
 */

const special = /[&<>"']/g;

/**
 * Escapes `&`, `<`, `>`, `"` and `'`, so that the result is inert as element text and inside a
 * quoted attribute value. It is not enough inside `script`, `style`, a comment, an unquoted
 * attribute value or a URL's scheme.
 *
 * @param text The text, of any length.
 * @returns The same text if nothing needs escaping, otherwise a copy with character references.
 * @throws {TypeError} for a value that is not a string, such as an unvalidated value of a request body.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * assertEquals(h.escape(`Tom & "Jerry"`), "Tom &amp; &quot;Jerry&quot;");
 * ```
 */
export function escape(text: string): string {
  if (typeof text !== "string") {
    throw new TypeError(`Cannot escape a value of type ${typeof text}: use a string.`);
  }
  // If a stack overflow ended an earlier call, the pattern must not resume where that call stopped.
  special.lastIndex = 0;
  // Most text needs no escaping, so the fast path is one test without a copy (bench/html).
  return special.test(text) ? replaceSpecial(text) : text;
}

function replaceSpecial(text: string): string {
  let out = "";
  let from = 0;
  do {
    const at = special.lastIndex - 1;
    out += text.slice(from, at) + reference(text.charCodeAt(at));
    from = at + 1;
  } while (special.test(text));
  return out + text.slice(from);
}

function reference(code: number): string {
  if (code === 0x26) return "&amp;";
  if (code === 0x3c) return "&lt;";
  if (code === 0x3e) return "&gt;";
  return code === 0x22 ? "&quot;" : "&#39;";
}

/** Detection of URLs that run code when followed, read as a browser reads them. */

/** The replacement of a URL that would run code. */
export const invalidUrl = "about:invalid";

/**
 * Media that cannot run script in any element: raster images, audio, video, fonts. It is a list of
 * allowed types because any type that ends in `+xml` is a document that may contain script.
 */
export const inertData: RegExp = new RegExp(
  `^data:(?:${
    [
      "image/(?:png|apng|jpe?g|gif|webp|avif|hei[cf]|jxl|bmp|tiff|x-icon|vnd\\.microsoft\\.icon)",
      "audio/(?:mpeg|mp3|mp4|x-m4a|aac|ogg|opus|webm|(?:x-)?wav|wave|(?:x-)?flac|midi)",
      "video/(?:mp4|webm|ogg|quicktime|mpeg|x-matroska|3gpp)",
      "font/(?:woff2?|ttf|otf|sfnt|collection)",
    ].join("|")
  })[;,]`,
  "i",
);

const scriptScheme = /^(?:javascript|vbscript):/i;

const ignoredByParsers = /[\t\n\r]/g;

/**
 * Returns the URL, or `about:invalid` when its scheme is `javascript:` or `vbscript:`, or `data:`
 * with anything but a well-known type of raster image, audio, video or font (SVG may contain
 * script). The scheme is read as the WHATWG URL parser does: leading C0 controls and spaces are
 * dropped, tabs and newlines are dropped everywhere, case does not matter.
 */
export function safeUrl(url: string): string {
  let start = 0;
  while (start < url.length && url.charCodeAt(start) <= 0x20) start++;
  // `| 0x20` lowers an ASCII letter: j(avascript), v(bscript), d(ata). Others are safe.
  const first = url.charCodeAt(start) | 0x20;
  if (first !== 0x6a && first !== 0x76 && first !== 0x64) return url;
  return runsCode(url.slice(start)) ? invalidUrl : url;
}

function runsCode(url: string): boolean {
  const plain = url.replace(ignoredByParsers, "");
  if (scriptScheme.test(plain)) return true;
  return /^data:/i.test(plain) && !inertData.test(plain);
}

/**
 * Applies `safeUrl` to the `values` of an SVG animation: a semicolon-separated list, any item of
 * which the animation may assign to an `href`.
 */
export function safeUrlList(list: string): string {
  return list.split(";").every((url) => safeUrl(url) === url) ? list : invalidUrl;
}

const named: Readonly<Record<string, string>> = {
  AMP: "&",
  amp: "&",
  apos: "'",
  GT: ">",
  gt: ">",
  LT: "<",
  lt: "<",
  nbsp: "\u00a0",
  QUOT: '"',
  quot: '"',
};

/** Names that need their semicolon, each after its character, which has a meaning in URLs and code. */
const punctuation =
  "!excl #num $dollar %percnt (lpar )rpar *ast *midast +plus ,comma .period /sol :colon " +
  ";semi =equals ?quest @commat [lsqb [lbrack \\bsol ]rsqb ]rbrack ^Hat _lowbar _UnderBar `grave " +
  "`DiacriticalGrave {lcub {lbrace |verbar |vert |VerticalLine }rcub }rbrace";

interface References {
  readonly characters: Readonly<Record<string, string>>;
  readonly pattern: RegExp;
}

/** Read on first use, which few applications have (`bench/start`). */
let references: References | undefined;

/**
 * Without a semicolon only legacy names count, and in an attribute only if no letter, digit or `=`
 * follows: `?a=1&lt=2` contains no reference.
 */
function readReferences(): References {
  const pairs = punctuation.split(" ").map((pair) => [pair.slice(1), pair.charAt(0)]);
  const others = Object.fromEntries([["Tab", "\t"], ["NewLine", "\n"], ...pairs]);
  const [old, semicolon] = [named, others].map((names) => Object.keys(names).join("|"));
  const source = `&(?:#(\\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(${old}|(?:${semicolon})(?=;)))(;?)`;
  return { characters: { ...named, ...others }, pattern: new RegExp(source, "g") };
}

/**
 * Decodes the character references of an attribute's value: numbers, the names used for escaping,
 * and the names of ASCII punctuation. Other names stay as written, so a URL may contain a bare `&`.
 */
export function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  const { characters, pattern } = references ??= readReferences();
  return text.replace(pattern, (whole, decimal, hex, name, semicolon, at: number) => {
    if (name !== undefined) {
      const next = text[at + whole.length] ?? "";
      const isName = semicolon === ";" || (name !== "apos" && !/[A-Za-z0-9=]/.test(next));
      return isName ? characters[name] ?? whole : whole;
    }
    return fromCode(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}

function fromCode(code: number): string {
  const isText = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isText ? String.fromCodePoint(code) : "\ufffd";
}
