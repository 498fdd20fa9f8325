/** Attributes and scripts for replacing parts of a page without leaving it. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import type { Ctx } from "../../mod.ts";
import { kitScript } from "../head.ts";
import { word } from "../labels.ts";
import { checkedId } from "./checked_id.ts";

/** The position at which {@linkcode place} puts an element. */
export type Placing = "morph" | "replace" | "append" | "prepend" | "before" | "after" | "remove";

/** Options of {@linkcode swap}. */
export interface SwapOptions {
  /**
   * The place of elements without {@linkcode place}: of the element of `id` in the response, else of each top-level
   * element. One whose id is on the page is updated there instead of being added. `remove` needs no element, so a
   * 204 is enough. A response with a status of 400 or more ignores it.
   * @default "morph"
   */
  readonly place?: Placing;
}

/**
 * Makes a link or a form replace one element instead of the page: the element with the id in the
 * response replaces the one on the page. The handler is the same; `c.fragment` is the id. Without a
 * script the link and the form load the whole page.
 *
 * On any other element, such as a {@linkcode dataTable} or a {@linkcode pagination}, it applies to
 * the links inside, except those in the rows of a table, those under {@linkcode noNavigate} and
 * those to an anchor on the page.
 *
 * @param id The id of the element.
 * @param options Where the response goes.
 * @returns The attributes of a `form`, an `a`, or an element around links.
 * @throws {TypeError} for an id that a header cannot contain, and for an invalid place.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const page = h.div(
 *   ui.toolbar(h.action("/events"), ui.swap("list"), ui.input(h.name("q")), ui.submit("Find")),
 *   h.ul(h.id("list"), h.li("Short talks")),
 * );
 * h.render(page);
 * ```
 *
 * @example The row that a form adds comes to the end of its list
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const form = h.form(h.method("post"), ui.swap("guests", { place: "append" }), ui.submit("Add"));
 * assertStringIncludes(h.render(form), ' data-ui-swap="guests" data-ui-place="append"');
 * ```
 */
export function swap(id: string, options: SwapOptions = {}): Node {
  const { place } = options;
  const target = h.data("ui-swap", checkedId(id, "swap"));
  if (place === undefined) return target;
  const how = checkedPlacing(place, `ui.swap("${id}", { place: "${place}" })`);
  return h.attrs(target, h.data("ui-place", how));
}

/**
 * Sets where a top-level element of a fragment response goes. Without it, the element morphs the one
 * with its id, node by node, keeping the user's changes. Each of several elements has its own place. An
 * element whose id is already on the page is updated there, not appended, so that a repeated message is
 * shown once.
 *
 * Without a script the handler's whole page has the element in its place.
 *
 * @param how `morph` and `replace` for the target itself, `append` and `prepend` for its content, `before`
 * and `after` for positions next to it, `remove` to remove it.
 * @param target The id of the target. @default the element's own id
 * @returns An attribute of the element.
 * @throws {TypeError} for an invalid position, a position without its target, and an id that a header
 * cannot contain.
 *
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * export const POST = (c: Ctx) =>
 *   c.renderAll(
 *     200,
 *     h.p(h.id("count"), "4 guests"),
 *     h.li(h.id("guest-4"), ui.place("append", "guests"), "Ada"),
 *   );
 * ```
 */
export function place(how: Placing, target?: string): Node {
  checkedPlacing(how, `ui.place("${how}")`);
  if (target !== undefined) return h.data("fw-place", `${how} ${checkedId(target, "place")}`);
  if (/^(?:morph|replace|remove)$/.test(how)) return h.data("fw-place", how);
  throw new TypeError(`Cannot write ui.place("${how}"): name the id of the target.`);
}

const placings: ReadonlySet<string> = new Set<Placing>(
  ["morph", "replace", "append", "prepend", "before", "after", "remove"],
);

function checkedPlacing(how: Placing, call: string): Placing {
  if (placings.has(how)) return how;
  throw new TypeError(`Cannot write ${call}: use ${[...placings].join(", ")}.`);
}

/**
 * Keeps the history unchanged: the content that {@linkcode swap} shows gets no URL. Posted forms
 * never get one.
 *
 * @returns An attribute of the link or form, or of an element around links.
 */
export function noPush(): Node {
  return h.bool("data-ui-no-push");
}

/**
 * Sets the URL of the page to that of the content that {@linkcode swap} shows, without a new history
 * entry. For a search that is sent on input, a reload or a shared link then shows the same results.
 *
 * @returns An attribute of the link or form, or of an element around links.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const form = ui.toolbar(
 *   h.action("/events"),
 *   ui.swap("list"),
 *   ui.replaceUrl(),
 *   ui.submitOn("input"),
 *   ui.field("q", "Search", ui.input(h.name("q"), h.type("search"))),
 *   ui.submit("Find"),
 * );
 * assertStringIncludes(h.render(form), " data-ui-replace-url");
 * ```
 */
