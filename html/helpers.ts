/** Helpers for text, lists, conditions, and elements by name. */

import { codeElement, element, lineElement, voidElement } from "./build.ts";
import { escape } from "./escape.ts";
import { checkedTag, dropsFirstNewline, isVoid } from "./names.ts";
import {
  Built,
  type Child,
  childHtml,
  documentNode,
  emptyNode,
  htmlNode,
  joined,
  kindHtml,
  List,
  type Node,
  rawName,
} from "./node.ts";

/**
 * Creates escaped text. A string among the children of an element is the same.
 *
 * @param text The text.
 * @returns A node.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * assertEquals(h.render(h.text("a < b")), "a &lt; b");
 * ```
 */
export function text(text: string): Node {
  return htmlNode(childHtml(text));
}

/**
 * Creates formatted, escaped text: `%s` and `%v` any value, `%d` a whole number, `%f` and `%.2f` a number
 * with decimals, `%q` a quoted string, `%%` a percent sign.
 *
 * @param format The format.
 * @param values One value per verb.
 * @returns A node.
 * @throws {TypeError} When the number of verbs and values differs.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * assertEquals(h.render(h.textf("%d of %s", 3, "<all>")), "3 of &lt;all&gt;");
 * ```
 */
export function textf(format: string, ...values: readonly unknown[]): Node {
  let used = 0;
  const out = format.replace(/%(?:\.(\d{1,2}))?([a-z%])/g, (verb: string, digits, letter) => {
    if (letter === "%") return "%";
    if (used >= values.length) throw mismatch(format, values.length);
    return formatted(verb, values[used++], digits === undefined ? 6 : Number(digits));
  });
  if (used !== values.length) throw mismatch(format, values.length);
  return htmlNode(escape(out));
}

function formatted(verb: string, value: unknown, digits: number): string {
  switch (verb.at(-1)) {
    case "s":
    case "v":
      return String(value);
    case "d":
      return typeof value === "bigint" ? String(value) : String(Math.trunc(Number(value)));
    case "f":
      return Number(value).toFixed(digits);
    case "q":
      return JSON.stringify(String(value));
    default:
      throw new TypeError(
        `Cannot format "${verb}": the verbs are %s, %v, %d, %f, %.2f, %q and %%.`,
      );
  }
}

function mismatch(format: string, count: number): TypeError {
  return new TypeError(
    `Cannot format ${JSON.stringify(format)}: it does not have one verb for each of the ` +
      `${count} values; add or remove a verb.`,
  );
}

/**
 * Creates a node from HTML that is sent unescaped: the only way to bypass escaping. It must never contain
 * anything from a request, a database or another service unless a sanitiser made it. As the value of an
 * attribute it also vouches for a URL and for the code of an event handler.
 *
 * @param html The trusted HTML.
 * @returns A node.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * assertEquals(h.render(h.p(h.raw("<em>now</em>"))), "<p><em>now</em></p>");
 * ```
 */
export function raw(html: string): Node {
  if (typeof html === "string") return new Built(kindHtml, html, rawName);
  throw new TypeError(`Cannot use a value of type ${typeof html} as HTML: pass a string.`);
}

/**
 * Combines several children and attributes into one node, separated again by the element that receives it.
 *
 * @param children Attributes, nodes, text, arrays.
 * @returns A node.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * const save = h.group(h.class("primary"), h.type("submit"), "Save");
 * assertEquals(h.render(h.button(save)), '<button class="primary" type="submit">Save</button>');
 * ```
 */
export function group(...children: Child[]): Node {
  return new List(children);
}

const doctypeNode: Built = htmlNode("<!doctype html>");

/**
 * Creates the document type. Rarely needed, because {@linkcode render} adds it to a document that lacks it.
 *
 * @returns A node.
 */
export function doctype(): Node {
  return doctypeNode;
}

/**
 * Creates an element by name: for custom elements and for elements whose name a helper uses
 * (`data`, `map`, the SVG `text` and `pattern`).
 *
 * @param tag The name; void elements, `script` and `style` behave as their functions do.
 * @param children Attributes and content.
 * @returns A node.
 * @throws {TypeError} When the name is not an element name.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * assertEquals(h.render(h.el("data", h.value("7"), "seven")), '<data value="7">seven</data>');
 * ```
 */
