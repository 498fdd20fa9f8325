/** The confirmation page before an action that cannot be undone, which works without a script. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { csrfInput, type Ctx, type FlashAction } from "../../mod.ts";
import { buttonLink, submit } from "../button.ts";
import { card, cardFooter } from "../display.ts";
import { values } from "../fragment/sending.ts";
import { word } from "../labels.ts";
import { destructive, outline } from "../variants.ts";
import { sign } from "./details.ts";

/**
 * Returns the button that undoes the deletion of rows, for `c.flash` and {@linkcode detailPage}. It posts
 * `restore` as `act` to their list, like the button of {@linkcode listPage}.
 *
 * @param href URL of the list.
 * @param ids The rows.
 * @returns Text, URL and fields.
 */
export function restoring(href: string, ids: readonly number[]): FlashAction {
  return { text: word("restore"), href, fields: { act: "restore", id: ids } };
}

/** Options of {@linkcode askPage}. */
export interface AskPageOptions {
  /** The question, which names the item. */
  readonly title: string;
  /** The consequence. @default labels.forGood */
  readonly text?: Child;
  /** The card's content below the question, such as {@linkcode itemList}. @default none */
  readonly content?: Child;
  /** URL of the page to return to. */
  readonly cancel: string;
  /** The text of the confirming button. @default labels.delete */
  readonly submit?: string;
  /** Additional fields to send; an array is sent once per value. @default none */
  readonly fields?: Readonly<Record<string, string | number | readonly (string | number)[]>>;
}

/**
 * Renders a question with its consequence, Cancel, and a button that posts to the page.
 *
 * @param c The request, for the CSRF token.
 * @param options The question and its buttons.
 * @returns The content of the page.
 *
 * @example
 * ```ts
 * import type { Ctx, Node } from "@fw/fw";
 * import * as ui from "@fw/fw/ui";
 *
 * export function Page(c: Ctx): Node {
 *   return ui.askPage(c, {
 *     title: "Delete “Mug”?",
 *     text: "It leaves the shop at once.",
 *     cancel: "/products/7",
 *   });
 * }
 * ```
 */
export function askPage(c: Ctx, options: AskPageOptions): Node {
  const { title, text = word("forGood"), content, cancel, fields = {} } = options;
  return h.form(
    h.class("ui-form"),
    h.method("post"),
    csrfInput(c),
    values(fields),
    card(
      question(h.h1(title), text),
      content,
      cardFooter(
        h.div(
          h.class("ui-row"),
          buttonLink(cancel, outline, word("cancel")),
          submit(destructive, options.submit ?? word("delete")),
        ),
      ),
    ),
  );
}

/** Renders a question and its consequence beside an icon. */
export function question(heading: Node, text: Child): Node {
  return h.div(
    h.class("ui-dialog-header"),
    sign("trash", destructive),
    h.div(heading, h.p(text)),
  );
}

export function deleteTitle(name: string): string {
  return word("deleteTitle").replace("{name}", () => name);
}

/** Options of {@linkcode deletePage}. */
export interface DeletePageOptions extends Pick<AskPageOptions, "text" | "cancel"> {
  /** The name of the row, used in the question and the page title. */
  readonly name: string;
  /** The text of the button, with verb and noun, such as "Delete product". */
  readonly submit: string;
  /** The consequence of the deletion. @default labels.lost */
  readonly text?: Child;
}

/**
 * Renders the page that asks before deleting a row, and sets its title.
 *
 * @param c The request.
 * @param options The row and the consequence of its deletion.
 * @returns The content of the page.
 *
 * @example
 * ```ts
 * import type { Ctx, Node } from "@fw/fw";
 * import * as ui from "@fw/fw/ui";
 *
 * export function Page(c: Ctx): Node {
 *   return ui.deletePage(c, { name: "Mug", submit: "Delete product", cancel: "/products/7" });
 * }
 * ```
 */
export function deletePage(c: Ctx, options: DeletePageOptions): Node {
  const { name, text = word("lost"), ...rest } = options;
  c.title = deleteTitle(name);
  return askPage(c, { ...rest, title: c.title, text });
}
