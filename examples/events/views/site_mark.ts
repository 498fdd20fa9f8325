import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";

const mark = h.svg(
  h.class("mark"),
  h.viewBox("0 0 32 32"),
  h.aria("hidden", "true"),
  h.circle(h.class("mark-sun"), h.cx(16), h.cy(11.5), h.r(9)),
  h.path(h.class("mark-ground"), h.d("M1 23a7.5 7.5 0 0 1 15 0a7.5 7.5 0 0 1 15 0v6H1Z")),
);

/** Renders the logo of the site: a sun behind two arches. */
export function siteMark(): Node {
  return mark;
}
