/**
 * The node: HTML that is already safe. Elements are built eagerly, one string each, so that a
 * constant node costs nothing and nodes mix with templates and JSX.
 */

import { escape } from "./escape.ts";

/** The brand: `Symbol.for` lets two copies of this package recognise each other's nodes. */
const brand: unique symbol = Symbol.for("fw.node") as typeof brand;

/**
 * The kind of a node. Two copies of the package read each other's nodes by this number and by the
 * fields of {@linkcode Built}: the meaning of a number never changes.
 *
 * 0: a subclass with its own `render`; 1: HTML; 2: one attribute; 3: a list of children.
 */
export type NodeKind = 0 | 1 | 2 | 3;

/** A node of a developer's subclass, whose `render()` is called. */
const kindCustom = 0;
export const kindHtml = 1;
export const kindAttribute = 2;
export const kindList = 3;

/**
 * HTML that is safe to send. Every element, attribute, text and template function returns one. It
 * is recognised by the symbol `Symbol.for("fw.node")`, which parsed JSON cannot contain, never by
 * its shape.
 *
 * For a custom node, extend this class and implement `render()`. Its result is sent unchanged, so build
 * it from other nodes, {@linkcode escape} and constants; it must return the same string each time.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * class Price extends h.Node {
 *   readonly cents: number;
 *   constructor(cents: number) {
 *     super();
 *     this.cents = cents;
 *   }
 *   override render(): string {
 *     return h.render(h.b((this.cents / 100).toFixed(2)));
 *   }
 * }
 *
 * assertEquals(h.render(h.p("From ", new Price(950))), "<p>From <b>9.50</b></p>");
 * ```
 */
export abstract class Node {
  /** The kind of the node; always 0 for your own subclass. */
  declare readonly kind: NodeKind;

  /**
   * The node as HTML.
   *
   * @returns Safe HTML.
   * @throws {TypeError} When the node is an attribute, which is valid only in an opening tag.
   */
  abstract render(): string;

  /**
   * Throws, because `${node}` in text would be escaped again or be useless.
   *
   * @throws {TypeError} Always, naming `h.render`.
   */
  toString(): string {
    throw new TypeError(
      "Cannot turn a node into text: pass it as a child, or write h.render(node) for its HTML.",
    );
  }
}

// Set on the prototype, not on each node, so one check of the hidden class covers brand and fields.
Object.defineProperty(Node.prototype, brand, { value: true });
Object.defineProperty(Node.prototype, "kind", { value: kindCustom, writable: true });

/** A valid child: nodes, text (escaped), lists of those, and values that are ignored. */
export type Child =
  | Node
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | readonly Child[];

/**
 * A valid child of `script` and `style`: attributes and code from `raw`. Text cannot be escaped there, so a
 * string does not compile.
 */
export type CodeChild = Node | boolean | null | undefined | readonly CodeChild[];

/**
 * The class of the nodes that this package builds. Other copies of the package read its fields too.
 * They are only declared, because a defined field would be written twice per node (bench/html).
 */
export class Built extends Node {
  declare readonly kind: NodeKind;
  /** The HTML; for an attribute its text with a leading space, ` id="x"`; empty for a list. */
  declare readonly html: string;
  /** The attribute's name in lower case; `#raw` and `#document` for those nodes; else empty. */
  declare readonly name: string;

  /** Called only by this package's functions, which make the string safe. */
  constructor(kind: NodeKind, html: string, name: string) {
    super();
    this.kind = kind;
    this.html = html;
    this.name = name;
  }

  /** Returns the HTML; throws for a lone attribute. */
  override render(): string {
    if (this.kind === kindAttribute) throw misplaced(this);
    return this.html;
  }
}

export class List extends Built {
  readonly items: readonly Child[];

  /** Keeps the items unsorted; the receiving element separates attributes from content. */
  constructor(items: readonly Child[]) {
    super(kindList, "", "");
    this.items = items;
  }

  /** Returns the HTML; throws if an item is an attribute. */
  override render(): string {
    return childrenHtml(this.items);
  }
}

