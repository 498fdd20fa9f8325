import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import type { GuestRow } from "@/lib/attendance.ts";
import { type CityEvent, seatsLeft } from "@/lib/city_event.ts";
import { deskWords } from "@/lib/desk_words.ts";
import { textsOf } from "@/lib/events/texts.ts";
import { seatMeter } from "./seat_meter.ts";

/** Renders the taken seats of an event for organisers; streams update it. */
export function seatsTaken(c: Ctx, event: CityEvent): Node {
  const { id, taken, seats } = event;
  const { title } = textsOf(c, event);
  return h.div(
    h.id(`taken-${id}`),
    seatMeter(c, { taken, seats, label: c.t(deskWords, "seatsTakenFor", { title }) }),
    seatsLeft(event) === 0 && ui.badge(ui.secondary, c.t(deskWords, "soldOut")),
  );
}

/** Renders the guests, in an order that reveals nothing about them. */
export function guestList(c: Ctx, guests: readonly GuestRow[]): Node {
  return h.ul(h.id("guests"), h.class("ui-list"), guests.map((guest) => guestRow(c, guest)));
}

/** Renders a guest: the start of the random name and the email address. */
export function guestRow(c: Ctx, { visitor, email }: GuestRow, ...place: Node[]): Node {
  const name = visitor.slice(0, 8);
  return ui.listItem(
    c.t(deskWords, "guest", { name }),
    { image: ui.sign("user"), detail: email ?? c.t(deskWords, "noAddress") },
    h.id(`guest-${name}`),
    ...place,
  );
}
