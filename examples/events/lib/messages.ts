import type { Ctx } from "@fw/fw";
import { catalog } from "@fw/fw/i18n";
import { type Category, labelOf } from "@/lib/categories.ts";
import {
  formatDate,
  formatMonth,
  formatPrice,
  formatShortDate,
  formatWeekday,
} from "@/lib/format.ts";
import type { When } from "@/lib/when.ts";

/** The languages of the site, by their own names. */
export const languageNames: Readonly<Record<string, string>> = {
  "en": "English",
  "pt-PT": "Português",
};

/** The texts of the public pages. Events are in their organisers' language. */
export const messages = catalog({
  en: {
    tagline: "what is on in Lisbon",
    description:
      "What is on in Lisbon: concerts, plays, films, walks and workshops for the weeks to come.",
    skip: "Skip to content",
    allEvents: "All events",
    about: "About",
    organise: "Organise",
    language: "Language",
    footerMark: "A place to look out over the city.",
    footerText:
      "The venues and events are made up; the neighbourhoods are not. Served by {fw} on " +
      "Deno, from SQLite. Every page is whole without client-side JavaScript.",
    heading: "Look out over what is on tonight",
    lead: {
      one: "{count} event in ten rooms, gardens and terraces, chosen by people who go.",
      other: "{count} events in ten rooms, gardens and terraces, chosen by people who go.",
    },
    events: { one: "{count} event", other: "{count} events" },
    today: "Today",
    weekend: "This weekend",
    week: "Next 7 days",
    month: "Next 30 days",
    freeOfCharge: "Free",
    atNoCost: "Free to attend",
    seeAll: "See all",
    categories: "Categories",
    searchEvents: "Search events",
    searchExample: "Fado, ferries, fermentation…",
    search: "Search",
    lostTitle: "Not found",
    lost: "No view from here",
    lostText:
      "This address leads to a wall. The event may be long over, or a letter may have gone missing.",
    seeAllEvents: "See all events",
    seeAllOf: { one: "See the {count} event", other: "See all {count} events" },
    filters: "Filters",
    when: "When",
    what: "What",
    price: "Price",
    anyDay: "Any day",
    everything: "Everything",
    anyPrice: "Any price",
    free: "Free",
    soldOut: "Sold out",
    seatsLeft: { one: "{count} seat left", other: "{count} seats left" },
    continued: "{title}, continued",
    pages: "Pages",
    first: "First page",
    earlier: "Earlier",
    later: "Later",
    last: "Last page",
    moreEvents: "More than {count} events",
    listDescription: "{title} in Lisbon: {events}, with dates and prices.",
    nothingTitle: "Nothing on the horizon",
    nothingFits: "No event fits these filters.",
    nothingHas: "No event matches all of these words. Try fewer words, or just the start of one.",
  },
  "pt-PT": {
    tagline: "o que há em Lisboa",
    description:
      "O que há em Lisboa: concertos, peças, filmes, passeios e oficinas para as próximas semanas.",
    skip: "Saltar para o conteúdo",
    allEvents: "Todos os eventos",
    about: "Sobre",
    organise: "Organizar",
    language: "Língua",
    footerMark: "Um lugar para olhar a cidade.",
    footerText:
      "Os espaços e os eventos são inventados; os bairros não. Servido por {fw} em Deno, a " +
      "partir de SQLite. Cada página está completa sem JavaScript no navegador.",
    heading: "Veja daqui o que há esta noite",
    lead: {
      one: "{count} evento em dez salas, jardins e terraços, escolhido por quem lá vai.",
      other: "{count} eventos em dez salas, jardins e terraços, escolhidos por quem lá vai.",
    },
    events: { one: "{count} evento", other: "{count} eventos" },
    today: "Hoje",
    weekend: "Este fim de semana",
    week: "Próximos 7 dias",
    month: "Próximos 30 dias",
    freeOfCharge: "Entrada livre",
    atNoCost: "Sem custo",
    seeAll: "Ver todos",
    categories: "Categorias",
    searchEvents: "Procurar eventos",
    searchExample: "Fado, barcos, fermentação…",
    search: "Procurar",
    lostTitle: "Não encontrado",
    lost: "Daqui não se vê nada",
    lostText:
      "Este endereço dá para uma parede. O evento pode ter acabado, ou falta-lhe uma letra.",
    seeAllEvents: "Ver todos os eventos",
    seeAllOf: { one: "Ver o evento", other: "Ver os {count} eventos" },
    filters: "Filtros",
    when: "Quando",
    what: "O quê",
    price: "Preço",
    anyDay: "Qualquer dia",
    everything: "Tudo",
    anyPrice: "Qualquer preço",
    free: "Grátis",
    soldOut: "Esgotado",
    seatsLeft: { one: "resta {count} lugar", other: "restam {count} lugares" },
    continued: "{title}, continuação",
    pages: "Páginas",
    first: "Primeira página",
    earlier: "Antes",
    later: "Depois",
    last: "Última página",
    moreEvents: "Mais de {count} eventos",
    listDescription: "{title} em Lisboa: {events}, com datas e preços.",
    nothingTitle: "Nada no horizonte",
    nothingFits: "Nenhum evento corresponde a estes filtros.",
    nothingHas:
      "Nenhum evento corresponde a todas estas palavras. Experimente menos, ou só o início de uma.",
  },
});

