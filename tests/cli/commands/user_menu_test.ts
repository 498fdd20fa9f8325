import { Error as ErrorPage } from "../../../cli/samples/kit/app/error.ts";
import { openAccounts } from "../../../cli/samples/kit/lib/accounts.ts";
import { closeDatabase, openDatabase } from "../../../cli/samples/kit/lib/database.ts";
import { sessions } from "../../../cli/samples/kit/lib/sessions.ts";
import { userMenu } from "../../../cli/samples/kit/views/user_menu.ts";
import * as h from "../../../html/mod.ts";
import { App, createLogger, type Ctx, type Node } from "../../../mod.ts";
import { testRequest, withHeader } from "../../../runtime/testing/mod.ts";
import * as ui from "../../../ui/mod.ts";

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
