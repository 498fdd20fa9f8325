import type { FieldErrors, Node } from "@fw/fw";
import * as h from "@fw/fw/h";

/** What a form shows: what was typed, and what is wrong with it. */
export interface FormState {
  /** The messages; none before the form was sent. */
  readonly errors: FieldErrors;
  /** What a field holds. */
  text(field: string): string;
}

/** One field of a form. */
export interface FieldInfo {
  /** Its name in the form, which is its id as well. */
  readonly name: string;
  /** What people call it; messages read on from it. */
  readonly label: string;
  /** What to know before typing. */
  readonly hint?: string;
  /** Whether it may stay empty. @default false */
  readonly isOptional?: boolean;
}

/** A field with its control. */
export interface FieldWithControl extends FieldInfo {
  /** Makes the control; it gets the attributes that join it to the rest. */
  readonly control: (joined: Node) => Node;
}

/**
 * A field with everything that belongs to it: the label, the hint and the message, which the control
 * names by `aria-describedby`.
 */
export function formField(state: FormState, field: FieldWithControl): Node {
  const { name, label, hint, isOptional = false, control } = field;
  const message = state.errors.get(name);
  const described = [hint && `${name}-hint`, message && `${name}-error`].filter(Boolean).join(" ");
  return h.div(
    h.class("field", message !== undefined && "field-wrong"),
    h.label(h.for(name), label, isOptional && h.span(h.class("optional"), " (optional)")),
    hint && h.p(h.id(`${name}-hint`), h.class("hint"), hint),
    message && h.p(h.id(`${name}-error`), h.class("field-error"), `${label} ${message}`),
    control(h.group(
      h.id(name),
      h.name(name),
      described !== "" && h.aria("describedby", described),
      message !== undefined && h.aria("invalid", "true"),
      h.required(!isOptional),
    )),
  );
}

/** A field of one line. */
export function inputField(
  state: FormState,
  info: FieldInfo,
  ...attributes: readonly Node[]
): Node {
  const value = h.value(state.text(info.name));
  return formField(state, {
    ...info,
    control: (joined) => h.input(joined, value, attributes),
  });
}

/** A field of several lines. */
export function textField(state: FormState, info: FieldInfo, ...attributes: readonly Node[]): Node {
  const text = state.text(info.name);
  return formField(state, {
    ...info,
    control: (joined) => h.textarea(joined, attributes, text),
  });
}

/** A field that offers choices. */
export interface ChoiceInfo extends FieldInfo {
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}

/** A choice among several, none of which is made for the visitor. */
export function choiceField(state: FormState, info: ChoiceInfo): Node {
  const chosen = state.text(info.name);
  const options = [{ value: "", label: "Choose one" }, ...info.choices];
  return formField(state, {
    ...info,
    control: (joined) =>
      h.select(
        joined,
        h.map(options, ({ value, label }) =>
          h.option(h.value(value), h.selected(value === chosen), label)),
      ),
  });
}

/**
 * All messages above the form, each with a link to its field; nothing when there is none. It takes
 * the focus, so that a screen reader starts there.
 *
 * @param labels What the fields are called, by name.
 */
export function errorSummary(
  { errors }: FormState,
  labels: Readonly<Record<string, string>>,
): Node | undefined {
  if (!errors.any()) return undefined;
  // In the order of the form, not in that of the checks.
  const wrong = Object.entries(labels).filter(([name]) => errors.has(name));
  return h.div(
    h.class("error-summary"),
    h.attr("role", "alert"),
    h.tabindex(-1),
    h.autofocus(),
    h.aria("labelledby", "error-summary"),
    h.h2(h.id("error-summary"), wrong.length === 1 ? "One thing to mend" : "Some things to mend"),
    h.ul(
      h.map(
        wrong,
        ([name, label]) => h.li(h.a(h.href(`#${name}`), `${label} ${errors.get(name)}`)),
      ),
    ),
  );
}