/** Marks a node made by `raw`, the only kind of node allowed as an attribute's value. */
export const rawName = "#raw";

/** Marks a node that begins with the `html` element, so that `render` need not search the page. */
export const documentName = "#document";

export function htmlNode(html: string): Built {
  return new Built(kindHtml, html, "");
}

export function documentNode(html: string): Built {
  return new Built(kindHtml, html, documentName);
}

/** Creates a node of one attribute; `html` begins with a space. */
export function attributeNode(name: string, html: string): Built {
  return new Built(kindAttribute, html, name);
}

/** Returns the items of a list, of this or another copy of the package. */
export function itemsOf(node: Built): readonly Child[] {
  return (node as List).items;
}

/** The empty node: an omitted attribute or an empty fragment. */
export const emptyNode: Built = htmlNode("");

/**
 * Reports whether a value is a node, of this or another copy of the package.
 *
 * @param value Anything, for example a member of a parsed JSON body.
 * @returns True for nodes only; an object of the same shape is not a node.
 *
 * @example
 * ```ts
 * import { assert, assertFalse } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * assert(h.isNode(h.p("x")));
 * assertFalse(h.isNode({ kind: 1, html: "<p>x</p>" }));
 * ```
 */
export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null &&
    (value as { readonly [brand]?: unknown })[brand] === true;
}

/** Works like `isNode` and exposes the fields by which copies of this package read each other. */
export function isBuilt(value: object): value is Built {
  return (value as { readonly [brand]?: unknown })[brand] === true;
}

/**
 * Returns the HTML of one child: text is escaped, nodes are unchanged.
 *
 * @throws {TypeError} When it is an attribute or not a valid child.
 */
export function childHtml(child: unknown): string {
  if (typeof child === "string") return escape(child);
  if (typeof child === "object" && child !== null) {
    if (!isBuilt(child)) return Array.isArray(child) ? childrenHtml(child) : refuse(child);
    if (child.kind === kindHtml) return child.html;
    if (child.kind === kindList) return childrenHtml(itemsOf(child));
    return customHtml(child);
  }
  return otherHtml(child);
}

export function childrenHtml(children: readonly unknown[]): string {
  let html = "";
  const { length } = children;
  if (length < longList) { for (let i = 0; i < length; i++) html += childHtml(children[i]); }
  else for (let i = 0; i < length; i++) html += joined(childHtml(children[i]));
  return html;
}

/** The length from which the items of a list are flattened one by one. */
const longList = 16;

/**
 * Flattens a string built by concatenation. A long table would keep every piece until the end and
 * take three times as long to read (`bench/html`).
 */
export function joined(html: string): string {
  // Reading a character flattens the string; no HTML starts with two NULs.
  return html.startsWith("\0\0") ? "" + html : html;
}

function customHtml(node: Node): string {
  const html: unknown = node.render();
  if (typeof html === "string") return html;
  throw new TypeError(
    `Cannot render "${node.constructor.name}": its render() returned ${
      describe(html)
    }; return a string.`,
  );
}

function otherHtml(child: unknown): string {
  if (typeof child === "number" || typeof child === "bigint") return String(child);
  if (child === null || child === undefined || typeof child === "boolean") return "";
  return refuse(child);
}

function refuse(child: unknown): never {
  const fix = typeof child === "function"
    ? "call it and pass the result"
    : child instanceof Promise
    ? "await it first"
    : child instanceof Date
    ? "format it, such as with c.time"
    : "pass a node, a string, a number or an array of those";
  throw new TypeError(`Cannot render "${describe(child)}": it is not a valid child; ${fix}.`);
}

/** Returns a short name of a value for a message; never its content, which may be a secret. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name === "string" && name !== "" ? name : "object";
}

function misplaced(node: Built): TypeError {
  return new TypeError(
    `Cannot render "${node.name}": an attribute stands among an element's own children; ` +
      "pass it to the element, in h.group or in h.attrs; in JSX as attrs={…}.",
  );
}
