/** Components that display content: cards, badges, alerts, statistics, empty states. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";
import { icon } from "./icon/icon.ts";
import { word } from "./labels.ts";

/**
 * Renders a card: related content on its own surface.
 *
 * @param children {@linkcode cardHeader}, content, {@linkcode cardFooter}, attributes.
 * @returns A `div`.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * ui.card(
 *   ui.cardHeader("Plan", h.p("What you pay every month.")),
 *   h.p("12 €"),
 *   ui.cardFooter(ui.buttonLink("/plan", "Change")),
 * );
 * ```
 */
export function card(...children: Child[]): Node {
  return h.div(h.class("ui-card"), ...children);
}

/**
 * Renders the header of a card.
 *
 * @param title The heading: text becomes an `h3`; a heading of another level is used as it is.
 * @param children A description, and attributes.
 * @returns A `div`.
 */
export function cardHeader(title: string | Node, ...children: Child[]): Node {
  return h.div(
    h.class("ui-card-header"),
    typeof title === "string" ? h.h3(title) : title,
    ...children,
  );
}

/**
 * Renders the footer of a card.
 *
 * @param children Buttons, notes, attributes.
 * @returns A `div`.
 */
export function cardFooter(...children: Child[]): Node {
  return h.div(h.class("ui-card-footer"), ...children);
}

/**
 * Renders a badge: a word or a number that labels an item. Variants: {@linkcode primary} (the
 * default), {@linkcode secondary}, {@linkcode outline}, {@linkcode success}, {@linkcode warning},
 * {@linkcode info}, {@linkcode destructive}.
 *
 * @param children Text, an icon, variants and attributes.
 * @returns A `span`.
 */
export function badge(...children: Child[]): Node {
  return h.span(h.class("ui-badge"), ...children);
}

/**
 * Renders an alert: a message that is part of the page. Variants: {@linkcode info}, {@linkcode
 * success}, {@linkcode warning}, {@linkcode destructive}. For one that appears later, add
 * `h.role("status")`, or `h.role("alert")` if it is urgent.
 *
 * @param title The short message; `undefined` for none.
 * @param children An icon, more text, variants and attributes.
 * @returns A `div`.
 */
export function alert(title: Child, ...children: Child[]): Node {
  return h.div(
    h.class("ui-alert"),
    h.render(title) !== "" && h.p(h.class("ui-alert-title"), title),
    ...children,
  );
}

/** Options of {@linkcode avatar}. */
export interface AvatarOptions {
  /** The URL of an image. @default none: the initials are shown */
  readonly src?: string | URL | undefined;
}

/**
 * Renders an avatar: an image or initials.
 *
 * @param name The full name, which screen readers announce.
 * @param options An image.
 * @param children Sizes and attributes.
 * @returns An `img`, or a `span` with the initials.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * assertEquals(
 *   h.render(ui.avatar("Ada King Lovelace")),
 *   '<span class="ui-avatar" role="img" aria-label="Ada King Lovelace">AL</span>',
 * );
 * ```
 */
export function avatar(name: string, options: AvatarOptions = {}, ...children: Child[]): Node {
  return options.src === undefined
    ? h.span(
      h.class("ui-avatar"),
      // An image must have a name, and this one would show nothing.
      name.trim() === "" ? h.aria("hidden", "true") : [h.role("img"), h.aria("label", name)],
      ...children,
      initials(name),
    )
    : h.img(h.class("ui-avatar"), h.src(options.src), h.alt(name), ...children);
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word = "") => firstGrapheme(word).toUpperCase()).join("");
}

let graphemes: Intl.Segmenter | undefined;

function firstGrapheme(word: string): string {
  // Created on first use, because the first one takes 20 ms, which would delay every start and test.
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const { segment } of graphemes.segment(word)) return segment;
  return "";
}

/**
 * Renders a progress bar.
 *
 * @param label The name of the task, for screen readers.
 * @param value From 0 to 100, or to the value of `h.max`; `undefined` or `NaN` while unknown.
 * @param attributes More attributes.
 * @returns A `progress`.
 */
export function progress(
  label: string,
  value: number | undefined,
  ...attributes: Child[]
): Node {
  return h.progress(
    h.class("ui-progress"),
    h.aria("label", label),
    h.max(100),
    Number.isFinite(value) && h.value(value),
    ...attributes,
  );
}

/**
 * Renders a placeholder for text that is loading.
 *
 * @param lines The expected number of lines.
 * @default lines 3
 * @param attributes More attributes.
 * @returns A `div` that screen readers announce as loading.
 */
export function skeleton(lines: number = 3, ...attributes: Child[]): Node {
  return h.div(
    h.class("ui-skeleton"),
    h.role("status"),
    h.aria("label", word("loading")),
    ...attributes,
    h.map(Array.from({ length: lines }), () => h.span()),
  );
}

/**
 * Renders an empty state: say why it is empty and what to do.
 *
 * @param title What is missing; a heading is used as it is.
 * @param children An icon, text, a button, attributes.
 * @returns A `div`.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * ui.emptyState(
 *   "No events yet",
 *   ui.icon("calendar"),
 *   h.p("Announce the first one; it takes a minute."),
 *   ui.buttonLink("/events/new", "New event"),
 * );
 * ```
 */
export function emptyState(title: string | Node, ...children: Child[]): Node {
  return h.div(
    h.class("ui-empty"),
    typeof title === "string" ? h.p(h.class("ui-empty-title"), title) : title,
    ...children,
  );
}

/**
 * Renders a labelled statistic.
 *
 * @param label The name of the figure.
 * @param value The figure.
 * @param children A note such as the change, and attributes.
 * @returns A `div`.
 */
export function stat(label: Child, value: Child, ...children: Child[]): Node {
  return h.div(
    h.class("ui-stat"),
    h.p(h.class("ui-stat-label"), label),
    h.p(h.class("ui-stat-value"), value),
    ...children,
  );
}

/** Options of {@linkcode delta}. */
export interface DeltaOptions {
  /** Direction of the change. */
  readonly direction: "up" | "down";
  /** Whether the change is good; without it the change has no colour. @default neither */
  readonly good?: boolean;
  /** The previous value. @default not shown */
  readonly from?: Child;
}

/**
 * Renders the change of a figure.
 *
 * @param text The amount: "12", "3.1 %".
 * @param options Direction, whether it is good, the previous value.
 * @returns A `p` for {@linkcode stat}.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.card(ui.stat("Products", 128, ui.delta("12", { direction: "up", good: true, from: 116 })));
 * ```
 */
export function delta(text: Child, options: DeltaOptions): Node {
  const { direction, good, from } = options;
  const tone = good === undefined ? undefined : h.class(good ? "ui-success" : "ui-destructive");
  return h.p(
    h.span(
      h.class("ui-delta"),
      tone,
      icon(direction === "up" ? "arrow-up" : "arrow-down"),
      // The arrow is only visual.
      h.span(h.class("ui-sr-only"), direction === "up" ? "+" : "−"),
      text,
    ),
    from !== undefined &&
      [" ", h.raw(h.escape(word("from")).replace("{value}", () => h.render(from)))],
  );
}

/**
 * Renders a container for a user's or model's text that a Markdown library converted to HTML; it spaces
 * paragraphs, lists, quotes, code and tables.
 *
 * @param children Attributes and nodes.
 * @returns A `div`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * assertEquals(h.render(ui.prose(h.p("Free seats"))), '<div class="ui-prose"><p>Free seats</p></div>');
 * ```
 */
export function prose(...children: Child[]): Node {
  return h.div(h.class("ui-prose"), ...children);
}
