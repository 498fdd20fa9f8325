import { buildPath } from "./pattern.ts";
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
  return buildPath(pattern, params[0] ?? {});
}
