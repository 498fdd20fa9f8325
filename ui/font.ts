/** The font of the text: one file of the application, preloaded. */

import * as h from "../html/mod.ts";
import type { Node } from "../html/mod.ts";
import { type Ctx, nonceAttr } from "../mod.ts";

/** Options of {@linkcode font}. */
export interface FontOptions {
  /** The name of the font. */
  readonly family: string;
  /** The font file in `public/`, a variable WOFF2, such as `/geist.woff2`. */
  readonly file: string;
  /**
   * The width of the fallback in percent of Arial's, so that lines break alike before the font loads.
   *
   * @default 100
   */
  readonly fallbackPercent?: number;
}

/**
 * Loads a font for all text in the `head` of a layout: a preload, `font-display: swap`, and a fallback from
 * Arial in the font's size, so that the layout does not shift. Without it the text uses the system font.
 *
 * @param c The request, which provides the nonce and the fingerprinted URL.
 * @param options The font.
 * @returns A `link` and a `style`; put them before {@linkcode head}.
 * @throws {TypeError} for a name with characters other than letters, digits, spaces and hyphens.
 *
 * @example
 * ```ts
 * import type { Ctx, Node } from "@fw/fw";
 * import * as ui from "@fw/fw/ui";
 *
 * export const face = (c: Ctx): Node =>
 *   ui.font(c, { family: "Geist", file: "/geist.woff2", fallbackPercent: 102 });
 * ```
 */
export function font(c: Ctx, options: FontOptions): Node {
  const { family, file, fallbackPercent = 100 } = options;
  if (!/^[\w -]+$/.test(family)) {
    throw new TypeError(
      `Cannot load the font "${family}": use only letters, digits, spaces and hyphens.`,
    );
  }
  const url = c.asset(file);
  const source = url.replaceAll(/["\\<>\n]/g, (char) => encodeURIComponent(char));
  const css = `@font-face{font-family:"${family}";src:url("${source}") format("woff2");` +
    "font-weight:100 900;font-display:swap}" +
    `@font-face{font-family:"${family} fallback";src:local("Arial");` +
    `size-adjust:${Number(fallbackPercent)}%}` +
    `:root{--font-sans:"${family}","${family} fallback",ui-sans-serif,system-ui,sans-serif}`;
  return h.fragment(
    h.link(
      h.rel("preload"),
      h.href(url),
      h.attr("as", "font"),
      h.type("font/woff2"),
      h.bool("crossorigin"),
    ),
    h.style(nonceAttr(c), h.raw(css)),
  );
}
