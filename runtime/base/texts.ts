import type { AsyncLocalStorage } from "node:async_hooks";
import { createStorage } from "./node.ts";

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
  /** Texts of the error pages of the framework. */
  readonly errorPages: Texts | undefined;
}

/** The facts of the current request for code without a context. */
export interface TextScope {
  facts: {
    readonly texts: AppTexts;
    /** The language prefix of its path, such as `/pt-PT`; `""` for none. */
    readonly languagePrefix: string;
  };
}

let storage: AsyncLocalStorage<TextScope | undefined> | undefined;

function openStorage(): AsyncLocalStorage<TextScope | undefined> {
  return storage ??= createStorage();
}

/** Runs a function so that all code it calls, also after an await, reads the texts of a request. */
export function runInScope<A extends unknown[], R>(
  scope: TextScope,
  run: (...args: A) => R,
  ...args: A
): R {
  return openStorage().run(scope, run, ...args);
}

export function isInScope(): boolean {
  return storage?.getStore() !== undefined;
}

/** Makes the following code, also after an await, read the texts of a request, until {@link leaveScope}. */
export function enterScope(scope: TextScope): void {
  openStorage().enterWith(scope);
}

/** Ends the scope of {@link enterScope} for the code that called the handler. */
export function leaveScope(): void {
  storage?.enterWith(undefined);
}

/** Reports whether a language uses only the texts of the process, so that it needs no scope. */
export function isPlainText(
  { language, validationMessages, labels, errorPages }: AppTexts,
): boolean {
  return language !== undefined && /^en(?:-|$)/i.test(language) &&
    validationMessages.length === 0 && Object.keys({ ...labels, ...errorPages }).length === 0;
}

/**
 * Returns the texts of the current request; `undefined` outside a request and without texts of its own.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 * import { currentTexts } from "@fw/fw/addon";
 *
 * const app = new App({ labels: { close: "Fechar" }, logRequest: () => false });
 * app.route({ pattern: "/", methods: { GET: (c) => c.text(200, currentTexts()?.labels?.["close"] ?? "") } });
 * const response = await app.fetch(new Request("http://localhost/"));
 * assertEquals(await response.text(), "Fechar");
 * ```
 */
export function currentTexts(): AppTexts | undefined {
  return storage?.getStore()?.facts.texts;
}

/** Returns the language prefix of the current request's path; `""` for none. */
export function currentLanguagePrefix(): string {
  return storage?.getStore()?.facts.languagePrefix ?? "";
}
