import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { Cache, type CacheKey, type CacheOptions } from "../../cache/mod.ts";
import { raw } from "../../html/mod.ts";
import { counter, openCache, outcome } from "./support.ts";

const kept: [name: string, value: unknown][] = [
  ["undefined", undefined],
  ["null", null],
  ["false", false],
  ["an empty text", ""],
  ["NaN", NaN],
  ["an object", { a: 1 }],
  ["a node", raw("<b>")],
  ["a function", () => 1],
  ["an error", new Error("kept as a value")],
  ["a blob", new Blob(["a"])],
];

for (const [name, value] of kept) {
  for (const way of ["sync", "async"]) {
    Deno.test(`do keeps ${name}, returned ${way}`, async () => {
      const { cache } = openCache();
      let runs = 0;
      const fn = (): unknown => {
        runs++;
        return way === "sync" ? value : Promise.resolve(value);
      };
      for (let call = 0; call < 3; call++) {
        assertStrictEquals(await cache.do({ name: "a" }, fn), value);
      }
      assertEquals([runs, cache.size], [1, 1]);
    });
  }
}

Deno.test("do settles once for a thenable that settles repeatedly", async () => {
  const { cache } = openCache({ maxEntries: 2 });
  const then = (ok: (value: number) => void, fail: (error: unknown) => void): void => {
    ok(5);
    ok(6);
    fail(new Error("no"));
  };
  const fn = (): PromiseLike<number> => ({ then }) as PromiseLike<number>;
  assertEquals([await cache.do({ name: "a" }, fn), cache.size], [5, 1]);
  await cache.do({ name: "b" }, () => 7);
  assertEquals([cache.size, await cache.do({ name: "a" }, () => 8)], [2, 5]);
});

const spent: [name: string, make: () => unknown][] = [
  ["Response", () => new Response("a")],
  ["Request", () => new Request("http://localhost/")],
  ["ReadableStream", () => new Blob(["a"]).stream()],
];

for (const [name, make] of spent) {
  Deno.test(`do refuses a ${name}, which can be read only once`, async () => {
    const { cache } = openCache();
    assertEquals(
      await outcome(cache.do({ name: "a" }, make)),
      `TypeError: Cannot keep "a" of the cache "test": a ${name} can be read only once; keep what ` +
        "is read from it, such as a text.",
    );
    assertEquals(cache.size, 0);
  });
}

const thrown: unknown[] = [new Error("x"), "x", undefined, null, 0, { status: 404 }];

for (const error of thrown) {
  for (const way of ["throws", "rejects with"]) {
    Deno.test(`do: runs a function that ${way} ${String(error)} again`, async () => {
      const { cache } = openCache();
      let runs = 0;
      const fn = (): Promise<number> | number => {
        if (++runs > 2) return runs;
        if (way === "throws") throw error;
        return Promise.reject(error);
      };
      for (let call = 0; call < 2; call++) {
        let caught: unknown = "nothing";
        await cache.do({ name: "a" }, fn).catch((reason) => caught = reason);
        assertStrictEquals(caught, error);
        assertEquals(cache.size, 0);
      }
      assertEquals(await cache.do({ name: "a" }, fn), 3);
    });
  }
}

const expiries: [name: string, ttlMs: number | undefined, moves: [ms: number, run: number][]][] = [
  ["a time", 100, [[0, 1], [99, 1], [1, 2], [99, 2], [1, 3]]],
  ["a fraction of a millisecond", 0.5, [[0, 1], [0.4, 1], [0.2, 2]]],
  ["0", 0, [[0, 1], [1e15, 1]]],
  ["less than 0", -5, [[0, 1], [1e15, 1]]],
  ["none", undefined, [[0, 1], [1e15, 1]]],
  ["Infinity", Infinity, [[0, 1], [1e15, 1]]],
  ["a clock that is set back", 100, [[0, 1], [50, 1], [-1e6, 1], [49, 1], [1, 2]]],
  ["a clock set back repeatedly", 100, [[0, 1], [60, 1], [-60, 1], [30, 1], [-30, 1], [10, 2]]],
  ["a clock that is set ahead and back", 100, [[0, 1], [1e6, 2], [-1e6, 2], [99, 2], [1, 3]]],
];

for (const [name, ttlMs, moves] of expiries) {
  Deno.test(`do: expires a value by ttlMs: ${name}`, async () => {
    const { cache, clock } = openCache();
    const fn = counter();
    for (const [ms, run] of moves) {
      clock.now += ms;
      const key: CacheKey = ttlMs === undefined ? { name: "a" } : { name: "a", ttlMs };
      assertEquals(await cache.do(key, fn), run);
    }
  });
}

