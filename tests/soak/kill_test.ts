import { assert, assertEquals } from "@std/assert";
import { testUnless } from "../../tools/skip.ts";
import { killPostgres, killSqlite } from "../data/kill_rounds.ts";
import { noPostgres } from "../data/postgres_server.ts";

Deno.test("kill -9 loses nothing that SQLite acknowledged, in a hundred rounds", async () => {
  const { acknowledged, lost } = await killSqlite(100);
  console.log(`SQLite: ${acknowledged} acknowledged, ${lost} lost`);
  assert(acknowledged >= 100);
  assertEquals(lost, 0);
});

testUnless(noPostgres, {
  name: "kill -9 of the server loses nothing that Postgres acknowledged, in a hundred rounds",
  fn: async () => {
    const { acknowledged, lost } = await killPostgres(100);
    console.log(`Postgres: ${acknowledged} acknowledged, ${lost} lost`);
    assert(acknowledged >= 2_000);
    assertEquals(lost, 0);
  },
});
