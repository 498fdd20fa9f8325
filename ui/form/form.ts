/** A form: of fields that stand there, or of the fields of a schema. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { csrfInput, type Ctx, type FieldErrors, StructSchema } from "../../mod.ts";
import { type FormFieldFacts, readFormFields, warnOfFileLimit } from "../../runtime/addon.ts";
import { actions, submit as submitButton } from "../button.ts";
import { fieldset } from "../choices.ts";
import { help as helpOf, listProblems, type Problem } from "../field.ts";
import { fieldNode, type FieldState, shownText } from "./control.ts";
import { fileNode } from "./file.ts";
import type { ControlOptions, FormFile, FormOptions } from "./options.ts";
import { type Part, type PlaceOptions, Places, unknownField } from "./places.ts";
import { hasFile, isSent, labelFor, sentTexts } from "./values.ts";
import { word } from "../labels.ts";
import { nameField, sortParts } from "../parts.ts";

/**
 * Renders a form whose fields are stacked. It is sent by `get`; with `h.method("post")` it needs
 * `csrfInput(c)`.
 *
 * @param children Attributes, fields, {@linkcode actions}.
 * @returns A `form`.
 */
export function form(...children: Child[]): Node;
/**
 * Renders the form of a schema: every field with its label, control, help and error, the CSRF token
 * and the button. Type and rules become attributes such as `type="email"`, `required` and `max`. A
 * list, which only JSON can carry, must be replaced or left out.
 *
 * The texts of a failed submission come back by `values: bound`, except passwords and files. A text
 * named `password` is one; so is one with `fields: { pin: { type: "password" } }`.
 *
 * @param c The context of the request.
 * @param schema The `struct` that `bind` reads the form with.
 * @param options Values, messages, labels and what differs from the default.
 * @param children Attributes of the form, and nodes between the fields and the button.
 * @returns A `form`.
 * @throws {TypeError} for a name that the schema does not have, a list, a group without choices, and a
 * wrong rule.
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

type Labels = Readonly<Record<string, string | undefined>> | ((name: string) => string | undefined);

/** Options whose names have been checked by the compiler, or are checked here. */
interface AnyOptions extends
  Omit<
    FormOptions<Readonly<Record<string, unknown>>>,
    "values" | "labels" | "help" | "fields" | "files" | "only" | "except" | "layout"
  >,
  PlaceOptions {
  readonly values?: unknown;
  readonly labels?: Labels;
  readonly help?: Readonly<Record<string, Child>>;
  readonly fields?: Readonly<Record<string, ControlOptions | undefined>>;
  readonly files?: Readonly<Record<string, FormFile>>;
}

interface Draft {
  readonly c: Ctx;
  readonly options: AnyOptions;
  readonly errors: FieldErrors | undefined;
  readonly problems: Problem[];
  /** The names whose messages were shown beside a field, or listed. */
  readonly seen: Set<string>;
}

function schemaForm<T>(
  c: Ctx,
  schema: StructSchema<T>,
  given: { readonly options: AnyOptions; readonly children: readonly Child[] },
): Node {
  const { options } = given;
  const { method = "post", action, files = {}, summary = true, submit = word("save") } = options;
  const facts = readFormFields(schema);
  const errors = options.errors ?? (isSent(options.values) ? options.values.errors : undefined);
  const draft: Draft = { c, options, errors, problems: [], seen: new Set() };
  const fields = fieldNodes(facts, draft);
  const { attributes, outer, messages, content } = sortParts(given.children);
  for (const [name, text] of errors ?? []) {
    if (!draft.seen.has(name)) draft.problems.push({ text: nameField(labelFor(name), text) });
  }
  const isPost = method === "post";
  if (isPost && action === undefined) {
    for (const [name, rules] of Object.entries(files)) warnOfFileLimit(c, name, rules);
  }
  return h.form(
    h.class("ui-form"),
    h.method(method),
    action !== undefined && h.action(action),
    isPost && Object.keys(files).length > 0 && h.enctype("multipart/form-data"),
    ...attributes,
    ...outer,
    isPost && csrfInput(c),
    summary && listProblems(draft.problems),
    ...fields,
    ...messages,
    ...content,
    buttons(submit),
  );
}

function buttons(submit: Child): Child {
  if (submit === false) return undefined;
  return actions(typeof submit === "string" ? submitButton(submit) : submit);
}

