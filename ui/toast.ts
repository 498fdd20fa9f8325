/** Messages that appear at the edge of the window. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";
import type { Ctx, FlashKind } from "../mod.ts";
import { postButton } from "./button.ts";
import { icon } from "./icon/icon.ts";
import { word } from "./labels.ts";
import { outline, small } from "./variants.ts";

const flashMs = 6_000;

const actionMs = 20_000;

const classes: Readonly<Record<FlashKind, string>> = {
  info: "ui-toast ui-info",
  success: "ui-toast ui-success",
  error: "ui-toast ui-destructive",
};

/**
 * Renders the region for messages, with those that the last request left by `c.flash`. Put it before
 * `main`, where they appear in the page without a script. Success and info messages disappear on
 * their own, with a button after 20 seconds; an error stays until it is closed. Messages of fragments
 * appear here as well. Three are shown at once and the rest wait; F8 moves to the first error.
 *
 * @param c The request, whose messages are consumed.
 * @returns The region, even without messages.
 */
export function flashes(c: Ctx): Node {
  return toaster(
    ...c.flashes().map(({ kind, text, action }) =>
      action === undefined
        ? toast(kind, text, kind === "error" ? 0 : flashMs)
        : toast(kind, text, actionMs, postButton(c, action, outline, small))
    ),
  );
}

/**
 * Renders one message.
 *
 * @param kind The kind: screen readers announce an error at once, the others at the next pause.
 * @param text The message.
 * @param ms Time until it disappears, in milliseconds; 0 for never. It stays while hovered.
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
 * Renders the region for messages; one per page. {@linkcode flashes} fills it with the messages of
 * the request.
 *
 * @param children {@linkcode toast}s and attributes.
 * @returns A `div` whose additions screen readers announce.
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
