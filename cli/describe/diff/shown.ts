/**
 * Writes values on one line. What is compared is compared whole: only a shown text is cut.
 *
 * @module
 */
import { cutText } from "../../problem.ts";

/** The most characters of a value in a line, with the `…` of one that is cut. */
const maxShown = 121;

/** Returns a value as JSON, whole; `""` for none. */
export function jsonText(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value) ?? "";
}

/** Cuts a text that is too long for a line. */
export function shorten(text: string): string {
  return cutText(text, maxShown);
}

/** Writes a value on one line. */
export function shown(value: unknown): string {
  return shorten(jsonText(value));
}
