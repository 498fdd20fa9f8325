/** Attributes and scripts for pages whose pieces are replaced without leaving the page. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";
import type { Ctx } from "../mod.ts";
import { kitScript } from "./head.ts";
import { english, word } from "./labels.ts";

/** A valid value of the header `FW-Fragment`. */
const fragmentId = /^[\w.:-]{1,100}$/;

function checkedId(id: string, name: string): string {
  if (fragmentId.test(id)) return id;
  throw new TypeError(
    `Cannot write ui.${name}("${id}"): an id is 1 to 100 letters, digits, "_", "-", "." or ":".`,
  );
}

/**
 * Makes a link or a form replace one element instead of the page: the element with the id in the
 * response replaces the one on the page. The handler is the same; `c.fragment` holds the id.
 * Without a script the link and the form load the whole page.
 *
 * On any other element, such as a {@linkcode dataTable} or a {@linkcode pagination}, it applies to
 * the links inside, except those in the rows of a table, those under {@linkcode noNavigate} and
 * those to an anchor on the page.
 *
 * @param id The id of the element.
 * @returns The attributes of a `form`, an `a`, or an element around links.
 * @throws {TypeError} For an id that no header can carry.
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
 */
export function swap(id: string): Node {
  return h.attrs(h.data("ui-swap", checkedId(id, "swap")), againAttributes());
}

/** The position at which {@linkcode place} puts an element. */
export type Placing = "morph" | "replace" | "append" | "prepend" | "before" | "after" | "remove";

/**
 * Sets where an element at the top of a fragment response goes. Without it, the element changes the one
 * with its id, node by node, and what the user did there stays. Of several elements in one response each
 * has its own place; the id of one that is already on the page wins over `append` and its kin, so that a
 * message that comes twice is shown once.
 *
 * Without a script the handler's whole page has the element in its place.
 *
 * @param how `morph` and `replace` for the target itself, `append` and `prepend` for its content, `before`
 * and `after` for its neighbourhood, `remove` to remove it.
 * @param target The id of the target. @default the element's own id
 * @returns An attribute of the element.
 * @throws {TypeError} For another way, for an id that no header can carry, and for a way that needs a target.
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
  if (!placings.has(how)) {
    throw new TypeError(`Cannot write ui.place("${how}"): use ${[...placings].join(", ")}.`);
  }
  if (target !== undefined) return h.data("fw-place", `${how} ${checkedId(target, "place")}`);
  if (/^(?:morph|replace|remove)$/.test(how)) return h.data("fw-place", how);
  throw new TypeError(`Cannot write ui.place("${how}"): name the id of the target.`);
}

const placings: ReadonlySet<string> = new Set<Placing>(
  ["morph", "replace", "append", "prepend", "before", "after", "remove"],
);

/**
 * Leaves the history alone: what {@linkcode swap} shows gets no URL of its own. Forms that post
 * never get one.
 *
 * @returns An attribute of the link or form, or of an element around links.
 */
export function noPush(): Node {
  return h.bool("data-ui-no-push");
}

/**
 * Replaces the URL of the page by that of what {@linkcode swap} shows, without a new history entry:
 * with a search that is sent on input, a reload and a shared link then show the same results.
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
 * Loads an element when it comes near the window: the element of its id in the response changes it, as with
 * {@linkcode swap}. Put a link to the same URL into it, for browsers without the script and for a response
 * that fails.
 *
 * @param url A URL of this site, which responds with an element of the same id.
 * @returns An attribute of the element, which needs an `id`.
 * @throws {TypeError} For an empty URL.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const related = h.section(
 *   h.id("related"),
 *   ui.load("/related"),
 *   h.a(h.href("/related"), "Related events"),
 * );
 * assertStringIncludes(h.render(related), ' data-ui-load="/related"');
 * ```
 */
export function load(url: string): Node {
  return h.data("ui-load", checkedUrl(url, "load"));
}

/**
 * Requests an element again and again, and changes it where the response differs. It pauses while the page
 * is hidden, gives way to what the user sends, and waits up to 32 times as long after failures. It ends when
 * the element that comes is without it. Without the script the element stays as it is.
 *
 * @param url A URL of this site, which responds with an element of the same id.
 * @param ms The time from a response to the next request, in milliseconds, at least 500.
 * @returns An attribute of the element, which needs an `id`.
 * @throws {TypeError} For an empty URL.
 * @throws {RangeError} For a shorter time.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const queue = h.p(h.id("queue"), ui.poll("/queue", 5_000), "3 waiting");
 * assertStringIncludes(h.render(queue), ' data-ui-poll="5000 /queue"');
 * ```
 */
