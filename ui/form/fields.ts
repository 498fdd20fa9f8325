/** The fields of a schema's form: their selection, order and errors. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import type { Ctx, FieldErrors } from "../../mod.ts";
import type { FormFieldFacts } from "../../runtime/addon.ts";
import { fieldset } from "../choices.ts";
import { help as helpOf } from "../field.ts";
import { swap } from "../fragment/fragments.ts";
import { grid, row as flow } from "../frame.ts";
import { icon } from "../icon/icon.ts";
import { word } from "../labels.ts";
import { nameField, type Problem, spacelessId, writeNotes } from "../parts.ts";
import { outline, small } from "../variants.ts";
import { type FieldAbout, fieldNode, type FieldState, notesOf, shownText } from "./control.ts";
import { fileNode } from "./file.ts";
import { fieldChoices, hasChoiceTexts } from "./field_texts.ts";
import type { ControlOptions, FormFile, FormOptions } from "./options.ts";
import { filledRows, moveRow, rowButtons, rowSubmit } from "./rows.ts";
import { hasFile, isSent, labelFor, pressedRow, rowNumbers, sentTexts } from "./values.ts";

/** Options whose names the compiler has checked, or which are checked here. */
export type AnyOptions = FormOptions<Readonly<Record<string, string>>, string>;

export function fieldLabel(
  path: string,
  { labels, texts }: Pick<AnyOptions, "labels" | "texts">,
): string {
  return (typeof labels === "function" ? labels(path) : labels?.[path]) ?? texts?.label(path) ??
    labelFor(path);
}

const maxCards = 4;

/** A field, a group of fields or an upload. */
interface Part {
  /** The names of the fields of a struct. @default none */
  readonly inner: readonly string[];
  readonly render: () => Node;
}

/** Renders each chosen field of a form once, in its place. */
export class Fields {
  /** The errors of the rendered fields, in order. */
  readonly problems: Problem[] = [];
  readonly #c: Ctx;
  readonly #options: AnyOptions;
  readonly #errors: FieldErrors | undefined;
  readonly #parts = new Map<string, Part>();
  readonly #placed = new Set<string>();
  /** The names whose messages are shown at their field. */
  readonly #seen = new Set<string>();
  hasRowButtons = false;

  constructor(c: Ctx, facts: readonly FormFieldFacts[], options: AnyOptions) {
    const { values, files = {} } = options;
    const { errors = isSent(values) ? values.errors : undefined } = options;
    this.#c = c;
    this.#options = options;
    // A form that comes back for a row is not finished.
    this.#errors = pressedRow(values) === undefined ? errors : undefined;
    this.#add(facts);
    for (const [name, rules] of Object.entries(files)) {
      this.#parts.set(name, { inner: [], render: () => this.#file(name, rules) });
    }
    this.#checkNames();
  }

