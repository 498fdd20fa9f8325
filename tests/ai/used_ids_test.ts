import { assertEquals, assertThrows } from "@std/assert";
import { UsedIds, usedIds } from "../../ai/runs/used_ids.ts";
import { App, HttpError } from "../../mod.ts";

const hourMs = 3_600_000;

Deno.test("used ids: each application remembers its own", () => {
  const idsOf = usedIds();
  const [a, b] = [new App(), new App()];
  assertEquals([a, b, undefined].map((app) => idsOf(app).take("1")), [true, true, true]);
  assertEquals([a, b, undefined].map((app) => idsOf(app).take("1")), [false, false, false]);
});

Deno.test("used ids: a flood makes none usable again, and is over after an hour", () => {
  let nowMs = 0;
  const ids = new UsedIds({ now: () => nowMs, maxIds: 3 });
  assertEquals(["a", "b", "c"].map((id) => ids.take(id)), [true, true, true]);
  assertEquals(["a", "b", "c"].map((id) => ids.take(id)), [false, false, false]);
  const error = assertThrows(() => ids.take("d"), HttpError);
  assertEquals([error.status, error.code], [503, "ai_approvals_full"]);
  ids.release("b");
  assertEquals([ids.take("a"), ids.take("d")], [false, true]);
  nowMs = hourMs;
  assertEquals(["e", "f", "g"].map((id) => ids.take(id)), [true, true, true]);
});

Deno.test("used ids: a caller that floods leaves room for the others", () => {
  const ids = new UsedIds({ maxIds: 5, maxCallerIds: 2 });
  assertEquals([ids.take("a", "ada"), ids.take("b", "ada")], [true, true]);
  assertThrows(() => ids.take("c", "ada"), HttpError);
  assertEquals([ids.take("c", "bob"), ids.take("d"), ids.take("e")], [true, true, true]);
  assertThrows(() => ids.take("f", "bob"), HttpError);
  ids.release("a");
  assertEquals([ids.take("f", "ada"), ids.take("b", "ada")], [true, false]);
});
