import { assert, assertEquals } from "@std/assert";
import { testUnless } from "../../../tools/skip.ts";
import { killPostgres, killSqlite } from "../kill_rounds.ts";
import { noPostgres } from "../postgres_server.ts";

Deno.test("kill -9 of the process loses nothing that SQLite acknowledged, in ten rounds", async () => {
  const { acknowledged, lost } = await killSqlite(10);
  assert(acknowledged >= 10);
  assertEquals(lost, 0);
});

testUnless(noPostgres, {
  name: "kill -9 of the server loses nothing that Postgres acknowledged, in ten rounds",
  fn: async () => {
    const { acknowledged, lost } = await killPostgres(10);
    assert(acknowledged >= 200);
    assertEquals(lost, 0);
  },
});
