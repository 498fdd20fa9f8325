/** Text that the application trusts, written unchanged in contexts of its kind. */

import { isNode, type Node } from "../html/mod.ts";

/** The brand: `Symbol.for` lets two copies of this package recognise each other's values. */
const brand: unique symbol = Symbol.for("fw.tmpl.safe") as typeof brand;

/** The kind of a trusted text. */
export type SafeKind = "html" | "attribute" | "url" | "js" | "jsText" | "css" | "srcset";

/** A string that the application trusts. Parsed JSON never contains one. */
export class Safe<K extends SafeKind> {
  /** Kind of the text. */
  readonly kind: K;
  /** The text. */
  readonly text: string;

  /** Created by the `trust…` functions. */
  constructor(kind: K, text: string) {
    if (typeof text !== "string") {
      throw new TypeError(`Cannot trust a value of type ${typeof text}: pass a string.`);
    }
    this.kind = kind;
    this.text = text;
  }

  /** Returns the text. */
  toString(): string {
    return this.text;
  }
}

Object.defineProperty(Safe.prototype, brand, { value: true });

/** HTML that is sent unchanged in text, and without its tags in an attribute. */
export type SafeHtml = Safe<"html">;
/** A URL, or a part of one, whose scheme is not checked. */
export type SafeUrl = Safe<"url">;
/** A JavaScript expression. */
export type SafeJs = Safe<"js">;
/** Characters for a JavaScript string, with its escapes. */
export type SafeJsText = Safe<"jsText">;
/** CSS: rules, declarations or a value. */
export type SafeCss = Safe<"css">;
/** One or more attributes, such as `dir="ltr"`. */
export type SafeAttr = Safe<"attribute">;
/** The value of a `srcset` attribute. */
export type SafeSrcset = Safe<"srcset">;

/**
 * Marks HTML as trusted. It must contain nothing from requests or other services unless sanitised.
 *
 * @param text A complete fragment of HTML: every tag and comment in it is closed.
 * @returns The text as a value that templates write as it stands.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { node, parse, trustHtml } from "@fw/fw/tmpl";
 *
 * const page = parse("<p>{{.}}</p>", { name: "p.html" });
 * assertEquals(node(page, "p.html", trustHtml("<b>now</b>")).render(), "<p><b>now</b></p>");
 * ```
 */
export function trustHtml(text: string): SafeHtml {
  return new Safe("html", text);
}

/**
 * Marks a URL as trusted: no scheme is refused.
 *
 * @param text The URL or a part of one.
 * @returns The text as a value that templates write without a check of its scheme.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { node, parse, trustUrl } from "@fw/fw/tmpl";
 *
 * const link = parse('<a href="{{.}}">call</a>', { name: "a.html" });
 * const html = node(link, "a.html", trustUrl("tel:123")).render();
 * assertEquals(html, '<a href="tel:123">call</a>');
 * ```
 */
export function trustUrl(text: string): SafeUrl {
  return new Safe("url", text);
}

/**
 * Marks a JavaScript expression as trusted.
 *
 * @param text The expression, in parentheses if it could bind to the code around it.
 * @returns The text as a value that templates write unchanged in JavaScript.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { node, parse, trustJs } from "@fw/fw/tmpl";
 *
 * const page = parse("<script>f({{.}})</script>", { name: "s.html" });
 * assertEquals(node(page, "s.html", trustJs("1 + g()")).render(), "<script>f(1 + g())</script>");
 * ```
 */
export function trustJs(text: string): SafeJs {
  return new Safe("js", text);
}

/**
 * Marks characters of a JavaScript string as trusted: their escapes are preserved.
 *
 * @param text The characters, such as `\\n`; quotes are still escaped.
 * @returns The text as a value.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { node, parse, trustJsText } from "@fw/fw/tmpl";
 *
 * const page = parse("<script>f('{{.}}')</script>", { name: "s.html" });
 * assertEquals(
 *   node(page, "s.html", trustJsText("a\\nb")).render(),
 *   "<script>f('a\\nb')</script>",
 * );
 * ```
 */
export function trustJsText(text: string): SafeJsText {
  return new Safe("jsText", text);
}

/**
 * Marks CSS as trusted.
 *
 * @param text Rules, declarations or a value.
 * @returns The text as a value that templates write unchanged in CSS.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { node, parse, trustCss } from "@fw/fw/tmpl";
 *
 * const page = parse("<style>p { color: {{.}} }</style>", { name: "c.html" });
 * const html = node(page, "c.html", trustCss("rgb(0 0 0)")).render();
 * assertEquals(html, "<style>p { color: rgb(0 0 0) }</style>");
 * ```
 */
export function trustCss(text: string): SafeCss {
  return new Safe("css", text);
}

/**
 * Marks attributes as trusted.
 *
 * @param text The attributes, such as `dir="ltr"`.
 * @returns The text as a value that templates write unchanged in a tag.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { node, parse, trustAttr } from "@fw/fw/tmpl";
 *
 * const page = parse("<p {{.}}>x</p>", { name: "p.html" });
 * assertEquals(node(page, "p.html", trustAttr('dir="ltr"')).render(), '<p dir="ltr">x</p>');
 * ```
 */
export function trustAttr(text: string): SafeAttr {
  return new Safe("attribute", text);
}

/**
 * Marks the value of a `srcset` attribute as trusted.
 *
 * @param text The list of image candidates.
 * @returns The text as a value that templates write without a check of its URLs.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { node, parse, trustSrcset } from "@fw/fw/tmpl";
 *
 * const page = parse('<img srcset="{{.}}">', { name: "i.html" });
 * const html = node(page, "i.html", trustSrcset("/a.png 2x")).render();
 * assertEquals(html, '<img srcset="/a.png 2x">');
 * ```
 */
export function trustSrcset(text: string): SafeSrcset {
  return new Safe("srcset", text);
}

/**
 * Converts a node of `h` to a value that templates write unchanged. A node in the data does the
 * same; this is for functions that expect a safe type.
 *
 * @param node The node.
 * @returns Its HTML.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import { html } from "@fw/fw/tmpl";
 *
 * assertEquals(html(h.b("<")).text, "<b>&lt;</b>");
 * ```
 */
export function html(node: Node): SafeHtml {
  return trustHtml(node.render());
}

/** Returns the kind of a safe text, of this or another copy of the package; a node of `h` is HTML. */
export function safeKindOf(value: unknown): SafeKind | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if ((value as { readonly [brand]?: true })[brand] === true) return (value as Safe<SafeKind>).kind;
  return isNode(value) ? "html" : undefined;
}

/** Returns the text of a value whose kind {@linkcode safeKindOf} recognises. */
export function safeTextOf(value: unknown): string {
  return isNode(value) ? value.render() : (value as Safe<SafeKind>).text;
}
