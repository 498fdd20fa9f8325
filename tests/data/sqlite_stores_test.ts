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
