/** Controls of a single element, with the attributes of `h`. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";

/**
 * Renders a single-line input.
 *
 * @param attributes `h.name`, `h.type`, `h.value` and the rest; text without `h.type`.
 * @returns An `input`.
 */
export function input(...attributes: Child[]): Node {
  return h.input(h.class("ui-input"), h.type("text"), ...attributes);
}

/**
 * Renders a multi-line input.
 *
 * @param children Attributes, and the text.
 * @returns A `textarea`; it grows with its text in browsers that support this.
 */
export function textarea(...children: Child[]): Node {
  return h.textarea(h.class("ui-input ui-textarea"), ...children);
}

/**
 * Renders a select list.
 *
 * @param children Attributes and options, for example of {@linkcode selectOptions}.
 * @returns A `select`.
 */
export function select(...children: Child[]): Node {
  return h.select(h.class("ui-input ui-select"), ...children);
}

/**
 * Renders a file input, which accepts several files with `h.multiple()`. The form needs
 * `h.enctype("multipart/form-data")`.
 *
 * @param attributes `h.name`, `h.accept` and the rest.
 * @returns An `input` of the type `file`.
 */
export function fileInput(...attributes: Child[]): Node {
  return h.input(h.class("ui-input ui-file"), h.type("file"), ...attributes);
}

/** One option of a list. */
export interface Choice {
  /** Submitted value. */
  readonly value: string | number;
  /** Visible label. @default the value */
  readonly label?: string;
  /** Help text; only in a radio group. @default none */
  readonly help?: string;
  /** Whether the option is disabled. @default false */
  readonly disabled?: boolean;
}

/** Options under a heading. */
export interface ChoiceGroup {
  /** The heading. */
  readonly label: string;
  /** The options. */
  readonly options: readonly (Choice | string)[];
}

/** The selected values: one, several, or none. */
export type Selection =
  | string
  | number
  | undefined
  | null
  | readonly (string | number)[];

/**
 * Renders the options of a `select`.
 *
 * @param options Values, values with labels, or groups of them.
 * @param selected The chosen values. An empty string chooses the option with the empty value.
 * @returns The options.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const options = ui.selectOptions([{ value: "", label: "Choose one" }, "Lisbon"], "Lisbon");
 * assertEquals(
 *   h.render(options),
 *   '<option value="">Choose one</option><option value="Lisbon" selected>Lisbon</option>',
 * );
 * ```
 */
export function selectOptions(
  options: readonly (Choice | ChoiceGroup | string)[],
  selected?: Selection,
): Node {
  return h.map(
    options,
    (option) =>
      typeof option === "object" && "options" in option
        ? h.optgroup(h.labelAttr(option.label), selectOptions(option.options, selected))
        : optionOf(toChoice(option), selected),
  );
}

function optionOf({ value, label, disabled }: Choice, selected: Selection): Node {
  return h.option(
    h.value(value),
    h.selected(isSelected(value, selected)),
    h.disabled(disabled ?? false),
    label ?? value,
  );
}

/** Returns an option as a {@linkcode Choice}; a string becomes its value. */
export function toChoice(choice: Choice | string): Choice {
  return typeof choice === "string" ? { value: choice } : choice;
}

/** Reports whether a value is chosen. A number equals its string, as in a form. */
export function isSelected(value: string | number, selected: Selection): boolean {
  if (selected === undefined || selected === null) return false;
  const list = typeof selected === "object" ? selected : [selected];
  return list.some((item) => String(item) === String(value));
}
