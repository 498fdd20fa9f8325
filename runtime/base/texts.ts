import { AsyncLocalStorage } from "node:async_hooks";

/** Texts by name. */
export type Texts = Readonly<Record<string, string>>;

/** The texts that one application overrides; absent ones fall back to the process's texts. */
export interface AppTexts {
  /** Messages of validation rules. */
  readonly validationMessages: Texts | undefined;
  /** Words of the component kit. */
  readonly labels: Texts | undefined;
}

const storage: AsyncLocalStorage<AppTexts> = new AsyncLocalStorage();
let isUsed = false;

/**
 * Returns a function that runs with the texts of an application: all code it calls, also after an await,
 * reads them through {@link currentTexts}. Without own texts it is the same function, since a scope costs
 * a tenth of a small request (`bench/http`).
 */
export function withTexts<A extends unknown[], R>(
  texts: AppTexts,
  run: (...args: A) => R,
): (...args: A) => R {
  if (texts.validationMessages === undefined && texts.labels === undefined) return run;
  isUsed = true;
  return (...args) => storage.run(texts, run, ...args);
}

/** The texts of the application that runs now; `undefined` outside and for one without own texts. */
export function currentTexts(): AppTexts | undefined {
  return isUsed ? storage.getStore() : undefined;
}
