/** Constructors of attributes: one for each kind of value, and the general ones for any name. */

import { escape, safeUrl, safeUrlList } from "./escape.ts";
import {
  attributeInfo,
  type AttributeName,
  type AttributeRule,
  type BooleanAttribute,
  ruleOf,
  type SwitchAttribute,
  wordRule,
} from "./names.ts";
import {
  attributeNode,
  type Built,
  type Child,
  childHtml,
  describe,
  emptyNode,
  isBuilt,
  isNode,
  List,
  type Node,
  rawName,
} from "./node.ts";

export function textAttribute(written: string): (value: unknown) => Node {
  const info = fixedInfo(written, "text");
  const { lower, open } = info;
  return (value) => {
    if (typeof value === "string") return attributeNode(lower, open + escape(value) + '"');
    if (typeof value === "number") return attributeNode(lower, open + value + '"');
    return attributeFor(info, value);
  };
}

export function urlAttribute(written: string): (value: unknown) => Node {
  const info = fixedInfo(written, "url");
  const { lower, open } = info;
  return (value) =>
    typeof value === "string"
      ? attributeNode(lower, open + escape(safeUrl(value)) + '"')
      : attributeFor(info, value);
}

function fixedInfo(written: string, rule: AttributeRule): AttributeName {
  const bare = `${written}="`;
  return { written, lower: written.toLowerCase(), open: ` ${bare}`, bare, rule };
}

export function booleanAttribute(name: string): BooleanAttribute {
  const present = attributeNode(name, " " + name);
  // The argument count distinguishes `checked()` from `checked(undefined)`, a false condition.
  return (...condition: [unknown?]) => condition.length === 0 || condition[0] ? present : emptyNode;
}

export function switchAttribute(name: string): SwitchAttribute {
  return (value = true) => attributeFor(attributeInfo(name, ruleOf), value);
}

function attributeFor(info: AttributeName, value: unknown): Node {
  const html = attributeHtml(info, value);
  return html === "" ? emptyNode : attributeNode(info.lower, html);
}

/**
 * Creates an attribute by name. The name is checked and may come from data. The value is escaped and, in a
 * URL attribute, checked. An `on…` handler accepts only code made by `raw`. `srcdoc` accepts a child, whose
 * HTML becomes the inner document.
 *
 * @param name The name, as it is written in HTML.
 * @param value The value; `undefined`, `null` and `false` leave the attribute out (`aria-*`,
 * `data-*` and enumerated attributes write `false`), `true` writes the name alone.
 * @returns A node.
 * @throws {TypeError} When the name could end the attribute, or the value has no text form.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * assertEquals(h.render(h.p(h.attr("hx-get", "/a?b&c"))), '<p hx-get="/a?b&amp;c"></p>');
 * ```
 */
export function attr(name: string, value: AttributeValue): Node {
  return attributeFor(attributeInfo(name, ruleOf), value);
}

/**
 * Creates an attribute without a value.
 *
 * @param name The name, checked.
 * @param condition Whether it is written.
 * @default condition true
 * @returns A node.
 * @throws {TypeError} When the name could end the attribute.
 */
export function bool(name: string, condition: unknown = true): Node {
  const info = attributeInfo(name, ruleOf);
  if (info.rule === "event") return attributeFor(info, condition);
  return condition ? attributeNode(info.lower, " " + info.written) : emptyNode;
}

/**
 * Creates a `data-` attribute.
 *
 * @param key The name after `data-`, checked.
 * @param value The value; `true` and `false` are written as words.
 * @returns A node.
 * @throws {TypeError} When the key could end the attribute.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * assertEquals(h.render(h.li(h.data("id", 7), "x")), '<li data-id="7">x</li>');
 * ```
 */
export function data(key: string, value: AttributeValue): Node {
  const info = attributeInfo("data-" + key, wordRule);
  return typeof value === "string"
    ? attributeNode(info.lower, info.open + escape(value) + '"')
    : attributeFor(info, value);
}

/**
 * Creates an `aria-` attribute.
 *
 * @param key The name after `aria-`, checked.
 * @param value The value; `true` and `false` are written as words.
 * @returns A node.
 * @throws {TypeError} When the key could end the attribute.
 */
export function aria(key: string, value: AttributeValue): Node {
  return attributeFor(attributeInfo("aria-" + key, wordRule), value);
}

/**
 * Runs an action of the living island around it when an event reaches the element. See `live` of
 * `@fw/fw/island`.
 *
 * @param event The name of the event, such as `click`.
 * @param action The name of the action.
 * @param value The `value` of the action's context, instead of the control's value.
 * @returns A node.
 * @throws {TypeError} When a name has characters other than letters, digits, `_`, `-`, or the event has a
 * capital.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * const button = h.button(h.on("click", "remove", 7), "Remove");
 * assertEquals(h.render(button), '<button data-fw-on-click="remove 7">Remove</button>');
 * ```
 */
export function on(event: string, action: string, value?: string | number): Node {
  const name = "data-fw-on-" + event;
  if (!/^[\w-]+$/.test(action) || !/^[a-z\d_-]+$/.test(event)) {
    throw new TypeError(
      `Cannot run "${action}" on "${event}": use letters, digits, "_" and "-", without capitals in the event.`,
    );
  }
  const heard = value === undefined ? action : `${action} ${value}`;
  return attributeNode(name, ` ${name}="${escape(heard)}"`);
}

