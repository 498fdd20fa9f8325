import {
  assert,
  assertEquals,
  assertExists,
  assertMatch,
  assertNotEquals,
  assertThrows,
} from "@std/assert";
import { join } from "@std/path";
import { watchPlans } from "@fw/fw/data/testing";
import { formatCalendar } from "@/lib/calendar.ts";
import { cityClock } from "@/lib/clock.ts";
import { drawCover } from "@/lib/covers/art.ts";
import { findDataFolder, makeFolders, readOrMakeKey } from "@/lib/data_folder.ts";
import { openDatabase } from "@/lib/database.ts";
import { anyEvent, type EventQuery } from "@/lib/events/query.ts";
import { EventStore } from "@/lib/events/store.ts";
import { fillWithSamples } from "@/lib/samples/fill.ts";
import { slugOf } from "@/lib/slug.ts";
import { daysOf, type When } from "@/lib/when.ts";
import { makeTempFolder } from "./temp_folder.ts";

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

/** Returns a store with sample data of one day and the clock of another time. */
async function storeAt(filledOn: string, now: string): Promise<EventStore & AsyncDisposable> {
  const db = await openDatabase(":memory:");
  await fillWithSamples(db, day(filledOn));
  await fillWithSamples(db, day(now.slice(0, 10)));
  const store = new EventStore(db, cityClock(now));
  return Object.assign(store, { [Symbol.asyncDispose]: () => db.close() });
}

const slugs: [title: string, slug: string][] = [
  ["Repair Café: Lamps, Zips, Toasters", "repair-cafe-lamps-zips-toasters"],
  ["The Keeper's Inventory", "the-keepers-inventory"],
  ["  -- Olá!  ", "ola"],
];

for (const [title, slug] of slugs) {
  Deno.test(`slugOf: ${title}`, () => assertEquals(slugOf(title), slug));
}

const periods: [when: When, today: string, from: string, until: string][] = [
  ["today", "2026-05-14", "2026-05-14", "2026-05-15"],
  ["weekend", "2026-05-14", "2026-05-16", "2026-05-18"],
  ["weekend", "2026-05-16", "2026-05-16", "2026-05-18"],
  ["weekend", "2026-05-17", "2026-05-16", "2026-05-18"],
  ["weekend", "2026-05-18", "2026-05-23", "2026-05-25"],
  ["week", "2026-12-28", "2026-12-28", "2027-01-04"],
  ["month", "2026-01-30", "2026-01-30", "2026-03-01"],
];

for (const [when, today, from, until] of periods) {
  Deno.test(`daysOf: ${when} on ${today}`, () => {
    assertEquals(daysOf(when, day(today)), { from: day(from), until: day(until) });
  });
}

const ages: [name: string, now: string, total: number, first: string][] = [
  ["on the first day", "2026-05-14T00:00", 64, "2026-05-14"],
  ["on the sixth day", "2026-05-20T00:00", 50, "2026-05-20"],
  ["after a week", "2026-05-21T00:00", 64, "2026-05-21"],
  ["after a year", "2027-05-14T00:00", 61, "2027-05-14"],
];

for (const [name, now, total, first] of ages) {
  Deno.test(`samples: something is coming up ${name}`, async () => {
    await using store = await storeAt("2026-05-14", now);
    const found = await store.find(anyEvent);
    assertEquals([found.total, found.events[0]?.startsAt.slice(0, 10)], [total, first]);
  });
}

Deno.test("samples: moving them keeps weekday and time of day", async () => {
  await using before = await storeAt("2026-05-14", "2026-05-14T00:00");
  await using after = await storeAt("2026-05-14", "2026-06-01T00:00");
  assertEquals((await before.findBySlug("soup-exchange"))?.startsAt, "2026-06-08T18:30");
  assertEquals((await after.findBySlug("soup-exchange"))?.startsAt, "2026-06-22T18:30");
});