export function poll(url: string, ms: number): Node {
  if (!(ms >= 500 && ms < 2 ** 26)) {
    throw new RangeError(
      `Cannot write ui.poll with ${ms} ms: use at least 500, and less than a day.`,
    );
  }
  return h.data("ui-poll", `${ms} ${checkedUrl(url, "poll")}`);
}

/**
 * Makes a link that adds the next page to the end of a list: when it comes near the window, and when it is
 * clicked. The children of the list in the response are appended, but for those whose id is there already,
 * and the link gives way to the one of the response. It may stand beside the list or in its last row.
 * Without the script it is a link to the next page.
 *
 * Where the browser loads the page again on Back, the list gets as many pages as it had, at the same place.
 *
 * @param url The URL of the next page, on this site.
 * @param id The id of the list: of a `ul`, a `tbody` or any other element whose children are its rows.
 * @returns The attributes of an `a`: its `href` and the id.
 * @throws {TypeError} For an empty URL, and for an id that no header can carry.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const page = h.fragment(
 *   h.ul(h.id("talks"), h.li(h.id("talk-1"), "Swifts")),
 *   h.a(ui.more("/talks?page=2", "talks"), "More talks"),
 * );
 * assertStringIncludes(h.render(page), '<a href="/talks?page=2" data-ui-more="talks">');
 * ```
 */
export function more(url: string, id: string): Node {
  return h.attrs(h.href(checkedUrl(url, "more")), h.data("ui-more", checkedId(id, "more")));
}

/**
 * Follows a stream of Server-Sent Events for as long as the element is on the page: each `message` is HTML,
 * whose elements go where their ids are, or where {@linkcode place} puts them. The connection is closed while
 * the page is hidden, and opened again with the id of the last event; after failures it waits up to a minute.
 * `s.done()` ends it. Without the script the page stays as it was rendered.
 *
 * @param url The URL of a handler that responds with `c.stream`, on this site.
 * @returns An attribute of an element.
 * @throws {TypeError} For an empty URL.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import type { Ctx } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const list = h.ul(h.id("log"), ui.live("/api/log"), h.li("Started"));
 * assertStringIncludes(h.render(list), ' data-ui-live="/api/log"');
 *
 * export const GET = (c: Ctx): Response =>
 *   c.stream(async (s) => {
 *     await s.send("message", h.render(h.li(ui.place("append", "log"), "Done")));
 *     await s.done();
 *   });
 * ```
 */
export function live(url: string): Node {
  return h.data("ui-live", checkedUrl(url, "live"));
}

/** The methods that {@linkcode method} sends. */
export type FormMethod = "PUT" | "PATCH" | "DELETE";

const formMethods: ReadonlySet<string> = new Set<FormMethod>(["PUT", "PATCH", "DELETE"]);

/**
 * Sends a form with {@linkcode swap} by another method, also one button of it. HTML has no such method, so
 * without the script the form is posted: let the page have the same handler for both.
 *
 * @param name The method.
 * @returns An attribute of a `form` with `h.method("post")`, or of one of its buttons.
 * @throws {TypeError} For another method.
 *
 * @example
 * ```ts
 * import type { Ctx, Result } from "@fw/fw";
 * import { csrfInput } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * export const Page = (c: Ctx) =>
 *   h.div(
 *     h.id("talk"),
 *     h.form(
 *       h.method("post"),
 *       ui.method("DELETE"),
 *       ui.swap("talk"),
 *       csrfInput(c),
 *       ui.submit("Delete"),
 *     ),
 *   );
 *
 * export function DELETE(c: Ctx): Result {
 *   return c.redirect(c.href("/talks"));
 * }
 *
 * export const POST = DELETE;
 * ```
 */
export function method(name: FormMethod): Node {
  if (formMethods.has(name)) return h.data("ui-method", name);
  throw new TypeError(`Cannot write ui.method("${name}"): use ${[...formMethods].join(", ")}.`);
}

/**
 * Renders hidden fields: what a form sends besides its visible fields.
 *
 * @param values The fields by their names; a list writes one field for each value, `undefined` none.
 * @returns `input` elements for a form.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * assertEquals(
 *   h.render(h.form(ui.values({ day: ["mon", "tue"] }))),
 *   '<form><input type="hidden" name="day" value="mon"><input type="hidden" name="day" value="tue"></form>',
 * );
 * ```
 */
