import { FieldErrors } from "@fw/fw";
import { type Category, isCategory } from "./categories.ts";
import { isWhen, type When } from "./when.ts";

/** How many events a page of the list shows. */
export const defaultPerPage = 12;

const maxPerPage = 50;
const maxPage = 10_000;
const maxQueryChars = 80;

/** What a visitor looks for. */
export interface EventQuery {
  /** Words that must all occur; `""` for any event. */
  readonly q: string;
  /** The period, or any time. */
  readonly when: When | undefined;
  /** The category, or all of them. */
  readonly category: Category | undefined;
  /** Whether only events that cost nothing count. */
  readonly isFree: boolean;
  /** The page, from 1. */
  readonly page: number;
  /** How many events are on a page. */
  readonly perPage: number;
}

/** A query that finds everything. */
export const anyEvent: EventQuery = {
  q: "",
  when: undefined,
  category: undefined,
  isFree: false,
  page: 1,
  perPage: defaultPerPage,
};

/**
 * Reads the query of a list from the URL.
 *
 * @returns The query, in which a parameter that makes no sense counts as absent, and a message for
 * each of those: a page for people goes on without them, the API refuses.
 */
export function parseEventQuery(
  params: URLSearchParams,
): { readonly query: EventQuery; readonly errors: FieldErrors } {
  const errors = new FieldErrors();
  const when = params.get("when") || undefined;
  const category = params.get("category") || undefined;
  const price = params.get("price") || undefined;
  const q = (params.get("q") ?? "").trim();
  if (when !== undefined && !isWhen(when)) errors.add("when", "is no period");
  if (category !== undefined && !isCategory(category)) errors.add("category", "is no category");
  if (price !== undefined && price !== "free") errors.add("price", 'must be "free" or absent');
  if (q.length > maxQueryChars) errors.add("q", `must have at most ${maxQueryChars} characters`);
  const query: EventQuery = {
    q: q.slice(0, maxQueryChars),
    when: when !== undefined && isWhen(when) ? when : undefined,
    category: category !== undefined && isCategory(category) ? category : undefined,
    isFree: price === "free",
    page: parseNumber("page", { params, errors, max: maxPage }) ?? 1,
    perPage: parseNumber("per_page", { params, errors, max: maxPerPage }) ?? defaultPerPage,
  };
  return { query, errors };
}

function parseNumber(
  name: string,
  from: { readonly params: URLSearchParams; readonly errors: FieldErrors; readonly max: number },
): number | undefined {
  const text = from.params.get(name);
  if (text === null) return undefined;
  const number = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= from.max) return number;
  from.errors.add(name, `must be a whole number from 1 to ${from.max}`);
  return undefined;
}

/** Writes a query as the part of a URL behind the path; what has its default is left out. */
export function formatEventQuery(query: Partial<EventQuery>): string {
  const params = new URLSearchParams();
  if (query.q) params.set("q", query.q);
  if (query.when !== undefined) params.set("when", query.when);
  if (query.category !== undefined) params.set("category", query.category);
  if (query.isFree) params.set("price", "free");
  if (query.page !== undefined && query.page > 1) params.set("page", String(query.page));
  if (query.perPage !== undefined && query.perPage !== defaultPerPage) {
    params.set("per_page", String(query.perPage));
  }
  return params.size === 0 ? "" : `?${params}`;
}