  /** Renders the fields of the layout, then the others in order. */
  render(): readonly Child[] {
    const { layout, only } = this.#options;
    const inner = new Set([...this.#parts.values()].flatMap((part) => part.inner));
    const own = layout?.((...names) => h.fragment(names.map((name) => this.#placeNamed(name))));
    const rest = only ?? [...this.#parts.keys()].filter((path) => !inner.has(path));
    const nodes = [own, ...this.#rest(rest)];
    for (const [name, text] of this.#errors ?? []) {
      if (!this.#seen.has(name)) this.problems.push({ text: nameField(labelFor(name), text) });
    }
    return nodes;
  }

  #add(facts: readonly FormFieldFacts[], isSkippable?: boolean): void {
    for (const each of facts) {
      const inner = each.fields.map(({ path }) => path);
      const render = each.kind === "struct"
        ? () => this.#struct(each, inner)
        : () => this.#leaf(each, isSkippable === true);
      this.#parts.set(each.path, { inner, render });
      this.#add(each.fields, isSkippable || (each.kind === "struct" && each.optional));
    }
  }

  /** Checks the names, because the compiler does not check variables. */
  #checkNames(): void {
    const { labels = {}, help = {}, fields = {}, only = [], except = [] } = this.#options;
    const records = [typeof labels === "function" ? {} : labels, help, fields];
    for (const name of [...records.flatMap((each) => Object.keys(each)), ...only, ...except]) {
      this.#part(name);
    }
  }

  #part(name: string): Part {
    const part = this.#parts.get(name);
    if (part !== undefined) return part;
    throw new TypeError(
      `Cannot render the form field "${name}": the schema has no such field; use one of ` +
        `${[...this.#parts.keys()].join(", ")}, or add it to "files".`,
    );
  }

  /** Renders the fields not placed yet, including the remaining ones of a partly placed struct. */
  #rest(paths: readonly string[]): readonly Node[] {
    return paths.flatMap((path) => {
      if (this.#placed.has(path) || this.#isLeftOut(path)) return [];
      const { inner } = this.#part(path);
      const isSplit = inner.length > 0 &&
        [...this.#placed].some((placed) => placed.startsWith(`${path}.`));
      return isSplit ? this.#rest(inner) : [this.#place(path)];
    });
  }

  #placeNamed(name: string): Node {
    this.#part(name);
    if (this.#placed.has(name)) {
      throw new TypeError(
        `Cannot render the form field "${name}" twice: name it once in "layout", and not also the struct ` +
          "that contains it.",
      );
    }
    return this.#isLeftOut(name) ? h.fragment() : this.#place(name);
  }

  #place(path: string): Node {
    this.#placed.add(path);
    return this.#part(path).render();
  }

  #isLeftOut(path: string): boolean {
    const { only, except = [] } = this.#options;
    const isIn = (names: readonly string[]): boolean =>
      names.some((name) => name === path || path.startsWith(`${name}.`));
    return isIn(except) || (only !== undefined && !isIn(only));
  }

  /** Renders a struct as a group of fields under its label. */
  #struct({ path, name }: FormFieldFacts, inner: readonly string[]): Node {
    const { id, label, help, options: { render } } = this.#describe(path, name);
    const rest = this.#rest(inner);
    const node = fieldset(label, h.id(id), help !== undefined && helpOf(help), ...rest);
    if (render === undefined) return node;
    return h.fragment(render({ id, name, label, value: "", error: undefined, node }));
  }

  #leaf(facts: FormFieldFacts, isSkippable: boolean): Node {
    const { path, name, kind } = facts;
    const { values, method } = this.#options;
    const about = this.#describe(path, name);
    if (kind === "list") return this.#finish(this.#rows(facts, about), about, "");
    const texts = sentTexts(values, facts);
    const isFilter = method === "get";
    const named = this.#options.texts;
    const options = { ...named?.value && chooseControl(facts, named), ...about.options };
    const state: FieldState = {
      ...about,
      options,
      facts,
      c: this.#c,
      texts,
      isSkippable,
      isFilter,
    };
    return this.#finish(fieldNode(state), state, shownText(state));
  }

  /** Renders the structs of a list as rows, with buttons to add and remove them. */
  #rows(facts: FormFieldFacts, { id, label, ...about }: FieldAbout): Node {
    const { path, name, max = Infinity, fields } = facts;
    const { values, method } = this.#options;
    if (about.options.render !== undefined) return h.fragment();
    if (fields.length === 0 || fields.some((each) => each.fields.length > 0)) {
      throw new TypeError(
        `Cannot render the form field "${name}": a list of anything but plain structs has no control; leave ` +
          `it out by except: ["${path}"], or write inputs such as "${name}.0" by render in fields.`,
      );
    }
    const pressed = pressedRow(values);
    const sent = rowNumbers(values, facts);
    // Only a program sends more; a limit that was lowered still shows all rows.
    const most = isSent(values) ? 2 * Number(max) : Infinity;
    const numbers = sent.filter((number) => pressed !== `${name}.${number}`).slice(0, most);
    const next = Math.max(-1, ...sent) + 1;
    const isMore = pressed === name && numbers.length < max;
    if (isMore || numbers.length === 0) numbers.push(next);
    const filled = filledRows(values, name, numbers);
    const moved = moveRow(pressed, name, { sent, shown: numbers });
    const row = (number: number, at: number): FieldState[] => {
      const place = filled.get(number) ?? number;
      const states = this.#rowStates(facts, { number, from: moved.from[at], place, at });
      return isMore && number === next
        ? states.map((state, index) => index === first ? withFocus(state) : state)
        : states;
    };
    const first = fields.findIndex((each) => this.#options.fields?.[each.path]?.type !== "hidden");
    const hasButtons = method !== "get";
    this.hasRowButtons ||= hasButtons;
    const notes = writeNotes(`${id}-group`, { messages: notesOf(about) }, label);
    return fieldset(
      h.h2(label),
      h.id(id),
      notes.ids !== "" && h.aria("describedby", notes.ids),
      ...notes.nodes,
      ...numbers.map((number, at) => [
        at > 0 && h.hr(),
        flow(
          grid(
            small,
            row(number, at).map((state) => this.#finish(fieldNode(state), state, shownText(state))),
          ),
          hasButtons && rowButtons({
            value: `${name}.${number}`,
            swapped: id,
            at,
            last: numbers.length - 1,
            focused: at === moved.to ? moved.end : undefined,
            isMovable: about.options.movable === true,
          }),
        ),
      ]),
      hasButtons && numbers.length < max &&
        // The script takes what is two levels above a button as its row.
        h.div(h.div(rowSubmit(name, swap(id), outline, small, icon("plus"), word("addRow")))),
    );
  }

  /**
   * @param row Its number in the names and in those of its texts, its place among the filled rows, and its index on
   * the page.
   */
  #rowStates(
    { path, name, fields }: FormFieldFacts,
    row: {
      readonly number: number;
      readonly from?: number | undefined;
      readonly place: number;
      readonly at: number;
    },
  ): FieldState[] {
    return fields.map((each) => {
      const end = each.name.slice(name.length);
      const own = `${name}.${row.number}${end}`;
      const inErrors = `${name}.${row.place}${end}`;
      const facts = {
        ...each,
        name: own,
        path: `${path}.${row.number}${each.path.slice(path.length)}`,
      };
      this.#seen.add(inErrors);
      const about = this.#describe(each.path, own, inErrors);
      return {
        ...about,
        label: `${about.label} ${row.at + 1}`,
        facts,
        c: this.#c,
        texts: sentTexts(
          this.#options.values,
          row.from === undefined ? facts : { ...facts, name: `${name}.${row.from}${end}` },
        ),
        // An empty row is left out, so none of its fields is required; in a filled one the others are.
        isSkippable: true,
        isFilter: each.required,
      };
    });
  }

  #file(name: string, rules: FormFile): Node {
    const about = this.#describe(name, name);
    // The kit's script keeps the files of the form that it sent.
    const isLost = hasFile(this.#options.values, name) &&
      !this.#c.request.headers.has("fw-fragment");
    return this.#finish(fileNode(rules, about, isLost), about, "");
  }

  /** @param inErrors The name of the field in the messages. */
  #describe(path: string, name: string, inErrors: string = name): FieldAbout {
    const { help, fields, idPrefix = "" } = this.#options;
    return {
      id: spacelessId(idPrefix + name),
      name,
      label: fieldLabel(path, this.#options),
      error: this.#errors?.get(inErrors),
      help: help?.[path],
      options: fields?.[path] ?? {},
    };
  }

  /** Adds the message of a field to the summary, and applies the application's `render`. */
  #finish(node: Node, about: FieldAbout, value: string): Node {
    const { id, name, label, error, options: { render, type } } = about;
    this.#seen.add(name);
    if (error !== undefined && error !== "") {
      // A hidden field cannot be linked to.
      const isLinked = type !== "hidden" || render !== undefined;
      this.problems.push({ ...(isLinked ? { id } : {}), text: nameField(label, error) });
    }
    return render === undefined
      ? node
      : h.fragment(render({ id, name, label, value, error, node }));
  }
}

function withFocus(state: FieldState): FieldState {
  const attributes = h.group(state.options.attributes, h.autofocus());
  return { ...state, options: { ...state.options, attributes } };
}

/** Returns the control of a field with `oneof` values, which have texts. */
function chooseControl(
  facts: FormFieldFacts,
  texts: NonNullable<AnyOptions["texts"]>,
): ControlOptions {
  if (!hasChoiceTexts(facts)) return {};
  const type = facts.required && facts.oneOf.length <= maxCards ? "cards" : "select";
  return { type, choices: fieldChoices(texts, facts) };
}
