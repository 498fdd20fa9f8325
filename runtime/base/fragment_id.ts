const maxChars = 100;

/**
 * Checks whether a string can be the id of an element that is swapped: letters, digits, `_`, `.`, `:` and `-`.
 * HTML allows more; these stand in a header, in a tag and in an attribute without any escaping, so
 * that what a client sends as an id can never be a second header or a piece of HTML.
 */
export function isFragmentId(text: string): boolean {
  return text.length <= maxChars && /^[\w.:-]+$/.test(text);
}

/**
 * Reads the header `FW-Fragment`.
 *
 * @returns The id of the element that the client wants to replace; `undefined` for a request for the
 * whole page, and for a value that is not an id, which gets the whole page as well.
 */
export function parseFragmentId(header: string | null): string | undefined {
  return header !== null && isFragmentId(header) ? header : undefined;
}