export function el(tag: string, ...children: Child[]): Node {
  const open = "<" + checkedTag(tag);
  const lower = tag.toLowerCase();
  if (isVoid(lower)) return voidElement(open, children);
  const close = `</${tag}>`;
  if (lower === "script" || lower === "style") return codeElement(open, close, children);
  if (dropsFirstNewline(lower)) return lineElement(open, close, children);
  const made = element(open, close, children);
  return lower === "html" ? documentNode(made.html) : made;
}

/**
 * Creates an element without content and end tag, by name.
 *
 * @param tag The name.
 * @param attributes Attributes only.
 * @returns A node.
 * @throws {TypeError} When the name is not an element name or a child is not an attribute.
 */
export function void_(tag: string, ...attributes: Child[]): Node {
  return voidElement("<" + checkedTag(tag), attributes);
}

/** The type of a value, without the members that count as absent. */
export type Truthy<T> = Exclude<T, false | null | undefined | 0 | 0n | "">;

/**
 * Returns a child only when a value is present. The function form receives the value, narrowed to
 * its present types, and is not called without one.
 *
 * @param value The condition: anything truthy.
 * @param node A child, or a function that makes it.
 * @returns The child, or `undefined`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * const user: { name: string } | undefined = { name: "Ana" };
 * assertEquals(h.render(h.p(h.when(user, (u) => h.b(u.name)))), "<p><b>Ana</b></p>");
 * ```
 */
export function when<T>(value: T, node: Child | ((value: Truthy<T>) => Child)): Child {
  if (!value) return undefined;
  return typeof node === "function" ? node(value as Truthy<T>) : node;
}

/**
 * Returns one of two children. The function forms are called only when chosen.
 *
 * @param condition Anything truthy chooses the first.
 * @param yes The child, or a function that makes it, for a true condition.
 * @param no The child, or a function that makes it, for a false condition.
 * @returns The chosen child.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * assertEquals(h.render(h.p(h.either(false, "open", "closed"))), "<p>closed</p>");
 * ```
 */
export function either<T>(
  condition: T,
  yes: Child | ((value: Truthy<T>) => Child),
  no: Child | (() => Child),
): Child {
  if (condition) return typeof yes === "function" ? yes(condition as Truthy<T>) : yes;
  return typeof no === "function" ? no() : no;
}

/**
 * Creates one child for each item.
 *
 * @param items An array or any other iterable; `undefined` and `null` count as empty.
 * @param make Creates the child of an item.
 * @returns A node.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * assertEquals(h.render(h.ul(h.map([1, 2], (n) => h.li(n)))), "<ul><li>1</li><li>2</li></ul>");
 * ```
 */
export function map<T>(items: Iterable<T> | null | undefined, make: (item: T) => Child): Node {
  if (hearList !== undefined) return heardList(items, make, hearList);
  let html = "";
  if (Array.isArray(items)) {
    for (let i = 0; i < items.length; i++) html += joined(childHtml(make(items[i])));
  } else {
    for (const item of items ?? []) html += joined(childHtml(make(item)));
  }
  return html === "" ? emptyNode : htmlNode(html);
}

/** Receives the items of each list, from which a living island finds the changed rows. */
let hearList: ((items: readonly string[]) => void) | undefined;

/** Renders the result of `view` and passes the items of each {@linkcode map} to `hear`, inner lists first. */
export function renderHeard(view: () => Child, hear: (items: readonly string[]) => void): string {
  hearList = hear;
  try {
    return childHtml(view());
  } finally {
    hearList = undefined;
  }
}

function heardList<T>(
  items: Iterable<T> | null | undefined,
  make: (item: T) => Child,
  hear: (items: readonly string[]) => void,
): Node {
  const list = Array.from(items ?? [], (item) => childHtml(make(item)));
  hear(list);
  return htmlNode(list.join(""));
}

/**
 * Works like {@linkcode map} and also passes the item's position, from 0.
 *
 * @param items An array or any other iterable; `undefined` and `null` count as empty.
 * @param make Creates the child of an item.
 * @returns A node.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * assertEquals(h.render(h.mapIndex(["a", "b"], (s, i) => `${i}${s} `)), "0a 1b ");
 * ```
 */
export function mapIndex<T>(
  items: Iterable<T> | null | undefined,
  make: (item: T, index: number) => Child,
): Node {
  let index = 0;
  return map(items, (item) => make(item, index++));
}