Deno.test("do: refuses a ttlMs of NaN", async () => {
  const { cache } = openCache();
  const found = await outcome(cache.do({ name: "a", ttlMs: NaN }, () => 1));
  assertEquals(found, 'TypeError: Cannot keep "a" of the cache "test" for NaN ms: use a number.');
});

Deno.test("do: accepts 100 tags and refuses more before the function runs", async () => {
  const { cache } = openCache();
  const tags = Array.from({ length: 101 }, (_, at) => `tag ${at}`);
  const fn = counter();
  assertEquals(
    await outcome(cache.do({ name: "a", tags }, fn)),
    'RangeError: Cannot keep "a" of the cache "test" under 101 tags: use at most 100, such as one ' +
      "for the list instead of one for each of its members.",
  );
  assertEquals([fn.runs, cache.size], [0, 0]);
  assertEquals(await cache.do({ name: "a", tags: tags.slice(1) }, fn), 1);
  assertEquals([await cache.invalidate("tag 100"), cache.size], [1, 0]);
});

Deno.test("do: the time to live starts when the value arrives", async () => {
  const { cache, clock } = openCache();
  const slow = async (): Promise<string> => {
    await Promise.resolve();
    clock.now += 1_000;
    return "slow";
  };
  await cache.do({ name: "a", ttlMs: 100 }, slow);
  clock.now += 99;
  assertEquals(await cache.do({ name: "a", ttlMs: 100 }, () => "again"), "slow");
});

Deno.test("maxEntries: evicts the least recently used value", async () => {
  const rows: [uses: string, left: string][] = [
    ["abc", "abc"],
    ["abcd", "bcd"],
    ["abcad", "acd"],
    ["abcbad", "abd"],
    ["abcabcd", "bcd"],
    ["abcdefg", "efg"],
    ["aaaabcd", "bcd"],
    ["abccbad", "abd"],
  ];
  for (const [uses, left] of rows) {
    const { cache } = openCache({ maxEntries: 3 });
    for (const name of uses) await cache.do({ name }, () => name);
    assertEquals(cache.size, left.length, uses);
    let found = "";
    for (const name of "abcdefg") {
      // A failing run leaves everything unchanged.
      const value = await outcome(cache.do({ name }, () => Promise.reject(new Error())));
      if (value === name) found += name;
    }
    assertEquals(found, left, uses);
  }
});

const refused: [options: CacheOptions, error: string][] = [
  [{ name: "" }, 'TypeError: Cannot name a cache ""'],
  [{ name: "a b" }, 'TypeError: Cannot name a cache "a b"'],
  [{ name: "ä" }, 'TypeError: Cannot name a cache "ä"'],
  [{ name: "x".repeat(65) }, "TypeError: Cannot name a cache"],
  [{ name: "a", maxEntries: 0 }, 'RangeError: Cannot set maxEntries of the cache "a" to "0"'],
  [{ name: "a", maxEntries: -1 }, "RangeError: Cannot set maxEntries"],
  [{ name: "a", maxEntries: 1.5 }, "RangeError: Cannot set maxEntries"],
  [{ name: "a", maxEntries: NaN }, "RangeError: Cannot set maxEntries"],
  [{ name: "a", maxEntries: Infinity }, "RangeError: Cannot set maxEntries"],
  [{ name: "a", maxEntries: 16_000_001 }, "RangeError: Cannot set maxEntries"],
  [{ name: "a", timeoutMs: 0 }, "RangeError: Cannot set timeoutMs"],
  [{ name: "a", timeoutMs: NaN }, "RangeError: Cannot set timeoutMs"],
  [{ name: "a", timeoutMs: 2 ** 31 }, "RangeError: Cannot set timeoutMs"],
  [{ name: "a", storeTimeoutMs: -1 }, "RangeError: Cannot set storeTimeoutMs"],
  [{ name: "a", nearMs: -1 }, "RangeError: Cannot set nearMs"],
  [{ name: "a", nearMs: NaN }, "RangeError: Cannot set nearMs"],
];

for (const [options, error] of refused) {
  Deno.test(`Cache: refuses at boot: ${error}, ${JSON.stringify(options).slice(0, 40)}`, () => {
    const found = assertThrows(() => new Cache(options), Error);
    assertEquals(`${found.name}: ${found.message}`.slice(0, error.length), error);
  });
}
