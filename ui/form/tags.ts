/** Choices with suggestions: a list without a script, a combobox with one. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { type Choice, select, type Selection, selectOptions } from "../controls.ts";
import { word } from "../labels.ts";

/** Options of {@linkcode combobox}. */
export interface ComboboxOptions {
  /** The choices. */
  readonly options: readonly (Choice | string)[];
  /** Selected values. @default none */
  readonly selected?: Selection;
  /**
   * The URL that responds to `?q=…` with HTML `option` elements, for more options than the page contains.
   *
   * @default only the options of the page
   */
  readonly source?: string | URL;
}

/**
 * Renders a `select`, which the script turns into a combobox (the pattern of the ARIA Authoring Practices); with
 * `h.multiple()` into tags, of which Backspace in the empty field removes the last.
 *
 * @param options What can be chosen.
 * @param attributes `h.name` and the rest, for the `select`.
 * @returns A `select` for {@linkcode field}.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * ui.field("city", "City", ui.combobox({ options: ["Braga", "Lisbon"] }, h.name("city")));
 * ```
 */
export function combobox(options: ComboboxOptions, ...attributes: Child[]): Node {
  const { options: choices, selected, source } = options;
  return select(suggestions(source), ...attributes, selectOptions(choices, selected));
}

/** Makes the script turn a `select` into a combobox, with tags for several values. */
export function suggestions(source: string | URL | undefined): Node {
  return h.group(
    h.data("ui-tags", word("remove")),
    h.data("ui-none", word("nothingFound")),
    source !== undefined && h.data("ui-source", source instanceof URL ? source.href : source),
  );
}
