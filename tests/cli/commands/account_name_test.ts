import { assertEquals } from "@std/assert";
import { POST } from "../../../cli/samples/kit/app/account/page.ts";
import { addAccount, withAccount } from "../../../cli/samples/kit/lib/account_testing.ts";
import { Accounts, openAccounts } from "../../../cli/samples/kit/lib/accounts.ts";
import { closeDatabase, openDatabase } from "../../../cli/samples/kit/lib/database.ts";
import { App, use } from "../../../mod.ts";
import { newTestClient, withForm } from "../../../runtime/testing/mod.ts";

const names: readonly [what: string, sent: string, kept: string][] = [
  ["a control character, which sessions refuse", "Ada\u0085King", "Ada King"],
  ["a separator of lines", "Ada\u2028King", "Ada King"],
  ["a directional control character", "Ada\u202EgniK", "Ada gniK"],
  ["spaces alone", "  ", ""],
  ["markup, which pages escape", "<b>Ada</b>", "<b>Ada</b>"],
];

Deno.test("account names lose characters that break sign-ins or reverse adjacent text", async (t) => {
  const app = new App({
    secret: "s".repeat(32),
    variables: { FW_DB: ":memory:" },
    logRequest: () => false,
  });
  app.route({ pattern: "/account", methods: { POST } });
  await openDatabase(app);
  openAccounts(app);
  const accounts = use(app, Accounts);
  const { id } = await addAccount(app);
  const client = newTestClient(app, await withAccount(app));
  for (const [what, name, kept] of names) {
    await t.step(what, async () => {
      await client.request("POST", "/account", withForm({ name })).wantStatus(303);
      assertEquals((await accounts.find(id))?.name, kept);
      const [session] = await accounts.sessions.list({ provider: "", subject: id });
      assertEquals(session?.name ?? "", kept);
    });
  }
  await closeDatabase(app);
});
