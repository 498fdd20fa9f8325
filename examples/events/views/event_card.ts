import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import { type CityEvent, dayOf } from "@/lib/city_event.ts";
import { textLanguage, textsOf } from "@/lib/events/texts.ts";
import { formatTime } from "@/lib/format.ts";
import { categoryText, priceText, shortDateText } from "@/lib/messages.ts";
import { coverUrl, eventUrl } from "./links.ts";

/** Renders an event with its cover, for a grid. */
export function eventCard(c: Ctx, event: CityEvent): Node {
  const { title, summary } = textsOf(c, event);
  const language = langOf(c, event);
  return h.article(
    h.class("card"),
    cover(c, event),
    h.p(h.class("kicker"), categoryText(c, event.category), " · ", priceText(c, event.priceCents)),
    h.h3(h.a(h.href(eventUrl(c, event)), title), language),
    h.p(h.class("card-summary"), language, summary),
    h.p(h.class("meta"), startTime(c, event), ` · ${event.venue.name}`),
  );
}

/**
 * Renders the decorative image of an event. It moves to its new position in a transition between
 * pages, so a page may show an event only once.
 *
 * @param attributes More attributes of the image.
 */
export function cover(c: Ctx, event: CityEvent, ...attributes: readonly Node[]): Node {
  return h.img(
    h.class("cover"),
    h.src(coverUrl(c, event)),
    h.alt(""),
    h.width(960),
    h.height(600),
    h.loading("lazy"),
    h.styleAttr(`view-transition-name:cover-${event.slug}`),
    ...attributes,
  );
}

/** Returns the `lang` attribute for texts of an event in another language than the page. */
export function langOf(c: Ctx, event: CityEvent): Node | undefined {
  const language = textLanguage(c, event);
  return language === undefined ? undefined : h.lang(language);
}

/** Renders the start of an event in short form. */
export function startTime(c: Ctx, event: CityEvent): Node {
  const text = `${shortDateText(c, dayOf(event))}, ${formatTime(event.startsAt)}`;
  return h.time(h.datetime(event.startsAt), text);
}
