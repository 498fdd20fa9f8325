import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";

/**
 * Renders a row of tiles across the page, in the colours of the theme.
 *
 * @param id The id of its pattern, unique on the page.
 */
export function frieze(id: string): Node {
  return h.svg(
    h.class("frieze"),
    h.aria("hidden", "true"),
    h.defs(
      h.el(
        "pattern",
        h.id(id),
        h.attr("patternUnits", "userSpaceOnUse"),
        h.attr("x", "50%"),
        h.width(48),
        h.height(24),
        h.viewBox("0 0 96 48"),
        ...tile,
      ),
    ),
    h.rect(h.width("100%"), h.height("100%"), h.fill(`url(#${id})`)),
  );
}

/** Leaves around scales, 96 by 48, with a dot where tiles meet. */
const tile: readonly Node[] = [
  h.rect(h.class("tile-ground"), h.width(96), h.height(48)),
  h.path(
    h.class("tile-leaf"),
    h.d("M0 0A48 48 0 0 1 48 48A48 48 0 0 1 0 0ZM96 0A48 48 0 0 0 48 48A48 48 0 0 0 96 0Z"),
  ),
  h.path(
    h.class("tile-scale"),
    h.d("M0 48V28A20 20 0 0 1 20 48ZM96 48V28A20 20 0 0 0 76 48ZM28 0A20 20 0 0 0 68 0Z"),
  ),
  h.map(
    [[48, 0], [0, 48], [96, 48]],
    ([x = 0, y = 0]) => h.circle(h.class("tile-dot"), h.cx(x), h.cy(y), h.r(9)),
  ),
];
