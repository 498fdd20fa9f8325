/**
 * The node: HTML that is already safe. Elements are built eagerly, one string each, so that a
 * constant node costs nothing and nodes mix with templates and JSX.
 */

import { escape } from "./escape.ts";

/** The brand. `Symbol.for`, so that two copies of this package recognise each other's nodes. */
const brand: unique symbol = Symbol.for("fw.node") as typeof brand;

/**
 * The kind of a node. Two copies of the package read each other's nodes by this number and by the fields of
 * {@linkcode Built}: a number is never given another meaning.
 *
 * 0: a subclass with its own `render`; 1: HTML; 2: one attribute; 3: a list of children.
 */
export type NodeKind = 0 | 1 | 2 | 3;

/** A subclass's own node: its `render()` is called. */
const kindCustom = 0;
export const kindHtml = 1;
export const kindAttribute = 2;
/** Several attributes and children that travel as one. */
export const kindList = 3;

/**
 * HTML that is safe to send. Every element, attribute, text and template function returns one. It is
 * recognised by the symbol `Symbol.for("fw.node")`, which nothing parsed from JSON can carry, and never by
 * its shape.
 *
 * For a node of your own, extend it and implement `render()`. Its result is sent unchanged, so build it from
 * other nodes, {@linkcode escape} and constants; it must return the same string each time.
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
  /** Kind of the node; your own subclass is always 0. */
  declare readonly kind: NodeKind;

  /**
   * The node as HTML.
   *
   * @returns Safe HTML.
   * @throws {TypeError} When the node is an attribute: those live in an opening tag only.
   */
  abstract render(): string;

  /**
   * Refuses to become text: `${node}` would write escaped HTML, or nothing of use.
   *
   * @throws {TypeError} Always, naming `h.render`.
   */
  toString(): string {
    throw new TypeError(
      "Cannot turn a node into text: pass it as a child, or write h.render(node) for its HTML.",
    );
  }
}

// On the prototype, not on each node: one check of the hidden class then covers brand and fields.
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
 * The class of the nodes that this package builds. Its fields are read by other copies too; they are
 * only declared, since a defined field would be written twice for each node (bench/html).
 */
export class Built extends Node {
  declare readonly kind: NodeKind;
  /** The HTML; of an attribute the text with its leading space, as ` id="x"`; of a list nothing. */
  declare readonly html: string;
  /** The attribute's name in lower case; `#raw` and `#document` for those nodes; else empty. */
  declare readonly name: string;

  /** Only this package's functions call it: they are what makes the string safe. */
  constructor(kind: NodeKind, html: string, name: string) {
    super();
    this.kind = kind;
    this.html = html;
    this.name = name;
  }

  /** The HTML, or the refusal of a lone attribute. */
  override render(): string {
    if (this.kind === kindAttribute) throw misplaced(this);
    return this.html;
  }
}

/** Several attributes and children as one node. */
export class List extends Built {
  readonly items: readonly Child[];

  /** The element that receives a list separates its items. */
  constructor(items: readonly Child[]) {
    super(kindList, "", "");
    this.items = items;
  }

  /** The HTML, when no attribute is among the items. */
  override render(): string {
    return childrenHtml(this.items);
  }
}

/** Marks what `raw` made: the only node that may be the value of an attribute. */
export const rawName = "#raw";

/** Marks a node that begins with the `html` element: `render` need not look, nor copy the page. */
export const documentName = "#document";

export function htmlNode(html: string): Built {
  return new Built(kindHtml, html, "");
}

/** Creates a node of HTML or code that the developer vouches for. */
export function rawNode(html: string): Built {
  return new Built(kindHtml, html, rawName);
}

/** Creates a node whose outermost element is `html`. */
export function documentNode(html: string): Built {
  return new Built(kindHtml, html, documentName);
}

/** Creates a node of one attribute; `html` begins with a space. */
export function attributeNode(name: string, html: string): Built {
  return new Built(kindAttribute, html, name);
}

/** Creates a node of several attributes and children. */
export function listNode(items: readonly Child[]): List {
  return new List(items);
}

/** Returns the items of a list, of this or another copy of the package. */
export function itemsOf(node: Built): readonly Child[] {
  return (node as List).items;
}

/** The node of nothing: an attribute that was not wanted, an empty fragment. */
export const emptyNode: Built = htmlNode("");

/**
 * Reports whether a value is a node, of this or another copy of the package.
 *
 * @param value Anything, for example a member of a parsed JSON body.
 * @returns True for nodes only; an object of the same shape is none.
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
 * @throws {TypeError} When it is an attribute or no child at all.
 */
export function childHtml(child: unknown): string {
  if (typeof child === "string") return escape(child);
  if (typeof child === "object" && child !== null) {
    if (!isBuilt(child)) return Array.isArray(child) ? childrenHtml(child) : refuse(child);
    if (child.kind === kindHtml) return child.html;
    if (child.kind === kindList) return childrenHtml(itemsOf(child));
    if (child.kind === kindAttribute) throw misplaced(child);
    return customHtml(child);
  }
  return otherHtml(child);
}

/** Returns the HTML of several children, in order. */
export function childrenHtml(children: readonly unknown[]): string {
  let html = "";
  const { length } = children;
  if (length < longList) { for (let i = 0; i < length; i++) html += childHtml(children[i]); }
  else for (let i = 0; i < length; i++) html += joined(childHtml(children[i]));
  return html;
}

/** From this length on the items of a list are joined one by one. */
const longList = 16;

/**
 * Joins the pieces that a string was made of: of a long table they would all be kept until the end, and take three
 * times as long to read (`bench/html`).
 */
export function joined(html: string): string {
  // Reading a character joins them; no HTML starts so.
  return html.startsWith("\0\0") ? "" + html : html;
}

function customHtml(node: Node): string {
  const html: unknown = node.render();
  if (typeof html === "string") return html;
  throw new TypeError(
    `Cannot render "${node.constructor.name}": its render() gave ${
      describe(html)
    }; return a string.`,
  );
}

function otherHtml(child: unknown): string {
  switch (typeof child) {
    case "number":
    case "bigint":
      return String(child);
    case "undefined":
    case "boolean":
      return "";
    default:
      return child === null ? "" : refuse(child);
  }
}

function refuse(child: unknown): never {
  const fix = typeof child === "function"
    ? "call it and pass what it gives"
    : child instanceof Promise
    ? "await it first"
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
