/** Applications with one page in a layout, whose fragments are requested. */
import type { Ctx, Route } from "../../../mod.ts";
import * as h from "../../../html/mod.ts";
import { withHeader } from "../../../runtime/testing/mod.ts";
import { newSite, type Site } from "../app/support.ts";

export const asFragment = withHeader("FW-Fragment", "list");

export function layout(_c: Ctx, children: h.Node): h.Node {
  return h.html(h.body(h.main(children)));
}

export function siteOf(route: Partial<Route>, options: Parameters<typeof newSite>[1] = {}): Site {
  return newSite([{ pattern: "/", layouts: [layout], ...route }], options);
}

/** Returns the names of a `Vary` header. */
export function varies(header: string | undefined): string[] {
  return (header ?? "").split(",").map((name) => name.trim()).filter((name) => name !== "");
}
