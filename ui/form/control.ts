/** The control of one schema field, with the attributes derived from its rules. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import type { Ctx } from "../../mod.ts";
import { type FormFieldFacts, localTime } from "../../runtime/addon.ts";
import { checkbox, fieldset, radioGroup, switch as switch_ } from "../choices.ts";
import {
  type Choice,
  type ChoiceGroup,
  input,
  isSelected,
  select,
  selectOptions,
  textarea,
  toChoice,
} from "../controls.ts";
import { field as fieldOf, help as helpOf, optional } from "../field.ts";
import type { ControlOptions, ControlType } from "./options.ts";
import { affix, charCount, passwordInput } from "./section.ts";
import { suggestions } from "./tags.ts";
import { word } from "../labels.ts";
import { Message, writeNotes } from "../parts.ts";

/** Maximum length of a single-line text; a longer one gets a `textarea`. */
const maxLineChars = 255;

/** The latest date that the server accepts; some browsers allow years of six digits. */
const maxDate = "9999-12-31";

export interface FieldAbout {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly error: string | undefined;
  readonly help: Child;
  readonly options: ControlOptions;
}

export interface FieldState extends FieldAbout {
  readonly facts: FormFieldFacts;
  readonly c: Pick<Ctx, "zone">;
  /** The values to show as strings; several for a group of checkboxes. */
  readonly texts: readonly string[];
  /** Whether an enclosing struct may be absent, so that none of its fields is required. */
  readonly isSkippable: boolean;
  /** Whether the form is a filter, whose fields are all optional and not marked as such. */
  readonly isFilter: boolean;
}

/** Renders a field with label, help and error. */
export function fieldNode(state: FieldState): Node {
  const type = inputType(state);
  switch (type) {
    case "hidden":
      return hidden(state);
    case "checkbox":
    case "switch":
      return state.facts.kind === "bool" ? tick(state, type) : boxes(state);
    case "radio":
    case "cards":
      return radios(state, { cards: type === "cards" });
    default:
      return fieldOf(
        state.id,
        state.label,
        control(state, type),
        !state.isFilter && !isRequired(state) && optional(),
        state.options.count === true && countOf(state),
        ...notesOf(state),
      );
  }
}

/** Returns the text that a field may show; a password is never sent back to the browser. */
export function shownText(state: FieldState): string {
  const [text = ""] = state.texts;
  switch (inputType(state)) {
    case "password":
      return "";
    case "datetime-local":
      return localTime(text, state.c.zone);
    default:
      return text;
  }
}

/** Returns the control of a field: the chosen one, else by type, rules and name. */
function inputType({ facts, options }: FieldState): ControlType {
  if (options.type !== undefined) return options.type;
  const { kind, oneOf, format, max } = facts;
  switch (kind) {
    case "bool":
    case "texts":
      return "checkbox";
    case "date":
      return facts.hasTime ? "datetime-local" : "date";
    case "day":
      return "date";
    default:
  }
  if (oneOf.length > 0 || options.choices !== undefined) return "select";
  // Browsers parse numbers as doubles, which cannot represent every int64.
  if (kind === "int" || kind === "float") return "number";
  if (kind === "int64") return "text";
  // Otherwise a password would be visible, and sent back after an error.
  if (isPassword(facts)) return "password";
  if (format !== undefined) return format;
  return typeof max === "number" && max > maxLineChars ? "textarea" : "text";
}

/** Reports whether a text is a password by its rules or its name. */
export function isPassword({ kind, oneOf, format, path }: FormFieldFacts): boolean {
  return kind === "text" && oneOf.length === 0 &&
    (format === "password" || /pass(?:word|phrase|code)$/i.test(path));
}

export function notesOf({ help, error }: Pick<FieldState, "help" | "error">): Message[] {
  const isEmpty = help === undefined || h.render(h.fragment(help)) === "";
  return [
    ...(isEmpty ? [] : [helpOf(help) as Message]),
    ...(error === undefined || error === "" ? [] : [new Message("error", [], error)]),
  ];
}

