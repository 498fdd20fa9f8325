/** The kit's parts of a layout: the files in `head`, the class on `body`. */

import * as h from "../html/mod.ts";
import type { Node } from "../html/mod.ts";
import type { Ctx } from "../mod.ts";
import { warnOfLabels, word } from "./labels.ts";

/** Loads the script of the kit; contains the fingerprinted URLs of its parts, and its texts. */
export function kitScript(c: Ctx): Node {
  return h.html`<script type="module" src="${c.asset("/ui.js")}"
data-ui-file-swap="${c.asset("/ui.swap.js")}" data-ui-file-live="${c.asset("/ui.live.js")}"
data-ui-file-parts="${c.asset("/ui.parts.js")}" data-ui-offline="${word("offline")}"
data-ui-retry="${word("retry")}" data-ui-again="${word("again")}"
data-ui-again-text="${word("againText")}" data-ui-again-ok="${word("againOk")}"
data-ui-again-cancel="${word("cancel")}"></script>`;
}

/**
 * Loads the kit's files in the `head` of a layout: `ui.theme.css`, `ui.css`, `ui.js`, and a one-line script that
 * chooses light or dark before the first paint. The command `ui` writes the files to `public/`; `ui.js` loads
 * `ui.swap.js`, `ui.live.js` and `ui.parts.js` on pages that need them.
 *
 * @param c The request, which provides the nonce and the fingerprinted URLs.
 * @returns The elements.
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
 *     h.head(h.meta(h.charset("utf-8")), h.title(c.title), ui.head(c)),
 *     h.body(ui.body(), ui.flashes(c), h.main(ui.container(children))),
 *   );
 * }
 * ```
 */
export function head(c: Ctx): Node {
  if (c.env === "dev") warnOfLabels(c);
  // Before the first paint, apply the user's choice, saved by `ui.js`, else the system's setting. The script
  // goes first, because after a stylesheet it would wait for it.
  return h.html`<script nonce="${c.nonce}">{
let t;try{t=/(^| )fw_theme=(light|dark)/.exec(document.cookie)}catch{}
document.documentElement.classList
.toggle('dark',t?t[2]=='dark':matchMedia('(prefers-color-scheme:dark)').matches)}</script>
<link rel="stylesheet" href="${c.asset("/ui.theme.css")}">
<link rel="stylesheet" href="${c.asset("/ui.css")}">${kitScript(c)}`;
}

/**
 * Sets the type, colours and spacing of the theme for everything in `body`.
 *
 * @returns A class attribute.
 */
export function body(): Node {
  return h.class("ui-body");
}
