import { type Ctx, follow, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { readEventQuery } from "@/lib/events/query.ts";
import { Store } from "@/lib/events/store.ts";
import { anySeats } from "@/lib/live_feed.ts";
import { isSignedIn } from "@/lib/sign_in.ts";
import { seatsTaken } from "@/views/guests.ts";

/** GET /organize/feed: sends the seats of the events on a page of the schedule after each change. */
export async function GET(c: Ctx): Promise<Response> {
  const query = await readEventQuery(c);
  return c.stream(async (s) => {
    const sent = new Map<number, string>();
    for await (const _ of follow(c, anySeats, { signal: s.signal })) {
      if (!await isSignedIn(c)) return;
      const { events } = await use(c, Store).find(query);
      const changed = events.map((event) => [event.id, h.render(seatsTaken(c, event))] as const)
        .filter(([id, html]) => sent.get(id) !== html);
      for (const [id, html] of changed) sent.set(id, html);
      if (changed.length > 0) await s.send("message", changed.map(([, html]) => html).join(""));
    }
  });
}
