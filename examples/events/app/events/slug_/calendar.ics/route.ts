import type { Ctx } from "@fw/fw";
import { formatCalendar } from "@/lib/calendar.ts";
import { findEvent } from "@/lib/events/saving.ts";
import { textLanguage, textsOf } from "@/lib/events/texts.ts";
import { pageWords } from "@/lib/page_words.ts";
import { Slug } from "@/lib/slug.ts";

/** GET /events/{slug}/calendar.ics */
export async function GET(c: Ctx<"/events/{slug}/calendar.ics">): Promise<Response> {
  const slug = c.param("slug", Slug);
  const event = await findEvent(c, slug);
  const { href } = new URL(c.href("/events/{slug}", { slug }), c.url);
  const calendar = formatCalendar(event, {
    url: href,
    texts: textsOf(c, event),
    language: textLanguage(c, event) ?? c.language,
    city: c.t(pageWords, "city"),
  });
  return new Response(calendar, {
    headers: {
      "content-type": "text/calendar; charset=utf-8",
      // The file contains the origin of the request's URL.
      "cache-control": "private, no-cache",
      "content-disposition": `attachment; filename="${slug}.ics"`,
    },
  });
}
