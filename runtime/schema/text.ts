/** RFC 5321, 4.5.3.1.3: a path has at most 256 octets, two of them the angle brackets. */
const MAX_EMAIL_CHARS = 254;

/** RFC 9110, 4.1: the length that everybody is to support. */
const MAX_URL_CHARS = 8_000;

/**
 * One `@`, a domain of labels with a dot between them, no white space. Control characters are out
 * too, since CR LF would split a header, and so are lone surrogates. No part can match in two ways,
 * so that the time is linear.
 */
const EMAIL =
  // deno-lint-ignore no-control-regex -- control characters are what it refuses
  /^[^\s@\0-\x1f\x7f-\x9f\ud800-\udfff]+@[^\s@.\0-\x1f\x7f-\x9f\ud800-\udfff]+(?:\.[^\s@.\0-\x1f\x7f-\x9f\ud800-\udfff]+)+$/u;

/** White space, control characters and lone surrogates. */
// deno-lint-ignore no-control-regex -- control characters are what it looks for
const BLANK = /[\s\0-\x1f\x7f-\x9f\ud800-\udfff]/u;

/**
 * A common URL, recognised without a parser; what does not match is left to the parser, such as a
 * host with "--" (Punycode may be malformed) or whose last label starts with a digit (an address).
 */
const PLAIN_URL =
  /^https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)*[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\/[\w\-./~!$&'()*+,;=:@]*)?(?:[?#][\w\-./~!$&'()*+,;=:@?#]*)?$/i;

/**
 * Counts the characters of a text: Unicode code points, where CR LF counts as one, since a browser
 * sends each line break of a `textarea` so and counts it as one for `maxlength`.
 *
 * @param text Any text.
 * @returns The number of characters.
 */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const isPair = unit === 10
      ? text.charCodeAt(i - 1) === 13
      : (unit & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800;
    if (isPair) count--;
  }
  return count;
}

/**
 * Tells whether a text looks like an email address: one `@` with something before it, a domain with
 * an inner dot, no white space, at most 254 characters. Only a message sent there proves more.
 *
 * @param text Any text.
 * @returns Whether it looks like an address.
 */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_CHARS && EMAIL.test(text);
}

/**
 * Tells whether a text is an absolute `http` or `https` URL as the WHATWG URL parser sees it,
 * written with both slashes and without white space, of at most 8,000 characters.
 *
 * @param text Any text.
 * @returns Whether it is such a URL.
 */
export function isWebUrl(text: string): boolean {
  if (text.length > MAX_URL_CHARS) return false;
  // Bench: bench/validate.
  if (PLAIN_URL.test(text)) return true;
  return /^https?:\/\/[^/\\?#]/i.test(text) && !BLANK.test(text) && URL.canParse(text);
}
