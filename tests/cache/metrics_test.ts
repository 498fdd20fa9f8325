import { assertEquals } from "@std/assert";
import { Cache } from "../../cache/mod.ts";
import { App, Off } from "../../mod.ts";
import { CacheMetrics, Gate, openCache, outcome } from "./support.ts";

type Open = ReturnType<typeof openCache>;

const rows: [name: string, run: (open: Open) => unknown, counts: number[]][] = [
  ["nothing has happened", () => {}, [0, 0, 0, 0]],
  ["a computed value, then found twice", async ({ cache }) => {
    for (let call = 0; call < 3; call++) await cache.do({ name: "a" }, () => 1);
  }, [2, 1, 0, 1]],
  ["three concurrent callers", async ({ cache }) => {
    const gate = new Gate<number>();
    const asked = [1, 2, 3].map(() => cache.do({ name: "a" }, gate.fn));
    gate.open(0, 1);
    await Promise.all(asked);
  }, [2, 1, 0, 1]],
  ["an error", async ({ cache }) => {
    for (let call = 0; call < 2; call++) {
      await outcome(cache.do({ name: "a" }, () => Promise.reject(new Error())));
    }
  }, [0, 2, 0, 0]],
  ["an expired value", async ({ cache, clock }) => {
    await cache.do({ name: "a", ttlMs: 1 }, () => 1);
    clock.now += 1;
    await cache.do({ name: "a", ttlMs: 1 }, () => 1);
  }, [0, 2, 0, 1]],
  ["an expired value that cannot be computed again", async ({ cache, clock }) => {
    await cache.do({ name: "a", ttlMs: 1 }, () => 1);
    clock.now += 1;
    await outcome(cache.do({ name: "a" }, () => Promise.reject(new Error())));
  }, [0, 2, 0, 0]],
  ["five values in a cache of three", async ({ cache }) => {
    for (const name of "abcde") await cache.do({ name }, () => 1);
  }, [0, 5, 2, 3]],
  ["an invalidation is not an eviction", async ({ cache }) => {
    for (const name of "abc") await cache.do({ name, tags: ["t"] }, () => 1);
    await cache.invalidate("t");
  }, [0, 3, 0, 0]],
  ["a deletion is not an eviction", async ({ cache }) => {
    for (const name of "abc") await cache.do({ name }, () => 1);
    await cache.delete("a", "b", "x");
  }, [0, 3, 0, 1]],
  ["a clearing is not an eviction", async ({ cache }) => {
    for (const name of "abc") await cache.do({ name }, () => 1);
    await cache.clear();
  }, [0, 3, 0, 0]],
  ["a value invalidated while it is computed", async ({ cache }) => {
    const gate = new Gate<number>();
    const asked = cache.do({ name: "a", tags: ["t"] }, gate.fn);
    await cache.invalidate("t");
    gate.open(0, 1);
    await asked;
  }, [0, 1, 0, 0]],
  ["an expired value removed for one that could not be computed", async ({ cache, clock }) => {
    await cache.do({ name: "a", ttlMs: 1 }, () => 1);
    clock.now += 1;
    await outcome(cache.do({ name: "b" }, () => Promise.reject(new Error())));
  }, [0, 2, 0, 0]],
  ["an expired value that was removed", async ({ cache, clock }) => {
    await cache.do({ name: "a", ttlMs: 1 }, () => 1);
    clock.now += 1;
    await cache.do({ name: "b" }, () => 1);
  }, [0, 2, 0, 1]],
];

for (const [name, run, counts] of rows) {
  Deno.test(`fw_cache_* count hits, misses, evictions and entries: ${name}`, async () => {
    const metrics = new CacheMetrics();
    await run(openCache({ metrics: metrics.registry, maxEntries: 3 }));
    assertEquals(metrics.of("test"), counts);
  });
}

Deno.test("fw_cache_* count caches with different names separately and those with one name together", async () => {
  const metrics = new CacheMetrics();
  for (const name of ["one", "two", "two"]) {
    const cache = new Cache({ name, metrics: metrics.registry });
    for (const value of "ab") await cache.do({ name: value }, () => 1);
  }
  assertEquals([metrics.of("one"), metrics.of("two")], [[0, 2, 0, 2], [0, 4, 0, 4]]);
});

Deno.test("fw_cache_* appear in the application's Prometheus output", async () => {
  const token = "t".repeat(32);
  const app = new App({ logRequest: Off, observability: { metrics: "/metrics", token } });
  const cache = new Cache({ name: "events", metrics: app.metrics });
  for (let call = 0; call < 3; call++) await cache.do({ name: "a" }, () => 1);
  const response = await app.fetch(
    new Request("http://localhost/metrics", { headers: { authorization: `Bearer ${token}` } }),
  );
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("fw_cache"));
  assertEquals(lines, [
    'fw_cache_hits_total{cache="events"} 2',
    'fw_cache_misses_total{cache="events"} 1',
    'fw_cache_evictions_total{cache="events"} 0',
    'fw_cache_entries{cache="events"} 1',
  ]);
});