/**
 * Combines several attributes into one node.
 *
 * @param attributes Attribute nodes, or records of names and values; ignored values are skipped.
 * @returns A node.
 * @throws {TypeError} When a name could end its attribute, or a value has no text form.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * const target = h.attrs(h.id("main"), { "hx-boost": "true" });
 * assertEquals(h.render(h.div(target)), '<div id="main" hx-boost="true"></div>');
 * ```
 */
export function attrs(
  ...attributes: (Node | Readonly<Record<string, AttributeValue>> | false | null | undefined)[]
): Node {
  const items: Child[] = [];
  for (const item of attributes) {
    if (isNode(item) || !item) items.push(item);
    else items.push(...Object.keys(item).map((name) => attr(name, item[name])));
  }
  return new List(items);
}

// Direct-mapped and bounded: most pages repeat a few class lists, and a Map pays for the first
// look-up of every new string (bench/html).
const classSlots = 1024;
const longestCachedClass = 96;
const classKeys: string[] = /* @__PURE__ */ new Array(classSlots).fill("");
const classNodes: Node[] = /* @__PURE__ */ new Array(classSlots).fill(emptyNode);

/**
 * Creates the `class` attribute: values are joined by spaces, ignored and empty ones skipped; several `class`
 * attributes of one element are merged.
 *
 * @param values Class names or lists of them.
 * @returns A node.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * const open = false;
 * assertEquals(h.render(h.p(h.class("a", open && "open"), h.class("b"))), '<p class="a b"></p>');
 * ```
 */
function class_(...values: ClassValue[]): Node {
  const only = values[0];
  return values.length === 1 && typeof only === "string"
    ? classNode(only)
    : classNode(classText(values));
}

function classNode(classes: string): Node {
  const length = classes.length;
  if (length === 0) return emptyNode;
  if (length > longestCachedClass) return newClassNode(classes);
  const slot = (length * 31 + classes.charCodeAt(0) * 7 + classes.charCodeAt(length - 1) * 13 +
    classes.charCodeAt(length >> 1) * 17) & (classSlots - 1);
  const known = classNodes[slot];
  if (known !== undefined && classKeys[slot] === classes) return known;
  const made = newClassNode(classes);
  classKeys[slot] = classes;
  classNodes[slot] = made;
  return made;
}

function newClassNode(classes: string): Node {
  return attributeNode("class", ' class="' + escape(classes) + '"');
}

export { class_ as class };

/**
 * An attribute's value. `null`, `undefined` and `false` leave the attribute out, `true` writes its
 * name alone; `aria-*`, `data-*` and the enumerated attributes (`draggable`, `contenteditable`, …)
 * write `true` and `false` as words. A node made by `raw` is trusted: its text is escaped for the
 * quotes, but its URL is not checked, and it is accepted as an event handler.
 */
export type AttributeValue = string | number | bigint | boolean | URL | Child;

/** A class list: empty and ignored values are skipped. */
export type ClassValue = string | false | null | undefined | readonly ClassValue[];

/**
 * Returns the text of one attribute with its leading space; empty if the value omits it.
 *
 * @throws {TypeError} When the value has no text form, or is code not made by `raw`.
 */
export function attributeHtml(info: AttributeName, value: unknown): string {
  switch (info.rule) {
    case "text":
    case "enumerated":
      if (typeof value === "number") return info.open + value + '"';
      return typeof value === "string" ? info.open + escape(value) + '"' : otherHtml(info, value);
    case "url":
      return typeof value === "string"
        ? info.open + escape(safeUrl(value)) + '"'
        : otherHtml(info, value);
    case "class": {
      const classes = escape(classText(value));
      return classes === "" ? "" : info.open + classes + '"';
    }
    case "boolean":
      return value ? " " + info.written : "";
    default:
      return otherHtml(info, value);
  }
}

function otherHtml(info: AttributeName, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") {
    if (info.rule === "enumerated") return info.open + value + '"';
    if (value && info.rule !== "event" && info.rule !== "srcdoc") return " " + info.written;
    if (!value) return "";
  }
  if (info.rule === "srcdoc") return info.open + escape(childHtml(value)) + '"';
  if (isRaw(value)) return info.open + escape(value.html) + '"';
  if (info.rule === "event") throw notVouchedFor(info);
  return info.open + escape(checkedText(info, valueText(info, value))) + '"';
}

function checkedText(info: AttributeName, text: string): string {
  if (info.rule === "url") return safeUrl(text);
  return info.rule === "urlList" ? safeUrlList(text) : text;
}

function valueText(info: AttributeName, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (value instanceof URL) return value.href;
  throw new TypeError(
    `Cannot write the attribute "${info.written}": its value is of type ${describe(value)}; ` +
      "pass a string, a number, a boolean, a URL or undefined.",
  );
}

export function isRaw(value: unknown): value is Built {
  return typeof value === "object" && value !== null && isBuilt(value) && value.name === rawName;
}

function notVouchedFor(info: AttributeName): TypeError {
  return new TypeError(
    `Cannot write the attribute "${info.written}": its value is JavaScript; add the listener in a ` +
      "script file, or pass h.raw(code) when no part of the code comes from data.",
  );
}

/**
 * Returns the class list as text.
 *
 * @throws {TypeError} When a value is not text, an ignored value or an array of these.
 */
export function classText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined || value === false) return "";
  if (!Array.isArray(value)) {
    throw new TypeError(
      `Cannot write the attribute "class": a value is of type ${describe(value)}; ` +
        "pass strings, or false and undefined for none.",
    );
  }
  let classes = "";
  for (const item of value) {
    const text = classText(item);
    if (text !== "") classes += classes === "" ? text : " " + text;
  }
  return classes;
}