const words = catalog({
  en: {
    music: labelOf("music"),
    stage: labelOf("stage"),
    film: labelOf("film"),
    art: labelOf("art"),
    talks: labelOf("talks"),
    food: labelOf("food"),
    outdoors: labelOf("outdoors"),
    workshops: labelOf("workshops"),
    date: ({ date }: Day) => formatDate(date),
    weekday: ({ date }: Day) => formatWeekday(date),
    monthName: ({ date }: Day) => formatMonth(date),
    near: ({ days }: { days: number }) => days === 0 ? "Today" : days === 1 ? "Tomorrow" : "",
    shortDate: ({ date }: Day) => formatShortDate(date),
    price: ({ cents }: { cents: number }) => formatPrice(cents),
  },
  "pt-PT": {
    music: "Música",
    stage: "Palco",
    film: "Cinema",
    art: "Arte",
    talks: "Conversas",
    food: "Comida",
    outdoors: "Ao ar livre",
    workshops: "Oficinas",
    date: ({ date }: Day, format) => format.date(asDate(date), longDay),
    weekday: ({ date }: Day, format) => format.date(asDate(date), { weekday: "long" }),
    monthName: ({ date }: Day, format) => format.date(asDate(date), { month: "long" }),
    near: ({ days }: { days: number }) => days === 0 ? "Hoje" : days === 1 ? "Amanhã" : "",
    shortDate: ({ date }: Day, format) => format.date(asDate(date), shortDay),
    price: ({ cents }: { cents: number }, { number }) =>
      cents === 0 ? "Grátis" : number(cents / 100, cents % 100 === 0 ? wholeEuros : euros),
  },
});

interface Day {
  readonly date: Temporal.PlainDate;
}

const longDay = { weekday: "long", day: "numeric", month: "long" } as const;
const shortDay = { weekday: "short", day: "numeric", month: "short" } as const;
const euros = { style: "currency", currency: "EUR" } as const;
const wholeEuros = { ...euros, maximumFractionDigits: 0 } as const;

function asDate(date: Temporal.PlainDate): Date {
  return new Date(`${date}T00:00:00Z`);
}

/** Returns the name of a category in the language of the request. */
export function categoryText(c: Ctx, category: Category): string {
  return c.t(words, category);
}

/** Formats a date without the year in the language of the request. */
export function dateText(c: Ctx, date: Temporal.PlainDate): string {
  return c.t(words, "date", { date });
}

/** Formats a short date in the language of the request. */
export function shortDateText(c: Ctx, date: Temporal.PlainDate): string {
  return c.t(words, "shortDate", { date });
}

/** Formats a short date in a given language. */
export function shortDateIn(language: string, date: Temporal.PlainDate): string {
  return words.text(language, "shortDate", { date });
}

/** Returns the name of a day: relative if it is near, such as "today", else the weekday. */
export function dayText(c: Ctx, date: Temporal.PlainDate, today: Temporal.PlainDate): string {
  const { days } = today.until(date);
  return c.t(words, "near", { days }) || c.t(words, "weekday", { date });
}

/** Returns the name of a month in the language of the request. */
export function monthText(c: Ctx, date: Temporal.PlainDate): string {
  return c.t(words, "monthName", { date });
}

/** Formats a price in the language of the request. */
export function priceText(c: Ctx, cents: number): string {
  return c.t(words, "price", { cents });
}

/** Returns the name of a period in the language of the request. */
export function periodText(c: Ctx, when: When): string {
  return c.t(messages, when);
}