function fieldNodes(facts: readonly FormFieldFacts[], draft: Draft): readonly Child[] {
  const { options } = draft;
  const parts = new Map<string, Part>();
  const places = new Places(parts, options);
  addParts(facts, { parts, places, draft, isSkippable: false });
  for (const [name, rules] of Object.entries(options.files ?? {})) {
    parts.set(name, { path: name, inner: [], render: () => filePart(name, rules, draft) });
  }
  checkNames(options, parts);
  return places.render();
}

/** A name from a variable escapes the compiler. */
function checkNames(options: AnyOptions, parts: ReadonlyMap<string, Part>): void {
  const { labels = {}, help = {}, fields = {}, only = [], except = [] } = options;
  const records = [typeof labels === "function" ? {} : labels, help, fields];
  const named = records.flatMap((record) => Object.keys(record));
  const unknown = [...named, ...only, ...except].find((name) => !parts.has(name));
  if (unknown !== undefined) throw unknownField(unknown, parts);
}

interface Around {
  readonly parts: Map<string, Part>;
  readonly places: Places;
  readonly draft: Draft;
  /** Whether a struct around the fields may be absent. */
  readonly isSkippable: boolean;
}

function addParts(facts: readonly FormFieldFacts[], around: Around): void {
  const { parts, places, draft } = around;
  for (const each of facts) {
    const isSkippable = around.isSkippable || (each.kind === "struct" && each.optional);
    const inner = each.fields.map(({ path }) => path);
    parts.set(each.path, {
      path: each.path,
      inner,
      render: () =>
        each.kind === "struct"
          ? structPart(each, () => places.rest(inner), draft)
          : leafPart(each, draft, around.isSkippable),
    });
    addParts(each.fields, { ...around, isSkippable });
  }
}

/** A struct is a group of fields under its label. */
function structPart(facts: FormFieldFacts, inner: () => readonly Node[], draft: Draft): Node {
  const { id, label, help, options: { render } } = describe(facts.path, facts.name, draft);
  const node = fieldset(label, h.id(id), help !== undefined && helpOf(help), ...inner());
  if (render === undefined) return node;
  return h.fragment(render({ id, name: facts.name, label, value: "", error: undefined, node }));
}

function leafPart(facts: FormFieldFacts, draft: Draft, isSkippable: boolean): Node {
  const state: FieldState = {
    ...describe(facts.path, facts.name, draft),
    facts,
    c: draft.c,
    texts: sentTexts(draft.options.values, facts),
    isSkippable,
    isFilter: draft.options.method === "get",
  };
  const isList = facts.kind === "list";
  if (isList && state.options.render === undefined) {
    throw new TypeError(
      `Cannot render the form field "${facts.name}": bind reads a list from JSON only; leave it out by ` +
        `except: ["${facts.path}"] or replace it by render in fields.`,
    );
  }
  const node = isList ? h.fragment() : fieldNode(state);
  return finish(node, state, { value: shownText(state), draft });
}

function filePart(name: string, rules: FormFile, draft: Draft): Node {
  const about = describe(name, name, draft);
  const isLost = hasFile(draft.options.values, name);
  const node = fileNode(name, rules, { ...about, isLost });
  return finish(node, { ...about, facts: { name } }, { value: "", draft });
}

type About = Omit<FieldState, "facts" | "c" | "texts" | "isSkippable" | "isFilter">;

function describe(path: string, name: string, { options, errors }: Draft): About {
  const { labels } = options;
  const label = typeof labels === "function" ? labels(path) : labels?.[path];
  return {
    id: (options.idPrefix ?? "") + name,
    label: label ?? labelFor(path),
    error: errors?.get(name),
    help: options.help?.[path],
    options: options.fields?.[path] ?? {},
  };
}

/** Adds the message of a field to the summary, and renders the field in the application's own way. */
function finish(
  node: Node,
  about: About & { readonly facts: Pick<FormFieldFacts, "name"> },
  { value, draft }: { readonly value: string; readonly draft: Draft },
): Node {
  const { id, label, error, options: { render, type }, facts: { name } } = about;
  draft.seen.add(name);
  if (error !== undefined && error !== "") {
    // A hidden field has no place to lead to.
    const isLinked = type !== "hidden" || render !== undefined;
    draft.problems.push({ ...(isLinked ? { id } : {}), text: nameField(label, error) });
  }
  return render === undefined ? node : h.fragment(render({ id, name, label, value, error, node }));
}
