import { buildPath, type PatternParams } from "./pattern.ts";
import type { HrefParams, HrefPattern } from "./types.ts";

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
 * The parameters that `href` was given. Where an application has literal routes only, the compiler
 * knows that there are none, and the framework's own code must compile there too.
 */
export function hrefValues(params: readonly unknown[]): PatternParams {
  return (params[0] ?? {}) as PatternParams;
}
