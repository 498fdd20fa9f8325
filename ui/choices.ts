/** Checkboxes, switches and groups of radio buttons, each with its label and messages. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";
import { type Choice, isSelected, type Selection, toChoice } from "./controls.ts";
import { sortParts, writeNotes } from "./parts.ts";

/**
 * Renders a checkbox, followed by its label.
 *
 * @param id The id of the checkbox.
 * @param label The label.
 * @param children Attributes of the checkbox; {@linkcode help}, {@linkcode error}, {@linkcode
 * errors}; {@linkcode with_} for the outermost element; anything else is help.
 * @returns The checkbox with its label and messages.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * assertEquals(
 *   h.render(ui.checkbox("terms", "I accept the terms", h.name("terms"), h.required())),
 *   '<div class="ui-check"><input class="ui-checkbox" name="terms" required type="checkbox"' +
 *     ' id="terms"><label class="ui-label" for="terms">I accept the terms</label></div>',
 * );
 * ```
 */
export function checkbox(id: string, label: Child, ...children: Child[]): Node {
  return choice(id, label, { children, own: h.class("ui-checkbox") });
}

/**
 * Renders a switch: a checkbox that appears to take effect immediately.
 *
 * @param id The id of the switch.
 * @param label The label.
 * @param children As for {@linkcode checkbox}.
 * @returns The switch with its label and messages.
 */
function switch_(id: string, label: Child, ...children: Child[]): Node {
  return choice(id, label, { children, own: h.attrs(h.class("ui-switch"), h.role("switch")) });
}

export { switch_ as switch };

function choice(
  id: string,
  label: Child,
  options: { readonly children: readonly Child[]; readonly own: Node },
): Node {
  const { own, outer, messages, content } = sortParts(options.children);
  const notes = writeNotes(id, { messages, content });
  return h.div(
    h.class("ui-check"),
    ...outer,
    h.input(
      options.own,
      ...own,
      h.type("checkbox"),
      h.id(id),
      notes.ids !== "" && h.aria("describedby", notes.ids),
      notes.isInvalid && h.aria("invalid", "true"),
    ),
    h.label(h.class("ui-label"), h.for(id), label),
    ...notes.nodes,
  );
}

/** Options of a group of radio buttons. */
export interface RadioGroupOptions {
  /** The question. */
  readonly legend: Child;
  /** Choices of the group. */
  readonly options: readonly (Choice | string)[];
  /** The chosen value. @default none */
  readonly selected?: Selection;
  /** Whether one must be chosen. @default false */
  readonly required?: boolean;
  /** Prefix of the group's ids. @default the name */
  readonly id?: string;
  /** Whether the choices are cards side by side, for up to four choices with help texts. @default false */
  readonly cards?: boolean;
}

/**
 * Renders radio buttons, for a choice of one among a few visible options.
 *
 * @param name The field's name in the form.
 * @param options The question and its choices.
 * @param children Attributes of the group; {@linkcode help}, {@linkcode error}, {@linkcode errors};
 * anything else is help.
 * @returns A `fieldset`; the first button has the id of the group, so that links to the field work.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const plan = ui.radioGroup("plan", {
 *   legend: "Plan",
 *   options: ["Free", { value: "pro", label: "Pro", help: "For teams" }],
 *   selected: "pro",
 * });
 * assertStringIncludes(h.render(plan), '<legend class="ui-label">Plan</legend>');
 * ```
 */
export function radioGroup(name: string, options: RadioGroupOptions, ...children: Child[]): Node {
  const { legend, options: choices, selected, required = false, id = name } = options;
  const { attributes, messages, content } = sortParts(children);
  // The first button has the id itself, and may have help of its own.
  const notes = writeNotes(`${id}-group`, { messages, content }, legend);
  const buttons = h.mapIndex(choices.map(toChoice), (option, at) =>
    radio(option, {
      name,
      id: at === 0 ? id : `${id}-${at + 1}`,
      isChecked: isSelected(option.value, selected),
      isRequired: required,
    }));
  return h.fieldset(
    h.class("ui-field ui-group"),
    h.role("radiogroup"),
    ...attributes,
    notes.ids !== "" && h.aria("describedby", notes.ids),
    notes.isInvalid && h.aria("invalid", "true"),
    required && h.aria("required", "true"),
    h.legend(h.class("ui-label"), legend),
    options.cards === true ? h.div(h.class("ui-choices"), buttons) : buttons,
    ...notes.nodes,
  );
}

export function radio(
  { value, label, help, disabled }: Choice,
  options: {
    readonly name: string;
    readonly id: string;
    readonly isChecked: boolean;
    readonly isRequired?: boolean;
    /** An image above, and attributes of the radio button. */
    readonly image?: Child;
    readonly attributes?: Child;
  },
): Node {
  const { name, id, isChecked, isRequired = false, image, attributes } = options;
  const notes = writeNotes(id, { content: [help] });
  return h.div(
    h.class("ui-check"),
    image,
    h.input(
      h.class("ui-radio"),
      attributes,
      h.type("radio"),
      h.id(id),
      h.name(name),
      h.value(value),
      h.checked(isChecked),
      h.required(isRequired),
      h.disabled(disabled ?? false),
      notes.ids !== "" && h.aria("describedby", notes.ids),
    ),
    h.label(h.class("ui-label"), h.for(id), label ?? value),
    ...notes.nodes,
  );
}

/**
 * Groups related controls under a heading, such as an address or several checkboxes.
 *
 * @param legend The heading.
 * @param children Attributes and controls.
 * @returns A `fieldset`.
 */
export function fieldset(legend: Child, ...children: Child[]): Node {
  return h.fieldset(h.class("ui-group"), h.legend(h.class("ui-label"), legend), ...children);
}
