import { type Application, key, provide, use, variable } from "@fw/fw";
import type { Db } from "@fw/fw/data";
import { openPostgres } from "@fw/fw/postgres";
// deno-lint-ignore no-import-prefix -- in the import map every task would install it
import pg from "npm:pg@8";
import { migrations } from "../migrations/mod.ts";

/** The database, as `Setup` provides it: `use(c, Database)`. */
export const Database = key<Db>("database");

const fix = "set FW_DB to postgres://user:password@127.0.0.1:5432/name, in tests to :test:";

/** Opens the database of a URL, by default on this machine, and updates its schema. */
export function connect(
  url: string = "postgres://postgres@127.0.0.1:5432/postgres",
  versions = migrations,
): Promise<Db> {
  if (!url.startsWith("postgres")) throw new Error(`Cannot open the database: ${fix}`);
  // Without a password, pg would read ~/.pgpass, which the permissions do not allow.
  pg.defaults.password = "";
  const pool = new pg.Pool({
    connectionString: url,
    // Without a limit, requests wait forever while all connections are in use.
    connectionTimeoutMillis: 5_000,
    // Of a statement, as of a server that hangs; `timeoutMs` of `db.tx` replaces it.
    query_timeout: 30_000,
  });
  return openPostgres(pool, { migrations: versions });
}

/** Opens the database that `FW_DB` names; `:test:` is an empty schema, which closing drops. */
export async function openDatabase(app: Application): Promise<void> {
  const url = variable(app, "FW_DB");
  const db = url === ":test:"
    ? await (await import("./database_testing.ts")).openTestSchema()
    : await connect(url).catch((cause) => {
      if (url !== undefined) throw cause;
      throw new Error(`Cannot open the database: ${fix}.`, { cause });
    });
  app.check("database", async () => void await db.run`select 1`);
  provide(app, Database, db);
}

/** Closes the database. */
export async function closeDatabase(app: Application): Promise<void> {
  await use(app, Database).close();
}