export function replaceUrl(): Node {
  return h.bool("data-ui-replace-url");
}

/**
 * Shows each change of an element by {@linkcode swap} in a view transition, unless reduced motion is requested. The
 * page's CSS chooses the moving parts with `view-transition-name`. A browser without view transitions changes the
 * element at once.
 *
 * @returns An attribute of the element that changes, or of an ancestor.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const list = h.ul(h.id("list"), ui.transition(), h.li("Short talks"));
 * assertStringIncludes(h.render(list), " data-ui-transition");
 * ```
 */
export function transition(): Node {
  return h.bool("data-ui-transition");
}

/**
 * Announces a text to screen readers when a response changes it. Visible text needs no announcement: use
 * `role="status"` on its element. A page load announces nothing.
 *
 * @param text The text, such as `12 events found`.
 * @returns An attribute of an element in the response.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const list = h.ul(h.id("list"), ui.announce("1 talk found"), h.li("Short talks"));
 * assertStringIncludes(h.render(list), ' data-ui-announce="1 talk found"');
 * ```
 */
export function announce(text: string): Node {
  return h.data("ui-announce", text);
}

/**
 * Makes the links in an element replace a region instead of the page: the element with the id is replaced by that
 * of the linked page. Links are prefetched when the user points at them. Forms do the same, including posted ones.
 * The script must be on the page: {@linkcode head} or {@linkcode navigateScript} loads it.
 *
 * @param id The id of the region, which every page of the layout has.
 * @returns An attribute of the element that contains the links, often `body`.
 * @throws {TypeError} for an id that a header cannot contain.
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
 *     h.body(
 *       ui.navigate("main"),
 *       ui.nav(ui.navLink(c.href("/"), "Home", c.pattern === "/")),
 *       ui.flashes(c),
 *       h.main(h.id("main"), children),
 *     ),
 *   );
 * }
 * ```
 */
export function navigate(id: string): Node {
  return h.data("ui-navigate", checkedId(id, "navigate"));
}

/**
 * Leaves a link or form, or all of them in an element, to the browser, even inside an element with
 * {@linkcode navigate}.
 *
 * @returns An attribute.
 */
export function noNavigate(): Node {
  return h.bool("data-ui-no-navigate");
}

/**
 * Sends a form with files and shows its progress, then replaces the element of the id as {@linkcode
 * swap} does. Without a script it is a plain post. A route that accepts large files raises its
 * limit in its `middleware.ts`, with `c.allowBody` and `c.noReadDeadline`.
 *
 * @param id The id of the element that the response replaces.
 * @returns The attributes of the form: method, encoding and the id.
 * @throws {TypeError} for an id that a header cannot contain.
 *
 * @example
 * ```ts
 * import type { Ctx, Node } from "@fw/fw";
 * import { csrfInput } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * export function Page(c: Ctx): Node {
 *   return h.form(
 *     h.id("photos"),
 *     ui.uploadTo("photos"),
 *     csrfInput(c),
 *     ui.field("photo", "Photo", ui.fileInput(h.name("photo"))),
 *     ui.uploadBar(),
 *     ui.submit("Send"),
 *   );
 * }
 * ```
 */
export function uploadTo(id: string): Node {
  return h.attrs(
    h.method("post"),
    h.enctype("multipart/form-data"),
    h.data("ui-upload-to", checkedId(id, "uploadTo")),
  );
}

/**
 * Renders the upload's progress, with the percentage and a cancel button; hidden until the upload starts.
 * Put it into the form of {@linkcode uploadTo}.
 *
 * @param attributes More attributes of the `progress`, such as `aria-label`.
 * @returns A row with a `progress` and a button.
 */
export function uploadBar(...attributes: Child[]): Node {
  return h.div(
    h.class("ui-row"),
    h.hidden(),
    h.bool("data-ui-upload-box"),
    h.progress(
      h.aria("label", word("upload")),
      ...attributes,
      h.max(1),
      h.value(0),
      h.bool("data-ui-upload-bar"),
    ),
    h.span(h.class("ui-num"), h.bool("data-ui-upload-percent")),
    h.button(
      h.type("button"),
      h.class("ui-button ui-outline ui-small"),
      h.bool("data-ui-upload-cancel"),
      word("cancel"),
    ),
  );
}

/**
 * Loads the script of the kit, for a layout that does not load it with {@linkcode head}. It is a
 * single file, which a browser loads once, however often it is included.
 *
 * @param c The request, which gives the URL with the fingerprint.
 * @returns A `script`.
 */
export function navigateScript(c: Ctx): Node {
  return kitScript(c);
}
