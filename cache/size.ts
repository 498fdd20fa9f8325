import { isNode } from "../html/mod.ts";

/** A string may need two bytes a character. */
const bytesPerChar = 2;

/** Returns how many bytes a string takes at most. */
export function textBytes(text: string): number {
  return bytesPerChar * text.length;
}

/**
 * Returns how many bytes a value takes, where that is cheap to measure: texts, nodes, buffers and
 * their views, numbers and the like.
 *
 * @returns `undefined` for other objects.
 */
export function measure(value: unknown): number | undefined {
  if (typeof value === "string") return textBytes(value);
  if (typeof value === "bigint") return textBytes(value.toString(16));
  if (typeof value !== "object" || value === null) {
    return typeof value === "function" ? undefined : 8;
  }
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  return isNode(value) ? textBytes(value.render()) : undefined;
}
