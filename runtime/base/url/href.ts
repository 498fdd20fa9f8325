import { createFirstCheck } from "../values.ts";
import { currentLanguagePrefix } from "../texts.ts";
import { buildPath, localPath, type PatternParams, UnfitValue } from "./path.ts";

/** Every route with its parameters, filled by the generated file, so that `href` is checked. */
// deno-lint-ignore no-empty-interface -- the generated file adds the members
export interface Routes {}

/** A pattern that `href` accepts: any of the application's routes, or any text before generation. */
export type HrefPattern = keyof Routes extends never ? string : keyof Routes & string;

/** The parameters that `href` requires for a pattern, none for a literal path, then its options. */
export type HrefParams<P extends string> = P extends keyof Routes
  ? keyof Routes[P] extends never
    ? [params?: Readonly<Record<string, never>>, options?: HrefOptions]
  : [params: Routes[P], options?: HrefOptions]
  : [params?: Readonly<Record<string, string | number>>, options?: HrefOptions];

/** Options of `href`. */
export interface HrefOptions {
  /** The values of the query, by name, in this order; `undefined` and `null` are left out. */
  readonly query?: Readonly<Record<string, QueryValue>> | URLSearchParams | undefined;
}

/** A value of a query; a list repeats the name. */
export type QueryValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | readonly (string | number | bigint | boolean)[];

/** The names of a pattern's parameters: `"slug"` for `"/events/{slug}"`; any text for an unknown pattern. */
export type ParamName<P extends string> = string extends P ? string
  : P extends `${string}{${infer Name}}${infer Rest}`
    ? (Name extends `${infer CatchAll}...` ? CatchAll : Name) | ParamName<Rest>
  : never;

/**
 * Returns the path of a route, relative to the application; `c.href` adds the base path. In a request whose
 * path starts with a language (`config.languagePrefix`) the result starts with the same one.
 *
 * @param rest The values of the parameters, which are escaped, and options: `{ query }` is appended to the
 * path.
 * @returns The path; `about:invalid`, with a line on the console, for a value that no segment can carry, such
 * as `..` or an empty text, so that a stored value never breaks its page.
 * @throws {TypeError} for a parameter that is missing.
 * @example
 * ```ts
 * import { href } from "@fw/fw";
 * import { assertEquals } from "@std/assert";
 *
 * const query = { q: "jazz & blues", page: 2, venue: undefined };
 * assertEquals(href("/events/{slug}", { slug: "a b" }), "/events/a%20b");
 * assertEquals(href("/events", {}, { query }), "/events?q=jazz+%26+blues&page=2");
 * ```
 */
export function href<P extends HrefPattern>(pattern: P, ...rest: HrefParams<P>): string {
  // Through `unknown`, because otherwise the compiler resolves the parameters of every route.
  const path = buildLink(pattern, rest as unknown as readonly unknown[], warnOnce);
  return path === invalidLink ? path : currentLanguagePrefix() + path;
}

/** The link for a value that no URL can carry: it leads nowhere. */
export const invalidLink = "about:invalid";

const isFirst = createFirstCheck(100);

function warnOnce(message: string): void {
  if (isFirst(message)) console.warn(message);
}

/** Builds a path with its query; {@linkcode invalidLink} for a value that no segment can carry. */
export function buildLink(
  pattern: string,
  rest: readonly unknown[],
  warn: (message: string) => void,
): string {
  try {
    return buildHref(pattern, rest);
  } catch (error) {
    if (!(error instanceof UnfitValue)) throw error;
    warn(error.message);
    return invalidLink;
  }
}

export function buildHref(pattern: string, rest: readonly unknown[]): string {
  const [params, options] = rest as readonly [PatternParams?, HrefOptions?];
  // The start page skips the pattern parser: every error page links to it.
  const path = pattern === "/" ? pattern : buildPath(pattern, params ?? {});
  return options?.query === undefined ? path : path + queryText(options.query);
}

function queryText(query: NonNullable<HrefOptions["query"]>): string {
  const isSearch = query instanceof URLSearchParams;
  const search = isSearch ? query : new URLSearchParams();
  for (const [name, given] of isSearch ? [] : Object.entries(query)) {
    if (given === undefined || given === null) continue;
    for (const value of typeof given === "object" ? given : [given]) {
      search.append(name, String(value));
    }
  }
  return search.size === 0 ? "" : `?${search}`;
}

/** The names of the `Actions` of every page: the generated file fills it. */
// deno-lint-ignore no-empty-interface -- the generated file adds the members
export interface RouteActions {}

/** The names that `c.action` accepts: those of the page, or any text before generation. */
export type ActionName<P extends string> = keyof RouteActions extends never ? string
  : string extends P ? RouteActions[keyof RouteActions] & string
  : P extends keyof RouteActions ? RouteActions[P] & string
  : never;

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Checks the name of an action: URLs, the log and the metrics contain it unescaped. */
export function isActionName(name: string): boolean {
  return NAME.test(name);
}

/** Returns the action that a form names, as sent; `undefined` for a query that does not begin with `?/`. */
export function parseAction(query: string): string | undefined {
  if (!query.startsWith("?/")) return undefined;
  return query.slice(2, pieceEnd(query)).replace(/=$/, "");
}

export function actionUrl(name: string, path: string, query: string): string {
  const rest = pageQuery(query).slice(1);
  return `${localPath(path)}?/${name}${rest === "" ? "" : `&${rest}`}`;
}

/**
 * Returns a query without the action that it names: the URL of the page, which a GET can show; `""` without
 * other parameters.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { pageQuery } from "@fw/fw/addon";
 *
 * assertEquals(pageQuery("?/borrow&page=2"), "?page=2");
 * ```
 */
export function pageQuery(query: string): string {
  if (parseAction(query) === undefined) return query;
  const rest = query.slice(pieceEnd(query) + 1);
  return rest === "" ? "" : `?${rest}`;
}

function pieceEnd(query: string): number {
  const end = query.indexOf("&");
  return end < 0 ? query.length : end;
}
