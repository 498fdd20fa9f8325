import { assertEquals } from "@std/assert";
import { withUser } from "../../../auth/testing.ts";
import { Middleware as api } from "../../../cli/samples/kit/app/api/book-loans/middleware.ts";
import { Middleware as pages } from "../../../cli/samples/kit/app/book-loans/middleware.ts";
import { Accounts, openAccounts } from "../../../cli/samples/kit/lib/accounts.ts";
import { closeDatabase, Database, openDatabase } from "../../../cli/samples/kit/lib/database.ts";
import { sessions } from "../../../cli/samples/kit/lib/sessions.ts";
import { recordChange } from "../../../data/history.ts";
import { App, struct, text, use } from "../../../mod.ts";
import { newTestClient } from "../../../runtime/testing/mod.ts";

for (const [kind, middleware] of Object.entries({ pages, api })) {
  Deno.test(`the history of the ${kind} shows the address of the user who changed a row, not the chosen name`, async () => {
    const app = new App({
      secret: "s".repeat(32),
      variables: { FW_DB: ":memory:" },
      logRequest: () => false,
    });
    app.route({
      pattern: "/",
      middleware: [{ Middleware: middleware }],
      methods: {
        GET: async (c) => {
          const table = { table: "t", input: struct({}) };
          await recordChange(use(c, Database), table, { act: "added", rows: [{ id: 1 }] });
          return c.noContent();
        },
      },
    });
    await openDatabase(app);
    openAccounts(app);
    const db = use(app, Database);
    await db.run`create table t_changes (id integer primary key, row_id, at, by, act, fields)`;
    const eve = { subject: "7", email: "eve@example.org", name: "ada@example.org" };
    // The subject of an identity provider may be the address of another user.
    const mallory = { subject: "ada@example.org", id: "8" };
    for (const user of [eve, mallory]) {
      const signedIn = withUser(sessions, { ...user, roles: ["clerk", "librarian"] });
      await newTestClient(app, signedIn).get("/").wantStatus(204);
    }
    assertEquals(await db.all(text())`select by from t_changes`, ["eve@example.org", "#8"]);
    await closeDatabase(app);
  });
}

Deno.test("an account without an address changes only its own name in the history", async () => {
  const app = new App({ variables: { FW_DB: ":memory:" }, logRequest: () => false });
  await openDatabase(app);
  openAccounts(app);
  const [db, accounts] = [use(app, Database), use(app, Accounts)];
  await db.run`create table t_changes (id integer primary key, row_id, at, by, act, fields)`;
  const fields = '[{"name":"seats","from":"1","to":"2"}]';
  const ada = "ada@example.org";
  const provider = "https://id.example";
  for (const subject of ["1", ada]) {
    const { id } = await accounts.findOrAdd({ provider, subject });
    await db.run`delete from t_changes`;
    for (const by of [ada, `#${id}`]) {
      await db.run`insert into t_changes (by, fields) values (${by}, ${fields})`;
    }
    const authors = () => db.all(text().optional())`select by from t_changes`;
    await accounts.findOrAdd({ provider, subject, email: "eve@example.org" });
    assertEquals(await authors(), [ada, "eve@example.org"], subject);
    await accounts.findOrAdd({ provider, subject });
    assertEquals(await authors(), [ada, `#${id}`], subject);
    await accounts.delete(Number(id));
    assertEquals(await authors(), [ada, null], subject);
    assertEquals(await db.all(text())`select fields from t_changes`, [fields, fields], subject);
  }
  await closeDatabase(app);
});
