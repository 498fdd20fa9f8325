/** The output of `new --db postgres` and `generate`, on a separate server. */
import { assertEquals, assertMatch, assertNotMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { testUnless } from "../../tools/skip.ts";
import { shareFolder } from "../cli/shared_folder.ts";
import { deno, runCli } from "../cli/support.ts";
import { noPostgres, type PostgresServer, startPostgres } from "../data/postgres_server.ts";
import { checkAccountRaces } from "./account_races.ts";

let server: PostgresServer | undefined;

const shared = noPostgres !== undefined
  ? () => ""
  : shareFolder("generated_postgres", async (folder) => {
    const cwd = join(folder, "app");
    const generate = async (...args: readonly string[]): Promise<void> => {
      const { code, stderr } = await runCli(["generate", ...args], { cwd });
      assertEquals(code, 0, stderr);
    };
    server = await startPostgres();
    await runCli(["new", "app", "--kit", "--db", "postgres"], { cwd: folder });
    await generate("auth", "--passwords", "--provider", "keycloak");
    const tickets = "tickets headline:text,required,max=200 mail:email,unique note:long " +
      "state:oneof=open/closed done:bool price:money=EUR due:date,required at:datetime,optional " +
      "owner:ref=users scan:pdf --csv --audit --guard --seed 3";
    await generate("resource", ...tickets.split(" "));
    // A day labels rows without a text.
    const boxes = "boxes week:day,required open:bool begins:datetime,required";
    await generate("resource", ...boxes.split(" "), "--public", "--seed", "3");
    await generate("resource", "box-items", "box:ref=boxes", "count:int", "--guard=packer");
    await generate("auth", "--users");
    const parts =
      "ticket-parts ticket:ref=tickets/cascade box:ref=boxes price:money=EUR at:datetime";
    await generate("resource", ...parts.split(" "), "done:bool", "day:day", "--inside");
    await generate("job", "send_digest");
    await generate("jobs");
  });
if (noPostgres === undefined) {
  Deno.test.afterAll(async () => await server?.[Symbol.asyncDispose]());
}

testUnless(noPostgres, {
  name: "generated on Postgres: the generated tests of the sign-in, a resource and a job pass",
  fn: async () => {
    const cwd = join(shared(), "app");
    const env = { FW_TEST_DB: server?.url ?? "" };
    const { code, output } = await deno(["task", "test", "--no-check"], cwd, env);
    assertEquals(code, 0, output);
  },
});

testUnless(noPostgres, {
  name: "generated on Postgres: a test without a server reports where it looked and what to set",
  fn: async () => {
    const env = { FW_TEST_DB: "postgres://tester:secret@127.0.0.1:1/none" };
    const args = ["task", "test", "--no-check", "app/tickets/page_test.ts"];
    const { code, output } = await deno(args, join(shared(), "app"), env);
    assertEquals(code, 1);
    assertMatch(output, /a test on "127\.0\.0\.1:1\/none"\. Fix: set FW_TEST_DB to the address/);
    assertNotMatch(output, /secret/);
  },
});

testUnless(noPostgres, {
  name: "generated on Postgres: an address without the password that the server asks for is named",
  fn: async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const accepting = askForPasswords(listener);
    const host = `127.0.0.1:${listener.addr.port}`;
    const env = { FW_TEST_DB: `postgres://tester@${host}/none` };
    const args = ["task", "test", "--no-check", "app/tickets/page_test.ts"];
    const { code, output } = await deno(args, join(shared(), "app"), env);
    listener.close();
    await accepting;
    assertEquals(code, 1);
    assertStringIncludes(output, `a test on "${host}/none". Fix: set FW_TEST_DB to the address`);
    assertNotMatch(output, /pgpass|NotCapable/);
  },
});

/** Answers each connection as a server that asks for a password, and hangs up after it. */
async function askForPasswords(listener: Deno.TcpListener): Promise<void> {
  for await (using client of listener) {
    await client.read(new Uint8Array(1_024));
    await client.write(new Uint8Array([82, 0, 0, 0, 8, 0, 0, 0, 3]));
    await client.read(new Uint8Array(1_024)).catch(() => undefined);
  }
}

testUnless(noPostgres, {
  name:
    "generated on Postgres: migrate, --status, the seeds and the accounts with concurrent requests work",
  fn: async () => {
    const cwd = join(shared(), "app");
    const url = server?.url ?? "";
    const env = { FW_DB: url };
    const applied = await runCli(["migrate"], { cwd, env });
    assertEquals(applied.code, 0, applied.stderr);
    assertStringIncludes(
      applied.stdout,
      "Applied 0002_create_tickets.\nApplied 0003_create_boxes.\n" +
        "Applied 0004_create_box_items.\nApplied 0005_add_user_states.\n" +
        "Applied 0006_create_ticket_parts.\n" +
        "Wrote migrations/schema.sql.",
    );
    assertStringIncludes(
      await Deno.readTextFile(join(cwd, "migrations/schema.sql")),
      "create table tickets (",
    );
    const again = await runCli(["migrate"], { cwd, env });
    // The URL contains a password.
    assertEquals([again.stdout, again.stderr], ["Postgres is up to date.\n", ""]);
    const status = await runCli(["migrate", "--status"], { cwd, env });
    assertMatch(
      status.stdout,
      /^applied .* 0001_create_accounts\napplied .* 0002_create_tickets\n.*boxes\n.*box_items\n.*user_states\n.*ticket_parts\n$/,
    );
    await checkAccountRaces(cwd, url);
    const flags = ["--allow-env=FW_DB,PG*", "--allow-net=127.0.0.1"];
    // Boxes first, because the parts of tickets refer to them.
    for (const table of ["boxes", "tickets"]) {
      const seeded = await deno(["run", "--no-check", ...flags, `seeds/${table}.ts`], cwd, env);
      assertEquals(seeded.code, 0, seeded.output);
      assertStringIncludes(seeded.output, `3 ${table} added\n`);
    }
  },
});

testUnless(noPostgres, {
  name: "generated on Postgres: the application keeps its jobs in pg-boss, with its permissions",
  fn: async () => {
    const env = { FW_DB: server?.url ?? "", FW_ENV: "dev" };
    const { code, stdout, stderr } = await runCli(["jobs"], { cwd: join(shared(), "app"), env });
    assertEquals([code, stdout], [0, "0 waiting, 0 running, 0 dead.\n"], stderr);
  },
});
