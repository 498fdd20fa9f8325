/** RFC 5321, 4.5.3.1.3: a path has at most 256 octets, two of them the angle brackets. */
const MAX_EMAIL_CHARS = 254;

/** White space and control characters: none belongs in an address, and CR LF would split a header. */
// deno-lint-ignore no-control-regex -- control characters are what it looks for
const BLANK = /[\s\u0000-\u001f\u007f-\u009f]/;

/** A common URL, recognised without a parser; what does not match is left to the parser. */
const PLAIN_URL =
  /^https?:\/\/(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*(?:\/[\w\-./~%!$&'()*+,;=:@]*)?(?:[?#][\x21-\x5b\x5d-\x7e]*)?$/i;

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
  if (text.length > MAX_EMAIL_CHARS) return false;
  const at = text.indexOf("@");
  if (at < 1 || text.indexOf("@", at + 1) !== -1) return false;
  const dot = text.indexOf(".", at);
  return dot > at + 1 && !text.endsWith(".") && text.indexOf("..", at) === -1 && !BLANK.test(text);
}

/**
 * Tells whether a text is an absolute `http` or `https` URL as the WHATWG URL parser sees it,
 * written with both slashes and without white space.
 *
 * @param text Any text.
 * @returns Whether it is such a URL.
 */
export function isWebUrl(text: string): boolean {
  // Bench: bench/validate. "xn--" labels may be malformed, which only the parser finds.
  if (PLAIN_URL.test(text) && !/xn--/i.test(text)) return true;
  return /^https?:\/\/[^/\\?#]/i.test(text) && !BLANK.test(text) && URL.canParse(text);
}
