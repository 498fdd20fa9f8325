/** Markdown of models and people as nodes. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { parseMarkdown } from "./markdown_parse.js";

/** A parsed text or element, as the parser returns it. */
type Piece = ReturnType<typeof parseMarkdown>[number];

/** The elements that the parser can name: a piece with another name would be a fault of the parser. */
const makers: Readonly<Record<string, (...children: Child[]) => Node>> = {
  a: h.a,
  blockquote: h.blockquote,
  br: h.br,
  code: h.code,
  del: h.del,
  em: h.em,
  h3: h.h3,
  h4: h.h4,
  h5: h.h5,
  h6: h.h6,
  hr: h.hr,
  li: h.li,
  ol: h.ol,
  p: h.p,
  pre: h.pre,
  strong: h.strong,
  table: h.table,
  tbody: h.tbody,
  td: h.td,
  th: h.th,
  thead: h.thead,
  tr: h.tr,
  ul: h.ul,
};

/**
 * Renders Markdown: paragraphs, headings (from `h3` down), lists, quotes, code, tables, emphasis and
 * links. HTML in the text is shown as text, images become links, and links lead only to `http`, `https`,
 * `mailto` and places of this site: text of a model or a stranger is safe here.
 *
 * @param text The Markdown.
 * @param attributes Attributes of the element around it.
 * @returns A `div`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * assertEquals(
 *   h.render(ui.markdown("**Free** <b>seats</b>")),
 *   '<div class="ui-markdown"><p><strong>Free</strong> &lt;b&gt;seats&lt;/b&gt;</p></div>',
 * );
 * ```
 */
export function markdown(text: string, ...attributes: Child[]): Node {
  return h.div(h.class("ui-markdown"), ...attributes, parseMarkdown(text).map(render));
}

function render(piece: Piece): Child {
  if (typeof piece === "string") return piece;
  const { tag, href, start, children } = piece;
  const attributes = [
    href !== undefined && h.href(href),
    href !== undefined && h.rel("noopener noreferrer nofollow"),
    start !== undefined && h.start(start),
  ];
  return makers[tag]?.(...attributes, children.map(render));
}
