/** Builds elements and fragments from children, and renders a node as text. */

import { escape } from "./escape.ts";
import {
  type Built,
  type Child,
  childHtml,
  childrenHtml,
  documentName,
  emptyNode,
  htmlNode,
  isBuilt,
  isNode,
  itemsOf,
  kindAttribute,
  kindHtml,
  kindList,
  type Node,
  rawName,
} from "./node.ts";

export function element(open: string, close: string, children: readonly Child[]): Built {
  let attributes = "";
  let body = "";
  let seen = 0;
  for (let i = 0; i < children.length; i++) {
    const child = children[i];
    if (typeof child === "string") {
      body += escape(child);
    } else if (typeof child === "object" && child !== null && isBuilt(child)) {
      if (child.kind === kindHtml) {
        body += child.html;
      } else if (child.kind === kindAttribute) {
        const bit = nameBit(child.name);
        // A set bit means a repeated name or, rarely, two names that share a bit.
        if ((seen & bit) !== 0) return sortedElement(open, close, children);
        seen |= bit;
        attributes += child.html;
      } else if (child.kind === kindList) {
        return sortedElement(open, close, children);
      } else {
        body += childHtml(child);
      }
    } else if (Array.isArray(child) && holdsAttribute(child)) {
      return sortedElement(open, close, children);
    } else {
      body += childHtml(child);
    }
  }
  return htmlNode(open + attributes + ">" + body + close);
}

/** Creates the function of an element that holds content. */
export function tag(name: string): (...children: Child[]) => Built {
  const [open, close] = [`<${name}`, `</${name}>`];
  return (...children) => element(open, close, children);
}

// The factors give different bits to names that commonly occur together.
function nameBit(name: string): number {
  const length = name.length;
  return 1 << (length * 3 + name.charCodeAt(0) * 12 + name.charCodeAt(length - 1) * 13 +
    name.charCodeAt(length >> 1) * 5);
}

function holdsAttribute(children: readonly Child[]): boolean {
  return children.some((child) =>
    typeof child === "object" && child !== null &&
    (isBuilt(child)
      ? child.kind === kindAttribute || child.kind === kindList
      : Array.isArray(child) && holdsAttribute(child))
  );
}

function sortedElement(open: string, close: string, children: readonly Child[]): Built {
  const { attributes, body } = sort(children);
  return htmlNode(open + attributesHtml(attributes) + ">" + childrenHtml(body) + close);
}

export function sort(children: readonly Child[]): { attributes: Built[]; body: Child[] } {
  const attributes: Built[] = [];
  const body: Child[] = [];
  const visit = (child: Child): void => {
    if (typeof child !== "object" || child === null) {
      body.push(child);
    } else if (!isBuilt(child)) {
      if (Array.isArray(child)) child.forEach(visit);
      else body.push(child);
    } else if (child.kind === kindList) {
      itemsOf(child).forEach(visit);
    } else if (child.kind === kindAttribute) {
      attributes.push(child);
    } else {
      body.push(child);
    }
  };
  children.forEach(visit);
  return { attributes, body };
}

/**
 * Returns the attributes' text. Classes merge at the position of the first; for any other name the
 * last attribute wins, as in an object literal and therefore in JSX.
 */
function attributesHtml(attributes: readonly Built[]): string {
  const byName = new Map<string, string>();
  for (const { name, html } of attributes) {
    const before = name === "class" ? byName.get(name) : undefined;
    byName.set(name, before === undefined ? html : mergedClass(before, html));
  }
  return [...byName.values()].join("");
}

/**
 * Returns the text of attribute nodes, and of lists of them.
 *
 * @param taken The names that the tag has already.
 * @throws {TypeError} When there is anything else, or a name is taken.
 */
export function attributeNodes(value: unknown, taken?: ReadonlySet<string>): string {
  const { attributes, body } = sort([value as Child]);
  if (!body.every(isIgnored)) {
    throw new TypeError(
      "Cannot write the attributes of a tag: a value is not an attribute; pass attribute nodes, " +
        'such as ui.swap("list"), in JSX as attrs={…}, and move content after the tag.',
    );
  }
  const repeated = attributes.find(({ name }) => taken?.has(name));
  if (repeated !== undefined) throw repeatedAttribute(repeated.name);
  return attributesHtml(attributes);
}

export function attributeNames(value: unknown): string[] {
  return sort([value as Child]).attributes.map(({ name }) => name);
}

export function repeatedAttribute(name: string): TypeError {
  return new TypeError(
    `Cannot write the attribute "${name}" twice: the tag has it already; remove one.`,
  );
}

function mergedClass(first: string, second: string): string {
  if (first === "" || second === "") return first + second;
  return first.slice(0, -1) + " " + second.slice(second.indexOf('"') + 1);
}

/**
 * Creates an element without content or end tag.
 *
 * @throws {TypeError} When a child is anything but an attribute.
 */
export function voidElement(open: string, children: readonly Child[]): Built {
  let attributes = "";
  let seen = 0;
  for (let i = 0; i < children.length; i++) {
    const child = children[i];
    if (typeof child !== "object" || child === null || !isBuilt(child)) {
      return sortedVoid(open, children);
    }
    const bit = child.kind === kindAttribute ? nameBit(child.name) : 0;
    if (bit === 0 ? child !== emptyNode : (seen & bit) !== 0) return sortedVoid(open, children);
    seen |= bit;
    if (bit !== 0) attributes += child.html;
  }
  return htmlNode(open + attributes + ">");
}

