import { use } from "@fw/fw";
import { testRequest } from "@fw/fw/testing";
import { assert, assertEquals } from "@std/assert";
import { type Attendance, Guests } from "@/lib/attendance.ts";
import type { CityEvent } from "@/lib/city_event.ts";
import type { EventDraft } from "@/lib/event_draft.ts";
import { Desk, type EventDesk } from "@/lib/event_desk.ts";
import { anyEvent, type EventQuery } from "@/lib/event_query.ts";
import { Lists } from "@/lib/event_lists.ts";
import { Store } from "@/lib/event_store.ts";
import { withApp } from "./app.ts";

interface Change {
  readonly event: CityEvent;
  readonly desk: EventDesk;
  readonly guests: Attendance;
}

function draftOf({ venue, ...event }: CityEvent, to: Partial<EventDraft>): EventDraft {
  const { title, summary, story, category, startsAt, endsAt, priceCents, seats } = event;
  const rest = { title, summary, story, category, startsAt, endsAt, priceCents, seats };
  return { ...rest, venue: venue.slug, ...to };
}

const changes: [name: string, change: (to: Change) => unknown][] = [
  ["an event is added", ({ desk, event }) => desk.add(draftOf(event, {}), undefined)],
  ["an event is changed", ({ desk, event }) => {
    desk.change(event, { draft: draftOf(event, { title: "New" }), photo: undefined });
  }],
  ["an event is removed", ({ desk, event }) => desk.remove(event)],
  ["a seat is taken", ({ guests, event }) => guests.join(event, "ada")],
  ["a seat is given back", ({ guests, event }) => {
    guests.join(event, "ada");
    guests.leave(event, "ada");
    guests.join(event, "bo");
  }],
];

const lists: [name: string, query: EventQuery][] = [
  ["all", anyEvent],
  ["a period", { ...anyEvent, when: "today" }],
  ["the second page", { ...anyEvent, page: 2, perPage: 5 }],
  ["a search", { ...anyEvent, q: "soup" }],
];

for (const [name, change] of changes) {
  Deno.test(`lists: they are what the database has after ${name}`, () =>
    withApp(async (app) => {
      const [store, kept] = [use(app, Store), use(app, Lists)];
      const [event] = store.find(anyEvent).events;
      assert(event);
      const ask = (): Promise<unknown> =>
        Promise.all([
          ...lists.map(([, query]) => kept.find(query)),
          kept.findFeatured(),
          kept.countByCategory(),
        ]);
      const before = await ask();
      change({ event, desk: use(app, Desk), guests: use(app, Guests) });
      const found = await ask();
      assert(JSON.stringify(found) !== JSON.stringify(before));
      assertEquals(found, [
        ...lists.map(([, query]) => store.find(query)),
        store.findFeatured(),
        store.countByCategory(),
      ]);
    }));
}

Deno.test("lists: the database is asked once for each, and for every search", () =>
  withApp(async (app) => {
    const [store, kept] = [use(app, Store), use(app, Lists)];
    const asked: string[] = [];
    const find = store.find.bind(store);
    store.find = (query) => {
      asked.push(`${query.q}${query.when ?? ""}${query.page}`);
      return find(query);
    };
    for (let round = 0; round < 3; round++) {
      for (const [, query] of lists) await kept.find(query);
    }
    assertEquals(asked, ["1", "today1", "2", "soup1", "soup1", "soup1"]);
  }));

Deno.test("lists: a seat that nobody got leaves them alone", () =>
  withApp(async (app) => {
    const kept = use(app, Lists);
    const { events: [event] } = await kept.find(anyEvent);
    assert(event);
    const before = await kept.find(anyEvent);
    assert(!use(app, Guests).leave(event, "ada"));
    assert(await kept.find(anyEvent) === before);
  }));

Deno.test("lists: pages and API show a change at once", () =>
  withApp(async (app) => {
    const paths = ["/", "/events", "/api/events"];
    for (const path of paths) await testRequest(app, "GET", path).wantStatus(200);
    const [event] = use(app, Store).find(anyEvent).events;
    assert(event);
    use(app, Desk).remove(event);
    for (const path of paths) {
      const answer = await testRequest(app, "GET", path).wantStatus(200);
      const total = answer.header("x-total-count") ?? /(\d+) events/.exec(answer.body)?.[1];
      assertEquals(total, "63", path);
    }
  }));
