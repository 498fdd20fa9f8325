import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { NoTimeout } from "../../mod.ts";
import { counter, Gate, openCache, outcome } from "./support.ts";

Deno.test("do: concurrent callers share one run and its value", async () => {
  const { cache } = openCache();
  const gate = new Gate<object>();
  const asked = Array.from({ length: 100 }, () => cache.do({ name: "a" }, gate.fn));
  const other = cache.do({ name: "b" }, gate.fn);
  assertEquals(gate.runs.length, 2);
  const value = {};
  gate.open(0, value);
  gate.open(1, {});
  for (const found of await Promise.all(asked)) assertStrictEquals(found, value);
  assert(await other !== value);
});

Deno.test("do: concurrent callers share one error, after which the next call runs again", async () => {
  const { cache } = openCache();
  const gate = new Gate<number>();
  const asked = Array.from({ length: 10 }, () => outcome(cache.do({ name: "a" }, gate.fn)));
  gate.runs[0]?.reject({ some: "thing" });
  for (const found of await Promise.all(asked)) assertEquals(found, { thrown: { some: "thing" } });
  assertEquals(await cache.do({ name: "a" }, () => 7), 7);
});

type Drop = (cache: ReturnType<typeof openCache>["cache"]) => Promise<unknown>;

const drops: [name: string, drop: Drop, hits: boolean][] = [
  ["invalidate", (cache) => cache.invalidate("t"), true],
  ["invalidate with two tags", (cache) => cache.invalidate("x", "u"), true],
  ["delete", (cache) => cache.delete("a"), true],
  ["clear", (cache) => cache.clear(), true],
  ["invalidate with another tag", (cache) => cache.invalidate("a", "x"), false],
  ["invalidate without a tag", (cache) => cache.invalidate(), false],
  ["delete with another name", (cache) => cache.delete("t"), false],
];

for (const [name, drop, hits] of drops) {
  Deno.test(`do: ${name} while the function runs ${hits ? "invalidates" : "keeps"} its value`, async () => {
    const { cache } = openCache();
    const key = { name: "a", tags: ["t", "u"] };
    const gate = new Gate<string>();
    const before = cache.do(key, gate.fn);
    assert(await drop(cache) === (name.startsWith("invalidate") ? 0 : undefined));
    // A caller after the change must not get a value read before it.
    const after = cache.do(key, gate.fn);
    assertEquals(gate.runs.length, hits ? 2 : 1);
    gate.open(1, "new");
    if (hits) assertEquals(await after, "new");
    gate.open(0, "old");
    assertEquals(await before, "old");
    assertEquals([await cache.do(key, () => "third"), cache.size], [hits ? "new" : "old", 1]);
  });
}

Deno.test("do: an invalidated run that fails rejects for its waiters only", async () => {
  const { cache } = openCache();
  const gate = new Gate<string>();
  const before = outcome(cache.do({ name: "a", tags: ["t"] }, gate.fn));
  await cache.invalidate("t");
  const after = cache.do({ name: "a" }, gate.fn);
  gate.runs[0]?.reject(new Error("old"));
  assertEquals(await before, "Error: old");
  const joined = cache.do({ name: "a" }, gate.fn);
  gate.open(1, "new");
  assertEquals([await after, await joined, gate.runs.length, cache.size], ["new", "new", 2, 1]);
});

Deno.test("do: other callers can fill the cache while a function runs", async () => {
  const { cache } = openCache({ maxEntries: 2 });
  const gate = new Gate<string>();
  const slow = cache.do({ name: "slow", tags: ["t"] }, gate.fn);
  for (const name of "abcdef") await cache.do({ name, tags: ["t"] }, () => name);
  const joined = cache.do({ name: "slow" }, gate.fn);
  gate.open(0, "value");
  assertEquals([await slow, await joined, gate.runs.length], ["value", "value", 1]);
  assertEquals([cache.size, await cache.invalidate("t")], [2, 2]);
});

