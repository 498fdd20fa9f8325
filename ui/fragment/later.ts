/** Attributes for elements that are loaded or updated after the page. */
import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { checkedId } from "./checked_id.ts";

/**
 * Loads an element when it comes near the viewport: the element with its id in the response replaces it, as
 * with {@linkcode swap}. Put a link to the same URL into it, for browsers without the script and for a
 * failed response.
 *
 * @param url A URL of this site, which responds with an element of the same id.
 * @returns An attribute of the element, which needs an `id`.
 * @throws {TypeError} for an empty URL.
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
 * Requests an element periodically and updates it if the response differs. Polling pauses while the page is
 * hidden, yields to the user's requests, and waits up to 32 times as long after failures. It ends when the
 * new element lacks the attribute. Without the script the element stays as it is.
 *
 * @param url A URL of this site, which responds with an element of the same id.
 * @param ms Delay between a response and the next request, in milliseconds, at least 500.
 * @returns An attribute of the element, which needs an `id`.
 * @throws {TypeError} for an empty URL.
 * @throws {RangeError} for a shorter delay.
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
 * Makes a link append the next page to a list when it comes near the viewport or is clicked. The children
 * of the list in the response are appended, except those whose id is already on the page, and the
 * response's link replaces this one. The link may be beside the list or in its last row. Without the
 * script it is a link to the next page.
 *
 * If the browser reloads the page on Back, the list loads as many pages as it had, at the same position.
 *
 * @param url The URL of the next page, on this site.
 * @param id The id of the list: a `ul`, a `tbody` or any other element whose children are its rows.
 * @returns The attributes of an `a`: its `href` and the id.
 * @throws {TypeError} for an empty URL, and for an id that a header cannot contain.
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
 * Follows a stream of Server-Sent Events while the element is on the page: each `message` is HTML, whose
 * elements replace those with their ids, or go where {@linkcode place} puts them. The connection closes while
 * the page is hidden and reopens with the id of the last event; after failures it waits up to a minute.
 * `s.done()` ends it. Without the script the page stays as it was rendered.
 *
 * @param url The URL of a handler that responds with `c.stream`, on this site.
 * @returns An attribute of an element.
 * @throws {TypeError} for an empty URL.
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

function checkedUrl(url: string, name: string): string {
  if (url !== "" && !/\s/.test(url)) return url;
  throw new TypeError(`Cannot write ui.${name}("${url}"): use a URL without spaces, not "".`);
}

/**
 * Shows the expected response of a form at once, until the response replaces it; a refusal restores the page. The
 * elements have places as in a response ({@linkcode place}). It works only in forms with {@linkcode swap}.
 *
 * Without a script it is never shown.
 *
 * @param children The elements.
 * @returns A `template`, to pass as a child of the form.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const form = h.form(
 *   h.method("post"),
 *   ui.swap("guests"),
 *   h.input(h.name("name")),
 *   ui.optimistic(h.li(ui.place("append", "guests"), ui.formValue("name"))),
 * );
 * h.render(form);
 * ```
 */
export function optimistic(...children: Child[]): Node {
  return h.el("template", h.bool("data-ui-optimistic"), ...children);
}

/**
 * Sets the text of an element in {@linkcode optimistic} to a field's value or chosen option.
 *
 * @param name The name of the field.
 * @returns An attribute of the element.
 */
export function formValue(name: string): Node {
  return h.data("ui-value", name);
}
