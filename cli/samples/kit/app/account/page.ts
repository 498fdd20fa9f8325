import { csrfInput, type Ctx, type Node, type Result } from "@fw/fw";
import { passkeyForm, type User } from "@fw/fw/auth";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { sendNotice } from "../../lib/account_mail.ts";
import { accountMessages } from "../../lib/account_messages.ts";
import { keys } from "../../lib/passkeys.ts";
import { recentMs, requireRecent, sessions } from "../../lib/sessions.ts";

/** GET /account */
export async function Page(c: Ctx): Promise<Node> {
  const user = await sessions.require(c);
  const list = await sessions.list(c);
  c.title = c.t(accountMessages, "account");
  return h.fragment(
    ui.pageHeader(
      c.title,
      h.p(c.t(accountMessages, "signedInAs", { user: user.email ?? user.name ?? user.subject })),
      h.form(
        h.method("post"),
        h.action(c.href("/logout")),
        csrfInput(c),
        ui.submit(ui.outline, ui.icon("log-out"), c.t(accountMessages, "signOut")),
      ),
    ),
    ui.settings(
      c.title,
      [
        // if passkeys
        user.provider === "" &&
        ui.navLink("#passkeys", [ui.icon("passkey"), c.t(accountMessages, "passkeys")]),
        // end
        user.provider === "" &&
        ui.navLink("#password", [ui.icon("key"), c.t(accountMessages, "password")]),
        ui.navLink("#sessions", [ui.icon("laptop"), c.t(accountMessages, "devices")]),
        ui.navLink("#appearance", [ui.icon("sun"), c.t(accountMessages, "appearance")]),
        user.provider === "" &&
        ui.navLink("#delete", [ui.icon("trash"), c.t(accountMessages, "deleteAccount")]),
      ],
      // if passkeys
      // The passkeys are those of the accounts here: the users of a provider have theirs there.
      user.provider === "" && await passkeyList(c, user),
      // end
      user.provider === "" && ui.card(
        h.id("password"),
        ui.cardHeader(
          h.h2(c.t(accountMessages, "password")),
          ui.buttonLink(
            c.href("/reset"),
            ui.outline,
            ui.small,
            c.t(accountMessages, "reset"),
          ),
          h.p(c.t(accountMessages, "passwordHelp")),
        ),
      ),
      sessionList(c, list),
      ui.card(
        h.id("appearance"),
        ui.cardHeader(
          h.h2(c.t(accountMessages, "appearance")),
          ui.themeToggle(ui.outline),
          h.p(c.t(accountMessages, "appearanceHelp")),
        ),
      ),
      user.provider === "" && ui.card(
        h.id("delete"),
        ui.cardHeader(
          h.h2(c.t(accountMessages, "deleteAccount")),
          h.p(c.t(accountMessages, "deleteHelp")),
        ),
        ui.cardFooter(
          ui.buttonLink(
            c.href("/account/delete"),
            ui.outline,
            ui.destructive,
            ui.small,
            c.t(accountMessages, "deleteNow"),
          ),
        ),
      ),
    ),
  );
}

/** The browsers that are signed in, each but this one with a button that ends it. */
function sessionList(c: Ctx, list: Awaited<ReturnType<typeof sessions.list>>): Node {
  return ui.card(
    h.id("sessions"),
    ui.cardHeader(
      h.h2(c.t(accountMessages, "sessions")),
      h.p(c.t(accountMessages, "sessionsHelp")),
    ),
    ui.itemList(
      list.map(({ id, device, usedAt, isCurrent }) =>
        ui.listItem(
          shownDevice(c, device),
          {
            image: ui.sign(/Android|iPhone|iOS/.test(device) ? "phone" : "laptop"),
            detail: [c.t(accountMessages, "lastUsed"), " ", ui.time(c, usedAt, { clock: true })],
          },
          isCurrent ? ui.badge(ui.success, ui.dot, c.t(accountMessages, "thisDevice")) : h.form(
            h.method("post"),
            csrfInput(c),
            ui.submit(
              ui.outline,
              ui.small,
              h.name("session"),
              h.value(id),
              c.t(accountMessages, "signOut"),
            ),
          ),
        )
      ),
    ),
    list.length > 1 && ui.cardFooter(
      h.form(
        h.method("post"),
        csrfInput(c),
        ui.submit(ui.ghost, ui.destructive, c.t(accountMessages, "signOutOthers")),
      ),
    ),
  );
}

/** POST /account */
export async function POST(c: Ctx): Promise<Result> {
  // if passkeys
  const user = await sessions.require(c);
  const id = await c.form("passkey");
  if (id !== undefined) {
    await requireRecent(c);
    if (user.provider === "" && await keys.remove(c, { subject: user.subject, id })) {
      sendNotice(c, user.email, "passkeyRemoved");
    }
    return c.redirect(c.href("/account"));
  }
  // end
  const session = await c.form("session");
  if (session !== undefined) await sessions.endOne(c, session);
  else await sessions.endOthers(c);
  return c.redirect(c.href("/account"));
}
// if passkeys

/** The passkeys, each with a button that removes it: for a device that was lost. */
async function passkeyList(c: Ctx, { subject, issuedAt }: User): Promise<Node> {
  const list = await keys.list(c, subject);
  return ui.card(
    h.id("passkeys"),
    ui.cardHeader(
      h.h2(c.t(accountMessages, "passkeys")),
      h.p(c.t(accountMessages, "passkeysHelp")),
    ),
    list.length > 0 && ui.itemList(
      list.map(({ id, label, createdAtMs }) =>
        ui.listItem(
          shownDevice(c, label),
          {
            image: ui.sign("passkey"),
            detail: [c.t(accountMessages, "added"), " ", ui.time(c, new Date(createdAtMs))],
          },
          h.form(
            h.method("post"),
            csrfInput(c),
            ui.submit(
              ui.outline,
              ui.small,
              h.name("passkey"),
              h.value(id),
              c.t(accountMessages, "remove"),
            ),
          ),
        )
      ),
    ),
    ui.cardFooter(
      Date.now() - issuedAt.getTime() < recentMs
        ? passkeyForm(c, {
          kind: "register",
          action: c.href("/account/passkeys"),
          label: c.t(accountMessages, "passkeyAdd"),
          note: c.t(accountMessages, "passkeyNote"),
          failed: c.t(accountMessages, "passkeyFailed"),
          known: c.t(accountMessages, "passkeyKnown"),
        })
        : h.a(
          h.href(c.href("/login", {}, { query: { again: 1, next: c.href("/account") } })),
          c.t(accountMessages, "signInAgain"),
        ),
    ),
  );
}
// end

/** Returns a device in the language of the page: `Firefox on Linux` consists of two names. */
function shownDevice(c: Ctx, device: string): string {
  const [browser = "", system] = device.split(" on ");
  if (browser === "") return c.t(accountMessages, "unknownDevice");
  return system === undefined ? browser : c.t(accountMessages, "deviceOn", { browser, system });
}