function countOf(state: FieldState): Child {
  const { facts: { kind, max } } = state;
  return kind === "text" && max !== undefined &&
    helpOf(h.class("ui-count-line"), charCount(Number(max), shownText(state).length));
}

function control(state: FieldState, type: ControlType): Node {
  const { facts, options } = state;
  const name = h.name(facts.name);
  const required = h.required(isRequired(state));
  if (type === "select" || type === "combobox") {
    const isSeveral = facts.kind === "texts";
    return select(
      name,
      required,
      h.multiple(isSeveral),
      type === "combobox" && suggestions(options.source),
      options.attributes,
      selectOptions(choicesOf(state, { isSeveral }), isSeveral ? state.texts : shownText(state)),
    );
  }
  const shown = shownText(state);
  // A date input accepts only a date without a time.
  const text = type === "date" ? shown.replace(/^(\d{4}-\d{2}-\d{2})T.*$/, "$1") : shown;
  // A time that occurs twice, as when clocks change, has an offset, which this control does not support.
  if (type === "datetime-local" && /[+-]\d{2}:\d{2}$/.test(text)) return control(state, "text");
  if (type === "textarea") {
    return textarea(name, required, ...lengths(facts), options.attributes, text);
  }
  const made = (type === "password" ? passwordInput : input)(
    name,
    h.type(type),
    required,
    ...limits(state, type, text),
    type === "password" &&
      h.autocomplete(isNewPassword(facts) ? "new-password" : "current-password"),
    text !== "" && h.value(text),
    options.attributes,
  );
  if (options.prefix !== undefined || options.suffix !== undefined) return affix(options, made);
  return facts.currency === undefined || type !== "text" ? made : inCurrency(facts.currency, made);
}

/** Puts the currency sign before an amount and its code after it, or only the code if there is no sign. */
function inCurrency(currency: string, amount: Node): Node {
  const sign = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  }).formatToParts(0).find(({ type }) => type === "currency")?.value ?? currency;
  return sign === currency
    ? affix({ suffix: currency }, amount)
    : affix({ prefix: sign, suffix: currency }, amount);
}

/** Reports whether a field sets a new password, according to its rules or name. */
function isNewPassword({ name, min }: FormFieldFacts): boolean {
  return Number(min ?? 0) > 1 || /new|confirm|repeat|again/i.test(name);
}

function isRequired({ facts, isSkippable }: FieldState): boolean {
  return facts.required && !isSkippable;
}

function lengths({ kind, min, max }: FormFieldFacts): Child[] {
  if (kind !== "text") return [];
  return [
    Number(min ?? 0) > 1 && h.minlength(Number(min)),
    max !== undefined && h.maxlength(Number(max)),
  ];
}

function limits(state: FieldState, type: ControlType, text: string): Child[] {
  const { facts } = state;
  switch (facts.kind) {
    case "text":
      return type === "color" ? [] : lengths(facts);
    case "int64":
      // The server ignores white space around a number.
      return [h.inputmode("numeric"), h.pattern("\\s*[+\\-]?\\d+\\s*")];
    case "int":
    case "float":
      return type === "number" ? numberLimits(state) : [];
    case "money":
      return [h.inputmode("decimal")];
    case "date":
    case "day":
      return dateLimits(state, type, text);
    default:
      return [];
  }
}

function numberLimits({ facts: { kind, min, max }, texts }: FieldState): Child[] {
  // Without a minimum, browsers count steps from the value.
  const isWhole = /^[+-]?\d+$/.test(texts[0] ?? "0");
  return [
    h.step(kind === "int" && isWhole ? "1" : "any"),
    min !== undefined && h.min(String(min)),
    max !== undefined && h.max(String(max)),
  ];
}

