/** State that the living islands of a page share. */
export interface Store<T> {
  /** The value now. A view that reads it is rendered again when it changes. */
  readonly value: T;
  /**
   * Changes the value.
   *
   * @throws {TypeError} On the server, where the value would be shared by all users.
   */
  set(value: T): void;
}

/** A store of the page: its value, and what renders again when that changes. */
interface Entry {
  value: unknown;
  readonly readers: Set<() => void>;
}

type Page = typeof globalThis & {
  /** The stores of the page by key; modules of several versions share them. */
  [stores]?: Map<string, Entry>;
  /** What renders the view that is being read. */
  [reader]?: (() => void) | undefined;
};

const stores: unique symbol = Symbol.for("fw.stores") as typeof stores;
const reader: unique symbol = Symbol.for("fw.reader") as typeof reader;
const page = globalThis as Page;

/**
 * Creates a store, or finds the one of the same key on the page: all living islands that read it show the same
 * value. On the server it always has the first value.
 *
 * @param key A name, unique on the page.
 * @param initial The first value: what JSON can carry.
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
  const find = (): Entry => {
    const all = page[stores] ??= new Map();
    const known = all.get(key) ?? { value: initial, readers: new Set() };
    all.set(key, known);
    return known;
  };
  const isServer = !("document" in page);
  return {
    get value(): T {
      if (isServer) return initial;
      const { value, readers } = find();
      if (page[reader] !== undefined) readers.add(page[reader]);
      return value as T;
    },
    set(value: T): void {
      if (isServer) {
        throw new TypeError(
          `Cannot set the store "${key}": on the server all users would share it; set it in an action.`,
        );
      }
      const entry = find();
      entry.value = value;
      for (const read of entry.readers) read();
    },
  };
}

/** Reads a view, and renders it again when a store that it read changes. */
export function readStores<T>(again: () => void, view: () => T): T {
  const before = page[reader];
  page[reader] = again;
  try {
    return view();
  } finally {
    page[reader] = before;
  }
}

/** Forgets what rendered an island that is gone. */
export function forgetReader(again: () => void): void {
  for (const { readers } of page[stores]?.values() ?? []) readers.delete(again);
}

/** Takes what was kept over a reload; `undefined` also where the browser denies the storage. */
export function takeKept(name: string): unknown {
  try {
    const text = sessionStorage.getItem(name);
    sessionStorage.removeItem(name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps the values over a reload of the development server, whose script tells it by an event. */
export function keepStores(): void {
  if (isKeeping) return;
  isKeeping = true;
  const all = page[stores] ??= new Map();
  for (const [key, value] of (takeKept(keptStores) ?? []) as [string, unknown][]) {
    if (!all.has(key)) all.set(key, { value, readers: new Set() });
  }
  page.addEventListener("fw:reload", () => {
    const values = [...all].map(([key, { value }]) => [key, value]);
    sessionStorage.setItem(keptStores, JSON.stringify(values));
  });
}

const keptStores = "fw stores";
let isKeeping = false;
