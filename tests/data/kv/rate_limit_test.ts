import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type Kv, type KvAtomic, type KvListed, kvStores } from "../../../data/kv/mod.ts";
import { App, createLogger, limit } from "../../../mod.ts";

/** What the store wrote: the value, and for how long it stays. */
interface Written {
  readonly value: unknown;
  readonly expireIn: number | undefined;
}

/** A KV in memory; `failures` is how many changes in a row another replica is faster with. */
class FakeKv implements Kv {
  readonly entries = new Map<string, Written>();
  reads = 0;
  tries = 0;
  failures: number;

  constructor(failures = 0) {
    this.failures = failures;
  }

  get(key: readonly string[]): ReturnType<Kv["get"]> {
    this.reads++;
    const entry = this.entries.get(key.join("/"));
    return Promise.resolve(
      entry === undefined
        ? { value: null, versionstamp: null }
        : { value: entry.value, versionstamp: "1" },
    );
  }

  getMany(keys: readonly (readonly string[])[]): ReturnType<Kv["getMany"]> {
    return Promise.all(keys.map((key) => this.get(key)));
  }

  async *list(): AsyncGenerator<KvListed> {}

  atomic(): KvAtomic {
    const write = (key: readonly string[], written: Written): { readonly ok: boolean } => {
      this.tries++;
      if (this.failures-- > 0) return { ok: false };
      this.entries.set(key.join("/"), written);
      return { ok: true };
    };
    let commit = (): { readonly ok: boolean } => ({ ok: true });
    const operation: KvAtomic = {
      check: () => operation,
      set(key, value, { expireIn } = {}): KvAtomic {
        commit = () => write(key, { value, expireIn });
        return operation;
      },
      delete: () => operation,
      commit: () => Promise.resolve(commit()),
    };
    return operation;
  }
}

const now = (): number => 10_000;

Deno.test("the limits of kvStores: a bucket is one small entry that vanishes when it is full", async () => {
  const kv = new FakeKv();
  const store = kvStores(kv, { prefix: "p", now }).limits;
  for (let taken = 0; taken < 3; taken++) {
    await store.take("5/20 192.0.2.1", { rate: 5, burst: 20 });
  }
  assertEquals([...kv.entries], [["p/limit/5/20 192.0.2.1", { value: 10_600, expireIn: 600 }]]);
});

Deno.test("the limits of kvStores: a refusal writes nothing", async () => {
  const kv = new FakeKv();
  const store = kvStores(kv, { now }).limits;
  const rule = { rate: 1, burst: 1 };
  const waits = [await store.take("a", rule), await store.take("a", rule)];
  assertEquals([waits, kv.reads, kv.tries], [[0, 1_000], 2, 1]);
});

Deno.test("the limits of kvStores: requests of one client at once share reads and writes", async () => {
  const kv = new FakeKv();
  const store = kvStores(kv, { now }).limits;
  const rule = { rate: 1, burst: 40 };
  const waits = await Promise.all(Array.from({ length: 100 }, () => store.take("a", rule)));
  assertEquals(waits.filter((waitMs) => waitMs === 0).length, 40);
  assertEquals([kv.reads, kv.tries], [2, 2]);
});

Deno.test("the limits of kvStores: another replica that is faster is outlasted, but not for ever", async () => {
  const some = new FakeKv(5);
  assertEquals(await kvStores(some, { now }).limits.take("a", { rate: 2, burst: 1 }), 0);
  assertEquals(some.tries, 6);
  const always = new FakeKv(Infinity);
  assertEquals(await kvStores(always, { now }).limits.take("a", { rate: 2, burst: 1 }), 500);
  assertEquals(always.tries, 16);
});

Deno.test("the limits of kvStores: an entry that cannot be right costs no more than an empty bucket", async () => {
  const rows: [name: string, value: unknown, waitMs: number, left: unknown][] = [
    ["of a clock that is ahead", 9_999_999, 500, 9_999_999],
    ["of no number", "x", 0, 10_500],
    ["of NaN", NaN, 0, 10_500],
    ["of the past", 1, 0, 10_500],
  ];
  for (const [name, value, waitMs, left] of rows) {
    const kv = new FakeKv();
    kv.entries.set("fw/limit/a", { value, expireIn: 1 });
    const store = kvStores(kv, { now }).limits;
    assertEquals(await store.take("a", { rate: 2, burst: 1 }), waitMs, name);
    assertEquals(kv.entries.get("fw/limit/a")?.value, left, name);
  }
});

Deno.test("the limits of kvStores: while the KV fails, requests pass and the log tells", async () => {
  const broken = new FakeKv();
  broken.get = () => Promise.reject(new Error("the disk is full"));
  const store = kvStores(broken).limits;
  await assertRejects(async () => await store.take("a", { rate: 1, burst: 1 }), Error, "disk");
  let log = "";
  const logger = createLogger({ write: (text) => void (log += text) });
  const app = new App({ logger, logRequest: () => false });
  app.route({
    pattern: "/",
    middleware: [{ Middleware: limit(1, 1, { store }) }],
    methods: { GET: (c) => c.noContent() },
  });
  for (let request = 0; request < 3; request++) {
    assertEquals((await app.fetch(new Request("http://localhost/"))).status, 204);
  }
  assertEquals(log.match(/rate limits are not checked: their store fails/g)?.length, 1);
});

Deno.test("kvStores: a malformed prefix stops the boot", () => {
  for (const prefix of ["", "a b", "ä", "x".repeat(65)]) {
    assertThrows(() => kvStores(new FakeKv(), { prefix }), TypeError, "Cannot make stores with");
  }
});
