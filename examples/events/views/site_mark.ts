import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";

const mark = h.svg(
  h.class("mark"),
  h.viewBox("0 0 32 32"),
  h.aria("hidden", "true"),
  h.circle(h.class("mark-sun"), h.cx(16), h.cy(13), h.r(8)),
  h.path(h.class("mark-ground"), h.d("M2 17a7 7 0 0 1 14 0a7 7 0 0 1 14 0v11H2Z")),
);

/** The sign of the site: a sun behind two arches. */
export function siteMark(): Node {
  return mark;
}
