import type { TestElement } from "./html_tree.ts";

/** A value for one form field: a string, a checked state, several choices, or files. */
export type FieldValue = string | number | boolean | File | readonly string[] | readonly File[];

/** The values of a form's fields, by name. */
export type FilledValues = Readonly<Record<string, FieldValue>>;

export type FormEntry = readonly [name: string, value: string | File | undefined];

/** Returns the entries that a browser sends (HTML, section 4.10.21.4); refuses impossible input. */
export function formEntriesOf(
  form: TestElement,
  values: FilledValues,
  button: TestElement | undefined,
): FormEntry[] {
  const controls = controlsOf(form);
  const fields = controls.filter((control) => !isButton(control));
  checkNames(fields, values);
  return controls.filter((control) => !isDisabled(control)).flatMap((control) => {
    const name = control.attribute("name") ?? "";
    if (name === "") return [];
    if (isButton(control)) {
      return control === button ? [[name, control.attribute("value") ?? ""]] : [];
    }
    const given = Object.hasOwn(values, name) ? values[name] : undefined;
    const same = fields.filter((field) => field.attribute("name") === name);
    return valuesOf(control, { name, given, same }).map((value): FormEntry => [name, value]);
  });
}

/** Returns the controls that belong to a form: those inside, and those with its id in `form`. */
export function controlsOf(form: TestElement): TestElement[] {
  return [...rootOf(form).descendants()].filter((element) =>
    /^(?:input|select|textarea|button)$/.test(element.name) && formOf(element) === form &&
    // The options of a datalist are not fields.
    !element.ancestors().some(({ name }) => name === "datalist")
  );
}

export function formOf(control: TestElement): TestElement | undefined {
  const id = control.attribute("form");
  if (id === undefined) return formAround(control);
  const named = rootOf(control).descendants().find((element) => element.attribute("id") === id);
  return named?.name === "form" ? named : undefined;
}

export function formAround(element: TestElement): TestElement | undefined {
  return element.ancestors().find(({ name }) => name === "form");
}

export function isSubmitButton(control: TestElement): boolean {
  const type = typeOf(control);
  if (control.name === "button") return type !== "button" && type !== "reset";
  return control.name === "input" && type === "submit";
}

export function isDisabled(control: TestElement): boolean {
  if (control.attribute("disabled") !== undefined) return true;
  let below = control;
  for (const around of control.ancestors()) {
    if (around.name === "fieldset" && around.attribute("disabled") !== undefined) {
      const legend = around.elements.find(({ name }) => name === "legend");
      if (below !== legend) return true;
    }
    below = around;
  }
  return false;
}

function rootOf(element: TestElement): TestElement {
  let root = element;
  while (root.parent !== undefined) root = root.parent;
  return root;
}

function typeOf(control: TestElement): string {
  if (control.name === "textarea") return "textarea";
  return control.attribute("type")?.toLowerCase() ?? (control.name === "input" ? "text" : "");
}

function isButton(control: TestElement): boolean {
  return control.name === "button" ||
    (control.name === "input" && /^(?:submit|image|reset|button)$/.test(typeOf(control)));
}

interface Filling {
  readonly name: string;
  readonly given: FieldValue | undefined;
  readonly same: readonly TestElement[];
}

function valuesOf(control: TestElement, filling: Filling): (string | File | undefined)[] {
  if (control.name === "select") return selected(control, filling);
  const type = typeOf(control);
  if (type === "checkbox" || type === "radio") {
    const group = filling.same.filter((field) => field.name === "input" && typeOf(field) === type);
    return isChecked(control, { ...filling, same: group }) ? [choiceOf(control)] : [];
  }
  if (type === "file") return filesOf(control, filling);
  // A hidden field may hold the default of a visible field of the same name.
  const shown = filling.same.filter((field) => typeOf(field) !== "hidden");
  const isFixed = filling.given === undefined || (type === "hidden" && shown.length > 0);
  return [isFixed ? defaultText(control, type) : typedText(control, { ...filling, same: shown })];
}

/** Returns the typed text; a list fills several fields of one name in order. */
function typedText(control: TestElement, { name, given, same }: Filling): string {
  const type = typeOf(control);
  if (type === "hidden") throw unfit(name, "is hidden, which no user can change; use postForm");
  if (control.attribute("readonly") !== undefined) {
    throw unfit(name, "is read-only, which no user can change; use postForm");
  }
  const list = listOf(given);
  if (list.length !== same.length) {
    throw unfit(name, `is there ${same.length} times but got ${list.length} values`);
  }
  const value = list[same.indexOf(control)];
  if (typeof value !== "string" && typeof value !== "number") {
    throw unfit(name, "takes a text");
  }
  return lineBreaks(type === "textarea" ? String(value) : String(value).replace(/[\r\n]/g, ""));
}

