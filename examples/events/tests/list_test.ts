import { use } from "@fw/fw";
import { Cache } from "@fw/fw/cache";
import { testRequest } from "@fw/fw/testing";
import { assert, assertEquals } from "@std/assert";
import { type Attendance, Guests } from "@/lib/attendance.ts";
import type { CityEvent } from "@/lib/city_event.ts";
import { openDatabase } from "@/lib/database.ts";
import { Desk, type EventDesk } from "@/lib/events/desk.ts";
import type { EventDraft } from "@/lib/events/draft.ts";
import { EventLists, Lists } from "@/lib/events/lists.ts";
import { anyEvent, type EventQuery } from "@/lib/events/query.ts";
import { EventStore, Store } from "@/lib/events/store.ts";
import { fillWithSamples } from "@/lib/samples/fill.ts";
import { shareApp, withApp } from "./app.ts";

const onShared = shareApp();

/** Returns the count shown by the list and the titles of its page. */
async function listAt(path: string): Promise<{ count: string | undefined; titles: string[] }> {
  let found: { count: string | undefined; titles: string[] } = { count: undefined, titles: [] };
  await onShared(async (app) => {
    const { body } = await testRequest(app, "GET", path).wantStatus(200);
    found = {
      count: /role="status">(\d+ events?)</.exec(body)?.[1],
      titles: [...body.matchAll(/<h3><a [^>]*>([^<]*)</g)].map(([, title = ""]) => title),
    };
  });
  return found;
}

const searches: [name: string, path: string, count: string, first?: string][] = [
  ["all words must occur", "/events?q=fado+guitars", "1 event", "Fado Without a Microphone"],
  ["the beginning of a word is enough", "/events?q=ferm", "1 event", "Fermentation Kitchen"],
  [
    "accents do not matter",
    "/events?q=repair+cafe",
    "1 event",
    "Repair Café: Lamps, Zips, Toasters",
  ],
  ["the venue counts", "/events?q=lanterna&category=food", "1 event", "Soup Exchange"],
  ["no word in it", "/events?q=%22*%28%29-", "0 events"],
  ["nothing found", "/events?q=zeppelin", "0 events"],
  ["only spaces are not a search", "/events?q=+++", "64 events"],
  ["operators are words", "/events?q=NOT+OR+NEAR", "0 events"],
  ["a quote cannot end the word", "/events?q=fado%22+OR+%22a", "0 events"],
  ["a NUL byte", "/events?q=fado%00", "2 events"],
  ["a search for longer than the limit is cut", `/events?q=${"a".repeat(5000)}`, "0 events"],
  ["today", "/events?when=today", "3 events"],
  ["this weekend", "/events?when=weekend&category=music", "1 event"],
  ["a category", "/events?category=stage", "8 events"],
  ["free", "/events?price=free&category=workshops", "2 events"],
  ["filters that make no sense do not count", "/events?when=never&category=x&price=9", "64 events"],
  ["a place that makes no sense is the first page", "/events?at=abc", "64 events"],
];

for (const [name, path, count, first] of searches) {
  Deno.test(`list: ${name}`, async () => {
    const found = await listAt(path);
    assertEquals(found.count, count);
    if (first !== undefined) assertEquals(found.titles[0], first);
  });
}

Deno.test("list: malformed percent-encoding is a search that finds nothing", () =>
  onShared(async (app) => {
    await testRequest(app, "GET", "/events?q=%ff%fe").wantStatus(200).wantContains("0 events");
  }));

const pages: [path: string, events: number][] = [
  ["/events", 12],
  ["/events?at=", 12],
  ["/events?at=last", 12],
  ["/events?at=WyJpZCBhc2MiLDAsWyJzdHJpbmciLCJ4Il1d", 12],
  ["/events?per_page=50", 50],
  ["/events?per_page=51", 12],
];

for (const [path, events] of pages) {
  Deno.test(`list: ${path} shows ${events} events`, async () => {
    assertEquals((await listAt(path)).titles.length, events);
  });
}

for (const rel of ["next", "prev"] as const) {
  Deno.test(`list: the pages by ${rel} together hold every event once`, () =>
    onShared(async (app) => {
      const titles: string[] = [];
      let path: string | undefined = rel === "next" ? "/events" : "/events?at=last";
      for (let page = 1; path !== undefined && page <= 7; page++) {
        titles.push(...(await listAt(path)).titles);
        const { body } = await testRequest(app, "GET", path);
        path = new RegExp(`href="([^"]*)" rel="${rel}"`).exec(body)?.[1]?.replaceAll("&amp;", "&");
      }
      assertEquals([titles.length, new Set(titles).size], [64, 64]);
    }));
}

Deno.test("list: links keep the filters and start again at the first page", () =>
  onShared(async (app) => {
    const response = await testRequest(app, "GET", "/events?q=the&category=art&price=free&at=last");
    response.wantContains('href="/events?q=the&amp;when=weekend&amp;category=art&amp;price=free"');
    response.wantContains('<input type="hidden" name="category" value="art">');
  }));

