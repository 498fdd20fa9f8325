/** A JSON object whose members are not validated yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Checks whether a JSON value is an object, as opposed to an array, `null` or a scalar.
 *
 * @example
 * ```ts
 * import { isJsonObject } from "@fw/fw/addon";
 *
 * console.assert(isJsonObject({}) && !isJsonObject([]) && !isJsonObject(null));
 * ```
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Checks whether a value is a promise, or an object with a `then` of its own.
 *
 * @example
 * ```ts
 * import { isThenable } from "@fw/fw/addon";
 *
 * console.assert(isThenable(Promise.resolve(1)) && !isThenable(1));
 * ```
 */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && "then" in value &&
    typeof value.then === "function";
}

/**
 * Truncates a string to a number of UTF-16 units and an ellipsis. It never splits a surrogate pair.
 *
 * @example
 * ```ts
 * import { cutText } from "@fw/fw/addon";
 *
 * console.assert(cutText("harbour", 4) === "harb…" && cutText("lamp", 4) === "lamp");
 * ```
 */
export function cutText(text: string, maxChars: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= maxChars) return whole;
  return `${whole.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "")}…`;
}

/**
 * Returns a function that reports whether it gets a name for the first time, so that a fault is logged once. It
 * remembers at most `max` names, which may come from clients, and then reports none.
 */
export function createFirstCheck(max: number): (name: string) => boolean {
  const known = new Set<string>();
  return (name) => known.size < max && known.size < known.add(name).size;
}
