import { assertEquals } from "@std/assert";
import type { Stores } from "../../mod.ts";
import { openSqlite, sqliteStores } from "../../data/sqlite/mod.ts";
import { testStores } from "./stores_suite.ts";

// Two connections to one file are equivalent to two processes.
testStores("sqlite", async (now) => {
  const folder = await Deno.makeTempDir();
  const open = () =>
    openSqlite(`${folder}/stores.sqlite`, { durability: "process", slowMs: 60_000 });
  const [one, other] = [await open(), await open()];
  const make = (db: typeof one): Required<Stores> =>
    sqliteStores(db, { now, pollMs: 20 }) as Required<Stores>;
  return {
    one: make(one),
    other: make(other),
    tx: (work) => one.tx(work),
    close: async () => {
      await one.close();
      await other.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
});

Deno.test("sqlite: a channel that is watched first in a transaction hears of other processes", async () => {
  const folder = await Deno.makeTempDir();
  const open = () => openSqlite(`${folder}/stores.sqlite`, { durability: "process" });
  const [one, other] = [await open(), await open()];
  const reads = sqliteStores(one, { pollMs: 20 }).channels;
  const woken = Promise.withResolvers<void>();
  const stop = await one.tx(() => Promise.resolve(reads?.watch("news", woken.resolve)));
  const message = { text: "1", keep: 1, keepMs: 60_000 };
  await sqliteStores(other).channels?.publish("news", message);
  await woken.promise;
  stop?.();
  await one.close();
  await other.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("sqlite: a clock that is set back locks no client out", async () => {
  await using db = await openSqlite(":memory:");
  let now = 7_200_000;
  const { limits } = sqliteStores(db, { now: () => now });
  const take = async (): Promise<number> => await limits.take("a", { rate: 1, burst: 2 });
  assertEquals([await take(), await take(), await take()], [0, 0, 1_000]);
  now = 1;
  assertEquals([await take(), await take()], [0, 1_000]);
});
