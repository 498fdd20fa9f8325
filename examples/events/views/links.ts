import type { Ctx } from "@fw/fw";
import type { CityEvent } from "@/lib/city_event.ts";
import { coverVersion } from "@/lib/covers/art.ts";
import { eventParams, type EventQuery } from "@/lib/events/query.ts";

/** The URL of an event's page. */
export function eventUrl(c: Ctx, { slug }: CityEvent): string {
  return c.href("/events/{slug}", { slug });
}

/**
 * The URL of an event's cover, uploaded or drawn, which browsers may keep for ever. A site of files has
 * the drawn ones: only an extension would tell a host the type of the others.
 */
export function coverUrl(c: Ctx, event: CityEvent): string {
  const { slug, photo } = event;
  if (photo !== undefined && !c.isExport) {
    return inNoLanguage(
      c,
      c.href("/events/{slug}/photo", { slug }, { query: { v: photo.version } }),
    );
  }
  return inNoLanguage(
    c,
    c.href("/events/{slug}/cover.svg", { slug }, { query: { v: coverVersion(event) } }),
  );
}

/** Removes the language from a path: a file is the same in each, and is cached once. */
export function inNoLanguage(c: Ctx, path: string): string {
  const prefix = `${c.base}/${c.language}/`;
  return path.startsWith(prefix) ? c.base + path.slice(prefix.length - 1) : path;
}

/** The URL of the list that a query finds. */
export function listUrl(c: Ctx, query: Partial<EventQuery>): string {
  return c.href("/events", {}, { query: eventParams(query) });
}
