import { type Ctx, type Infer, int, Problem, type QueryValue, struct, text } from "@fw/fw";
import { type Category, isCategory } from "../categories.ts";
import { checkLanguage, checkWords } from "../page_words.ts";
import { isWhen, type When } from "../when.ts";

/** Default number of events per page. */
export const defaultPerPage = 12;

const maxPerPage = 50;
const maxQueryChars = 80;

/** The filters of a visitor. */
export interface EventQuery {
  /** Words that must all occur; `""` for any event. */
  readonly q: string;
  /** The period; `undefined` for any time. */
  readonly when: When | undefined;
  /** The category; `undefined` for all. */
  readonly category: Category | undefined;
  /** Whether to find only free events. */
  readonly isFree: boolean;
  /** The cursor of the page from a page link; `undefined` for the first page, `last` for the last. */
  readonly at: string | undefined;
  /** Number of events per page. */
  readonly perPage: number;
}

/** A query that finds everything. */
export const anyEvent: EventQuery = {
  q: "",
  when: undefined,
  category: undefined,
  isFree: false,
  at: undefined,
  perPage: defaultPerPage,
};

function checkText(key: "period" | "noCategory"): string {
  return checkWords.text(checkLanguage(), key);
}

const ListQuery = struct({
  q: text(`max=${maxQueryChars}`),
  when: text().check((id) => id === "" || isWhen(id) ? undefined : checkText("period")),
  category: text().check((id) => id === "" || isCategory(id) ? undefined : checkText("noCategory")),
  price: text("oneof=free"),
  at: text(),
  // Optional, so that 0 counts as a value, which "min" refuses.
  perPage: int(`min=1,max=${maxPerPage}`, { form: "per_page" }).optional(),
});

/** Reads the query of a list page and ignores invalid parameters. */
export async function readEventQuery(c: Ctx): Promise<EventQuery> {
  const bound = await c.tryBindQuery(ListQuery);
  return toQuery({ ...bound.value, q: bound.text("q").slice(0, maxQueryChars) });
}

/**
 * Reads the query of a list for the API.
 *
 * @throws {Problem} 400 with a message for each invalid parameter.
 */
export async function bindEventQuery(c: Ctx): Promise<EventQuery> {
  const bound = await c.tryBindQuery(ListQuery);
  if (bound.ok) return toQuery(bound.value);
  throw new Problem({
    status: 400,
    title: "Invalid query",
    detail: c.t(checkWords, "badQuery"),
    fields: bound.errors,
  });
}

function toQuery(sent: Partial<Infer<typeof ListQuery>>): EventQuery {
  const { q = "", when = "", category = "", price, at, perPage } = sent;
  return {
    q: q.trim(),
    when: isWhen(when) ? when : undefined,
    category: isCategory(category) ? category : undefined,
    isFree: price === "free",
    at: at || undefined,
    perPage: perPage ?? defaultPerPage,
  };
}

/** Returns the parameters of a query for `c.href`, without defaults. */
export function eventParams(query: Partial<EventQuery>): Record<string, QueryValue> {
  const { q, when, category, isFree, at, perPage = defaultPerPage } = query;
  return {
    q: q || undefined,
    when,
    category,
    price: isFree ? "free" : undefined,
    at,
    per_page: perPage === defaultPerPage ? undefined : perPage,
  };
}
