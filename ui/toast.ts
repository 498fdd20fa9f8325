/** Messages that appear at the edge of the window. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";
import type { Ctx, FlashKind } from "../mod.ts";
import { icon } from "./icon/icon.ts";
import { word } from "./labels.ts";

/** How long a message stays that needs no answer, in milliseconds. */
const flashMs = 6_000;

const classes: Readonly<Record<FlashKind, string>> = {
  info: "ui-toast ui-info",
  success: "ui-toast ui-success",
  error: "ui-toast ui-destructive",
};

/**
 * The place of the messages, with those that the last request left by `c.flash`; put it before `main`,
 * where they stand in the page without a script. Messages of success and information leave by
 * themselves, an error stays until it is closed. Messages of fragments appear here as well. Three are
 * shown at once, the rest waits; F8 leads to the first error.
 *
 * @param c The request: its messages are taken.
 * @returns The place of the messages, also when there is none.
 */
export function flashes(c: Ctx): Node {
  return toaster(
    ...c.flashes().map(({ kind, text }) => toast(kind, text, kind === "error" ? 0 : flashMs)),
  );
}

/**
 * One message.
 *
 * @param kind What it is: an error is told at once, the others when there is a pause.
 * @param text The message.
 * @param ms After how many milliseconds it leaves; 0 for never. It waits while it is pointed at.
 * @default ms 0
 * @param children More content and attributes.
 * @returns A `div` for {@linkcode toaster}.
 */
export function toast(kind: FlashKind, text: Child, ms: number = 0, ...children: Child[]): Node {
  return h.div(
    h.class(classes[kind]),
    kind === "error" && h.role("alert"),
    h.bool("data-ui-toast"),
    ms > 0 && h.data("ui-fade", ms),
    h.p(text),
    ...children,
    h.button(
      h.class("ui-toast-close"),
      h.type("button"),
      h.bool("data-ui-close"),
      h.aria("label", word("close")),
      icon("x"),
    ),
  );
}

/**
 * The place of the messages; one a page. {@linkcode flashes} is it with the messages of the request.
 *
 * @param children {@linkcode toast}s and attributes.
 * @returns A `div` whose additions screen readers say.
 */
export function toaster(...children: Child[]): Node {
  return h.div(
    h.class("ui-toaster"),
    h.role("region"),
    h.aria("live", "polite"),
    h.aria("label", word("toaster")),
    h.attr("aria-keyshortcuts", "F8"),
    h.data("ui-close-label", word("close")),
    ...children,
    h.bool("data-ui-toaster"),
  );
}
