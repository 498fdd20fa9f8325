import { Cron } from "npm:croner@11.0.1";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { cron, daily, every, job, type Schedule, weekly } from "../../jobs/mod.ts";
import { struct } from "../../mod.ts";

const work = job("work", struct({}), () => {});
const lisbon = { zone: "Europe/Lisbon" };

const monthly = new Cron("30 1 L * *", { timezone: "Europe/Lisbon", paused: true });
const hourly = new Cron("30 * * * *", { timezone: "Europe/Lisbon", paused: true });

const rows: readonly [name: string, schedule: Schedule, after: string, want: string][] = [
  ["every quarter hour", every(900_000, work), "2026-01-01T10:07:00Z", "2026-01-01T10:15:00Z"],
  ["every, exactly then", every(900_000, work), "2026-01-01T10:15:00Z", "2026-01-01T10:30:00Z"],
  ["daily, later today", daily("07:00", work), "2026-01-01T06:59:59Z", "2026-01-01T07:00:00Z"],
  ["daily, exactly then", daily("07:00", work), "2026-01-01T07:00:00Z", "2026-01-02T07:00:00Z"],
  ["daily in winter", daily("07:00", work, lisbon), "2026-01-01T06:00:00Z", "2026-01-01T07:00:00Z"],
  ["daily in summer", daily("07:00", work, lisbon), "2026-07-01T05:00:00Z", "2026-07-01T06:00:00Z"],
  ["daily, skipped", daily("01:30", work, lisbon), "2026-03-28T23:00:00Z", "2026-03-29T01:30:00Z"],
  ["daily, twice", daily("01:30", work, lisbon), "2026-10-24T23:59:00Z", "2026-10-25T00:30:00Z"],
  ["daily, again", daily("01:30", work, lisbon), "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"],
  [
    "daily, a skipped time that falls on the next day",
    daily("23:30", work, { zone: "America/Nuuk" }),
    "2026-03-29T01:10:00Z",
    "2026-03-29T01:30:00Z",
  ],
  [
    "weekly, a skipped time that falls on the next day",
    weekly("sat 23:30", work, { zone: "America/Nuuk" }),
    "2026-03-29T01:10:00Z",
    "2026-03-29T01:30:00Z",
  ],
  ["weekly, this week", weekly("fri 09:00", work), "2026-11-25T00:00:00Z", "2026-11-27T09:00:00Z"],
  ["weekly, next week", weekly("fri 09:00", work), "2026-11-27T09:00:00Z", "2026-12-04T09:00:00Z"],
  [
    "weekly, across the date line",
    weekly("mon 00:30", work, { zone: "Pacific/Auckland" }),
    "2026-06-01T00:00:00Z",
    "2026-06-07T12:30:00Z",
  ],
  [
    "cron",
    cron("x", work, { next: () => new Date("2030-01-01T00:00:00Z") }),
    "2026-01-01T00:00:00Z",
    "2030-01-01T00:00:00Z",
  ],
  [
    "npm:croner, the last day of a month in a zone",
    cron("30 1 L * *", work, { next: (after) => monthly.nextRun(after) }),
    "2026-07-01T00:00:00Z",
    "2026-07-31T00:30:00Z",
  ],
  [
    "npm:croner, the hour that occurs twice",
    cron("30 * * * *", work, { next: (after) => hourly.nextRun(after) }),
    "2026-10-25T00:30:00Z",
    "2026-10-25T01:30:00Z",
  ],
];
for (const [name, schedule, after, want] of rows) {
  Deno.test(`schedule: ${name}`, () => {
    assertEquals(schedule.next(new Date(after)).toISOString(), new Date(want).toISOString());
  });
}

const faults: readonly [name: string, run: () => unknown][] = [
  ["an hour of 24", () => daily("24:00", work)],
  ["a time without minutes", () => daily("7", work)],
  ["an unknown zone", () => daily("07:00", work, { zone: "Europe/Atlantis" })],
  ["text after the time", () => weekly("mon 07:00 utc", work)],
  ["an unknown day", () => weekly("day 07:00" as "mon 07:00", work)],
];
for (const [name, run] of faults) {
  Deno.test(`schedule refuses: ${name}`, () =>
    void assertThrows(run, RangeError, 'Cannot run "work"'));
}

const clocks: readonly (readonly [name: string, schedule: Schedule, from: string, days: number])[] =
  [
    ["spring", daily("01:30", work, lisbon), "2026-03-25T12:00:00Z", 8],
    ["autumn", daily("01:30", work, lisbon), "2026-10-21T12:00:00Z", 8],
    ["by 30 min", daily("02:15", work, { zone: "Australia/Lord_Howe" }), "2026-10-01T12:00:00Z", 6],
    ["a missing day", daily("12:00", work, { zone: "Pacific/Apia" }), "2011-12-28T23:00:00Z", 4],
  ];
for (const [name, schedule, from, days] of clocks) {
  Deno.test(`schedule: one occurrence a day across a clock change in ${name}`, () => {
    let at = new Date(from);
    const gaps: number[] = [];
    for (let day = 0; day < days; day++) {
      const next = schedule.next(at);
      if (day > 0) gaps.push((next.getTime() - at.getTime()) / 3_600_000);
      at = next;
    }
    assert(gaps.every((hours) => hours >= 23 && hours <= 25), gaps.join(" "));
  });
}
