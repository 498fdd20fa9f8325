import { isJsonObject } from "../runtime/addon.ts";

export { isJsonObject };

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Replaces lone surrogates in written JSON by U+FFFD, because many parsers refuse their escapes. */
export function wellFormedJson(json: string): string {
  // `JSON.stringify` writes surrogates as escapes only if they are lone.
  if (!json.includes("\\ud")) return json;
  return json.replace(
    /\\(?:ud[89a-f][0-9a-f]{2}|.)/g,
    (escape) => escape.startsWith("\\ud") ? "\ufffd" : escape,
  );
}

/** Parses JSON; `undefined` for invalid JSON. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isJson(text: string): boolean {
  return parseJsonText(text) !== undefined;
}

/** Returns the text of a message's content, which some servers send as an array of parts. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return asText(content);
  return content.map((part) => asText(asObject(part).text)).join("");
}

/** Shortens an untrusted string for a message, so that a huge name does not fill the log. */
export function cutLine(text: string, maxChars = 80): string {
  return text.length <= maxChars ? text : `${firstChars(text, maxChars)}…`;
}

/** Returns the start of a string as well-formed Unicode, without splitting a surrogate pair. */
export function firstChars(text: string, maxChars: number): string {
  const start = text.slice(0, maxChars);
  const whole = start.length < text.length ? start.replace(/[\ud800-\udbff]$/, "") : start;
  return whole.toWellFormed();
}

/** Writes a value as JSON for a model. @throws {TypeError} for one that JSON cannot represent, such as a cycle. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}
