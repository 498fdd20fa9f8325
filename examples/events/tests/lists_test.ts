import { use } from "@fw/fw";
import { testRequest } from "@fw/fw/testing";
import { assert, assertEquals } from "@std/assert";
import { type Attendance, Guests } from "@/lib/attendance.ts";
import type { CityEvent } from "@/lib/city_event.ts";
import type { EventDraft } from "@/lib/events/draft.ts";
import { Desk, type EventDesk } from "@/lib/events/desk.ts";
import { anyEvent, type EventQuery } from "@/lib/events/query.ts";
import { Cache } from "@fw/fw/cache";
import { openDatabase } from "@/lib/database.ts";
import { EventLists, Lists } from "@/lib/events/lists.ts";
import { EventStore, Store } from "@/lib/events/store.ts";
import { fillWithSamples } from "@/lib/samples/fill.ts";
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
