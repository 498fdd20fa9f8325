import {
  assert,
  assertEquals,
  assertExists,
  assertMatch,
  assertNotEquals,
  assertThrows,
} from "@std/assert";
import { join } from "@std/path";
import { formatCalendar } from "@/lib/calendar.ts";
import { cityClock } from "@/lib/clock.ts";
import { drawCover } from "@/lib/covers/art.ts";
import { findDataFolder, makeFolders, readOrMakeKey } from "@/lib/data_folder.ts";
import { inTransaction, openDatabase } from "@/lib/database.ts";
import { anyEvent } from "@/lib/events/query.ts";
import { EventStore } from "@/lib/events/store.ts";
import { fillWithSamples } from "@/lib/samples/fill.ts";
import { slugOf } from "@/lib/slug.ts";
import { daysOf, type When } from "@/lib/when.ts";
import { makeTempFolder } from "./temp_folder.ts";

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

/** A store with sample data of one day, read at another time. */
function storeAt(filledOn: string, now: string): EventStore & Disposable {
  const db = openDatabase(":memory:");
  fillWithSamples(db, day(filledOn));
  fillWithSamples(db, day(now.slice(0, 10)));
  const store = new EventStore(db, cityClock(now));
  return Object.assign(store, { [Symbol.dispose]: () => store.close() });
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
  Deno.test(`samples: something is coming up ${name}`, () => {
    using store = storeAt("2026-05-14", now);
    const found = store.find(anyEvent);
    assertEquals([found.total, found.events[0]?.startsAt.slice(0, 10)], [total, first]);
  });
}

Deno.test("samples: moving them keeps weekday and time of day", () => {
  using before = storeAt("2026-05-14", "2026-05-14T00:00");
  using after = storeAt("2026-05-14", "2026-06-01T00:00");
  assertEquals(before.findBySlug("soup-exchange")?.startsAt, "2026-06-08T18:30");
  assertEquals(after.findBySlug("soup-exchange")?.startsAt, "2026-06-22T18:30");
});

Deno.test("store: the search follows what changes in the database", () => {
  const db = openDatabase(":memory:");
  fillWithSamples(db, day("2026-05-14"));
  using store = Object.assign(new EventStore(db, cityClock("2026-05-14T10:00")), {
    [Symbol.dispose]: () => db.close(),
  });
  const count = (q: string): number => store.find({ ...anyEvent, q }).total;
  db.exec("update events set title = 'Zeppelin Landing' where slug = 'soup-exchange'");
  assertEquals([count("zeppelin"), count("soup exchange")], [1, 0]);
  db.exec("delete from events where slug = 'soup-exchange'");
  assertEquals(count("zeppelin"), 0);
});

Deno.test("inTransaction: a change that fails leaves nothing behind", () => {
  const db = openDatabase(":memory:");
  assertThrows(
    () =>
      inTransaction(db, () => {
        db.exec("insert into meta values ('a', '1')");
        throw new Error("half-way");
      }),
    Error,
    "half-way",
  );
  assertEquals(db.prepare("select count(*) as n from meta").get()?.["n"], 0);
  db.close();
});

Deno.test("covers: each event has its own, always the same", () => {
  using store = storeAt("2026-05-14", "2026-05-14T00:00");
  const { events } = store.find({ ...anyEvent, perPage: 100 });
  const covers = events.map(drawCover);
  assertEquals(new Set(covers).size, 64);
  assertEquals(covers, events.map(drawCover));
});

Deno.test("calendar: special characters are escaped and long lines folded", () => {
  using store = storeAt("2026-05-14", "2026-05-14T00:00");
  const event = store.findBySlug("soup-exchange");
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
