import { buildPath, type PatternParams } from "./pattern.ts";

/**
 * Every route of the application with its parameters: the generated file fills it, so that the
 * compiler checks `href`.
 */
// deno-lint-ignore no-empty-interface -- the generated file adds the members
export interface Routes {}

/** A pattern that `href` takes: any of the application's routes, or any text before generation. */
export type HrefPattern = keyof Routes extends never ? string : keyof Routes & string;

/** The parameters that `href` requires for a pattern: none for a literal path. */
export type HrefParams<P extends string> = P extends keyof Routes
  ? keyof Routes[P] extends never ? [] : [params: Routes[P]]
  : [params?: Readonly<Record<string, string | number>>];

/**
 * The path of a route, relative to the application; `c.href` adds the base path.
 *
 * @param pattern A pattern of the application: the compiler refuses any other.
 * @param params The values of its parameters; they are escaped.
 * @returns The path.
 * @throws {TypeError} for a parameter that is missing or empty.
 */
export function href<P extends HrefPattern>(pattern: P, ...params: HrefParams<P>): string {
  return buildPath(pattern, hrefValues(params));
}

/**
 * The parameters that `href` was given. If an application has only literal routes, their type is empty,
 * and the framework's own code must compile there too.
 */
export function hrefValues(params: readonly unknown[]): PatternParams {
  return (params[0] ?? {}) as PatternParams;
}
