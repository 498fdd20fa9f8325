/** The list of the operations of a page, with a filter. */

import * as h from "../../html/mod.ts";
import type { Node } from "../../html/mod.ts";
import { input } from "../controls.ts";
import { word } from "../labels.ts";
import { type ApiOperation, apiText } from "./document.ts";

/** An operation with its place on the page. */
export interface ShownOperation extends ApiOperation {
  readonly id: string;
}

/** More groups than this are closed at first. */
const maxOpenGroups = 6;

/** Lists the operations by their groups, each with a link to its place. */
export function operationList(groups: ReadonlyMap<string, readonly ShownOperation[]>): Node {
  return h.nav(
    h.class("ui-api-contents"),
    h.aria("label", word("operations")),
    filter([...groups.values()].flat().length),
    h.map([...groups], ([tag, operations]) =>
      h.details(
        h.open(groups.size <= maxOpenGroups),
        h.summary(tag === "" ? word("operations") : tag),
        h.ul(h.map(operations, ({ id, method, path, source }) =>
          h.li(
            h.data("ui-words", path),
            h.a(
              h.href(`#${id}`),
              h.code(method),
              " ",
              apiText(source, "summary") ?? path,
            ),
          ))),
      )),
  );
}

/** A field for the kit's script; without one it is out of sight and every operation is listed. */
function filter(count: number): Node {
  return h.fragment(
    input(
      h.class("ui-api-filter"),
      h.type("search"),
      h.autocomplete("off"),
      h.aria("label", word("filterOperations")),
      h.placeholder(word("filterOperations")),
      h.bool("data-ui-filter"),
    ),
    h.p(
      h.class("ui-api-count"),
      h.role("status"),
      `${word("operations")}: `,
      h.b(String(count)),
    ),
  );
}
