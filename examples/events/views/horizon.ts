import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";

const waves = [0, 1, 2, 3];
const scales = [0, 1, 2, 3, 4, 5];

const picture = h.svg(
  h.class("horizon"),
  h.viewBox("0 0 400 340"),
  h.aria("hidden", "true"),
  h.circle(h.class("mark-sun"), h.cx(200), h.cy(140), h.r(140)),
  h.map(waves, (wave) =>
    h.g(
      h.class(`wave-${wave}`),
      h.map(scales, (scale) => {
        const x = scale * 80 - (wave % 2 === 0 ? 0 : 40);
        return h.path(h.d(`M${x} ${220 + wave * 40}a40 40 0 0 1 80 0v120h-80Z`));
      }),
    )),
);

/** Renders a sunset behind rows of tiles, for pages without other content. */
export function horizon(): Node {
  return picture;
}