Deno.test("store: the search follows what changes in the database", async () => {
  await using db = await openDatabase(":memory:");
  await fillWithSamples(db, day("2026-05-14"));
  const store = new EventStore(db, cityClock("2026-05-14T10:00"));
  const count = async (q: string): Promise<number> => (await store.find({ ...anyEvent, q })).total;
  await db.run`update events set title = 'Zeppelin Landing' where slug = 'soup-exchange'`;
  assertEquals([await count("zeppelin"), await count("soup exchange")], [1, 0]);
  await db.run`delete from events where slug = 'soup-exchange'`;
  assertEquals(await count("zeppelin"), 0);
});

/** Runs the statements of the example on a database that fails the test for table scans. */
Deno.test("store: no statement scans a table", async () => {
  const db = watchPlans(await openDatabase(":memory:"));
  const store = new EventStore(db, cityClock("2026-05-14T10:00"));
  await fillWithSamples(db, day("2026-05-14"));
  const queries: Partial<EventQuery>[] = [
    {},
    { q: "fado" },
    { category: "music", at: "last" },
    { when: "week", isFree: true },
  ];
  for (const query of queries) {
    const { next } = await store.find({ ...anyEvent, ...query });
    await store.find({ ...anyEvent, ...query, at: next });
  }
  const event = await store.findBySlug("soup-exchange");
  assertExists(event);
  await store.findSimilar(event, 3);
  await store.findFeatured();
  await store.nextEnd();
  await store.countByCategory();
  await store.summarizeVenues();
  await db.close();
});

Deno.test("covers: each event has its own, always the same", async () => {
  await using store = await storeAt("2026-05-14", "2026-05-14T00:00");
  const { events } = await store.find({ ...anyEvent, perPage: 100 });
  const covers = events.map(drawCover);
  assertEquals(new Set(covers).size, 64);
  assertEquals(covers, events.map(drawCover));
});

Deno.test("calendar: special characters are escaped and long lines folded", async () => {
  await using store = await storeAt("2026-05-14", "2026-05-14T00:00");
  const event = await store.findBySlug("soup-exchange");
  assertExists(event);
  const title = `Soup; bread, ${"é".repeat(60)}`;
  const text = formatCalendar(event, {
    url: "https://example.com/",
    texts: { ...event, title },
    language: "en",
    city: "Lisbon",
  });
  const lines = text.split("\r\n");
  assert(lines.every((line) => new TextEncoder().encode(line).length <= 75));
  assert(text.replaceAll("\r\n ", "").includes("SUMMARY;LANGUAGE=en:Soup\\; bread\\, éé"));
});

const places: [database: string | undefined, folder: string | undefined, paths: string[]][] = [
  [join("x", "e.db"), undefined, [
    join("x", "e.db"),
    join("x", "uploads"),
    join("x", "secret.key"),
  ]],
  [undefined, "y", [join("y", "events.sqlite"), join("y", "uploads"), join("y", "secret.key")]],
  [":memory:", "y", [":memory:", join("y", "uploads"), join("y", "secret.key")]],
  [join("x", "e.db"), "y", [join("x", "e.db"), join("y", "uploads"), join("y", "secret.key")]],
];

for (const [database, folder, paths] of places) {
  Deno.test(`findDataFolder: EVENTS_DB=${database ?? ""} EVENTS_DATA=${folder ?? ""}`, () => {
    const found = findDataFolder({ database, folder });
    assertEquals([found.database, found.photos, found.key], paths);
  });
}

Deno.test("readOrMakeKey: makes a key once, for its owner alone", () => {
  const home = makeTempFolder();
  try {
    const folder = findDataFolder({ database: ":memory:", folder: join(home, "new") });
    assertThrows(() => readOrMakeKey(folder.key), Deno.errors.NotFound);
    makeFolders(folder);
    const key = readOrMakeKey(folder.key);
    assertMatch(key, /^[\w-]{64}$/);
    assertEquals(readOrMakeKey(folder.key), key);
    const { mode } = Deno.statSync(folder.key);
    if (Deno.build.os !== "windows") assertEquals((mode ?? 0) & 0o777, 0o600);
    assertNotEquals(readOrMakeKey(join(home, "other.key")), key);
  } finally {
    Deno.removeSync(home, { recursive: true });
  }
});
