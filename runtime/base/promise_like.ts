/** Whether the value must be awaited; it may be a promise of a library's own. */
export function isPromiseLike<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && "then" in value &&
    typeof value.then === "function";
}
