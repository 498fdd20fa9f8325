/**
 * Templates in the language of Go's `html/template`: files that designers edit, with every value
 * escaped for its context.
 *
 * ```ts
 * import { must, node } from "@fw/fw/tmpl";
 *
 * const views = must({ "hello.html": "<h1>Hello, {{.name}}</h1>" });
 * console.assert(node(views, "hello.html", { name: "Ana" }).render() === "<h1>Hello, Ana</h1>");
 * ```
 *
 * @module
 */

export { TemplateError, type TemplateErrorCode, type TemplateFault } from "./error.ts";
export type { Source } from "./error.ts";
export type { TemplateFunction } from "./run/functions.ts";
export type { Delimiters } from "./parse/lexer.ts";
export type { MissingKey } from "./run/members.ts";
export * from "./must.ts";
export * from "./render.ts";
export {
  html,
  type Safe,
  type SafeAttr,
  type SafeCss,
  type SafeHtml,
  type SafeJs,
  type SafeJsText,
  type SafeKind,
  type SafeSrcset,
  type SafeUrl,
  trustAttr,
  trustCss,
  trustHtml,
  trustJs,
  trustJsText,
  trustSrcset,
  trustUrl,
} from "./safe.ts";
export { parse, type TemplateOptions, type Templates } from "./templates.ts";
