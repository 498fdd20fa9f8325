import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";

/** Draws one tile, 120 by 120, in two colours. */
export type Motif = (figure: string, second: string) => Node;

/** The motifs of tiles. */
export const motifs: readonly Motif[] = [leaf, rings, halves, fan, star, arches, corners];

function path(d: string, color: string): Node {
  return h.path(h.d(d), h.fill(color));
}

/** A leaf from corner to corner. */
function leaf(figure: string, second: string): Node {
  return h.fragment(
    path("M0 0A120 120 0 0 1 120 120A120 120 0 0 1 0 0Z", figure),
    path("M120 0v44a44 44 0 0 1-44-44ZM0 120v-44a44 44 0 0 1 44 44Z", second),
  );
}

/** Quarter rings around one corner. */
function rings(figure: string, second: string): Node {
  return h.fragment(
    path("M0 0H120A120 120 0 0 1 0 120ZM0 0V84A84 84 0 0 0 84 0Z", figure),
    path("M0 0H48A48 48 0 0 1 0 48Z", second),
  );
}

/** Two triangles. */
function halves(figure: string, second: string): Node {
  return h.fragment(
    path("M0 0H120L0 120Z", figure),
    path("M120 120V60L60 120Z", second),
  );
}

/** A quarter disc with a smaller one against it. */
function fan(figure: string, second: string): Node {
  return h.fragment(
    path("M0 0H120A120 120 0 0 1 0 120Z", figure),
    path("M120 120H60A60 60 0 0 1 120 60Z", second),
  );
}

/** An eight-pointed star. */
function star(figure: string, second: string): Node {
  return h.fragment(
    path("M60 0L77 43L120 60L77 77L60 120L43 77L0 60L43 43Z", figure),
    path("M0 0h30L0 30ZM120 0v30L90 0ZM0 120v-30L30 120ZM120 120h-30L120 90Z", second),
  );
}

/** Two rows of scales. */
function arches(figure: string, second: string): Node {
  return h.fragment(
    path("M0 60A60 60 0 0 1 120 60Z", figure),
    path("M0 120A60 60 0 0 1 120 120Z", second),
    path("M30 120A30 30 0 0 1 90 120Z", figure),
  );
}

/** Four rounded corners around a diamond. */
function corners(figure: string, second: string): Node {
  return h.fragment(
    path(
      "M0 0H60A60 60 0 0 1 0 60ZM120 0V60A60 60 0 0 1 60 0ZM120 120H60A60 60 0 0 1 120 60ZM0 120V60A60 60 0 0 1 60 120Z",
      figure,
    ),
    path("M60 40L80 60L60 80L40 60Z", second),
  );
}
