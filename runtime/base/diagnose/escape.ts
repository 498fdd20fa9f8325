/**
 * What a log shows otherwise than it is: controls, those of C1 and DEL among them, which a terminal
 * obeys; marks that turn the direction of text or are not seen; separators that some take for the end
 * of a line.
 */
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

/** The same, but for what indents and splits the lines of a stack. */
const hiddenInLines = /[^\P{Cc}\t\n]|[\p{Cf}\u2028\u2029]/gu;

/** Most lines have nothing beyond ASCII: a quick look spares them the slow one. */
const beyondAscii = /[\x7f-\uffff]/;

/** Whether a text holds what a log must not show raw. */
export function hasHidden(text: string): boolean {
  return hidden.test(text);
}

/** Escapes what JSON lets through; what was JSON is JSON of the same value. */
export function escapeJson(json: string): string {
  return beyondAscii.test(json) ? json.replace(hiddenInLines, escapeUnits) : json;
}

/** Escapes a text of several lines, such as a stack. */
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
