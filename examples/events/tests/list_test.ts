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

/** The number that the list shows, and the titles of its page. */
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
  ["only spaces are no search", "/events?q=+++", "64 events"],
  ["operators are words", "/events?q=NOT+OR+NEAR", "0 events"],
  ["a quote cannot end the word", "/events?q=fado%22+OR+%22a", "0 events"],
  ["a NUL byte", "/events?q=fado%00", "2 events"],
  ["a search for longer than the limit is cut", `/events?q=${"a".repeat(5000)}`, "0 events"],
  ["today", "/events?when=today", "3 events"],
  ["this weekend", "/events?when=weekend&category=music", "1 event"],
  ["a category", "/events?category=stage", "8 events"],
  ["free", "/events?price=free&category=workshops", "2 events"],
  ["filters that make no sense do not count", "/events?when=never&category=x&price=9", "64 events"],
  ["a page that is no number is the first", "/events?page=abc", "64 events"],
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
  ["/events?page=1", 12],
  ["/events?page=0", 12],
  ["/events?page=5", 12],
  ["/events?page=6", 4],
  ["/events?per_page=50", 50],
  ["/events?per_page=51", 12],
];

for (const [path, events] of pages) {
  Deno.test(`list: ${path} shows ${events} events`, async () => {
    assertEquals((await listAt(path)).titles.length, events);
  });
}

for (const path of ["/events?page=7", "/events?page=9999", "/events?q=zeppelin&page=2"]) {
  Deno.test(`list: ${path} is not found`, () =>
    onShared(async (app) => {
      await testRequest(app, "GET", path).wantStatus(404).wantContains("No view from here");
    }));
}

Deno.test("list: all pages together hold every event once, by date", async () => {
  const titles: string[] = [];
  for (let page = 1; page <= 6; page++) {
    titles.push(...(await listAt(`/events?page=${page}`)).titles);
  }
  assertEquals([titles.length, new Set(titles).size], [64, 64]);
});

Deno.test("list: links keep the filters and start again at the first page", () =>
  onShared(async (app) => {
    const response = await testRequest(app, "GET", "/events?q=the&category=art&price=free&page=1");
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
    store.find = (query, known) => {
      asked.push(`${query.q}${query.when ?? ""}${query.page}`);
      return find(query, known);
    };
    for (let round = 0; round < 3; round++) {
      for (const [, query] of lists) await kept.find(query);
    }
    assertEquals(asked, ["1", "today1", "2", "soup1", "soup1", "soup1"]);
  }));

Deno.test("lists: they hold until the next event ends or the day is over, and the ids are looked for once", () => {
  const db = openDatabase(":memory:");
  fillWithSamples(db, Temporal.PlainDate.from("2026-05-13"));
  let now = Temporal.PlainDateTime.from("2026-05-13T00:00");
  const store = new EventStore(db, () => now);
  const kept = new EventLists(store, new Cache({ name: "lists" }));
  const [scans, finds] = [spy(store, "findIds"), spy(store, "find")];
  const step = async (): Promise<[events: readonly CityEvent[], asked: number[]]> => {
    for (let page = 1; page <= 3; page++) await kept.find({ ...anyEvent, page });
    const { events } = await kept.find(anyEvent);
    return [events, [scans.splice(0).length, finds.splice(0).length]];
  };
  const check = async (): Promise<void> => {
    assertEquals((await step())[1], [1, 3]);
    const end = Temporal.PlainDateTime.from(store.nextEnd() ?? "");
    now = end.subtract({ minutes: 1 });
    const [before, asked] = await step();
    const isSameDay = end.toPlainDate().equals("2026-05-13");
    assertEquals(asked, isSameDay ? [0, 0] : [1, 3]);
    now = end;
    const [after, again] = await step();
    assertEquals(again, [1, 3]);
    assert(JSON.stringify(after) !== JSON.stringify(before));
    now = end.add({ days: 1 });
    assertEquals((await step())[1], [1, 3]);
  };
  return check().finally(() => db.close());
});

/** Notes the calls of a method. */
function spy(store: EventStore, name: "findIds" | "find"): string[] {
  const calls: string[] = [];
  if (name === "findIds") {
    const findIds = store.findIds.bind(store);
    store.findIds = (query) => (calls.push(name), findIds(query));
  } else {
    const find = store.find.bind(store);
    store.find = (query, known) => (calls.push(name), find(query, known));
  }
  return calls;
}

Deno.test("lists: the ids are found in an index alone", () => {
  const db = openDatabase(":memory:");
  const prepared: string[] = [];
  const prepare = db.prepare.bind(db);
  db.prepare = (sql) => {
    prepared.push(sql);
    return prepare(sql);
  };
  new EventStore(db, () => Temporal.PlainDateTime.from("2026-05-13T00:00"));
  const [sql = ""] = prepared.filter((each) => each.includes("json_group_array"));
  const plan = prepare(`explain query plan ${sql}`)
    .all({ now: "", from: "", until: "9999", category: null, isFree: 0 })
    .map((row) => String(row["detail"]));
  assert(plan.some((line) => /COVERING INDEX events_by_start/.test(line)), plan.join());
  assert(!plan.some((line) => /TEMP B-TREE/.test(line)), plan.join());
  db.close();
});

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
