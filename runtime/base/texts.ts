import { AsyncLocalStorage } from "node:async_hooks";

/** Texts by name. */
export type Texts = Readonly<Record<string, string>>;

/** The texts that one application overrides; absent ones fall back to the process's texts. */
export interface AppTexts {
  /** The language of the request; `undefined` where the application lists no languages. */
  readonly language: string | undefined;
  /** Messages of validation rules; earlier ones win. */
  readonly validationMessages: readonly Texts[];
  /** Words of the component kit. */
  readonly labels: Texts | undefined;
  /** What the framework's own error pages say. */
  readonly errorPages: Texts | undefined;
}

/** What code without a context reads of the request that runs now. */
export interface TextScope {
  /** The texts of its application, in its language. */
  readonly texts: AppTexts;
  /** The language in front of its path, such as `/pt-PT`; `""` for none. */
  readonly languagePrefix: string;
}

/** The scope of a request whose language is found when something asks for it. */
export class RequestScope {
  /** The request, once it has a context. */
  request: TextScope | undefined = undefined;
}

const storage: AsyncLocalStorage<RequestScope> = new AsyncLocalStorage();
let isUsed = false;

/**
 * Returns a function that runs with the texts of an application: all code it calls, also after an await,
 * reads them through {@link currentTexts}.
 */
export function withTexts<A extends unknown[], R>(
  texts: AppTexts,
  run: (...args: A) => R,
): (...args: A) => R {
  isUsed = true;
  const scope = new RequestScope();
  scope.request = { texts, languagePrefix: "" };
  return (...args) => storage.run(scope, run, ...args);
}

/** Returns a function that runs in the scope of its request, which it gets as its last argument. */
export function withRequestScope<Q, I, R>(
  run: (request: Q, info: I, scope: RequestScope) => R,
): (request: Q, info: I) => R {
  isUsed = true;
  return (request, info) => {
    const scope = new RequestScope();
    return storage.run(scope, run, request, info, scope);
  };
}

/** The texts of the application that runs now; `undefined` outside and for one without own texts. */
export function currentTexts(): AppTexts | undefined {
  return isUsed ? storage.getStore()?.request?.texts : undefined;
}

/** The language in front of the path of the request that runs now; `""` for none. */
export function currentLanguagePrefix(): string {
  return isUsed ? storage.getStore()?.request?.languagePrefix ?? "" : "";
}
