import type { Application } from "./ctx/application.ts";
import type { Ctx, Key } from "./ctx/ctx.ts";

export type { Key } from "./ctx/ctx.ts";

/**
 * Creates a key, usually kept in a constant beside its type. Two keys with one name are two keys.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App, key, provide, use } from "@fw/fw";
 *
 * const Greeting = key<string>("greeting");
 * const app = new App();
 * provide(app, Greeting, "hello");
 * assertEquals(use(app, Greeting), "hello");
 * ```
 */
export function key<T>(name: string): Key<T> {
  return Object.freeze({ name });
}

/** Makes one value for each application, on first use: two in one process must not share it. */
export function perApplication<T>(make: (app: Application) => T): (app: Application) => T {
  const values = new WeakMap<Application, T>();
  return (app) => values.getOrInsertComputed(app, make);
}

const provided: WeakMap<Application, Map<Key<unknown>, unknown>> = new WeakMap();

/**
 * Provides a value to the application, usually in `Setup`; throws a `TypeError` when the key has one
 * already.
 */
export function provide<T>(app: Application, at: Key<T>, value: T): void {
  let values = provided.get(app);
  if (values === undefined) {
    values = new Map();
    provided.set(app, values);
  }
  if (values.has(at)) {
    throw new TypeError(`Cannot provide "${at.name}": it has a value already; provide it once.`);
  }
  values.set(at, value);
}

/** Returns the value set by {@link provide}; throws a `TypeError` naming the key when nothing was provided. */
export function use<T>(owner: Application | Ctx, at: Key<T>): T {
  const app = "app" in owner ? owner.app : owner;
  const values = provided.get(app);
  if (values === undefined || !values.has(at)) {
    const hasNamesake = [...values?.keys() ?? []].some(({ name }) => name === at.name);
    throw new TypeError(
      hasNamesake
        ? `Cannot use "${at.name}": another key of the same name was provided; import that key instead of making one.`
        : `Cannot use "${at.name}": nothing was provided; call provide(app, …) in Setup of app/setup.ts.`,
    );
  }
  return values.get(at) as T;
}

/** Returns the value set by {@link provide}; `undefined` without one. */
export function useIfProvided<T>(owner: Application | Ctx, at: Key<T>): T | undefined {
  const app = "app" in owner ? owner.app : owner;
  return provided.get(app)?.get(at) as T | undefined;
}

/** Shares the values provided to one application with another, until they are provided anew. */
export function shareProvided(from: Application, to: Application): void {
  const values = provided.get(from);
  if (values !== undefined) provided.set(to, new Map(values));
}
