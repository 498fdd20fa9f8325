/** A field of a form: label, control, help and error, connected for screen readers. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";
import type { FieldErrors } from "../mod.ts";
import { joinControl } from "./control_tag.ts";
import { word } from "./labels.ts";
import { listProblems, Message, nameField, optionalMark, sortParts, writeNotes } from "./parts.ts";

/**
 * Renders a control with its label, help and errors. The label names the control, the control
 * references its help and errors by `aria-describedby`, and an error marks it with `aria-invalid`.
 *
 * @param id The control's id. The messages get ids that start with it.
 * @param label The visible label.
 * @param control The control, from this kit, `h` or JSX, with its `name` and `value`.
 * @param children {@linkcode help}, {@linkcode error} or {@linkcode errors}; attributes of the
 * outermost element; anything else is help.
 * @returns The field.
 * @throws {TypeError} if there is no control, or it has another id.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { FieldErrors } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const errors = new FieldErrors().add("email", "is required");
 * const field = ui.field("email", "Email", ui.input(h.name("email")), ui.errors(errors, "email"));
 * assertEquals(
 *   h.render(field),
 *   '<div class="ui-field"><label class="ui-label" for="email">Email</label>' +
 *     '<input id="email" class="ui-input" type="text" name="email" aria-describedby="email-error"' +
 *     ' aria-invalid="true"><p class="ui-error" id="email-error">Email is required</p></div>',
 * );
 * ```
 */
export function field(id: string, label: Child, control: Child, ...children: Child[]): Node {
  const { attributes, messages, content, isOptional } = sortParts(children);
  const notes = writeNotes(id, { messages, content }, label);
  const joined = joinControl(control, {
    id,
    describedBy: notes.ids,
    isInvalid: notes.isInvalid,
  });
  if (joined === undefined) {
    throw new TypeError(
      `Cannot join the field "${id}": it holds no input, select, textarea or other control; pass the ` +
        "control as the third argument.",
    );
  }
  return h.div(
    h.class("ui-field"),
    ...attributes,
    h.label(
      h.class("ui-label"),
      h.for(id),
      label,
      isOptional && [" ", h.small(word("optional"))],
    ),
    joined,
    ...notes.nodes,
  );
}

/**
 * Marks a field as optional, in its label. {@linkcode form} does so for the fields of a schema.
 *
 * @returns A mark for {@linkcode field}.
 */
export function optional(): Node {
  return optionalMark;
}

/**
 * Renders fields and buttons in a row above the list that they filter.
 *
 * @param children Fields, buttons, attributes.
 * @returns A `form` with the method `get`.
 */
export function toolbar(...children: Child[]): Node {
  return h.form(h.class("ui-toolbar"), ...children);
}

/**
 * Renders help text for a control.
 *
 * @param children Text, nodes and attributes.
 * @returns A message for {@linkcode field}; a paragraph elsewhere.
 */
export function help(...children: Child[]): Node {
  return new Message("help", children);
}

/**
 * Renders an error message for a control. Without text it shows nothing, and the control stays
 * valid.
 *
 * @param text The message, for example from a source other than {@linkcode errors}.
 * @param children More text, nodes and attributes.
 * @returns A message for {@linkcode field}; a paragraph elsewhere.
 */
export function error(text: Child, ...children: Child[]): Node {
  return h.render(text) === "" ? h.fragment() : new Message("error", [text, ...children]);
}

/**
 * Renders the error of a field after a submission. {@linkcode field} puts its label before a
 * message such as "is required"; a message that starts with a capital letter is shown as it is.
 *
 * @param errors The messages of the submission; `undefined` before the first.
 * @param field The field's name in the form.
 * @param children Attributes of the paragraph.
 * @returns A message for {@linkcode field}, or nothing if the field has none.
 */
export function errors(
  errors: FieldErrors | undefined,
  field: string,
  ...children: Child[]
): Node {
  const message = errors?.get(field) ?? "";
  return message === "" ? h.fragment() : new Message("error", children, message);
}

/**
 * Renders the errors of a form above it, each with a link to its field. It gets the focus when the
 * page loads.
 *
 * @param errors The messages of the submission; `undefined` before the first.
 * @param fields The labels of the fields by name, in the order of the form. A link targets the
 * element whose id is the name.
 * @param children More nodes and attributes.
 * @returns The summary, or nothing without errors.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import { FieldErrors } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const errors = new FieldErrors().add("email", "is required");
 * const summary = ui.errorSummary(errors, { email: "Email" });
 * assertStringIncludes(h.render(summary), '<a href="#email">Email is required</a>');
 * ```
 */
export function errorSummary(
  errors: FieldErrors | undefined,
  fields: Readonly<Record<string, string>>,
  ...children: Child[]
): Node {
  const wrong = Object.entries(fields).flatMap(([name, label]) => {
    const message = errors?.get(name);
    return message === undefined ? [] : [{ name, text: nameField(label, message) }];
  });
  return listProblems(wrong.map(({ name, text }) => ({ id: name, text })), ...children);
}
