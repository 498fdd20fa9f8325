/**
 * JSX over the same nodes as `@fw/fw/h`. Set `"jsx": "react-jsx"` (or `"precompile"`, the faster one)
 * and `"jsxImportSource": "@fw/fw"`. Attribute names are HTML's own: `class`, `for`, `tabindex`.
 *
 * With `precompile`, Deno writes static attributes and text itself, so they are trusted and not
 * checked as values are. `script` and `style` take nodes made by `raw` only, in every mode.
 *
 * @module
 */

import {
  attributeNodes,
  codeHtml,
  firstLineHtml,
  lineHtml,
  refuseContent,
  refusedText,
  repeatedAttribute,
} from "./build.ts";
import { hole, scanMarkup } from "./document_scan.ts";
import { escape, safeUrl } from "./escape.ts";
import type { Component } from "./jsx/props.ts";
import { attributeInfo, checkedTag, dropsFirstNewline, isVoid, ruleOf } from "./names.ts";
import type { Child, Node } from "./node.ts";
import { attributeNode, childHtml, documentNode, htmlNode, isNode, List } from "./node.ts";
import { attributeHtml, isRaw } from "./attribute.ts";

export type { Child, Node, NodeKind } from "./node.ts";
export type { AttributeValue, ClassValue } from "./attribute.ts";
export type * from "./jsx/props.ts";
export type * from "./jsx/types.ts";

/** Props of an element or a component, as the compiler passes them. */
export type Props = Readonly<Record<string, unknown>>;

type Content = "nodes" | "none" | "code" | "lines";

interface Tag {
  readonly name: string;
  readonly open: string;
  readonly close: string;
  readonly content: Content;
}

/**
 * Implements `<></>`: returns its children without an element around them.
 *
 * @param props The children.
 * @returns The children.
 */
export function Fragment(props: { readonly children?: Child }): Child {
  return props.children;
}

/**
 * Creates an element or calls a component; called by compiled JSX.
 *
 * @param type An element's name, or a function from props to a child.
 * @param props Attributes and `children`.
 * @returns A node.
 * @throws {TypeError} When a name is invalid, or an element has content that it cannot hold.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { jsx } from "@fw/fw/jsx-runtime";
 *
 * assertEquals(jsx("p", { class: "lead", children: "a < b" }).render(), '<p class="lead">a &lt; b</p>');
 * ```
 */
export function jsx<P extends object>(type: string | Component<P>, props: P): Node {
  if (typeof type === "string") return intrinsic(type, props as Props);
  const child = type(props);
  return isNode(child) ? child : htmlNode(childHtml(child));
}

/**
 * The same as {@linkcode jsx}, for several children; called by compiled JSX.
 *
 * @param type An element's name, or a function from props to a child.
 * @param props Attributes and `children`.
 * @returns A node.
 */
export const jsxs: typeof jsx = jsx;

/**
 * The same as {@linkcode jsx}, for development; called by compiled JSX.
 *
 * @param type An element's name, or a function from props to a child.
 * @param props Attributes and `children`.
 * @returns A node.
 */
export const jsxDEV: typeof jsx = jsx;

function intrinsic(name: string, props: Props): Node {
  const tag = tagInfo(name);
  // A spread node has the field `kind`: the attribute of that name is never a number.
  if (typeof props.kind === "number") {
    throw new TypeError(`Cannot spread a node into "${tag.open}>": pass it as attrs={…}.`);
  }
  let attributes = "";
  const nodes: Child[] | undefined = props.attrs ? [] : undefined;
  for (const key of Object.keys(props)) {
    if (key === "children") continue;
    const info = attributeInfo(key, ruleOf);
    if (info.rule === "nodes") nodes?.push(props[key] as Child);
    else if (info.rule !== "dropped") {
      const text = attributeHtml(info, props[key]);
      if (nodes === undefined) attributes += text;
      else if (text !== "") nodes.push(attributeNode(info.lower, text));
    }
  }
  // A node may repeat an attribute, which then merges or replaces the other.
  if (nodes !== undefined) attributes = attributeNodes(nodes);
  const html = written(tag, attributes, props.children);
  return tag.open === "<html" ? documentNode(html) : htmlNode(html);
}

