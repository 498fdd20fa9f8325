import pg from "npm:pg@8.23.1";
import postgres from "npm:postgres@3.4.9";
import type { Db } from "../../../data/mod.ts";
import { openPostgres, postgresStores } from "../../../data/postgres/mod.ts";
import type { PgPool, PostgresClient } from "../../../data/postgres/mod.ts";
import type { Stores } from "../../../mod.ts";
import { testUnless } from "../../../tools/skip.ts";
import { noPostgres, startPostgres } from "../postgres_server.ts";
import { testStoreChannels, testStores } from "../stores_suite.ts";

const clients: readonly (readonly [name: string, make: (url: string) => unknown])[] = [
  ["npm:pg", (url) => new pg.Pool({ connectionString: url, max: 8, idleTimeoutMillis: 0 })],
  ["npm:postgres", (url) => postgres(url, { max: 8, max_lifetime: null, onnotice: () => {} })],
];

const tables = [
  ..."limits once user_sessions passkeys cache cache_marks channels messages".split(" "),
].map((name) => `fw_${name}`).join(", ");

if (noPostgres !== undefined) {
  testUnless(noPostgres, { name: "Postgres: the stores", fn: () => {} });
} else {
  let server: Awaited<ReturnType<typeof startPostgres>> | undefined;
  Deno.test.beforeAll(async () => {
    server = await startPostgres();
  });
  Deno.test.afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });
  for (const [name, make] of clients) {
    const test = name === "npm:pg" ? testStores : testStoreChannels;
    test(name, async (now) => {
      const open = (): Promise<Db> =>
        openPostgres(make(server?.url ?? "") as PgPool | PostgresClient, { slowMs: 60_000 });
      const [one, other] = [await open(), await open()];
      const text = `drop table if exists ${tables}`;
      await one.run(Object.assign([text], { raw: [text] }));
      const stores = (db: Db): Required<Stores> => postgresStores(db, { now }) as Required<Stores>;
      return {
        one: stores(one),
        other: stores(other),
        tx: (work) => one.tx(work),
        close: async () => {
          await one.close();
          await other.close();
        },
      };
      // The clients close their connections and timers after they report the end.
    }, { sanitizeOps: false, sanitizeResources: false });
  }
}
