import { type Ctx, follow, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { findEvent } from "@/lib/events/saving.ts";
import { Store } from "@/lib/events/store.ts";
import { seatsOf } from "@/lib/live_feed.ts";
import { seatFacts } from "@/lib/seats.ts";
import { Slug } from "@/lib/slug.ts";
import { goingCount, seatsLeftText } from "@/views/going.ts";

/**
 * GET /api/events/{slug}/attendees: a stream of Server-Sent Events.
 *
 * Sends the seats at once and after each change, as elements of the event's page, and `done` when
 * the event is deleted. `s.signal` ends the loop when the client disconnects.
 */
export async function GET(c: Ctx<"/api/events/{slug}/attendees">): Promise<Response> {
  const { id, slug } = await findEvent(c, c.param("slug", Slug));
  const store = use(c, Store);
  return c.stream(async (s) => {
    let sent = "";
    for await (const _ of follow(c, seatsOf(id), { signal: s.signal })) {
      const event = await store.findBySlug(slug);
      if (event?.id !== id) return await s.done();
      const { going, left } = seatFacts(c, event);
      const html = h.render(h.fragment(goingCount(going), seatsLeftText(left)));
      if (html !== sent) await s.send("message", html);
      sent = html;
    }
  });
}
