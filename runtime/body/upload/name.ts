/** The longest name, in characters. */
const maxChars = 100;
/** The longest name in bytes: file systems take 255, and `-999` may be added. */
const maxBytes = 240;

/** The fallback for a name that is empty after cleaning. */
const fallbackName = "file";

/** Returns the last part of a path of any platform: some clients send where they have a file. */
export function withoutFolders(sent: string): string {
  return sent.split(/[/\\]/).at(-1) ?? "";
}

/**
 * Creates a safe file name from the client's: the last part of a path of any platform, without control
 * and direction characters and those that no Windows folder takes, not hidden, no device, and short.
 *
 * @param sent The name as the client sent it.
 * @returns A name that stays inside any folder it is joined to.
 */
export function safeFileName(sent: string): string {
  const cleaned = withoutFolders(sent).toWellFormed().normalize("NFC")
    // deno-lint-ignore no-control-regex -- control characters are what is dropped
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd]/g, "")
    // A full-width slash is not a separator, but a later reader may normalise the name into one.
    .replace(/[<>:"|?*\u2044\u2215\u29f5\u29f8\u29f9\ufe68\uff0f\uff3c]/g, "_")
    .replace(/^[.\s]+/u, "");
  const shortened = trimEnd(shorten(trimEnd(cleaned)));
  if (shortened === "") return fallbackName;
  return /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(?:\.|$)/i.test(shortened)
    ? `_${shortened}`
    : shortened;
}

/** By a loop: a regular expression for the end of a text starts anew at every blank within it. */
function trimEnd(name: string): string {
  let end = name.length;
  while (end > 0 && /[.\s]/.test(name.charAt(end - 1))) end--;
  return name.slice(0, end);
}

/** Cuts the stem, so that the ending stays. */
function shorten(name: string): string {
  const { stem, ext } = splitName(name);
  const tail = [...ext].length > 20 ? [] : [...ext];
  const head = tail.length === 0 ? [...name] : [...stem];
  // One is left for what a device's name gets before it.
  head.length = Math.min(head.length, maxChars - 1 - tail.length);
  while (head.length > 0 && byteLength(head) + byteLength(tail) > maxBytes) head.pop();
  return head.join("") + tail.join("");
}

function byteLength(chars: readonly string[]): number {
  return encoder.encode(chars.join("")).length;
}

const encoder = new TextEncoder();

/**
 * Splits a name at its last dot.
 *
 * @param name A file name.
 * @returns The stem, and the ending with its dot; `""` when it has none.
 */
export function splitName(name: string): { readonly stem: string; readonly ext: string } {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? { stem: name, ext: "" } : { stem: name.slice(0, dot), ext: name.slice(dot) };
}
