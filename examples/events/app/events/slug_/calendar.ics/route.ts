import { type Ctx, notFound, use } from "@fw/fw";
import { formatCalendar } from "@/lib/calendar.ts";
import { Store } from "@/lib/event_store.ts";
import { Slug } from "@/lib/slug.ts";

/** GET /events/{slug}/calendar.ics */
export function GET(c: Ctx<"/events/{slug}/calendar.ics">): Response {
  const slug = c.param("slug", Slug);
  const event = use(c, Store).findBySlug(slug);
  if (event === undefined) throw notFound();
  const url = new URL(c.href("/events/{slug}", { slug }), c.url);
  return new Response(formatCalendar(event, url.href), {
    headers: {
      "content-type": "text/calendar; charset=utf-8",
      "content-disposition": `attachment; filename="${slug}.ics"`,
    },
  });
}