function sortedVoid(open: string, children: readonly Child[]): Built {
  const { attributes, body } = sort(children);
  refuseContent(open, body);
  return htmlNode(open + attributesHtml(attributes) + ">");
}

/** Refuses content of a void element. @throws {TypeError} When a child would be written. */
export function refuseContent(open: string, body: readonly unknown[]): void {
  if (body.every(isIgnored)) return;
  const meant = body.map(attributeMeant).find((name) => name !== undefined);
  const fix = meant === undefined
    ? "place the content beside it"
    : `for the attribute write ${meant}Attr`;
  throw new TypeError(
    `Cannot put content into "${open}>": the element is void and takes attributes only; ${fix}.`,
  );
}

/** Returns the attribute meant by a child that is an element of the same name, such as `title`. */
function attributeMeant(child: unknown): string | undefined {
  if (!isNode(child)) return undefined;
  return /^<(abbr|cite|form|label|slot|span|style|title)[ >]/.exec((child as Built).html)
    ?.[1];
}

function isIgnored(child: unknown): boolean {
  if (typeof child !== "object") return child === undefined || typeof child === "boolean";
  if (child === null) return true;
  if (isBuilt(child)) return child.kind === kindHtml && child.html === "";
  return Array.isArray(child) && child.every(isIgnored);
}

/** Creates `script` and `style`, whose content is code. */
export function codeElement(open: string, close: string, children: readonly Child[]): Built {
  const { attributes, body } = sort(children);
  return htmlNode(open + attributesHtml(attributes) + ">" + codeHtml(open, body) + close);
}

/**
 * Builds the content of `script` and `style`. Only `raw` may supply it, because character
 * references are not decoded there. In `script`, a `<` that would end the element early or open a
 * comment is written as `\\u003c`, which means the same in JavaScript strings and in JSON.
 *
 * @throws {TypeError} When content was not made by `raw`, or would end `style` early.
 */
export function codeHtml(open: string, body: readonly unknown[]): string {
  let code = "";
  for (const child of body) {
    if (isIgnored(child)) continue;
    if (Array.isArray(child)) {
      code += codeHtml(open, child);
    } else if (isNode(child) && (child as Built).name === rawName) {
      code += (child as Built).html;
    } else {
      throw refusedText(open);
    }
  }
  if (open.toLowerCase() === "<script") {
    return code.replace(/<(?=\/?script|!--)/gi, "\\u003c");
  }
  if (!/<\/style/i.test(code)) return code;
  throw new TypeError(
    'Cannot put "</style" into "<style>": it would end the element; write it as "<\\/style".',
  );
}

/** Creates the error for content of `script` or `style` not made by `raw`; `open` is like `<script`. */
export function refusedText(open: string): TypeError {
  const attribute = open.toLowerCase() === "<style" ? "; the attribute is styleAttr" : "";
  return new TypeError(
    `Cannot put text into "${open}>": its content is code and cannot be escaped; ` +
      `pass h.raw(code), and pass data in a data- attribute${attribute}.`,
  );
}

/** Creates an element, such as `pre`, whose first newline is dropped by parsers. */
export function lineElement(open: string, close: string, children: readonly Child[]): Built {
  const { attributes, body } = sort(children);
  const html = childrenHtml(body);
  return htmlNode(open + attributesHtml(attributes) + ">" + lineHtml(html) + close);
}

/**
 * Adds a newline before content that starts with a line break, so that the first line survives parsing.
 * Parsers turn `\r\n` and `\r` into a newline first, and forms send `\r\n`.
 */
export function lineHtml(html: string): string {
  return html.startsWith("\n") || html.startsWith("\r") ? "\n" + html : html;
}

/** Adds a newline if `lineHtml` would, or always if more content follows, whose start is unknown. */
export function firstLineHtml(html: string, options: { readonly isWhole: boolean }): string {
  return options.isWhole ? lineHtml(html) : "\n" + html;
}

/**
 * Combines several children into one node, joined at once. Attributes cannot be among them: see {@linkcode
 * group}.
 *
 * @param children Nodes, text, arrays; ignored values are skipped.
 * @returns A node.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * assertEquals(h.render(h.fragment(h.dt("a"), h.dd("b"))), "<dt>a</dt><dd>b</dd>");
 * ```
 */
export function fragment(...children: Child[]): Node {
  return htmlNode(childrenHtml(children));
}

/**
 * Renders a node as a string, ready to send. A document whose outermost element is `html` gets `<!doctype
 * html>` when it has none.
 *
 * @param node The node, or any other child.
 * @returns The HTML.
 * @throws {TypeError} When the node is a lone attribute or no child at all.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * assertEquals(h.render(h.p(h.class("lead"), "Hi")), '<p class="lead">Hi</p>');
 * assertEquals(h.render(h.html()), "<!doctype html><html></html>");
 * ```
 */
export function render(node: Child): string {
  const html = childHtml(node);
  // Reading a character flattens the page's string, and adding the document type copies it again.
  const isMarked = isNode(node) && (node as Built).name === documentName;
  return isMarked || isDocument(html) ? "<!doctype html>" + html : html;
}

function isDocument(html: string): boolean {
  let at = afterSpace(html, 0);
  // A single pattern could be made to backtrack over many comments, so this is a search.
  while (html.startsWith("<!--", at)) {
    const end = html.indexOf("-->", at + 4);
    if (end < 0) return false;
    at = afterSpace(html, end + 3);
  }
  return /^<html[\s/>]/i.test(html.slice(at, at + 6));
}

function afterSpace(html: string, from: number): number {
  let at = from;
  while (at < html.length && html.charCodeAt(at) <= 0x20) at++;
  return at;
}
