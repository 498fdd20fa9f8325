import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import { type CityEvent, dayOf } from "@/lib/city_event.ts";
import { textLanguage, textsOf } from "@/lib/events/texts.ts";
import { formatTime } from "@/lib/format.ts";
import { categoryText, priceText, shortDateText } from "@/lib/messages.ts";
import { coverUrl, eventUrl } from "./links.ts";

/** An event with its cover, for a grid. */
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
 * The picture of an event. It says nothing that the text beside it does not. On the way from one page to
 * another it moves to its new place: a page shows an event once.
 *
 * @param attributes More attributes of the picture.
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

/** Marks the texts of an event that are in another language than the page. */
export function langOf(c: Ctx, event: CityEvent): Node | undefined {
  const language = textLanguage(c, event);
  return language === undefined ? undefined : h.lang(language);
}

/** When an event starts, in little room. */
export function startTime(c: Ctx, event: CityEvent): Node {
  const text = `${shortDateText(c, dayOf(event))}, ${formatTime(event.startsAt)}`;
  return h.time(h.datetime(event.startsAt), text);
}
