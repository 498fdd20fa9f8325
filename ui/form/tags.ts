/** A choice of several: a list without a script, tags and suggestions with one. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { type Choice, isSelected, type Selection, toChoice } from "../controls.ts";
import { word } from "../labels.ts";

/** Options of {@linkcode tagSelect}. */
export interface TagSelectOptions {
  /** The choices. */
  readonly options: readonly (Choice | string)[];
  /** Selected values. @default nothing */
  readonly selected?: Selection;
  /**
   * The URL that answers `?q=…` with `option` elements as HTML, for more options than the page holds.
   *
   * @default only the options of the page
   */
  readonly source?: string | URL;
}

/**
 * Renders a choice of several: a `select` of several lines, which the script turns into tags with a field
 * that suggests (the pattern "combobox" of the ARIA Authoring Practices). Backspace in the empty field
 * takes off the last tag.
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
 * ui.field("tags", "Tags", ui.tagSelect({ options: ["clay", "wood"], selected: ["clay"] }, h.name("tags")));
 * ```
 */
export function tagSelect(options: TagSelectOptions, ...attributes: Child[]): Node {
  const { options: choices, selected, source } = options;
  return h.select(
    h.class("ui-input ui-select"),
    h.multiple(),
    suggestions(source),
    ...attributes,
    h.map(choices.map(toChoice), ({ value, label, disabled }) =>
      h.option(
        h.value(value),
        h.selected(isSelected(value, selected)),
        h.disabled(disabled ?? false),
        label ?? value,
      )),
  );
}

/** Has the script turn a `select` into a field that suggests: tags for several values. */
export function suggestions(source: string | URL | undefined): Node {
  return h.group(
    h.data("ui-tags", word("remove")),
    h.data("ui-none", word("nothingFound")),
    source !== undefined && h.data("ui-source", source instanceof URL ? source.href : source),
  );
}
