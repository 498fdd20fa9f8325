/** Components that show one part of their content at a time: tabs and accordions. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";

/** One of several tabs. */
export interface Tab {
  /** Label of the tab. */
  readonly label: Child;
  /** Content of the tab. */
  readonly content: Child;
}

/**
 * Renders tabs, which show one part of the content at a time. Without a script all parts are shown
 * one below the other, under a list of links to them.
 *
 * @param id The id of the component; the parts have the ids `id-1`, `id-2` and so on, which links may target.
 * @param tabs The parts; the first is shown initially.
 * @param children More attributes.
 * @returns A `div`.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * ui.tabs("settings", [
 *   { label: "Account", content: h.p("Your name and address.") },
 *   { label: "Password", content: h.p("Change it here.") },
 * ]);
 * ```
 */
export function tabs(id: string, tabs: readonly Tab[], ...children: Child[]): Node {
  return h.div(
    h.class("ui-tabs"),
    ...children,
    h.id(id),
    h.bool("data-ui-tabs"),
    h.div(
      h.class("ui-tab-list"),
      h.mapIndex(
        tabs,
        ({ label }, at) =>
          h.a(
            h.class("ui-tab"),
            h.id(`${id}-tab-${at + 1}`),
            h.href(`#${id}-${at + 1}`),
            h.aria("controls", `${id}-${at + 1}`),
            label,
          ),
      ),
    ),
    h.mapIndex(tabs, ({ label, content }, at) =>
      h.section(
        h.class("ui-tab-panel"),
        h.id(`${id}-${at + 1}`),
        h.aria("labelledby", `${id}-tab-${at + 1}`),
        h.p(h.class("ui-tab-title"), h.aria("hidden", "true"), label),
        content,
      )),
  );
}

/** One part of an accordion. */
export interface AccordionItem {
  /** The heading, always visible. */
  readonly title: Child;
  /** Content of the item. */
  readonly content: Child;
  /** Whether the item is initially open. @default false */
  readonly open?: boolean;
}

/**
 * Renders an accordion, whose parts open one at a time.
 *
 * @param name The group's name, which makes opening one part close the others; with `""` the parts are independent.
 * @param items The parts.
 * @param children More attributes.
 * @returns A `div` of `details`.
 */
export function accordion(
  name: string,
  items: readonly AccordionItem[],
  ...children: Child[]
): Node {
  return h.div(
    h.class("ui-accordion"),
    ...children,
    h.map(items, ({ title, content, open = false }) =>
      h.details(
        name !== "" && h.name(name),
        h.open(open),
        h.summary(title),
        h.div(h.class("ui-accordion-content"), content),
      )),
  );
}