function dateLimits(
  { facts: { min, max }, c }: FieldState,
  type: ControlType,
  text: string,
): Child[] {
  const isDay = type === "date";
  if (!isDay && type !== "datetime-local") return [];
  // Browsers accept only whole minutes from the minimum, so a stored value with seconds would be invalid.
  const isExact = !isDay && /T\d\d:\d\d:/.test(text);
  const write = (ms: number | bigint): string => {
    const limit = new Date(Number(ms)).toISOString();
    if (isDay) return limit.slice(0, 10);
    const local = localTime(limit, c.zone).replace(/[+-]\d{2}:\d{2}$/, "");
    return isExact ? local : local.slice(0, 16);
  };
  const latest = isDay ? maxDate : `${maxDate}T23:59${isExact ? ":59.999" : ""}`;
  return [
    isExact && h.step("any"),
    min !== undefined && h.min(write(min)),
    h.max(max === undefined ? latest : write(max)),
  ];
}

function choicesOf(
  { facts, options }: Pick<FieldState, "facts" | "options">,
  { isSeveral }: { readonly isSeveral: boolean },
): readonly (Choice | ChoiceGroup | string)[] {
  const choices = options.choices ?? facts.oneOf;
  const hasEmpty = flatChoices({ facts, options }).some(({ value }) => value === "");
  return hasEmpty || isSeveral ? choices : [{ value: "", label: word("choose") }, ...choices];
}

function flatChoices({ facts, options }: Pick<FieldState, "facts" | "options">): Choice[] {
  const choices = options.choices ?? facts.oneOf;
  const flat = choices.flatMap((choice) =>
    typeof choice === "object" && "options" in choice ? choice.options : [choice]
  ).map(toChoice);
  // The application's own list may be empty, as when its table has no rows yet.
  if (flat.length > 0 || options.choices !== undefined) return flat;
  throw new TypeError(
    `Cannot render the form field "${facts.name}": nothing can be chosen; add ` +
      `fields: { "${facts.path}": { choices: [...] } }, replace the field, or leave it out by except.`,
  );
}

function tick(state: FieldState, type: "checkbox" | "switch"): Node {
  const { facts, id, label, texts, options, isSkippable } = state;
  const isOn = texts.some((text) => /^(?:on|true|1)$/.test(text));
  // An optional checkbox distinguishes "no" from "not sent", so `required` accepts "no".
  const saysNo = facts.optional && !isSkippable;
  const box = (type === "switch" ? switch_ : checkbox)(
    id,
    label,
    h.name(facts.name),
    h.required(isRequired(state) && !facts.optional),
    h.checked(isOn),
    options.attributes,
    ...notesOf(state),
  );
  if (!saysNo) return box;
  return h.fragment(h.input(h.type("hidden"), h.name(facts.name), h.value("0")), box);
}

/** Renders a group of checkboxes; the first has the field's id, so that links to it work. */
function boxes(state: FieldState): Node {
  const { facts, id, label, texts, options } = state;
  const notes = writeNotes(`${id}-group`, { messages: notesOf(state) }, label);
  return fieldset(
    label,
    h.class("ui-field"),
    notes.ids !== "" && h.aria("describedby", notes.ids),
    h.mapIndex(flatChoices(state), (choice, at) =>
      checkbox(
        at === 0 ? id : `${id}-${at + 1}`,
        choice.label ?? choice.value,
        h.name(facts.name),
        h.value(choice.value),
        h.checked(isSelected(choice.value, texts)),
        h.disabled(choice.disabled ?? false),
        notes.isInvalid && h.aria("invalid", "true"),
        choice.help !== undefined && helpOf(choice.help),
        options.attributes,
      )),
    ...notes.nodes,
  );
}

function radios(state: FieldState, { cards }: { readonly cards: boolean }): Node {
  const { facts, id, label, options } = state;
  return radioGroup(
    facts.name,
    {
      legend: label,
      id,
      options: flatChoices(state),
      selected: shownText(state),
      required: isRequired(state),
      cards,
    },
    options.attributes,
    ...notesOf(state),
  );
}

function hidden({ facts, texts, options }: FieldState): Node {
  const values = texts.length === 0 ? [""] : texts;
  return h.map(
    values,
    (text) => h.input(h.type("hidden"), h.name(facts.name), h.value(text), options.attributes),
  );
}
