import { documentNode, htmlNode, type Node } from "../html/node.ts";
import type { Render } from "./run/compile.ts";
import { TemplateError } from "./error.ts";
import { type Run, slotFunction } from "./run/evaluate.ts";
import { parseSettings } from "./run/functions.ts";
import { isUnpolluted } from "./run/members.ts";
import type { Tree } from "./parse/nodes.ts";
import { parseTrees } from "./parse/parser.ts";
import { setOf, type Templates } from "./templates.ts";

/** Options for rendering a template. */
export interface RenderOptions {
  /**
   * The nonce of the Content-Security-Policy, `c.nonce`: added to each `script` and `style` element
   * of a template that has none.
   *
   * @default none
   */
  readonly nonce?: string;
}

/**
 * Renders a template to a node. Values are escaped for their context: text, attributes, URLs,
 * scripts, styles. Nodes of `h` in the data are written unchanged.
 *
 * @param templates The set.
 * @param name The template.
 * @param data The data of the template: `.` and `$`.
 * @returns A node to return from a page or use as a child.
 * @throws {TemplateError} if the template or the data are at fault; nothing is sent.
 * @throws {TypeError} for the name of a plain text template, such as `mail.txt`.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { node, parse } from "@fw/fw/tmpl";
 *
 * const link = parse('<a href="{{.url}}" title="{{.note}}">{{.note}}</a>', { name: "link.html" });
 * assertEquals(
 *   node(link, "link.html", { url: "javascript:f()", note: "1 < 2" }).render(),
 *   '<a href="#ZgotmplZ" title="1 &lt; 2">1 &lt; 2</a>',
 * );
 * ```
 */
export function node(
  templates: Templates,
  name: string,
  data: unknown,
  options: RenderOptions = {},
): Node {
  const render = setOf(templates).render(name, "html");
  return toNode(execute(render, data, newRun(options, undefined)), render);
}

/**
 * Renders a template to plain text, for emails and other texts: nothing is escaped. As a child in
 * `h`, the text is escaped like any other.
 *
 * @param templates The set.
 * @param name The template.
 * @param data What the template shows.
 * @returns The text.
 * @throws {TemplateError} where the template or the data are at fault.
 * @throws {TypeError} for the name of an HTML template, such as `mail.html`.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parse, text } from "@fw/fw/tmpl";
 *
 * const mail = parse("Dear {{.name}},\nyou are <in>.\n", { name: "mail.txt" });
 * assertEquals(text(mail, "mail.txt", { name: "O'Hara" }), "Dear O'Hara,\nyou are <in>.\n");
 * ```
 */
export function text(templates: Templates, name: string, data: unknown): string {
  return execute(setOf(templates).render(name, "text"), data, newRun({}, undefined));
}

/** A template around a node: a layout from a designer's file. */
export interface Shell {
  /**
   * Renders the shell.
   *
   * @param data The data of the shell.
   * @param children The content of its slot.
   * @param options Rendering options.
   * @returns A node.
   * @throws {TemplateError} if the data are at fault, or the slot was not reached.
   */
  readonly node: (data: unknown, children: Node, options?: RenderOptions) => Node;
}

/**
 * Prepares a template as a layout: its call of the slot, `{{template "content" .}}` or `{{block
 * "content" .}}`, shows a node. Call it at the top of a module, before any template of the set is
 * rendered.
 *
 * @param templates The set.
 * @param name The template of the layout.
 * @param slot The name of the slot.
 * @returns The shell.
 * @throws {TemplateError} if the layout cannot be escaped.
 * @throws {TypeError} if a template of the set has already been rendered.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import { parse, wrap } from "@fw/fw/tmpl";
 *
 * const views = parse('<main title="{{.}}">{{template "content" .}}</main>', { name: "layout.html" });
 * const layout = wrap(views, "layout.html", "content");
 * assertEquals(layout.node("Home", h.p("Hi")).render(), '<main title="Home"><p>Hi</p></main>');
 * ```
 */
export function wrap(templates: Templates, name: string, slot: string): Shell {
  const base = setOf(templates);
  if (base.isExecuted) {
    // As in Go, so that templates work in both; nothing here depends on it.
    throw new TypeError(
      `Cannot wrap "${name}": a template of the set was rendered already; ` +
        "call wrap at the top of a module.",
    );
  }
  const render = base.with(slotTree(slot)).render(name, "html");
  return {
    node: (data, children, options = {}) => {
      const run = newRun(options, children);
      const html = execute(render, data, run);
      if (run.isSlotReached) return toNode(html, render);
      throw new TemplateError({
        code: "ErrExec",
        description: `the shell never reaches its slot ${JSON.stringify(slot)}`,
        fix: `call it: {{template ${JSON.stringify(slot)} .}}`,
        source: base.sourceOf(name),
        at: 0,
      });
    },
  };
}

function slotTree(name: string): Tree {
  const source = { name, text: `{{${slotFunction}}}`, file: undefined };
  const [tree] = parseTrees(source, parseSettings()).values();
  return tree as Tree;
}

const nonceText = /^[A-Za-z0-9+/_-]+={0,2}$/;

function newRun({ nonce }: RenderOptions, children: unknown): Run {
  if (nonce !== undefined && !nonceText.test(nonce)) {
    throw new TypeError("Cannot write the nonce: it is not base64; pass c.nonce.");
  }
  return {
    nonce: nonce === undefined ? "" : ` nonce="${nonce}"`,
    children,
    isSlotReached: false,
    iterations: 0,
    isUnpolluted: isUnpolluted(),
  };
}

function execute(render: Render, data: unknown, run: Run): string {
  try {
    return render.write(data ?? undefined, run);
  } catch (error) {
    if (!(error instanceof RangeError) || !/call stack/i.test(error.message)) throw error;
    throw new TemplateError({
      code: "ErrLimit",
      description: "the templates call one another too deep",
      fix: "end the recursion with an {{if}}",
      source: undefined,
      at: 0,
      cause: error,
    });
  }
}

function toNode(html: string, { isDocument }: Render): Node {
  return isDocument ? documentNode(html) : htmlNode(html);
}
