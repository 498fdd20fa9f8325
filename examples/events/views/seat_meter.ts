import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import { formatOf } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";

/** Renders the share of taken seats as a bar with its numbers. */
export function seatMeter(
  c: Ctx,
  { taken, seats, label }: {
    readonly taken: number;
    readonly seats: number;
    readonly label: string;
  },
): Node {
  const { number } = formatOf(c.language);
  return h.span(
    h.class("seat-meter"),
    ui.progress(label, taken, h.max(Math.max(1, seats))),
    h.span(`${number(taken)} / ${number(seats)}`),
  );
}
