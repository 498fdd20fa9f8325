import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import { pages } from "../../../servers/data.mjs";

/** A page of 2 KB. */
export function Page(): Node {
  return h.main(
    h.h1("Events"),
    h.table(
      h.thead(h.tr(h.th("Title"), h.th("City"), h.th("Seats"))),
      h.tbody(h.map(pages.small, (event) =>
        h.tr(
          h.class("row", event.isFull && "full"),
          h.td(h.a(h.href(`/events/${event.id}`), event.title)),
          h.td(event.city),
          h.td(event.seats),
        ))),
    ),
  );
}
