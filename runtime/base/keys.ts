import type { Application } from "./ctx/application.ts";
import type { Ctx, Key } from "./ctx/ctx.ts";

export type { Key } from "./ctx/ctx.ts";

/**
 * Creates a key, usually kept in a constant beside its type. Two keys of the same name are distinct.
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

/** Creates one value per application on first use: two applications in one process do not share it. */
export function perApplication<T>(make: (app: Application) => T): (app: Application) => T {
  const values = new WeakMap<Application, T>();
  return (app) => values.getOrInsertComputed(app, make);
}

const provided: WeakMap<Application, Map<Key<unknown>, unknown>> = new WeakMap();

/** Provides a value to the application, usually in `Setup`; throws a `TypeError` if the key has one. */
export function provide<T>(app: Application, at: Key<T>, value: T): void {
  const values = provided.getOrInsertComputed(app, () => new Map());
  if (values.has(at)) {
    throw new TypeError(`Cannot provide "${at.name}": it has a value already; provide it once.`);
  }
  values.set(at, value);
}

/** Returns the value set by {@link provide}; throws a `TypeError` naming the key when nothing was provided. */
export function use<T>(owner: Application | Ctx, at: Key<T>): T {
  const values = provided.get(findApplication(owner));
  if (values?.has(at) === true) return values.get(at) as T;
  const hasNamesake = [...values?.keys() ?? []].some(({ name }) => name === at.name);
  const reason = hasNamesake
    ? "another key of the same name was provided; import that key instead of creating one"
    : "nothing was provided; call provide(app, …) in Setup of app/setup.ts";
  throw new TypeError(`Cannot use "${at.name}": ${reason}.`);
}

/** Returns the application of a request's context, or the application itself. */
export function findApplication(owner: Application | Ctx): Application {
  return "app" in owner ? owner.app : owner;
}

/** Returns the value set by {@link provide}; `undefined` without one. */
export function useIfProvided<T>(owner: Application | Ctx, at: Key<T>): T | undefined {
  return provided.get(findApplication(owner))?.get(at) as T | undefined;
}

/** Shares the values provided to one application with another, until they are provided again. */
export function shareProvided(from: Application, to: Application): void {
  const values = provided.get(from);
  if (values !== undefined) provided.set(to, new Map(values));
}
