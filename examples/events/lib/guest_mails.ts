/** The emails to guests, each in the language of the guest's request. */
import { type Application, use, variable } from "@fw/fw";
import * as h from "@fw/fw/h";
import { catalog } from "@fw/fw/i18n";
import { type Mail, mailButton } from "@fw/fw/mail";
import { formatCalendar } from "./calendar.ts";
import { type CityEvent, dayOf } from "./city_event.ts";
import { anyEvent } from "./events/query.ts";
import { Store } from "./events/store.ts";
import { textsOf } from "./events/texts.ts";
import { formatTime } from "./format.ts";
import { shortDateIn } from "./messages.ts";
import { pageWords } from "./page_words.ts";

/** A guest who wants emails. */
export interface Guest {
  readonly email: string;
  readonly language: string;
}

const words = catalog({
  en: {
    confirmed: "Your seat: {title}",
    confirmedText: "A seat is kept for you. The date is attached, for your calendar.",
    tomorrow: "Tomorrow: {title}",
    tomorrowText: "You said that you are going.",
    change: "If you cannot come, give your seat back on the page of the event.",
    digest: "This week in Lisbon",
    open: "See the event",
    all: "All events",
  },
  "pt-PT": {
    confirmed: "O seu lugar: {title}",
    confirmedText: "Tem um lugar reservado. A data segue em anexo, para o seu calendário.",
    tomorrow: "Amanhã: {title}",
    tomorrowText: "Disse-nos que vai.",
    change: "Se não puder ir, devolva o lugar na página do evento.",
    digest: "Esta semana em Lisboa",
    open: "Ver o evento",
    all: "Todos os eventos",
  },
});

/** Writes the confirmation, with the event as a calendar file. */
export function confirmation(app: Application, event: CityEvent, guest: Guest): Mail {
  const { language } = guest;
  const content = formatCalendar(event, {
    url: new URL(eventPath(event, language), siteOrigin(app)).href,
    texts: textsOf(guest, event),
    language,
    city: pageWords.text(language, "city"),
  });
  const contentType = "text/calendar";
  return {
    ...aboutEvent(event, guest, { subject: "confirmed", text: "confirmedText" }),
    attachments: [{ filename: `${event.slug}.ics`, content, contentType }],
  };
}

/** Writes the reminder for the day before. */
export function reminder(event: CityEvent, guest: Guest): Mail {
  return aboutEvent(event, guest, { subject: "tomorrow", text: "tomorrowText" });
}

function aboutEvent(event: CityEvent, guest: Guest, keys: {
  readonly subject: "confirmed" | "tomorrow";
  readonly text: "confirmedText" | "tomorrowText";
}): Mail {
  const { email, language } = guest;
  const { title, summary } = textsOf(guest, event);
  return {
    to: email,
    language,
    subject: words.text(language, keys.subject, { title }).slice(0, 250),
    body: h.fragment(
      h.h1(title),
      h.p(summary),
      h.p(h.strong(whenText(event, language)), h.br(), event.venue.name),
      h.p(words.text(language, keys.text), " ", words.text(language, "change")),
      mailButton(eventPath(event, language), words.text(language, "open")),
    ),
  };
}

/** Writes the digest of the next seven days; `undefined` if there are no events. */
export async function weeklyDigest(app: Application): Promise<
  ((guest: Guest) => Mail) | undefined
> {
  const store = use(app, Store);
  const { events } = await store.find({ ...anyEvent, perPage: 50 });
  const end = store.now().toPlainDate().add({ days: 7 });
  const week = events.filter((event) => Temporal.PlainDate.compare(dayOf(event), end) < 0);
  if (week.length === 0) return undefined;
  return (guest) => {
    const { email, language } = guest;
    const subject = words.text(language, "digest");
    const rows = week.map((event) =>
      h.li(
        `${whenText(event, language)}: `,
        h.a(h.href(eventPath(event, language)), textsOf(guest, event).title),
        `, ${event.venue.name}`,
      )
    );
    const body = h.fragment(
      h.h1(subject),
      h.ul(rows),
      mailButton(`/${language}/events`, words.text(language, "all")),
    );
    return { to: email, language, subject, body };
  };
}

function whenText(event: CityEvent, language: string): string {
  return `${shortDateIn(language, dayOf(event))}, ${formatTime(event.startsAt)}`;
}

function eventPath({ slug }: CityEvent, language: string): string {
  return `/${language}/events/${slug}`;
}

/** Returns the origin of links in emails. */
export function siteOrigin(app: Application): string {
  return app.config.publicOrigin ?? variable(app, "EVENTS_ORIGIN") ?? "http://localhost:3000";
}
