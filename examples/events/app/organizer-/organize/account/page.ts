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
  return ui.stack(
    ui.pageHeader(
      c.title,
      h.p(c.t(deskWords, "signedInAs"), user.email ?? user.name ?? user.subject),
    ),
    ui.dataTable({
      caption: c.t(deskWords, "whereSignedIn"),
      columns: [
        {
          title: c.t(deskWords, "device"),
          cell: ({ device }) => device || c.t(deskWords, "unknown"),
        },
        { title: c.t(deskWords, "lastUsed"), cell: ({ usedAt }) => lastUse(usedAt) },
        {
          title: ui.visuallyHidden(c.t(deskWords, "actions")),
          cell: (session) => signOut(c, session),
        },
      ],
      rows: list,
    }),
    h.form(
      h.method("post"),
      csrfInput(c),
      ui.submit(ui.destructive, h.name("end"), h.value("all"), c.t(deskWords, "signOutAll")),
    ),
    // Who comes from an identity provider signs in there.
    keys !== undefined && h.fragment(
      h.h2(c.t(deskWords, "passkeys")),
      h.p(c.t(deskWords, "passkeyCount", { count: keys.length })),
      passkeyForm(c, { kind: "register", action: c.href("/organize/account/passkeys") }),
    ),
    h.form(
      h.method("post"),
      h.action(c.href("/logout")),
      csrfInput(c),
      ui.submit(ui.outline, c.t(deskWords, "signOut")),
    ),
  );
}

function lastUse(usedAt: Date): Node {
  const text = usedAt.toISOString();
  return h.el("time", h.attr("datetime", text), text.slice(0, 16).replace("T", " "), " UTC");
}

function signOut(c: Ctx, { id, isCurrent }: SessionInfo): Node | string {
  if (isCurrent) return c.t(deskWords, "thisOne");
  return h.form(
    h.method("post"),
    csrfInput(c),
    ui.submit(ui.outline, ui.small, h.name("end"), h.value(id), c.t(deskWords, "signOut")),
  );
}

/** POST /organize/account: ends one session, or all of them. */
export async function POST(c: Ctx): Promise<Result> {
  const end = await c.form("end") ?? "";
  if (end !== "all") {
    await sessions.endOne(c, end);
    return c.redirect(c.href("/organize/account"));
  }
  await sessions.endOthers(c);
  await sessions.end(c);
  return c.redirect(c.href("/"));
}
