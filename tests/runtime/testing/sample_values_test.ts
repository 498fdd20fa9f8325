import { assertEquals } from "@std/assert";
import { bool, date, day, float, int, int64, list, money, struct, text } from "../../../mod.ts";
import { sampleForm, sampleJson } from "../../../runtime/testing/mod.ts";

const Everything = struct({
  title: text("required,max=80"),
  code: text("min=4,max=4"),
  mail: text("email"),
  near: text("email,max=5"),
  site: text("url,min=20"),
  home: text("url,max=12"),
  kind: text("oneof=talk fair"),
  shortPath: text("required,slug,min=12"),
  again: text("required,eqfield=title"),
  tier: money("EUR", "oneof=0.50 5"),
  seats: int("min=5"),
  depth: int("max=-3"),
  views: int64(),
  rate: float(),
  fee: money("EUR"),
  cost: money("JPY", "min=500"),
  open: bool(),
  opens: day("min=2026-06-01"),
  begins: date(),
  lines: list(struct({ what: text() })),
});

const form = {
  title: "title 2",
  code: "2cod",
  mail: "c@b.co",
  near: "c@b.c",
  site: "https://c.co/aaaaaaa",
  home: "https://c.co",
  kind: "fair",
  shortPath: "shortpath-2a",
  again: "title 2",
  tier: "5.00",
  seats: "5",
  depth: "-3",
  views: "2",
  rate: "2",
  fee: "2.00",
  cost: "500",
  open: "on",
  opens: "2026-06-01",
  begins: "2026-05-03T00:00",
};

Deno.test("sampleForm: texts that the rules accept", () => {
  assertEquals<object>(sampleForm(Everything, 2), form);
  assertEquals(sampleForm(Everything, 1).title, "title 1");
});

Deno.test("sampleJson: the same values, which the rules accept", async () => {
  const json = sampleJson(Everything, 2);
  const numbers = { seats: 5, depth: -3, rate: 2, fee: 200, cost: 500, tier: 500, open: true };
  assertEquals<object>(json, { ...form, ...numbers });
  assertEquals((await Everything["~standard"].validate(json)).issues, undefined);
});

Deno.test("sampleForm: has no value of a struct, by its type either", () => {
  const sample = sampleForm(struct({ name: text(), venue: struct({ city: text() }) }), 1);
  // @ts-expect-error no such field
  assertEquals([sample.name, sample.venue], ["name 1", undefined]);
});
