/** Separates a component's arguments into attributes, messages and content. */

import * as h from "../html/mod.ts";
import { sort } from "../html/build.ts";
import { type Child, Node } from "../html/mod.ts";
import { word } from "./labels.ts";

/** The arguments of a component, in order within each part. */
export interface Parts {
  readonly attributes: readonly Child[];
  /** The attributes for the control, without those of {@linkcode with_}. */
  readonly own: readonly Child[];
  /** Attributes of the outermost element, from {@linkcode with_}. */
  readonly outer: readonly Child[];
  readonly messages: readonly Message[];
  readonly content: readonly Child[];
  /** Whether {@linkcode optionalMark} was among them. */
  readonly isOptional: boolean;
}

/** Separates a component's attributes, which may belong to different elements, from its content. */
export function sortParts(children: readonly Child[]): Parts {
  const { attributes: own, body } = sort(children);
  const outer: Child[] = [];
  const messages: Message[] = [];
  const content: Child[] = [];
  let isOptional = false;
  for (const child of body) {
    if (child instanceof Message) messages.push(child);
    else if (child instanceof OuterAttributes) outer.push(...child.attributes);
    else if (child === optionalMark) isOptional = true;
    else content.push(child);
  }
  const attributes = outer.length === 0 ? own : [...own, ...outer];
  return { attributes, own, outer, messages, content, isOptional };
}

export type MessageKind = "help" | "error";

/** A message that a field connects to its control; elsewhere it is a paragraph. */
export class Message extends Node {
  readonly messageKind: MessageKind;
  readonly #children: readonly Child[];
  readonly #check: string | undefined;

  /** @param check The server's message, before the children; it may continue the name of the field. */
  constructor(kind: MessageKind, children: readonly Child[], check?: string) {
    super();
    this.messageKind = kind;
    this.#children = children;
    this.#check = check;
  }

  override render(): string {
    return h.render(this.paragraph());
  }

  /** Renders the paragraph with the id that the control references, and with the field's name if needed. */
  paragraph(id?: string, label?: Child): Node {
    const check = this.#check;
    const text = check !== undefined && typeof label === "string" ? nameField(label, check) : check;
    const own = h.class(`ui-${this.messageKind}`);
    return h.p(own, text, ...this.#children, id !== undefined && h.id(id));
  }
}

/** Joins a field's name and a message: "is required" continues the name, while "Enter a title" stays as it is. */
export function nameField(label: string, message: string): string {
  return /^\p{Ll}/u.test(message) ? `${label} ${message}` : message;
}

/** Marks a field as optional; renders nothing outside a field. */
export const optionalMark: Node = h.fragment();

class OuterAttributes extends Node {
  readonly attributes: readonly Child[];

  constructor(attributes: readonly Child[]) {
    super();
    this.attributes = attributes;
  }

  override render(): string {
    throw new TypeError(
      "Cannot render ui.with(…) here: it is for ui.field and the other components that join a label " +
        "and a control; pass the attributes to the element itself.",
    );
  }
}

/**
 * Passes attributes to the outermost element of a component with a control, such as a field with
 * {@linkcode showWhen}; its other attributes go to the control.
 *
 * @param attributes Attribute nodes.
 * @returns An argument for `field`, `checkbox`, `switch` or `radioGroup`.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const box = ui.checkbox("vat", "VAT number", ui.with(ui.showWhen("kind", "company")));
 * assertStringIncludes(h.render(box), '<div class="ui-check" data-ui-show-when="kind=company">');
 * ```
 */
function with_(...attributes: Child[]): Node {
  return new OuterAttributes(attributes);
}

export { with_ as with };

/** The rendered messages of a control, and their ids. */
export interface Notes {
  /** The paragraphs: help first, then errors. */
  readonly nodes: readonly Node[];
  /** The ids for `aria-describedby`, or `""`. */
  readonly ids: string;
  readonly isInvalid: boolean;
}

/** Returns an id without white space, which would separate ids in `aria-describedby`. */
export function spacelessId(name: string): string {
  return name.replace(/\s/g, "-");
}

/** Assigns ids to the messages of a control: `email-help`, `email-error`; other content is help. @default label none */
export function writeNotes(
  id: string,
  { messages = [], content = [] }: Partial<Pick<Parts, "messages" | "content">>,
  label?: Child,
): Notes {
  const counts = { help: 0, error: 0 };
  const ordered = [
    ...h.render(h.fragment(...content)) === "" ? [] : [new Message("help", content)],
    ...messages.filter(({ messageKind }) => messageKind === "help"),
    ...messages.filter(({ messageKind }) => messageKind === "error"),
  ];
  const ids: string[] = [];
  const nodes = ordered.map((message) => {
    const count = ++counts[message.messageKind];
    const own = `${spacelessId(id)}-${message.messageKind}${count === 1 ? "" : `-${count}`}`;
    ids.push(own);
    return message.paragraph(own, label);
  });
  return { nodes, ids: ids.join(" "), isInvalid: counts.error > 0 };
}

export interface Problem {
  /** The id of the control; without an id the message is not a link. */
  readonly id?: string;
  /** The message with the name of its field. */
  readonly text: string;
}

/** Renders the summary of a form's messages; nothing without messages. */
export function listProblems(problems: readonly Problem[], ...children: Child[]): Node {
  if (problems.length === 0) return h.fragment();
  return h.div(
    h.class("ui-alert ui-destructive"),
    h.role("alert"),
    h.tabindex(-1),
    h.autofocus(),
    ...children,
    h.p(h.class("ui-alert-title"), word("problems")),
    h.ul(
      h.map(
        problems,
        ({ id, text }) => h.li(id === undefined ? text : h.a(h.href(`#${id}`), text)),
      ),
    ),
  );
}
