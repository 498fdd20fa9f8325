/**
 * Characters that a log must escape: control characters, including C1 and DEL, which a terminal
 * interprets; invisible and direction-changing marks; separators that some programs read as line breaks.
 */
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

/** The same, except for the tabs and line breaks of a stack. */
const hiddenInLines = /[^\P{Cc}\t\n]|[\p{Cf}\u2028\u2029]/gu;

/** Most lines have nothing beyond ASCII: a quick look spares them the slow one. */
const beyondAscii = /[\x7f-\uffff]/;

/** Checks whether a string contains characters that a log must escape. */
export function hasHidden(text: string): boolean {
  return hidden.test(text);
}

/** Escapes what JSON lets through; what was JSON is JSON of the same value. */
export function escapeJson(json: string): string {
  return beyondAscii.test(json) ? json.replace(hiddenInLines, escapeUnits) : json;
}

/** Escapes a string of several lines, such as a stack. */
export function escapeLines(text: string): string {
  return text.replace(hiddenInLines, escapeUnits);
}

function escapeUnits(text: string): string {
  let escaped = "";
  for (let index = 0; index < text.length; index++) {
    escaped += "\\u" + text.charCodeAt(index).toString(16).padStart(4, "0");
  }
  return escaped;
}
