/** RFC 5321, 4.5.3.1.3: a path has at most 256 octets, two of them the angle brackets. */
export const maxEmailChars = 254;

/** RFC 9110, 4.1: the length that all recipients should support. */
const maxUrlChars = 8_000;

/**
 * What `type=email` of HTML takes in ASCII, and letters beyond it: brackets, quotes and commas are
 * syntax of mail headers, where `<a@b.co>` is another spelling of the same mailbox. Control characters,
 * lone surrogates and what is invisible are refused on both sides. No part can match in two ways, so
 * that the time is linear.
 */
const email =
  /^[^\s@<>()[\],;:"\\\p{Cc}\p{Cf}\p{Cs}\p{DI}]+@(?!-)[^\s\0-,./:-@[-`{-\x7f\p{Cc}\p{Cf}\p{Cs}\p{DI}]+(?<!-)(?:\.(?!-)[^\s\0-,./:-@[-`{-\x7f\p{Cc}\p{Cf}\p{Cs}\p{DI}]+(?<!-))+$/u;

/** White space, control characters and lone surrogates. */
// deno-lint-ignore no-control-regex -- control characters are what it looks for
const blank = /[\s\0-\x1f\x7f-\x9f\ud800-\udfff]/u;

/**
 * A common URL, recognised without a parser; what does not match is left to the parser, such as a
 * host with "--" (Punycode may be malformed) or whose last label starts with a digit (an address).
 */
const plainUrl =
  /^https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)*[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\/[\w\-./~!$&'()*+,;=:@]*)?(?:[?#][\w\-./~!$&'()*+,;=:@?#]*)?$/i;

/**
 * Counts the characters of a string: Unicode code points, where CR LF counts as one, because browsers submit
 * line breaks as CR LF and count them as one for `maxlength`.
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

/** Checks whether a string looks like an email address. Only a message sent there proves more. */
export function isEmail(text: string): boolean {
  return text.length <= maxEmailChars && email.test(text);
}

/**
 * Checks whether a string is an absolute `http` or `https` URL as the WHATWG URL parser sees it, written with both
 * slashes and without white space.
 */
export function isWebUrl(text: string): boolean {
  if (text.length > maxUrlChars) return false;
  // Bench: bench/validate.
  if (plainUrl.test(text)) return true;
  return /^https?:\/\/[^/\\?#]/i.test(text) && !blank.test(text) && URL.canParse(text);
}

/** Lower-case letters, digits and single hyphens: what reads well in a URL. */
export const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** A valid segment of a path: no slash, no control character, and neither `.` nor `..`. */
export const segment =
  // deno-lint-ignore no-control-regex -- control characters are what it refuses
  /^(?:\.?[^./\\\x00-\x1f\x7f-\x9f][^/\\\x00-\x1f\x7f-\x9f]*|\.\.[^/\\\x00-\x1f\x7f-\x9f]+)$/;