Deno.test("do: an aborted caller gets its signal's reason, and the others get the value", async () => {
  const { cache } = openCache();
  const gate = new Gate<string>();
  const controllers = [1, 2].map(() => new AbortController());
  const leaving = controllers.map(({ signal }) =>
    outcome(cache.do({ name: "a", signal }, gate.fn))
  );
  const staying = cache.do({ name: "a", signal: new AbortController().signal }, gate.fn);
  controllers[0]?.abort(new Error("gone"));
  controllers[1]?.abort("why not");
  assertEquals(await Promise.all(leaving), ["Error: gone", { thrown: "why not" }]);
  assertEquals(gate.runs.map(({ signal }) => signal.aborted), [false]);
  gate.open(0, "value");
  assertEquals(await staying, "value");
});

Deno.test("do: a run continues after all callers abort, and its value is cached", async () => {
  const { cache } = openCache();
  const gate = new Gate<string>();
  const controller = new AbortController();
  const left = outcome(cache.do({ name: "a", signal: controller.signal }, gate.fn));
  controller.abort(new Error("gone"));
  assertEquals(await left, "Error: gone");
  const joined = cache.do({ name: "a" }, gate.fn);
  gate.open(0, "value");
  assertEquals([await joined, gate.runs.length], ["value", 1]);
});

Deno.test("do: an error after all callers abort is not an unhandled rejection", async () => {
  const { cache } = openCache();
  const gate = new Gate<string>();
  const controller = new AbortController();
  const left = outcome(cache.do({ name: "a", signal: controller.signal }, gate.fn));
  controller.abort(new Error("gone"));
  gate.runs[0]?.reject(new Error("too late"));
  assertEquals(await left, "Error: gone");
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals(await cache.do({ name: "a" }, () => "new"), "new");
});

Deno.test("do: an aborted signal starts no run but returns a cached value", async () => {
  const { cache } = openCache();
  const fn = counter();
  const signal = AbortSignal.abort(new Error("gone"));
  assertEquals([await outcome(cache.do({ name: "a", signal }, fn)), fn.runs], ["Error: gone", 0]);
  await cache.do({ name: "a" }, fn);
  assertEquals(await cache.do({ name: "a", signal }, fn), 1);
});

Deno.test("do: removes its listeners from the callers' signals", async () => {
  const { cache } = openCache();
  const controller = new AbortController();
  let listeners = 0;
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>): void => {
    listeners++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>): void => {
    listeners--;
    remove(...args);
  };
  await cache.do({ name: "a", signal }, () => Promise.resolve(1));
  await outcome(cache.do({ name: "b", signal }, () => Promise.reject(new Error())));
  assertEquals(listeners, 0);
});

Deno.test("timeoutMs: rejects every caller of a run that never settles, and the next call runs again", async () => {
  const { cache } = openCache({ timeoutMs: 20 });
  const gate = new Gate<string>();
  const key = { name: "a" };
  const asked = [1, 2].map(() => outcome(cache.do(key, gate.fn)));
  const text = 'TimeoutError: "a" of the cache "test" did not come within 20 ms';
  assertEquals(await Promise.all(asked), [text, text]);
  const { signal } = gate.runs[0] ?? {};
  assertEquals([signal?.aborted, String(signal?.reason)], [true, text]);
  const next = cache.do(key, gate.fn);
  // A late value may be stale.
  gate.open(0, "too late");
  await Promise.resolve();
  gate.open(1, "value");
  assertEquals([await next, await cache.do(key, gate.fn)], ["value", "value"]);
});

Deno.test("timeoutMs: NoTimeout leaves a run to its callers' signals", async () => {
  const { cache } = openCache({ timeoutMs: NoTimeout });
  const gate = new Gate<string>();
  const signal = AbortSignal.timeout(5);
  const text = String(await outcome(cache.do({ name: "a", signal }, gate.fn)));
  assert(text.startsWith("TimeoutError"), text);
});
