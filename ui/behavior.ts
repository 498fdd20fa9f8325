/** Attributes for the kit's script that belong to no single component. */

import * as h from "../html/mod.ts";
import type { Node } from "../html/mod.ts";
import { word } from "./labels.ts";

/**
 * Shows a group only while a field of its form has a value. Hidden controls are disabled and not
 * sent. Without a script all groups are shown, so the handler must check the field as well.
 *
 * @param field The name of the field: a select, a group of radio buttons, a checkbox (its value, by
 * default `on`) or a text input.
 * @param value The value that shows the group.
 * @returns An attribute of the group.
 * @throws {TypeError} if the name contains `=`.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * h.form(
 *   ui.field("kind", "Kind", ui.select(h.name("kind"), ui.selectOptions(["person", "company"]))),
 *   ui.field("vat", "VAT number", ui.input(h.name("vat")), ui.showWhen("kind", "company")),
 * );
 * ```
 */
export function showWhen(field: string, value: string): Node {
  if (field.includes("=")) {
    throw new TypeError(`Cannot watch the field "${field}": name it without "=".`);
  }
  return h.data("ui-show-when", `${field}=${value}`);
}

/**
 * Hides an element after a delay, such as a message that needs no reply. Without a script it stays.
 *
 * @param afterMs How long the element is shown, in milliseconds.
 * @default afterMs 5000
 * @returns An attribute.
 */
export function fade(afterMs: number = 5_000): Node {
  return h.data("ui-fade", afterMs);
}

/**
 * Adds a hint to an element: the browser's own, in `title`; with the script, a bubble that appears
 * on hover, focus and touch, and that Escape hides. For a hint with links use a {@linkcode menu}.
 *
 * @param text The hint. It must not be a button's only name: use `aria-label` for that.
 * @returns The attributes.
 */
export function tooltip(text: string): Node {
  return h.attrs(h.titleAttr(text), h.bool("data-ui-tooltip"));
}

/**
 * Asks for confirmation before a form is sent or a link followed. The confirming button has the text of the
 * pressed button or link, the other one `labels.cancel`. Without a script there is no confirmation: if that
 * matters, link to a page that asks.
 *
 * @param question The question.
 * @param text The consequence of confirming.
 * @default text ""
 * @returns The attributes of the form or link.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * h.form(
 *   h.method("post"),
 *   ui.confirm("Delete this event?", "Those who booked are told."),
 *   ui.submit(ui.destructive, "Delete"),
 * );
 * ```
 */
export function confirm(question: string, text: string = ""): Node {
  return h.attrs(
    h.data("ui-confirm", question),
    text !== "" && h.data("ui-confirm-text", text),
    h.data("ui-confirm-cancel", word("cancel")),
  );
}
