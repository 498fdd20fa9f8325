/** State that the living islands of a page share. */
export interface Store<T> {
  /** The current value. The islands of the page are rendered again when it changes. */
  readonly value: T;
  /**
   * Changes the value.
   *
   * @throws {TypeError} On the server, where all users would share the value.
   */
  set(value: T): void;
}

const valuesKey: unique symbol = Symbol.for("fw.stores") as typeof valuesKey;
const page = globalThis as typeof globalThis & {
  /** The values by key; several versions of this module share them. */
  [valuesKey]?: Map<string, unknown>;
};

export const storeEvent = "fw:store";

/**
 * Creates a store, or returns the page's store of the same key, so all living islands that read it
 * show the same value. On the server it always has the initial value.
 *
 * @param key A name, unique on the page.
 * @param initial The initial value, which must be serializable as JSON.
 * @returns The store.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { store } from "@fw/fw/island";
 *
 * const basket = store("basket", { tickets: 0 });
 * assertEquals(basket.value.tickets, 0);
 * ```
 */
export function store<T>(key: string, initial: T): Store<T> {
  const isServer = !("document" in page);
  const values = (): Map<string, unknown> => page[valuesKey] ??= new Map();
  return {
    get value(): T {
      return !isServer && values().has(key) ? values().get(key) as T : initial;
    },
    set(value: T): void {
      if (isServer) {
        throw new TypeError(
          `Cannot set the store "${key}" on the server, where all users share it: set it in an action.`,
        );
      }
      values().set(key, value);
      page.dispatchEvent(new Event(storeEvent));
    },
  };
}
