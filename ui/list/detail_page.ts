/** The page of one row: heading with state and actions, content, and details. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { csrfInput, type Ctx, type FlashAction } from "../../mod.ts";
import { actions as actionRow, buttonLink, postButton, submit } from "../button.ts";
import { alert } from "../display.ts";
import { pageHeader, split, stack } from "../frame.ts";
import { icon } from "../icon/icon.ts";
import { word } from "../labels.ts";
import { askDialog, dialogClose, menu, menuDialog } from "../overlay.ts";
import { deleteTitle, question } from "./ask.ts";
import { origin, type RowChange } from "./history.ts";
import { destructive, end, ghost, outline, small, square, start, warning } from "../variants.ts";

/** Options of {@linkcode detailPage}. */
export interface DetailPageOptions {
  /** The heading: the name of the row. */
  readonly title: string;
  /** The row's state, a {@linkcode badge} beside the heading. @default none */
  readonly badge?: Child;
  /** An additional sentence. @default none */
  readonly text?: Child;
  /** The row's changes, newest first, which show who added it and when it last changed. @default none */
  readonly changes?: readonly RowChange[];
  /** The URL of the row's form. @default no button */
  readonly edit?: string | undefined;
  /** The deleting page (by `post`), the text (verb and noun), and the loss, `labels.lost`. @default no entry */
  readonly remove?:
    | { readonly href: string; readonly submit: string; readonly text?: Child }
    | undefined;
  /**
   * The button that restores a deleted row, for which the page offers no other action.
   * @default the row is not deleted
   */
  readonly restore?: FlashAction | undefined;
  /** Whether the user may not change the row, which hides Edit, Delete and Restore. @default false */
  readonly isReadOnly?: boolean;
  /** {@linkcode menuLink}s and {@linkcode menuButton}s before the Delete entry. @default none */
  readonly more?: Child;
  /** The URLs of the next newer and older rows. @default no links */
  readonly beside?: readonly (string | undefined)[];
  /** The facts beside the content: cards with {@linkcode details}. @default none */
  readonly known?: Child;
}

/**
 * Renders the page of a row: Edit is the main action; the others are in a menu, with Delete last, which
 * asks in a dialog.
 *
 * @param c The request, for the CSRF token.
 * @param options Heading, actions and facts.
 * @param children The content: {@linkcode media}, {@linkcode prose}, {@linkcode timeline} in cards.
 * @returns The content of the page.
 *
 * @example
 * ```ts
 * import type { Ctx, Node } from "@fw/fw";
 * import * as ui from "@fw/fw/ui";
 *
 * export function Page(c: Ctx): Node {
 *   return ui.detailPage(c, {
 *     title: "Stoneware mug",
 *     badge: ui.badge(ui.success, ui.dot, "Active"),
 *     edit: "/products/7/edit",
 *     remove: { href: "/products/7/delete", submit: "Delete product", text: "It leaves the shop." },
 *     known: ui.card(ui.details([["Price", "€24.00"]])),
 *   });
 * }
 * ```
 */
export function detailPage(c: Ctx, options: DetailPageOptions, ...children: Child[]): Node {
  const { title, badge, beside = [], known, restore, isReadOnly = c.isExport } = options;
  const { edit, remove, more }: Partial<DetailPageOptions> = restore === undefined
    ? isReadOnly ? { more: options.more } : options
    : {};
  const [newer, older] = beside;
  const content = children.filter((child) => child && h.render(child) !== "");
  return h.fragment(
    pageHeader(
      badge ? [title, " ", badge] : title,
      about(c, options),
      newer !== undefined && neighbour(newer, "chevron-up", word("newer")),
      older !== undefined && neighbour(older, "chevron-down", word("older")),
      edit !== undefined && buttonLink(edit, icon("edit"), word("edit")),
      (more || remove) && menu(
        h.group(square, h.aria("label", word("more")), icon("more")),
        end,
        more,
        more && remove && h.hr(),
        remove && menuDialog("delete", destructive, icon("trash"), word("delete")),
      ),
    ),
    restore &&
      alert(word("isDeleted"), warning, !isReadOnly && postButton(c, restore, outline, small)),
    content.length > 0 && known !== undefined
      ? split(stack(content), h.div(h.class("ui-stack"), known), start)
      : [content, known],
    remove && askDialog(
      "delete",
      question(h.h2(deleteTitle(title)), remove.text ?? word("lost")),
      h.form(
        h.method("post"),
        h.action(remove.href),
        csrfInput(c),
        actionRow(
          dialogClose("delete", outline, h.autofocus(), word("cancel")),
          submit(destructive, remove.submit),
        ),
      ),
    ),
  );
}

function about(c: Ctx, { title, text, changes = [] }: DetailPageOptions): Child {
  const parts = [text, ...origin(c, changes)]
    .filter((part) => part !== undefined && part !== title);
  return parts.length > 0 && h.p(h.mapIndex(parts, (part, at) => [at > 0 && " · ", part]));
}

function neighbour(href: string, name: "chevron-up" | "chevron-down", text: string): Node {
  return buttonLink(
    href,
    ghost,
    square,
    small,
    h.class("ui-brief"),
    h.aria("label", text),
    icon(name),
  );
}
