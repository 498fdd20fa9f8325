/**
 * HTML from TypeScript: one function for each element and attribute, escaped on output.
 *
 * ```ts
 * import * as h from "@fw/fw/h";
 *
 * const page = h.html(
 *   h.head(h.title("Events")),
 *   h.body(h.h1(h.class("title"), "Events"), h.a(h.href("/"), "Home")),
 * );
 * console.log(h.render(page));
 * ```
 *
 * @module
 */

export { escape } from "./escape.ts";
export { type Child, type CodeChild, isNode, Node, type NodeKind } from "./node.ts";
export type { AttributeValue, ClassValue } from "./attribute.ts";
export {
  doctype,
  either,
  el,
  group,
  map,
  mapIndex,
  raw,
  text,
  textf,
  type Truthy,
  void_,
  when,
} from "./helpers.ts";
export { fragment, render } from "./build.ts";
export { html, type TemplateValue } from "./template.ts";
export { aria, attr, attrs, bool, class, data, on } from "./attribute.ts";
export type {
  BooleanAttribute,
  NumberAttribute,
  NumberValue,
  SwitchAttribute,
  SwitchValue,
  TextAttribute,
  TextValue,
  UrlAttribute,
  UrlValue,
} from "./names.ts";
export * from "./attributes.ts";
export * from "./elements.ts";
export * from "./svg.ts";
