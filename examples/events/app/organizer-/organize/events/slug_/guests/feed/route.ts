import { type Ctx, follow, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { type GuestRow, Guests } from "@/lib/attendance.ts";
import { findEvent } from "@/lib/events/saving.ts";
import { Store } from "@/lib/events/store.ts";
import { seatsOf } from "@/lib/live_feed.ts";
import { isSignedIn } from "@/lib/sign_in.ts";
import { guestList, guestRow, seatsTaken } from "@/views/guests.ts";

/**
 * GET /organize/events/{slug}/guests/feed: sends the whole list at once, then additions at its end
 * and removals, and `done` when the event is deleted.
 */
export async function GET(c: Ctx<"/organize/events/{slug}/guests/feed">): Promise<Response> {
  const { id, slug } = await findEvent(c, c.param("slug"));
  return c.stream(async (s) => {
    let before: readonly GuestRow[] | undefined;
    for await (const _ of follow(c, seatsOf(id), { signal: s.signal })) {
      if (!await isSignedIn(c)) return;
      const event = await use(c, Store).findBySlug(slug);
      if (event?.id !== id) return await s.done();
      const now = await use(c, Guests).list(event);
      const rows = before === undefined ? [guestList(c, now)] : changesOf(c, before, now);
      before = now;
      await s.send("message", h.render(h.fragment(seatsTaken(c, event), ...rows)));
    }
  });
}

function changesOf(c: Ctx, before: readonly GuestRow[], now: readonly GuestRow[]): Node[] {
  const lacks = (list: readonly GuestRow[]): (guest: GuestRow) => boolean => {
    const visitors = new Set(list.map(({ visitor }) => visitor));
    return ({ visitor }) => !visitors.has(visitor);
  };
  return [
    ...before.filter(lacks(now)).map((guest) => guestRow(c, guest, ui.place("remove"))),
    ...now.filter(lacks(before)).map((guest) => guestRow(c, guest, ui.place("append", "guests"))),
  ];
}
