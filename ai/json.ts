import { isJsonObject } from "../runtime/addon.ts";

export { isJsonObject };

/** Narrows parsed JSON to an object; anything else becomes one without members. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}

/** Shortens a text from outside for a message, so that a name of a megabyte does not fill a log. */
export function cutLine(text: string, maxChars = 80): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}…`;
}
