import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { kvStores } from "../../../data/kv/mod.ts";
import { App, createLogger, limit, Off } from "../../../mod.ts";
import { MemoryKv } from "./memory_kv.ts";

const key = ["fw", "limit", "a"];

/** Creates a KV whose next commits conflict with another replica's. */
function contendedKv(failures: number): MemoryKv {
  const kv = new MemoryKv();
  let left = failures;
  kv.beforeCommit = () => {
    if (left-- > 0) kv.put(key, null);
  };
  return kv;
}

const now = (): number => 10_000;

Deno.test("kvStores limits: a bucket is one small entry that expires when it is full", async () => {
  const kv = new MemoryKv();
  const store = kvStores(kv, { prefix: "p", now }).limits;
  for (let taken = 0; taken < 3; taken++) {
    await store.take("5/20 192.0.2.1", { rate: 5, burst: 20 });
  }
  const held = [...kv.held.values()].map(({ key, value, expireIn }) => ({ key, value, expireIn }));
  assertEquals(held, [{ key: ["p", "limit", "5/20 192.0.2.1"], value: 10_600, expireIn: 600 }]);
});

Deno.test("kvStores limits: a refusal writes nothing", async () => {
  const kv = new MemoryKv();
  const store = kvStores(kv, { now }).limits;
  const rule = { rate: 1, burst: 1 };
  const waits = [await store.take("a", rule), await store.take("a", rule)];
  assertEquals([waits, kv.counts], [[0, 1_000], { reads: 2, commits: 1 }]);
});

Deno.test("kvStores limits: concurrent requests of one client share reads and writes", async () => {
  const kv = new MemoryKv();
  const store = kvStores(kv, { now }).limits;
  const rule = { rate: 1, burst: 40 };
  const waits = await Promise.all(Array.from({ length: 100 }, () => store.take("a", rule)));
  assertEquals(waits.filter((waitMs) => waitMs === 0).length, 40);
  assertEquals(kv.counts, { reads: 2, commits: 2 });
});

Deno.test("kvStores limits: a conflict with another replica is retried a limited number of times", async () => {
  const some = contendedKv(5);
  assertEquals(await kvStores(some, { now }).limits.take("a", { rate: 2, burst: 1 }), 0);
  assertEquals(some.counts.commits, 6);
  const always = contendedKv(Infinity);
  assertEquals(await kvStores(always, { now }).limits.take("a", { rate: 2, burst: 1 }), 500);
  assertEquals(always.counts.commits, 16);
});

Deno.test("kvStores limits: an invalid entry costs no more than an empty bucket", async () => {
  const rows: [name: string, value: unknown, waitMs: number, left: unknown][] = [
    ["of a clock that is ahead", 9_999_999, 500, 9_999_999],
    ["of no number", "x", 0, 10_500],
    ["of NaN", NaN, 0, 10_500],
    ["of the past", 1, 0, 10_500],
  ];
  for (const [name, value, waitMs, left] of rows) {
    const kv = new MemoryKv();
    kv.put(key, value, 1);
    const store = kvStores(kv, { now }).limits;
    assertEquals(await store.take("a", { rate: 2, burst: 1 }), waitMs, name);
    assertEquals((await kv.get(key)).value, left, name);
  }
});

Deno.test("kvStores limits: requests pass while the KV fails, and a warning is logged", async () => {
  const broken = new MemoryKv();
  broken.get = () => Promise.reject(new Error("the disk is full"));
  const store = kvStores(broken).limits;
  await assertRejects(async () => await store.take("a", { rate: 1, burst: 1 }), Error, "disk");
  let log = "";
  const logger = createLogger({ write: (text) => void (log += text) });
  const app = new App({ logger, logRequest: Off });
  const middleware = [{ Middleware: limit(1, 1, { store }) }];
  app.route({ pattern: "/", middleware, methods: { GET: (c) => c.noContent() } });
  for (let request = 0; request < 3; request++) {
    assertEquals((await app.fetch(new Request("http://localhost/"))).status, 204);
  }
  assertEquals(log.match(/rate limits are not checked: their store fails/g)?.length, 1);
});

Deno.test("kvStores refuses a malformed prefix at boot", () => {
  for (const prefix of ["", "a b", "ä", "x".repeat(65)]) {
    assertThrows(
      () => kvStores(new MemoryKv(), { prefix }),
      TypeError,
      "Cannot create stores with",
    );
  }
});
