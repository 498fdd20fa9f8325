import { localPath } from "./path.ts";

/** The names of the `Actions` of every page that has some: the generated file fills it. */
// deno-lint-ignore no-empty-interface -- the generated file adds the members
export interface RouteActions {}

/** The names that `c.action` takes: those of the page, or any text before generation. */
export type ActionName<P extends string> = keyof RouteActions extends never ? string
  : string extends P ? RouteActions[keyof RouteActions] & string
  : P extends keyof RouteActions ? RouteActions[P] & string
  : never;

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Checks whether a string can be the name of an action: URLs, the log and the metrics carry it as it is. */
export function isActionName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Parses the action that a form names.
 *
 * @returns The name as it was sent, or `undefined` for a query that does not begin with `?/`.
 */
export function parseAction(query: string): string | undefined {
  if (!query.startsWith("?/")) return undefined;
  return query.slice(2, pieceEnd(query)).replace(/=$/, "");
}

export function actionUrl(
  name: string,
  { path, query }: { readonly path: string; readonly query: string },
): string {
  const rest = pageQuery(query).slice(1);
  return `${localPath(path)}?/${name}${rest === "" ? "" : `&${rest}`}`;
}

/**
 * Returns a query without the action that it names: the address of the page, which a GET can show.
 *
 * @param query The query with its `?`, or `""`.
 * @returns The other parameters as they were sent, with the `?`; `""` where there are none.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { pageQuery } from "@fw/fw/addon";
 *
 * assertEquals(pageQuery("?/borrow&page=2"), "?page=2");
 * assertEquals(pageQuery("?/borrow"), "");
 * assertEquals(pageQuery("?page=2"), "?page=2");
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