function listOf(given: FieldValue | undefined): readonly unknown[] {
  return Array.isArray(given) ? given : [given];
}

function defaultText(control: TestElement, type: string): string {
  if (type === "textarea") return lineBreaks(control.rawText.replace(/^\n/, ""));
  const value = control.attribute("value");
  if (type === "hidden") return lineBreaks(value ?? "");
  if (value === undefined) return { color: "#000000", range: "50" }[type] ?? "";
  return value.replace(/[\r\n]/g, "");
}

function isChecked(control: TestElement, { name, given, same: group }: Filling): boolean {
  const isRadio = typeOf(control) === "radio";
  if (given === undefined) {
    const on = group.filter((field) => field.attribute("checked") !== undefined);
    // Of several checked radio buttons the last one stays checked.
    return isRadio ? on.at(-1) === control : on.includes(control);
  }
  if (typeof given === "boolean" && !isRadio && group.length === 1) return given;
  const choices = group.filter((field) => !isDisabled(field)).map(choiceOf);
  return chosen({ name, given }, choices, !isRadio).includes(choiceOf(control));
}

/** Returns the given values; refuses one that the field does not offer. */
function chosen(
  { name, given }: Omit<Filling, "same">,
  choices: readonly string[],
  isMultiple: boolean,
): string[] {
  const list = choices.slice(0, 20).map((choice) => `"${choice}"`).join(", ");
  const wanted = listOf(given).map((value) => {
    if (typeof value === "string" || typeof value === "number") return String(value);
    throw unfit(name, `is a choice; use the value of one: ${list}`);
  });
  const missing = wanted.find((want) => !choices.includes(want));
  if (missing !== undefined) throw unfit(name, `has no choice "${missing}"; it has ${list}`);
  if (!isMultiple && wanted.length !== 1) throw unfit(name, "takes one choice");
  return wanted;
}

function choiceOf(control: TestElement): string {
  return control.attribute("value") ?? "on";
}

function selected(select: TestElement, { name, given }: Filling): string[] {
  const isMultiple = select.attribute("multiple") !== undefined;
  const options = [...select.descendants()].filter((element) => element.name === "option");
  const enabled = options.filter((option) =>
    option.attribute("disabled") === undefined &&
    !(option.parent?.name === "optgroup" && option.parent.attribute("disabled") !== undefined)
  );
  if (given === undefined) {
    const marked = options.filter((option) => option.attribute("selected") !== undefined);
    if (isMultiple) return marked.filter((option) => enabled.includes(option)).map(optionValue);
    // Without a selected option, a drop-down selects its first enabled one, a list box none.
    const isList = Number(select.attribute("size") ?? "1") > 1;
    const shown = marked.at(-1) ?? (isList ? undefined : enabled[0]);
    return shown !== undefined && enabled.includes(shown) ? [optionValue(shown)] : [];
  }
  const values = enabled.map(optionValue);
  const wanted = chosen({ name, given }, values, isMultiple);
  return values.filter((value) => wanted.includes(value));
}

function optionValue(option: TestElement): string {
  return option.attribute("value") ?? option.text;
}

function filesOf(control: TestElement, { name, given }: Filling): (File | undefined)[] {
  const list = given === undefined ? [] : listOf(given);
  const files = list.filter((file) => file instanceof File);
  if (files.length !== list.length) throw unfit(name, "takes files: new File([bytes], name)");
  if (files.length > 1 && control.attribute("multiple") === undefined) {
    throw unfit(name, "takes one file");
  }
  return files.length === 0 ? [undefined] : files;
}

function checkNames(fields: readonly TestElement[], values: FilledValues): void {
  for (const name of Object.keys(values)) {
    const named = fields.filter((field) => field.attribute("name") === name);
    if (named.length === 0) {
      const names = new Set(fields.flatMap((field) => field.attribute("name") ?? []));
      const known = names.size === 0 ? "no fields" : `only ${[...names].join(", ")}`;
      throw new TypeError(`Cannot fill the field "${name}": the form has ${known}.`);
    }
    if (named.every(isDisabled)) throw unfit(name, "is disabled, which no user can change");
  }
}

function unfit(name: string, reason: string): TypeError {
  return new TypeError(`Cannot fill the field "${name}": it ${reason}.`);
}

function lineBreaks(text: string): string {
  return text.replace(/\r\n?|\n/g, "\r\n");
}
