/** Rules by which browsers fetch pages before they are asked for. */

import * as h from "../html/mod.ts";
import type { Node } from "../html/mod.ts";
import { type Ctx, nonceAttr } from "../mod.ts";

/** Options of {@linkcode speculationRules}. */
export interface SpeculationOptions {
  /**
   * `prefetch` fetches the page, `prerender` makes it as well, with its files and scripts.
   *
   * @default "prefetch"
   */
  readonly action?: "prefetch" | "prerender";
  /**
   * When: `moderate` once a link is pointed at, `conservative` once it is pressed, `eager` as soon as
   * there is a hint of it.
   *
   * @default "moderate"
   */
  readonly eagerness?: "conservative" | "moderate" | "eager";
  /**
   * Paths inside the application that are never fetched ahead, such as `"/export/*"`: pages that are dear
   * to make, or a `GET` that changes something.
   *
   * @default none
   */
  readonly except?: readonly string[];
}

/** Links that other rules hold for. */
const notMeant = "[data-ui-navigate] a, [data-ui-swap], [data-ui-no-navigate], " +
  "[data-ui-no-navigate] a, [data-ui-confirm], [download], [rel~=nofollow]";

/**
 * Lets the browser fetch pages of the application before the user follows a link (Speculation
 * Rules), for the `head` of a layout. It is for links that the browser follows itself: in a region
 * of {@linkcode navigate} the script does the same. What is fetched ahead takes no messages of
 * `c.flash`. Browsers that do not know the rules, or that save data, do nothing.
 *
 * @param c The request, which gives the nonce and the base path.
 * @returns A `script` of rules; it runs nothing.
 *
 * @example
 * ```ts
 * import type { Ctx, Node } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * export function Layout(c: Ctx, children: Node): Node {
 *   return h.html(
 *     h.lang("en"),
 *     h.head(h.title(c.title), ui.head(c), ui.speculationRules(c, { except: ["/export/*"] })),
 *     h.body(h.main(children)),
 *   );
 * }
 * ```
 */
export function speculationRules(c: Ctx, options: SpeculationOptions = {}): Node {
  const { action = "prefetch", eagerness = "moderate", except = [] } = options;
  const excluded = except.map((path) => ({ not: { href_matches: `${c.base}${path}` } }));
  const where = {
    and: [
      { href_matches: `${c.base}/*` },
      ...excluded,
      { not: { selector_matches: notMeant } },
    ],
  };
  const rules = JSON.stringify({ [action]: [{ where, eagerness }] });
  // No text can end the element.
  const text = h.raw(rules.replaceAll("<", "\\u003c"));
  return h.script(h.type("speculationrules"), nonceAttr(c), text);
}
