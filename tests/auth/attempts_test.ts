import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type AttemptOptions, createAttempts } from "../../auth/mod.ts";
import { MemoryRateLimitStore, provideStores, type RateLimitStore } from "../../mod.ts";
import { quietApp } from "./support.ts";

const keys = ["ada", "ADA", "", "a\0b", "\ud800", "\ud801", "é", "x".repeat(100_000)];

Deno.test("createAttempts: counts each key separately, in each application", async () => {
  const attempts = createAttempts({ rate: 0.1, burst: 2 });
  for (const app of [quietApp(), quietApp()]) {
    for (const key of keys) {
      assertEquals([await attempts.take(app, key), await attempts.take(app, key)], [0, 0]);
    }
    for (const key of keys) assert(await attempts.take(app, key) > 9_000, key.slice(0, 9));
  }
});

Deno.test("createAttempts: counts in the application's store, under names that the store accepts", async () => {
  const names: string[] = [];
  const store: RateLimitStore = { take: (name) => names.push(name) };
  const app = quietApp();
  provideStores(app, { attempts: store });
  for (const attempts of [createAttempts(), createAttempts({ burst: 5 })]) {
    for (const key of keys) await attempts.take(app, key);
  }
  assertEquals(new Set(names).size, 2 * keys.length);
  // The store may be that of the limits, whose names begin with the limit's.
  assert(names.every((name) => /^attempt [\x21-\x7e]{1,90}$/.test(name)));
});

const failing: readonly [string, RateLimitStore][] = [
  ["throws", { take: () => fail() }],
  ["rejects", { take: () => Promise.reject(new Error("the disk is full")) }],
];

function fail(): never {
  throw new Error("the disk is gone");
}

for (const [name, store] of failing) {
  Deno.test(`createAttempts: refuses every attempt if the store ${name}`, async () => {
    const error = await assertRejects(() => createAttempts({ store }).take(quietApp(), "ada"));
    assertEquals(error instanceof Error && "code" in error && error.code, "attempt_store_failed");
  });
}

const wrong: readonly AttemptOptions[] = [
  { rate: 0 },
  { rate: NaN },
  { rate: Infinity },
  { burst: 0.5 },
  { burst: Infinity },
];

for (const options of wrong) {
  Deno.test(`createAttempts: refuses ${Deno.inspect(options)}`, () => {
    const store = new MemoryRateLimitStore();
    assertThrows(() => createAttempts({ ...options, store }), RangeError, "Cannot count attempts");
  });
}
