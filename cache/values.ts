import { isNode } from "../html/mod.ts";

/** Refuses what is used up by its first reader. @throws {TypeError} naming the fix. */
export function refuseUnkeepable(value: unknown, label: string): void {
  if (typeof value !== "object" || value === null) return;
  const isSpent = value instanceof Response || value instanceof Request ||
    value instanceof ReadableStream;
  if (!isSpent) return;
  throw new TypeError(
    `Cannot keep ${label}: a ${value.constructor.name} can be read only once; keep what is read ` +
      "from it, such as a text.",
  );
}

/** Refuses what another process would not get as it was. @throws {TypeError} naming the fix. */
export function refuseUnsharable(value: unknown, label: string): void {
  if (!isNode(value)) return;
  throw new TypeError(
    `Cannot share ${label}: a store keeps data, and this is a node; keep the text of h.render, and ` +
      "make a node of it again with h.raw.",
  );
}
