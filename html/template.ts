/** `html`: the root element's function and the template tag, the fastest way to write HTML. */

import { attributeNames, attributeNodes, element, firstLineHtml } from "./build.ts";
import { escape, invalidUrl, safeUrl } from "./escape.ts";
import type { AttributeName } from "./names.ts";
import {
  type Built,
  type Child,
  childHtml,
  describe,
  documentNode,
  emptyNode,
  htmlNode,
  isNode,
  kindAttribute,
  type Node,
} from "./node.ts";
import { type Hole, scanTemplate } from "./template_scan.ts";
import { attributeHtml, classText, isRaw } from "./attribute.ts";

/** The value of a hole: a child or, in an attribute's value, a URL or a list of classes. */
export type TemplateValue = Child | URL;

interface Template {
  readonly parts: readonly string[];
  readonly holes: readonly Hole[];
  readonly shortcuts: readonly Shortcut[];
  /** Whether the template begins with the `html` element. */
  readonly isDocument: boolean;
}

// Numbers, because the hole objects differ in shape and are slow to inspect (bench/html).
const textOnly = 0;
const escapeOnly = 1;
const wholeUrl = 2;
const noShortcut = 3;

type Shortcut = 0 | 1 | 2 | 3;

const plainRules: ReadonlySet<AttributeName["rule"]> = new Set([
  "text",
  "enumerated",
  "class",
  "url",
]);

const templates: WeakMap<object, Template> = new WeakMap();

// The rows of a list use one template many times in succession, so the last one needs no look-up.
let last: Template | undefined;

/**
 * Creates HTML with holes. Each hole is escaped for its context, which is determined once per template:
 * text, a quoted attribute value, a URL, or, for attribute nodes, the space between attributes.
 *
 * In a quoted value `false`, `null` and `undefined` are empty, except that `aria-*`, `data-*` and the
 * enumerated attributes write `false`.
 *
 * @param parts The static parts, which are trusted and sent unchanged.
 * @param values The values of the holes.
 * @returns A node.
 * @throws {TypeError} At the first use, when a hole is in a name, an unquoted value, a comment,
 * `script`, `style` or another place that escaping cannot make safe; at any use, when a value does
 * not fit its context.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * const row = h.html`<li class="${"a"}" ${h.hidden(false)}><a href="${"/?q=1&r=2"}">${"<b>"}</a></li>`;
 * assertEquals(row.render(), '<li class="a" ><a href="/?q=1&amp;r=2">&lt;b&gt;</a></li>');
 * ```
 */
export function html(parts: TemplateStringsArray, ...values: TemplateValue[]): Node;
/**
 * Renders the `html` element.
 *
 * @param children Attributes and content, in any order.
 * @returns A node, to which `render` adds the document type.
 */
export function html(...children: Child[]): Node;
export function html(first?: unknown, ...rest: unknown[]): Node {
  if (Array.isArray(first)) {
    if (first === last?.parts) return fill(last, rest);
    const template = templates.get(first) ?? newTemplate(first);
    if (template !== undefined) {
      last = template;
      return fill(template, rest);
    }
  }
  const children = arguments.length === 0 ? [] : [first, ...rest] as Child[];
  return documentNode(element("<html", "</html>", children).html);
}

function newTemplate(first: readonly string[]): Template | undefined {
  // Only the array of a template literal has `raw`; arrays from JSON and lists of children do not.
  if (!Object.hasOwn(first, "raw")) return undefined;
  const holes = scanTemplate(first);
  const isDocument = /^\s*<html[\s/>]/i.test(String(first[0]));
  const template: Template = { parts: first, holes, shortcuts: holes.map(shortcutOf), isDocument };
  templates.set(first, template);
  return template;
}

function shortcutOf(hole: Hole): Shortcut {
  if (hole.kind === "text") return textOnly;
  if (hole.kind === "url" && hole.before === "" && hole.after === "") return wholeUrl;
  return hole.kind === "value" && plainRules.has(hole.info.rule) ? escapeOnly : noShortcut;
}

function fill(template: Template, values: readonly unknown[]): Node {
  const { parts, holes, shortcuts } = template;
  let html = parts[0] as string;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const shortcut = shortcuts[i] as Shortcut;
    if (typeof value === "string" && shortcut !== noShortcut) {
      html += escape(shortcut === wholeUrl ? safeUrl(value) : value);
    } else if (typeof value === "number" && shortcut <= escapeOnly) {
      html += value;
    } else if (shortcut === textOnly) {
      html += childHtml(value);
    } else {
      html += holeHtml(holes[i] as Hole, value, values);
    }
    html += parts[i + 1];
  }
  return template.isDocument ? documentNode(html) : htmlNode(html);
}

function holeHtml(hole: Hole, value: unknown, values: readonly unknown[]): string {
  switch (hole.kind) {
    case "text":
      return childHtml(value);
    case "line":
      return firstLineHtml(childHtml(value), hole);
    case "value":
      return valueHtml(hole.info, value);
    case "url":
      return urlHtml(hole, value);
    case "attributes":
      return attributesHtml(hole, value, values);
  }
}

/** Attributes that `false` must remove: a hole inside their quotes could only leave them empty. */
const removable: ReadonlySet<string> = new Set(["download", "hidden", "popover"]);

function valueHtml(info: AttributeName, value: unknown): string {
  if (Array.isArray(value) && info.rule === "class") return escape(classText(value));
  if (removable.has(info.lower) && typeof value !== "string" && !isRaw(value)) {
    throw new TypeError(
      `Cannot fill "${info.written}" with ${
        describe(value)
      }: its presence counts, not its value; ` +
        `write \${h.attr("${info.written}", value)} in the attribute's place.`,
    );
  }
  if (value === true && info.rule === "text") return "true";
  // The URL's scheme was decided by the static part or by an earlier hole.
  const html = attributeHtml(info.rule === "url" ? { ...info, rule: "text" } : info, value);
  return html === "" ? "" : html.slice(info.open.length, -1);
}

function urlHtml(hole: Hole & { readonly kind: "url" }, value: unknown): string {
  if (isRaw(value)) return escape(value.html);
  const url = value instanceof URL ? value.href : value;
  if (typeof url !== "string") return valueHtml(hole.info, url);
  return escape(hasSafeScheme(hole, url) ? url : invalidUrl);
}

function hasSafeScheme(hole: Hole & { readonly kind: "url" }, url: string): boolean {
  const whole = hole.before + url + hole.after;
  return safeUrl(whole) === whole;
}

function attributesHtml(
  { names, earlier }: Hole & { readonly kind: "attributes" },
  value: unknown,
  values: readonly unknown[],
): string {
  if (value === false || value === null || value === undefined) return "";
  if (earlier.length > 0) {
    const taken = earlier.flatMap((at) => attributeNames(values[at]));
    return attributeNodes(value, names.union(new Set(taken)));
  }
  // Most holes have one node, which may be empty.
  if (isNode(value)) {
    const { kind, name, html } = value as Built;
    if (kind === kindAttribute ? !names.has(name) : value === emptyNode) return html;
  }
  return attributeNodes(value, names);
}