function written(tag: Tag, attributes: string, children: unknown): string {
  switch (tag.content) {
    case "nodes":
      return tag.open + attributes + ">" + childHtml(children) + tag.close;
    case "code":
      return tag.open + attributes + ">" + codeHtml(tag.open, [children]) + tag.close;
    case "lines":
      return tag.open + attributes + ">" + lineHtml(childHtml(children)) + tag.close;
    case "none":
      refuseContent(tag.open, [children]);
      return tag.open + attributes + ">";
  }
}

// Direct-mapped, like the cache of attribute names.
const slots = 256;
const tags: (Tag | undefined)[] = new Array(slots).fill(undefined);

function tagInfo(name: string): Tag {
  const slot = (name.length * 29 + name.charCodeAt(0) * 7 + name.charCodeAt(name.length - 1) * 3) &
    (slots - 1);
  const found = tags[slot];
  if (found !== undefined && found.name === name) return found;
  const open = "<" + checkedTag(name);
  const tag: Tag = { name, open, close: `</${name}>`, content: contentOf(name.toLowerCase()) };
  tags[slot] = tag;
  return tag;
}

function contentOf(lower: string): Content {
  if (isVoid(lower)) return "none";
  if (lower === "script" || lower === "style") return "code";
  return dropsFirstNewline(lower) ? "lines" : "nodes";
}

/**
 * Renders a template whose static parts the compiler wrote; called by JSX compiled with `precompile`.
 *
 * @param parts The static parts: one array per template, the same at each use.
 * @param values The values between them: nodes, and text made safe by `jsxAttr` and `jsxEscape`.
 * @returns A node.
 * @throws {TypeError} When `script` or `style` contains anything but nodes made by `raw`, or a tag repeats
 * an attribute.
 */
export function jsxTemplate(parts: readonly string[], ...values: readonly unknown[]): Node {
  const template = templates.get(parts) ?? newTemplate(parts);
  const { holes } = template;
  let html = template.parts[0] ?? "";
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const hole = holes?.get(i);
    if (hole?.kind === "code") {
      const code = values.slice(i, i + hole.count).filter((value) => value !== "");
      html += codeHtml(hole.open, code);
      i += hole.count - 1;
    } else {
      const text = typeof value === "string" ? value : nodeHtml(template, i, values);
      html += hole === undefined ? text : firstLineHtml(text, hole);
    }
    html += template.parts[i + 1];
  }
  return template.isDocument ? documentNode(html) : htmlNode(html);
}

const templates: WeakMap<readonly string[], JsxTemplate> = new WeakMap();

function newTemplate(parts: readonly string[]): JsxTemplate {
  const template = scanJsx(parts);
  templates.set(parts, template);
  return template;
}

function nodeHtml({ tags }: JsxTemplate, at: number, values: readonly unknown[]): string {
  const tag = tags[at];
  if (tag === undefined) return childHtml(values[at]);
  const texts = values.slice(tag.first, tag.end).filter((value) => typeof value === "string");
  const names = texts.map((text) => /^[^=]*/.exec(text)?.[0].toLowerCase() ?? "");
  return attributeNodes(values[at], new Set([...tag.names, ...names])).slice(1);
}

/**
 * Renders one attribute; called by JSX compiled with `precompile`.
 *
 * @param name The name, as it is written in HTML.
 * @param value The value.
 * @returns The attribute as text, empty if the value omits it; the nodes of `attrs`.
 * @throws {TypeError} When the value has no text form.
 */
export function jsxAttr(name: string, value: unknown): string | Node {
  const info = attributeInfo(name, ruleOf);
  // Not cut from `attributeHtml`, because a slice would flatten the joined text (bench/html).
  const isText = info.rule === "text" || info.rule === "enumerated";
  if (typeof value === "string") {
    if (isText || (info.rule === "class" && value !== "")) return info.bare + escape(value) + '"';
    if (info.rule === "url") return info.bare + escape(safeUrl(value)) + '"';
  } else if (typeof value === "number" && isText) {
    return info.bare + value + '"';
  }
  if (info.rule === "dropped") return "";
  return info.rule === "nodes" ? new List([value as Child]) : attributeHtml(info, value).slice(1);
}

