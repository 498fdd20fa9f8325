import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";

/** How many of the seats are taken, as a bar with its numbers. */
export function seatMeter(
  { taken, seats, label }: {
    readonly taken: number;
    readonly seats: number;
    readonly label: string;
  },
): Node {
  return h.span(
    h.class("seat-meter"),
    h.meter(h.min(0), h.max(Math.max(1, seats)), h.value(taken), h.aria("label", label)),
    h.span(`${taken} / ${seats}`),
  );
}
