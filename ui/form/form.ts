/** A form with given fields or the fields of a schema. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { csrfInput, type Ctx, StructSchema } from "../../mod.ts";
import { readFormFields, warnOfFileLimit } from "../../runtime/addon.ts";
import { actions, submit as submitButton } from "../button.ts";
import { word } from "../labels.ts";
import { listProblems, sortParts } from "../parts.ts";
import { type AnyOptions, Fields } from "./fields.ts";
import type { FormOptions } from "./options.ts";
import { pressedRow } from "./values.ts";

/**
 * Renders a form with stacked fields. The method is `get`; with `h.method("post")` it needs
 * `csrfInput(c)`.
 *
 * @param children Attributes, fields, {@linkcode actions}.
 * @returns A `form`.
 */
export function form(...children: Child[]): Node;
/**
 * Renders the form of a schema: every field with its label, control, help and error, the CSRF token
 * and the button. Type and rules become attributes such as `type="email"`, `required` and `max`. A
 * list of structs becomes rows, with buttons to add and remove them; any other list must be replaced or excluded.
 *
 * With `values: bound` the form shows the values of a failed submission again, except passwords and
 * files. A text named `password` counts as one; so does one with `fields: { pin: { type: "password" } }`.
 *
 * @param c The context of the request.
 * @param schema The `struct` that `bind` reads the form with.
 * @param options Values, messages, labels and changes to the defaults.
 * @param children Attributes of the form, and nodes between the fields and the button.
 * @returns A `form`.
 * @throws {TypeError} for a name that the schema lacks, a list, a group without choices, and an
 * invalid rule.
 *
 * @example
 * ```ts
 * import { App, type Ctx, int, struct, text } from "@fw/fw";
 * import { testPage } from "@fw/fw/testing";
 * import * as ui from "@fw/fw/ui";
 *
 * const NewEvent = struct({ title: text("required,max=80"), seats: int("required,min=1") });
 * const page = (c: Ctx) => ui.form(c, NewEvent, { labels: { seats: "Number of seats" } });
 * await testPage({ page }, "/new").wantContains(
 *   '<input id="seats" class="ui-input" type="number" name="seats" required step="1" min="1">',
 * );
 * ```
 */
export function form<T, File extends string = never>(
  c: Ctx,
  schema: StructSchema<T>,
  options?: FormOptions<T, File>,
  ...children: Child[]
): Node;
export function form(...args: readonly unknown[]): Node {
  const [c, schema, options, ...children] = args;
  if (schema instanceof StructSchema) {
    return schemaForm(c as Ctx, schema, { options: options ?? {}, children: children as Child[] });
  }
  return h.form(h.class("ui-form"), ...args as readonly Child[]);
}

function schemaForm<T>(
  c: Ctx,
  schema: StructSchema<T>,
  { options, children }: { readonly options: AnyOptions; readonly children: readonly Child[] },
): Node {
  const { method = "post", action, files = {}, summary = true, submit = word("save") } = options;
  const fields = new Fields(c, readFormFields(schema), options);
  const nodes = fields.render();
  const { attributes, messages, content } = sortParts(children);
  const isPost = method === "post";
  // Not the 422 of a form with mistakes.
  if (pressedRow(options.values) !== undefined) c.status(200);
  if (isPost && action === undefined) {
    for (const [name, rules] of Object.entries(files)) warnOfFileLimit(c, name, rules);
  }
  return h.form(
    h.class("ui-form"),
    h.method(method),
    action !== undefined && h.action(action),
    isPost && Object.keys(files).length > 0 && h.enctype("multipart/form-data"),
    ...attributes,
    isPost && csrfInput(c),
    // Pressing Enter in a field presses the first button, which would remove a row.
    fields.hasRowButtons &&
      submitButton(h.class("ui-sr-only"), h.tabindex(-1), h.aria("hidden", "true"), word("save")),
    summary && listProblems(fields.problems),
    ...nodes,
    ...messages,
    ...content,
    submit !== false && actions(typeof submit === "string" ? submitButton(submit) : submit),
  );
}
