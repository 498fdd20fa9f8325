import { assertEquals } from "@std/assert";
import { withUser } from "../../../auth/testing.ts";
import { Middleware as api } from "../../../cli/samples/kit/app/api/book-loans/middleware.ts";
import { Middleware as pages } from "../../../cli/samples/kit/app/book-loans/middleware.ts";
import { openAccounts } from "../../../cli/samples/kit/lib/accounts.ts";
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
    await newTestClient(app, withUser(sessions, eve)).get("/").wantStatus(204);
    assertEquals(await db.all(text())`select by from t_changes`, ["eve@example.org"]);
    await closeDatabase(app);
  });
}
