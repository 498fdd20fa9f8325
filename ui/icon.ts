/** Icons: small drawings in lines, inline, that take the size and the colour of the text. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";
import { iconShapes } from "./icon_shapes.ts";

/** The names of the icons. */
export type IconName = keyof typeof iconShapes;

// Made once: an icon is the same text each time.
const shapes: ReadonlyMap<string, Node> = new Map(
  Object.entries(iconShapes).map(([name, d]) => [name, h.path(h.d(d))]),
);

/**
 * An icon. Screen readers pass over it: say in words beside it what it means, or give the button that
 * holds it an `aria-label`.
 *
 * @param name One of {@linkcode icons}.
 * @param attributes More attributes of the `svg`.
 * @returns The `svg` element.
 * @throws {TypeError} When there is no icon of that name.
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
  const shape = shapes.get(name);
  if (shape === undefined) {
    throw new TypeError(
      `Cannot draw the icon "${name}": there is none of that name; icons() gives those there are.`,
    );
  }
  return h.svg(
    h.class("ui-icon"),
    h.viewBox("0 0 24 24"),
    h.aria("hidden", true),
    ...attributes,
    shape,
  );
}

/**
 * The names of all icons, in alphabetical order.
 *
 * @returns A fresh array.
 */
export function icons(): IconName[] {
  return Object.keys(iconShapes) as IconName[];
}
