/** Icons: small inline line drawings in the size and colour of the text. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { type IconName, iconShapes } from "./shapes.ts";

/** Icons with a horizontal direction, which are mirrored in right-to-left text. */
const directed: ReadonlySet<string> = new Set<IconName>([
  "arrow-left",
  "arrow-right",
  "chevron-left",
  "chevron-right",
  "external",
  "log-out",
  "send",
  "undo",
]);

// Rendered once, because an icon never changes.
const shapes: ReadonlyMap<string, readonly [look: Node, shape: Node]> = new Map(
  Object.entries(iconShapes).map(([name, d]) => [
    name,
    [h.class(directed.has(name) ? "ui-icon ui-flip" : "ui-icon"), h.path(h.d(d))],
  ]),
);

/**
 * Renders an icon. Screen readers skip it: put its meaning into text beside it, or give its button
 * an `aria-label`.
 *
 * @param name One of {@linkcode icons}.
 * @param attributes More attributes of the `svg`.
 * @returns The `svg` element.
 * @throws {TypeError} if there is no icon with that name.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * ui.button(ui.icon("plus"), "New event");
 * ui.button(ui.ghost, ui.square, h.aria("label", "Search"), ui.icon("search"));
 * ```
 */
export function icon(name: IconName, ...attributes: Child[]): Node {
  const known = shapes.get(name);
  if (known === undefined) {
    throw new TypeError(
      `Cannot draw the icon "${name}": there is none of that name; icons() gives those there are.`,
    );
  }
  const [look, shape] = known;
  return h.svg(
    look,
    h.viewBox("0 0 24 24"),
    h.aria("hidden", "true"),
    ...attributes,
    shape,
  );
}

/**
 * Lists the names of all icons in alphabetical order.
 *
 * @returns A fresh array.
 */
export function icons(): IconName[] {
  return Object.keys(iconShapes) as IconName[];
}
