import { csrfInput, type Ctx, type Node, type Result } from "@fw/fw";
import { passkeyForm, type SessionInfo } from "@fw/fw/auth";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { organiserKeys, sessions } from "@/lib/sign_in.ts";
import { deskWords } from "@/lib/desk_words.ts";

/** GET /organize/account */
export async function Page(c: Ctx): Promise<Node> {
  const user = await sessions.require(c);
  const [list, keys] = await Promise.all([
    sessions.list(c),
    user.provider === "" ? organiserKeys.list(c, user.subject) : undefined,
  ]);
  c.title = c.t(deskWords, "account");
  return h.fragment(
    ui.pageHeader(
      c.title,
      h.p(c.t(deskWords, "signedInAs"), user.email ?? user.name ?? user.subject),
      h.form(
        h.method("post"),
        h.action(c.href("/logout")),
        csrfInput(c),
        ui.submit(ui.outline, ui.icon("log-out"), c.t(deskWords, "signOut")),
      ),
    ),
    ui.settings(
      c.title,
      [
        keys !== undefined &&
        ui.navLink("#passkeys", [ui.icon("passkey"), c.t(deskWords, "passkeys")]),
        ui.navLink("#sessions", [ui.icon("laptop"), c.t(deskWords, "sessions")]),
        ui.navLink("#appearance", [ui.icon("sun"), c.t(deskWords, "appearance")]),
      ],
      // Users of an identity provider sign in there.
      keys !== undefined && ui.card(
        h.id("passkeys"),
        ui.cardHeader(
          h.h2(c.t(deskWords, "passkeys")),
          h.p(
            keys.length === 0
              ? c.t(deskWords, "noPasskeys")
              : c.t(deskWords, "passkeyCount", { count: keys.length }),
          ),
        ),
        ui.cardFooter(
          h.span(c.t(deskWords, "passkeyHelp")),
          passkeyForm(c, { kind: "register", action: c.href("/organize/account/passkeys") }),
        ),
      ),
      sessionCard(c, list),
      ui.card(
        h.id("appearance"),
        ui.cardHeader(
          h.h2(c.t(deskWords, "appearance")),
          h.p(c.t(deskWords, "appearanceHelp")),
        ),
        ui.themeForm(c),
      ),
    ),
  );
}

/** The signed-in browsers, this one first. */
function sessionCard(c: Ctx, list: readonly SessionInfo[]): Node {
  const ordered = list.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
  return ui.card(
    h.id("sessions"),
    ui.cardHeader(h.h2(c.t(deskWords, "sessions")), h.p(c.t(deskWords, "whereSignedIn"))),
    ui.itemList(ordered.map((session) => {
      const name = session.device || c.t(deskWords, "unknown");
      const phone = /Android|iPhone|iOS/.test(name) ? "phone" : "laptop";
      return ui.listItem(
        session.isCurrent ? [name, " ", ui.badge(ui.success, c.t(deskWords, "thisDevice"))] : name,
        {
          image: ui.sign(phone, session.isCurrent && ui.success),
          detail: [
            c.t(deskWords, "lastUsed"),
            " ",
            ui.time(c, session.usedAt, { relative: true }),
          ],
        },
        !session.isCurrent && signOut(c, session, name),
      );
    })),
    ui.cardFooter(
      h.span(c.t(deskWords, "sessionsNote")),
      h.form(
        h.method("post"),
        csrfInput(c),
        ui.submit(
          ui.ghost,
          ui.destructive,
          ui.small,
          h.name("end"),
          h.value("all"),
          c.t(deskWords, "signOutAll"),
        ),
      ),
    ),
  );
}

function signOut(c: Ctx, { id }: SessionInfo, name: string): Node {
  return h.form(
    h.method("post"),
    csrfInput(c),
    ui.submit(
      ui.outline,
      ui.small,
      h.name("end"),
      h.value(id),
      h.aria("label", `${c.t(deskWords, "signOut")}: ${name}`),
      c.t(deskWords, "signOut"),
    ),
  );
}

/** POST /organize/account: saves the theme, or ends one or all sessions. */
export async function POST(c: Ctx): Promise<Result> {
  if (await ui.saveTheme(c)) return c.redirect(c.href("/organize/account"));
  const end = await c.form("end") ?? "";
  if (end !== "all") {
    await sessions.endOne(c, end);
    return c.redirect(c.href("/organize/account"));
  }
  await sessions.endOthers(c);
  await sessions.end(c);
  return c.redirect(c.href("/"));
}
