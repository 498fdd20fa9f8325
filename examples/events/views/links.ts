import type { Ctx } from "@fw/fw";
import type { CityEvent } from "@/lib/city_event.ts";
import { coverVersion } from "@/lib/covers/art.ts";
import { eventParams, type EventQuery } from "@/lib/events/query.ts";

/** Returns the URL of an event's page. */
export function eventUrl(c: Ctx, { slug }: CityEvent): string {
  return c.href("/events/{slug}", { slug });
}

/**
 * Returns the URL of an event's cover, uploaded or drawn, which browsers may cache permanently. A
 * static export has only drawn covers, because a host could not derive the type of uploaded ones
 * without an extension.
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

/** Removes the language from a path, so that a file shared by all languages is cached once. */
export function inNoLanguage(c: Ctx, path: string): string {
  const prefix = `${c.base}/${c.language}/`;
  return path.startsWith(prefix) ? c.base + path.slice(prefix.length - 1) : path;
}

/** Returns the URL of the list for a query. */
export function listUrl(c: Ctx, query: Partial<EventQuery>): string {
  return c.href("/events", {}, { query: eventParams(query) });
}
