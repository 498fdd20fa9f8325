import * as h from "../../../html/mod.ts";
import * as ui from "../../../ui/mod.ts";
import { Error as ErrorPage } from "../../../cli/samples/kit/app/error.ts";
import { Error as PlainErrorPage } from "../../../cli/samples/plain/app/error.ts";
import { ConstraintError } from "../../../data/mod.ts";
import { Accounts, openAccounts } from "../../../cli/samples/kit/lib/accounts.ts";
import { closeDatabase, openDatabase } from "../../../cli/samples/kit/lib/database.ts";
import { sessions } from "../../../cli/samples/kit/lib/sessions.ts";
import { userMenu } from "../../../cli/samples/kit/views/user_menu.ts";
import {
  App,
  createLogger,
  type Ctx,
  fieldError,
  httpError,
  type Node,
  Problem,
  use,
} from "../../../mod.ts";
import { newTestClient, testRequest, withForm, withHeader } from "../../../runtime/testing/mod.ts";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { POST } from "../../../cli/samples/kit/app/account/page.ts";
import { addAccount, withAccount } from "../../../cli/samples/kit/lib/account_testing.ts";

async function layout(c: Ctx, children: Node): Promise<Node> {
  return ui.shell(c, { brand: "Shop", nav: [], user: await userMenu(c) }, children);
}

Deno.test("the layout renders public pages and error pages if the sign-in's store fails", async () => {
  const settings = {
    env: "prod",
    secret: "s".repeat(32),
    variables: { FW_DB: ":memory:" },
    logger: createLogger({ write: () => {} }),
  } as const;
  const app = new App(settings, { layout, error: ErrorPage });
  app.route({ pattern: "/", page: () => h.p("for everybody"), layouts: [layout] });
  app.route({
    pattern: "/account",
    page: async (c) => h.p((await sessions.require(c)).subject),
    layouts: [layout],
  });
  await openDatabase(app);
  openAccounts(app);
  const ask = (path: string) =>
    testRequest(app, "GET", `https://localhost${path}`, withHeader("cookie", cookie));
  const cookie = `__Host-fw_session=${"a".repeat(43)}`;
  await ask("/").wantStatus(200).wantContains('href="/login"');
  await closeDatabase(app);
  await ask("/").wantStatus(200).wantContains("for everybody").wantContains("ui-topbar")
    .wantNotContains('href="/login"');
  await ask("/account").wantStatus(503).wantContains("That did not work").wantContains("ui-topbar");
});

const refusals: readonly [error: Error, shown: string][] = [
  [httpError(409, "The event is sold out."), "<p>The event is sold out.</p>"],
  [fieldError("seats", "must be a number"), "<p>seats: must be a number</p>"],
  [new Problem({ status: 409, title: "Sold out" }), "<p>Sold out</p>"],
  [
    new ConstraintError({ kind: "unique", table: "users", columns: ["first_name"] }),
    "<p>firstName: is taken already</p>",
  ],
  [httpError(502, "hunter2 is down"), "fault"],
];

for (const [error, shown] of refusals) {
  Deno.test(`the pages for errors of a new application show "${shown}" for ${error.name}`, async () => {
    for (const page of [ErrorPage, PlainErrorPage]) {
      const app = new App(
        { env: "prod", logger: createLogger({ write: () => {} }) },
        { error: page },
      );
      const throwing = (): never => {
        throw error;
      };
      app.route({ pattern: "/", page: throwing });
      const { body } = await testRequest(app, "GET", "/").wantNotContains("hunter2");
      assertStringIncludes(body.replace('<p class="lead">', "<p>"), shown);
    }
  });
}

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
