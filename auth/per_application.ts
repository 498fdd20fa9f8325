import type { Application } from "../mod.ts";

/** A value that each application has of its own, made when it is first asked for. */
export class PerApplication<T> {
  readonly #make: (app: Application) => T;
  readonly #values: WeakMap<Application, { readonly value: T }> = new WeakMap();

  constructor(make: (app: Application) => T) {
    this.#make = make;
  }

  of(app: Application): T {
    let kept = this.#values.get(app);
    if (kept === undefined) {
      kept = { value: this.#make(app) };
      this.#values.set(app, kept);
    }
    return kept.value;
  }
}