/**
 * Escapes a child; called by JSX compiled with `precompile`.
 *
 * @param value Any child.
 * @returns HTML; nodes made by `raw` and arrays are unchanged, since `script` must recognise them.
 * @throws {TypeError} When it is not a child.
 */
export function jsxEscape(value: unknown): Child {
  if (typeof value === "string") return escape(value);
  return isRaw(value) || Array.isArray(value) ? value : childHtml(value);
}

// Reads the static parts of JSX that the compiler turned into a template (`precompile`). The
// compiler does not know HTML's content models, so holes in `script`, `style`, `pre` and `textarea`
// are found here, once per template.

/** Holes that are not plain text or attributes. */
type JsxHole =
  /** The whole content of `script` or `style`, made of `count` holes; `open` is like `<script`. */
  | { readonly kind: "code"; readonly open: string; readonly count: number }
  /** First in an element such as `pre`, whose first newline is dropped; `isWhole` if also last. */
  | { readonly kind: "line"; readonly isWhole: boolean };

/** A tag with holes between its static attributes: the range of the holes, and the static names. */
interface JsxTag {
  readonly first: number;
  readonly end: number;
  readonly names: readonly string[];
}

interface JsxTemplate {
  /** The static parts: one more than the holes. */
  readonly parts: readonly string[];
  /** The special holes by position; `undefined` if there are none, as in most templates. */
  readonly holes: ReadonlyMap<number, JsxHole> | undefined;
  /** The tag of each hole that is an attribute. */
  readonly tags: readonly (JsxTag | undefined)[];
  /** Whether the template begins with the `html` element. */
  readonly isDocument: boolean;
}

/**
 * Reads a template.
 *
 * @throws {TypeError} When `script` or `style` contains text or an element, or a tag repeats a
 * static attribute.
 */
function scanJsx(parts: readonly string[]): JsxTemplate {
  // A NUL in the source text must not count as a hole.
  const source = parts.map((part) => part.replaceAll(hole, "\ufffd")).join(hole);
  const holes = new Map<number, JsxHole>();
  const tags: (JsxTag | undefined)[] = new Array(parts.length).fill(undefined);
  const starts = new Set<number>();
  let index = 0;
  let counted = 0;
  for (const tag of scanMarkup(source, { isTemplate: true })) {
    if (!("attributes" in tag)) continue;
    const { name, end, contentEnd = source.length } = tag;
    // `<p class="a" className="b">` arrives as two `class`es: the compiler renames the second.
    if (tag.repeated !== undefined) throw repeatedAttribute(tag.repeated);
    index += source.slice(counted, end).split(hole).length - 1;
    counted = end;
    const names = tag.attributes.map(({ name }) => name).filter((each) => !each.startsWith(hole));
    const first = index - (tag.attributes.length - names.length);
    tags.fill({ first, end: index, names }, first, index);
    if (name === "script" || name === "style") {
      const code = source.slice(end, contentEnd);
      const hasEnd = contentEnd < source.length;
      if (!hasEnd || code.replaceAll(hole, "") !== "") throw refusedText("<" + name);
      if (code !== "") holes.set(index, { kind: "code", open: "<" + name, count: code.length });
      continue;
    }
    // If SVG encloses the template, such an element contains markup.
    const [, inner] = /<(script|style)[\s/>]/i.exec(source.slice(end, tag.contentEnd ?? end)) ?? [];
    if (inner !== undefined) throw refusedText("<" + inner);
    if (dropsFirstNewline(name)) {
      const isWhole = source.startsWith("</", end + 1);
      if (source[end] === hole) holes.set(index, { kind: "line", isWhole });
      if (source[end] === "\n" || source[end] === "\r") starts.add(end);
    }
  }
  return {
    parts: starts.size === 0 ? parts : withNewlines(source, starts).split(hole),
    holes: holes.size === 0 ? undefined : holes,
    tags,
    isDocument: /^<html[\s>]/.test(source),
  };
}

function withNewlines(source: string, starts: ReadonlySet<number>): string {
  let made = "";
  let from = 0;
  for (const at of starts) {
    made += source.slice(from, at) + "\n";
    from = at;
  }
  return made + source.slice(from);
}
