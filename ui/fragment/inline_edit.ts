/** A value that a link turns into a form, in place. */
import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import type { Ctx } from "../../mod.ts";
import { buttonLink } from "../button.ts";
import { focusFirstField } from "../control_tag.ts";
import { word } from "../labels.ts";
import { ghost, small } from "../variants.ts";
import { checkedId } from "./checked_id.ts";
import { noPush, swap } from "./fragments.ts";

/** The options of {@linkcode inlineEdit}. */
export interface InlineEditOptions {
  /** The id of the element, unique on the page. */
  readonly id: string;
  /** The value, shown unless the form is open. */
  readonly value: Child;
  /** Creates the form that changes the value. It swaps the same id, and its handler renders the page again. */
  readonly form: () => Child;
  /** The URL of the page, if another route, such as a stream, renders the value. @default that of the request */
  readonly page?: string;
}

/**
 * Shows a value with a link that replaces it with a form, which has a link back. Stream updates leave an open form
 * unchanged. Without a script the links load the page with or without `?edit=<id>`.
 *
 * @param c The request, whose URL decides whether the form is shown.
 * @param options The id, the value and its form.
 * @returns An element with the id.
 * @throws {TypeError} for an id that a header cannot contain.
 *
 * @example
 * ```ts
 * import type { Ctx, Node } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * export const Page = (c: Ctx): Node =>
 *   ui.inlineEdit(c, {
 *     id: "title",
 *     value: h.h1("Night ferry"),
 *     form: () => h.form(h.method("post"), ui.swap("title"), h.input(h.name("title"))),
 *   });
 * ```
 */
export function inlineEdit(c: Ctx, { id, value, form, page }: InlineEditOptions): Node {
  const place = h.id(checkedId(id, "inlineEdit"));
  const isOpen = c.query("edit") === id && c.method === "GET";
  const url = new URL(page ?? c.url, c.url);
  // A link must not call an action.
  for (const name of [...url.searchParams.keys()]) {
    if (name.startsWith("/")) url.searchParams.delete(name);
  }
  if (isOpen) url.searchParams.delete("edit");
  else url.searchParams.set("edit", id);
  const link = buttonLink(
    url.pathname + url.search,
    ghost,
    small,
    swap(id),
    noPush(),
    isOpen ? word("cancel") : word("edit"),
  );
  return h.div(
    place,
    h.data("ui-edit", isOpen ? "open" : ""),
    // Updates from another route, such as a stream, leave an open form unchanged.
    url.pathname !== c.url.pathname && h.data("fw-keep", ""),
    isOpen ? focusFirstField(form()) : value,
    link,
  );
}
