import type { Application } from "../../mod.ts";

/** Looks up a value by application; `undefined` is the server that no application serves. */
export type PerApplication<T> = (app: Application | undefined) => T;

/** Creates one value for each application, on first use: two in one process must not share it. */
export function perApplication<T extends object>(
  create: (app: Application | undefined) => T,
): PerApplication<T> {
  const values = new WeakMap<Application, T>();
  let own: T | undefined;
  return (app) => {
    if (app === undefined) return own ??= create(app);
    const known = values.get(app);
    if (known !== undefined) return known;
    const value = create(app);
    values.set(app, value);
    return value;
  };
}
