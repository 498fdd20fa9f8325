/** An application on SQLite that `generate database postgres` moves, with its rows. */
import pg from "npm:pg@8.23.1";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { openSqlite, sqliteStores } from "../../data/sqlite/mod.ts";
import { testUnless } from "../../tools/skip.ts";
import { deno, git, inScratch, runCli } from "../cli/support.ts";
import { noPostgres, startPostgres } from "../data/postgres_server.ts";

testUnless(noPostgres, {
  name: "generate database postgres: moves schema and rows of an application, whose tests pass",
  fn: () =>
    inScratch(async (folder) => {
      await using server = await startPostgres();
      const cwd = join(folder, "app");
      const run = async (...args: readonly string[]): Promise<string> => {
        const { code, stdout, stderr } = await runCli(args, { cwd });
        assertEquals(code, 0, stderr);
        return stdout;
      };
      await runCli(["new", "app", "--kit"], { cwd: folder });
      await run("generate", "auth", "--passwords");
      const name = ["name:text,required", "mail:email,unique"];
      await run("generate", "resource", "customers", ...name, "--guard");
      await run(
        ...["generate", "resource", "tickets", "headline:text,required", "done:bool", "big:int64"],
        ...["due:date,required", "at:datetime", "customer:ref=customers", "scan:file,optional"],
        ...["--guard", "--csv", "--audit", "--seed", "5"],
      );
      await run("generate", "job", "send_digest");
      await run("migrate");
      const db = await openSqlite(join(cwd, "data/app.sqlite"));
      await db.run`insert into users (email, password) values ('Ada@Example.org', '')`;
      await db.run`insert into customers (name) values ('Grace')`;
      await db.run`insert into tickets (headline, done, big, due, at, customer_id)
        values ('Café', 1, 9007199254740993, '2026-03-01', 1767225600000, 1)`;
      await db.run`insert into tickets_changes (row_id, at, act, fields)
        values (1, 1767225600000, 'added', '[{"name":"done"}]')`;
      await db.run`insert into tickets_bytes values (1, 'scan', ${new Uint8Array([0, 255])})`;
      await sqliteStores(db).passkeys.list("1");
      await db.run`insert into fw_passkeys values ('key', '1', 0, '{}')`;
      await db.close();
      for (const args of [["init"], ["add", "-A"], ["commit", "-m", "all"]]) {
        await git(cwd, ...args);
      }
      await run("generate", "database", "postgres");
      for (const args of [["lint"], ["fmt", "--check"]]) {
        const { code, output } = await deno(args, cwd);
        assertEquals(code, 0, output);
      }
      const tested = await deno(["task", "test"], cwd, { FW_TEST_DB: server.url });
      assertEquals(tested.code, 0, tested.output);
      const script = ["run", "-A", "scripts/move_rows.ts", "data/app.sqlite", server.url];
      const moved = await deno(script, cwd);
      assertEquals(moved.code, 0, moved.output);
      const again = await deno(script, cwd);
      assertEquals(again.code, 1);
      assertStringIncludes(again.output, "the table has rows already. Fix: name an empty");
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      try {
        const { rows: [row] } = await client.query(`
          select headline, done, big::text, due::text, tickets.at::text, customer_id::int, email,
            encode(bytes, 'hex') as bytes, fields->0->>'name' as changed, passkey
          from tickets join tickets_bytes using (id), users, tickets_changes, fw_passkeys
          where deleted_at is null and tickets_changes.at = tickets.at`);
        assertEquals({ ...row }, {
          headline: "Café",
          done: true,
          big: "9007199254740993",
          due: "2026-03-01",
          at: "2026-01-01 00:00:00+00",
          customer_id: 1,
          email: "ada@example.org",
          bytes: "00ff",
          changed: "done",
          passkey: "{}",
        });
        const added = await client.query("insert into customers (name) values ('x') returning id");
        assertEquals(added.rows[0].id, "2");
      } finally {
        await client.end();
      }
    }),
});
