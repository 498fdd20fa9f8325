/** The state of a list, which its URL contains. */

import type { Ctx } from "../../mod.ts";

/** The page sizes; the first is the default. */
export const pageSizes = [20, 50, 100] as const;

/**
 * Returns the number of rows per page of {@linkcode listPage}, from the parameter `rows`.
 *
 * @param c The request.
 * @returns 20, 50 or 100.
 *
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import { testPage } from "@fw/fw/testing";
 * import * as ui from "@fw/fw/ui";
 *
 * const page = (c: Ctx) => h.p(String(ui.pageSize(c)));
 * await testPage({ page }, "/?rows=50").wantContains("<p>50");
 * ```
 */
export function pageSize(c: Ctx): number {
  const asked = Number(c.url.searchParams.get("rows"));
  return pageSizes.find((size) => size === asked) ?? pageSizes[0];
}

/** Returns a parameter of the list, or `""`. */
export function param(c: Ctx, name: string): string {
  return c.url.searchParams.get(name) ?? "";
}

/** Returns the URL of the list with changed parameters, on its first page. */
export function hrefWith(
  c: Ctx,
  change: Readonly<Record<string, string | undefined>>,
  path: string = c.url.pathname,
): string {
  const params = new URLSearchParams(c.url.searchParams);
  params.delete("at");
  for (const [name, value = ""] of Object.entries(change)) params.set(name, value);
  const query = [...params].filter(([, value]) => value !== "");
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
}

export function hiddenColumns(c: Ctx): ReadonlySet<string> {
  return new Set(param(c, "hide").split(".").filter((at) => /^[1-9]\d?$/.test(at)));
}

export function isDense(c: Ctx): boolean {
  return param(c, "view") === "dense";
}
