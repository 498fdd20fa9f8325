/** The database engine of an application, and the differences in its sources. */
import { join } from "@std/path";
import { readTextIfThere } from "../../project/files/look.ts";

export type EngineName = "sqlite" | "postgres";

export const databaseFile = "lib/database.ts";

export async function readEngine(root: string): Promise<EngineName> {
  return engineOf(await readTextIfThere(join(root, databaseFile)));
}

export function engineOf(text: string = ""): EngineName {
  return /\bopenPostgres\b/.test(text) ? "postgres" : "sqlite";
}

/** Replaces parts of the samples in an application on Postgres. */
const postgresNames: Readonly<Record<string, string>> = {
  '{ sqliteStores } from "@fw/fw/sqlite"': '{ postgresStores } from "@fw/fw/postgres"',
  "sqliteStores(": "postgresStores(",
  "--allow-env=FW_DB --allow-read=data --allow-write=data":
    "--allow-env=FW_DB,PG* --allow-net=127.0.0.1",
  ":memory:": ":test:",
  'select hex("bytes")': `select encode("bytes", 'hex')`,
};

export function engineNames(engine: EngineName): Readonly<Record<string, string>> {
  return engine === "postgres" ? postgresNames : {};
}