export function values(
  values: Readonly<Record<string, FieldValue | readonly FieldValue[] | undefined>>,
): Node {
  return h.fragment(
    Object.entries(values).flatMap(([name, value]) =>
      [value].flat().filter((each) => each !== undefined).map((each) =>
        h.input(h.type("hidden"), h.name(name), h.value(String(each)))
      )
    ),
  );
}

/** A value of {@linkcode values}. */
export type FieldValue = string | number | boolean;

function checkedUrl(url: string, name: string): string {
  if (url !== "" && !/\s/.test(url)) return url;
  throw new TypeError(`Cannot write ui.${name}("${url}"): a URL is not empty and has no spaces.`);
}

/** When {@linkcode submitOn} sends a form. */
export interface SubmitOnOptions {
  /** Time without a change before the form is sent, in milliseconds. @default 250 for `input`, 0 for `change` */
  readonly delayMs?: number;
}

/**
 * Submits a form when the user types in a field (`input`) or has changed it (`change`): a search
 * while typing, a select that narrows a list. It is for forms that get, mostly with
 * {@linkcode swap} and {@linkcode replaceUrl}; a form that is not valid waits. Without a script the
 * form's own button sends it.
 *
 * @param event Which event of the fields sends it.
 * @returns An attribute of the form, of one of its controls, or of an element around some.
 * @throws {TypeError} For another event, and for a delay that is no time.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const form = h.form(
 *   h.action("/events"),
 *   ui.swap("list"),
 *   ui.replaceUrl(),
 *   ui.submitOn("input"),
 *   ui.field("q", "Search", ui.input(h.name("q"), h.type("search"))),
 *   ui.submit("Find"),
 * );
 * h.render(form);
 * ```
 */
export function submitOn(event: "input" | "change", options: SubmitOnOptions = {}): Node {
  if (event !== "input" && event !== "change") {
    throw new TypeError(`Cannot write ui.submitOn("${event}"): use "input" or "change".`);
  }
  const { delayMs = event === "input" ? 250 : 0 } = options;
  if (!Number.isFinite(delayMs) || delayMs < 0) {
    throw new TypeError(
      `Cannot write ui.submitOn with delayMs ${delayMs}: use milliseconds from 0.`,
    );
  }
  return h.data("ui-submit-on", `${event} ${delayMs}`);
}

/**
 * Makes the links in an element replace a region instead of the page: the element with the id is
 * replaced by that of the linked page. Links are prefetched when the user points at them. The
 * script must be on the page: {@linkcode head} loads it, or {@linkcode navigateScript}.
 *
 * @param id The id of the region, which every page of the layout has.
 * @returns An attribute of the element that holds the links, often `body`.
 * @throws {TypeError} For an id that no header can carry.
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
 * Leaves a link, or all links in an element, to the browser, even inside an element with
 * {@linkcode navigate}.
 *
 * @returns An attribute.
 */
export function noNavigate(): Node {
  return h.bool("data-ui-no-navigate");
}

/**
 * Sends a form with files and shows its progress, then replaces the element of the id as
 * {@linkcode swap} does. Without a script it is a plain post. A route that takes large files raises
 * its limit in its `middleware.ts`, with `c.allowBody` and `c.noReadDeadline`.
 *
 * @param id The id of the element that the answer replaces.
 * @returns The attributes of the form: method, encoding and the id.
 * @throws {TypeError} For an id that no header can carry.
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
    againAttributes(),
  );
}

/**
 * Renders the upload's progress, with the percentage and a button that cancels it; hidden until it starts.
 * It goes into the form of {@linkcode uploadTo}.
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
 * single file: a browser loads it once however often it is included.
 *
 * @param c The request, which gives the URL with the fingerprint.
 * @returns A `script`.
 */
export function navigateScript(c: Ctx): Node {
  return kitScript(c);
}

/**
 * Loads the same script, for a page that uploads.
 *
 * @param c The request, which gives the URL with the fingerprint.
 * @returns A `script`.
 */
export function uploadScript(c: Ctx): Node {
  return navigateScript(c);
}

/**
 * Returns the words of the question before a post is sent again, where they are not the script's
 * own.
 */
function againAttributes(): Node {
  if (word("again") === english.again) return h.attrs();
  return h.attrs(
    h.data("ui-again", word("again")),
    h.data("ui-again-text", word("againText")),
    h.data("ui-again-ok", word("againOk")),
    h.data("ui-again-cancel", word("cancel")),
  );
}
