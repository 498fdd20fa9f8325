/**
 * Databases for tests, each with an empty schema.
 *
 * @module
 */
import { type Db, name } from "@fw/fw/data";
import { connect } from "./database.ts";

/** Opens an empty schema of the database that `FW_TEST_DB` names; closing it drops the schema. */
export async function openTestSchema(): Promise<Db> {
  const url = new URL(
    Deno.env.get("FW_TEST_DB") ?? "postgres://postgres@127.0.0.1:5432/postgres",
  );
  const schema = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  const server = await connect(url.href, []);
  const drop = async (): Promise<void> => {
    await server.run`drop schema if exists ${name(schema)} cascade`;
    await server.close();
  };
  await server.run`create schema ${name(schema)}`.catch(async (cause) => {
    await server.close();
    const where = `${url.host}${url.pathname}`;
    const fix =
      "Fix: set FW_TEST_DB to the address of a server where the user may create schemas, such as " +
      "postgres://user:password@127.0.0.1:5432/name.";
    throw new Error(`Cannot create a schema for a test on "${where}". ${fix}`, { cause });
  });
  // Tables of other schemas are not on the search path; extensions need their schema's name.
  url.searchParams.set("options", `-c search_path=${schema}`);
  const db = await connect(url.href).catch(async (error) => {
    await drop();
    throw error;
  });
  const close = db.close.bind(db);
  let closing: Promise<void> | undefined;
  db.close = () => closing ??= close().then(drop);
  return db;
}
