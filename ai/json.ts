import { isJsonObject } from "../runtime/addon.ts";

export { isJsonObject };

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Parses JSON; `undefined` for any other text. */
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

/** Returns the text of a message's content, which some servers send as a list of parts. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return asText(content);
  return content.map((part) => asText(asObject(part).text)).join("");
}

/** Shortens a string from outside for a message, so that a name of a megabyte does not fill a log. */
export function cutLine(text: string, maxChars = 80): string {
  return text.length <= maxChars ? text : `${firstChars(text, maxChars)}…`;
}

/** Returns the start of a string as well-formed Unicode, never cut through a surrogate pair. */
export function firstChars(text: string, maxChars: number): string {
  const start = text.slice(0, maxChars);
  const whole = start.length < text.length ? start.replace(/[\ud800-\udbff]$/, "") : start;
  return whole.toWellFormed();
}

/** Writes a value as JSON for a model. @throws {TypeError} for a value that JSON cannot hold, such as a circle. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}