Deno.test("list: markup in the search stays text", () =>
  onShared(async (app) => {
    const q = `"><script>alert(1)</script>`;
    const path = `/events?q=${encodeURIComponent(q)}`;
    const { body } = await testRequest(app, "GET", path).wantStatus(200);
    assert(!body.includes("<script>alert"));
    assert(body.split("&lt;script&gt;alert(1)&lt;/script&gt;").length > 2);
  }));

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
    return desk.change(event, { draft: draftOf(event, { title: "New" }), photo: undefined });
  }],
  ["an event is removed", ({ desk, event }) => desk.remove(event)],
  ["a seat is taken", ({ guests, event }) => guests.join(event, "ada")],
  ["a seat is given back", async ({ guests, event }) => {
    await guests.join(event, "ada");
    await guests.leave(event, "ada");
    await guests.join(event, "bo");
  }],
];

const lists: [name: string, query: EventQuery][] = [
  ["all", anyEvent],
  ["a period", { ...anyEvent, when: "today" }],
  ["the last page", { ...anyEvent, at: "last", perPage: 5 }],
  ["a search", { ...anyEvent, q: "soup" }],
];

for (const [name, change] of changes) {
  Deno.test(`lists: they are what the database has after ${name}`, () =>
    withApp(async (app) => {
      const [store, kept] = [use(app, Store), use(app, Lists)];
      const [event] = (await store.find(anyEvent)).events;
      assert(event);
      const ask = (): Promise<unknown> =>
        Promise.all([
          ...lists.map(([, query]) => kept.find(query)),
          kept.findFeatured(),
          kept.countByCategory(),
        ]);
      const before = await ask();
      await change({ event, desk: use(app, Desk), guests: use(app, Guests) });
      const found = await ask();
      assert(JSON.stringify(found) !== JSON.stringify(before));
      assertEquals(found, [
        ...await Promise.all(lists.map(([, query]) => store.find(query))),
        await store.findFeatured(),
        await store.countByCategory(),
      ]);
    }));
}

/** Records the queries of a store. */
function spy(store: EventStore): string[] {
  const asked: string[] = [];
  const find = store.find.bind(store);
  store.find = (query) => {
    asked.push(`${query.q}${query.when ?? ""}${query.at ?? ""}`);
    return find(query);
  };
  return asked;
}

Deno.test("lists: the database is asked once for a first page, and for every search and other page", () =>
  withApp(async (app) => {
    const asked = spy(use(app, Store));
    for (let round = 0; round < 2; round++) {
      for (const [, query] of lists) await use(app, Lists).find(query);
    }
    assertEquals(asked, ["", "today", "last", "soup", "last", "soup"]);
  }));

Deno.test("lists: they hold until the next event ends or the day is over", async () => {
  await using db = await openDatabase(":memory:");
  await fillWithSamples(db, Temporal.PlainDate.from("2026-05-13"));
  let now = Temporal.PlainDateTime.from("2026-05-13T00:00");
  const store = new EventStore(db, () => now);
  const kept = new EventLists(store, new Cache({ name: "lists" }));
  const asked = spy(store);
  const step = async (): Promise<[events: readonly CityEvent[], asked: number]> => {
    await kept.find(anyEvent);
    const { events } = await kept.find(anyEvent);
    return [events, asked.splice(0).length];
  };
  assertEquals((await step())[1], 1);
  const end = Temporal.PlainDateTime.from(await store.nextEnd() ?? "");
  now = end.subtract({ minutes: 1 });
  const [before, again] = await step();
  assertEquals(again, end.toPlainDate().equals("2026-05-13") ? 0 : 1);
  now = end;
  const [after, atEnd] = await step();
  assertEquals(atEnd, 1);
  assert(JSON.stringify(after) !== JSON.stringify(before));
  now = end.add({ days: 1 });
  assertEquals((await step())[1], 1);
});

Deno.test("lists: a seat that nobody got leaves them alone", () =>
  withApp(async (app) => {
    const kept = use(app, Lists);
    const { events: [event] } = await kept.find(anyEvent);
    assert(event);
    const before = await kept.find(anyEvent);
    assert(!await use(app, Guests).leave(event, "ada"));
    assert(await kept.find(anyEvent) === before);
  }));

Deno.test("lists: pages and API show a change at once", () =>
  withApp(async (app) => {
    const paths = ["/", "/events", "/api/events"];
    for (const path of paths) await testRequest(app, "GET", path).wantStatus(200);
    const [event] = (await use(app, Store).find(anyEvent)).events;
    assert(event);
    await use(app, Desk).remove(event);
    for (const path of paths) {
      const answer = await testRequest(app, "GET", path).wantStatus(200);
      const total = answer.header("x-total-count") ?? /(\d+) events/.exec(answer.body)?.[1];
      assertEquals(total, "63", path);
    }
  }));
