/** Adds attributes to an already rendered control, by changing its opening tag. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";

/** The data of a control that its label and messages need. */
export interface ControlLinks {
  readonly id: string;
  /** Ids of messages, separated by spaces, which are added to the control's own. */
  readonly describedBy: string;
  /** Whether to mark the control as invalid; an existing mark stays. */
  readonly isInvalid: boolean;
}

// Match comments first, to skip tags inside them, and quoted values as a whole, to skip any ">" inside.
// Unclosed ones extend to the end, as in browsers: no alternative fails late, so the time is linear.
const tag =
  /<!--(?:-?>|[\s\S]*?(?:--!?>|$))|<([a-z][^\s/>]*)((?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"'>])*)(>?)/gi;
const controlName = /^(?:input|select|textarea|button|meter|output|progress)$/i;

/**
 * Connects the first control of a node to a label and messages.
 *
 * @returns `undefined` if the node contains no control.
 * @throws {TypeError} if the control already has another id.
 */
export function joinControl(node: Child, links: ControlLinks): Node | undefined {
  const html = h.render(node);
  for (const match of html.matchAll(tag)) {
    const [text, name, attributes = "", end] = match;
    if (name === undefined || end !== ">" || !controlName.test(name)) continue;
    const joined = `<${name}${joinAttributes(attributes, links)}>`;
    const rest = html.slice(match.index + text.length);
    return h.raw(html.slice(0, match.index) + joined + rest);
  }
  return undefined;
}

const fieldName = /^(?:input|select|textarea)$/i;

/** Returns the node with `autofocus` on its first field, unless an element in it already has it. */
export function focusFirstField(node: Child): Node {
  const html = h.render(node);
  let first: number | undefined;
  for (const match of html.matchAll(tag)) {
    const [, name, attributes = "", end] = match;
    if (name === undefined || end !== ">") continue;
    if (findValue(attributes, "autofocus") !== undefined) return h.raw(html);
    const isField = fieldName.test(name) && findValue(attributes, "disabled") === undefined &&
      findValue(attributes, "type")?.toLowerCase() !== "hidden";
    if (isField) first ??= match.index + 1 + name.length;
  }
  if (first === undefined) return h.raw(html);
  return h.raw(`${html.slice(0, first)} autofocus${html.slice(first)}`);
}

function joinAttributes(attributes: string, links: ControlLinks): string {
  const { id, describedBy, isInvalid } = links;
  const own = findValue(attributes, "id");
  if (own !== undefined && own !== h.escape(id)) {
    throw new TypeError(
      `Cannot join the field "${id}": its control has the id "${own}"; leave the control's id out.`,
    );
  }
  let joined = own === undefined ? write("id", id) + attributes : attributes;
  if (describedBy !== "") {
    const before = findValue(joined, "aria-describedby");
    joined = before === undefined
      ? joined + write("aria-describedby", describedBy)
      : replaceValue(joined, "aria-describedby", `${before} ${h.escape(describedBy)}`);
  }
  if (isInvalid && findValue(joined, "aria-invalid") === undefined) {
    joined += write("aria-invalid", "true");
  }
  return joined;
}

function write(name: string, value: string): string {
  return ` ${name}="${h.escape(value)}"`;
}

const attribute = /([^\s=>"'/]+)(\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

function findValue(attributes: string, name: string): string | undefined {
  for (const [, found, , double, single, bare] of attributes.matchAll(attribute)) {
    if (found?.toLowerCase() === name) return double ?? single ?? bare ?? "";
  }
  return undefined;
}

function replaceValue(attributes: string, name: string, value: string): string {
  return attributes.replace(
    attribute,
    (text, found: string) => found.toLowerCase() === name ? `${name}="${value}"` : text,
  );
}
