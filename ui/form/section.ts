/** The layout of a long form: sections, columns and a foot that stays visible. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { icon } from "../icon/icon.ts";
import { word } from "../labels.ts";
import { sortParts } from "../parts.ts";

/**
 * Renders a section of a form, with a description beside its fields.
 *
 * @param title The heading.
 * @param text An additional sentence; `undefined` for none.
 * @param children Fields, attributes. For fields side by side, use {@linkcode half} or {@linkcode third}.
 * @returns A `section`.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * ui.form(
 *   ui.formSection(
 *     "Price and time",
 *     "Prices include taxes.",
 *     ui.field("price", "Price", ui.input(h.name("price")), ui.half),
 *     ui.field("starts", "Starts", ui.input(h.type("date"), h.name("starts")), ui.half),
 *   ),
 * );
 * ```
 */
export function formSection(title: Child, text: Child, ...children: Child[]): Node {
  const { attributes, messages, content } = sortParts(children);
  return h.section(
    h.class("ui-section"),
    ...attributes,
    h.header(h.h2(title), text !== undefined && h.p(text)),
    h.div(h.class("ui-fields"), ...messages, ...content),
  );
}

/**
 * Renders the foot of a form, which stays visible. With the script it reports unsaved changes, and the
 * browser asks before the user leaves the page.
 *
 * @param children Cancel, then the save button; attributes.
 * @returns A `div` for `submit` of {@linkcode form}, or the end of a form.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.formFooter(ui.buttonLink("/products", ui.outline, "Cancel"), ui.submit("Save product"));
 * ```
 */
export function formFooter(...children: Child[]): Node {
  return h.div(
    h.class("ui-save"),
    h.p(h.role("status"), h.data("ui-unsaved", word("unsaved"))),
    ...children,
  );
}

/** Texts around a value. */
export interface AffixOptions {
  /** Text before the value, such as "€". @default none */
  readonly prefix?: Child;
  /** Text after the value, such as "kg". @default none */
  readonly suffix?: Child;
}

/**
 * Puts a prefix or a suffix into the frame of an input. Screen readers announce only the label, so
 * include an important unit there.
 *
 * @param options Prefix, suffix.
 * @param control {@linkcode input}.
 * @returns A `div` for {@linkcode field}.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * ui.field("price", "Price", ui.affix({ prefix: "€" }, ui.input(h.name("price"))));
 * ```
 */
export function affix(options: AffixOptions, control: Child): Node {
  const { prefix, suffix } = options;
  const side = (text: Child): Child => text !== undefined && h.span(h.aria("hidden", "true"), text);
  return h.div(h.class("ui-input ui-affix"), side(prefix), control, side(suffix));
}

/**
 * Renders a password input, with a button that shows the password if there is a script.
 *
 * @param attributes `h.name`, `h.autocomplete("current-password")` and the rest.
 * @returns A `div` for {@linkcode field}.
 */
export function passwordInput(...attributes: Child[]): Node {
  return h.div(
    h.class("ui-input ui-affix"),
    h.input(h.class("ui-input"), h.type("password"), ...attributes),
    h.button(
      h.type("button"),
      h.bool("data-ui-reveal"),
      h.aria("pressed", "false"),
      h.aria("label", word("reveal")),
      icon("eye"),
    ),
  );
}

/**
 * Renders the input of a one-time code: a single field, so that pasting and autofill work, with a line
 * drawn for each digit.
 *
 * @param digits The number of digits.
 * @param attributes `h.name` and the rest.
 * @returns An `input` for {@linkcode field}.
 * @throws {TypeError} for anything but a whole number from 1.
 */
export function codeInput(digits: number, ...attributes: Child[]): Node {
  if (!Number.isSafeInteger(digits) || digits < 1) {
    throw new TypeError(`Cannot render a code of ${digits} digits: use a whole number from 1.`);
  }
  return h.input(
    h.class("ui-code-input"),
    h.type("text"),
    h.inputmode("numeric"),
    h.autocomplete("one-time-code"),
    h.maxlength(digits),
    h.pattern(`[0-9]{${digits}}`),
    digits !== 6 && h.styleAttr(`--ui-digits:${digits}`),
    ...attributes,
  );
}

/**
 * Shows the number of typed characters below a control with `maxlength`.
 *
 * @param max The maximum number of characters.
 * @param used The number already typed. @default 0
 * @returns A paragraph for the help of {@linkcode field}.
 */
export function charCount(max: number, used: number = 0): Node {
  const text = word("charCount");
  return h.span(
    h.class("ui-char-count"),
    h.data("ui-char-count", text),
    text.replace("{count}", String(used)).replace("{max}", String(max)),
  );
}

/**
 * Renders a drop area for files, which is a file input in a larger frame. With the script it lists the
 * chosen files.
 *
 * @param note Types and size, such as "PNG or JPEG, up to 1 MB".
 * @param attributes `h.name`, `h.accept`, `h.multiple` and the rest, for the input.
 * @returns A `div` for {@linkcode field}.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * ui.field("cover", "Cover", ui.dropzone("PNG or JPEG", h.name("cover"), h.accept("image/*")));
 * ```
 */
export function dropzone(note: Child, ...attributes: Child[]): Node {
  const [before = "", after = ""] = word("dropFile").split("{choose}");
  return h.div(
    h.class("ui-drop"),
    h.bool("data-ui-drop"),
    icon("upload"),
    h.strong(before, h.span(word("chooseFile")), after),
    note !== undefined && h.small(note),
    h.input(h.type("file"), ...attributes),
  );
}
