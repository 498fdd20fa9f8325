/** The prefix of a Base64 header value ("Value Encoding" of revision 2026-07-28). */
const prefix = "=?base64?";
const suffix = "?=";

/** A value that a header carries unencoded: printable ASCII without spaces at its ends. */
const plain = /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/;

function isMarked(value: string): boolean {
  return value.startsWith(prefix) && value.endsWith(suffix) &&
    value.length >= prefix.length + suffix.length;
}

export function encodeHeaderValue(text: string): string {
  if (plain.test(text) && !isMarked(text)) return text;
  return `${prefix}${new TextEncoder().encode(text).toBase64()}${suffix}`;
}

/**
 * Decodes the value of `Mcp-Name` or `Mcp-Param-*`.
 *
 * @returns `undefined` for invalid characters, Base64 or UTF-8.
 */
export function decodeHeaderValue(value: string): string | undefined {
  if (!plain.test(value)) return undefined;
  if (!isMarked(value)) return value;
  try {
    const text = value.slice(prefix.length, -suffix.length);
    // The decoder skips blanks.
    if (/\s/.test(text)) return undefined;
    const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: "strict" });
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
