import {
  bool,
  csrfInput,
  type Ctx,
  FieldErrors,
  int,
  type Node,
  type Result,
  struct,
  texts,
  use,
} from "@fw/fw";
import { keep, rowTag } from "@fw/fw/data";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { Accounts } from "../../../lib/accounts.ts";
import { shownDevice } from "../../../lib/sessions.ts";
import { userMessages } from "../../../lib/user_messages.ts";
import { origin, roles, rolesOf, UserInput, users } from "../../../lib/users.ts";
import { bookLoanRows } from "../../../views/book_loan_rows.ts";

const Access = struct({ roles: texts("max=60"), disabled: bool() });

/** GET /users/{id} */
export async function Page(c: Ctx<"/users/{id}">): Promise<Node> {
  const row = await users(c).get(c.param("id", int()));
  const sessions = await use(c, Accounts).listSessions(row.id);
  c.title = row.address;
  return ui.detailPage(
    c,
    {
      title: c.title,
      badge: row.disabled && ui.badge(ui.destructive, ui.hollow, c.t(userMessages, "disabled")),
      text: origin(row) || undefined,
      remove: {
        href: c.action("remove"),
        submit: c.t(userMessages, "delete"),
        text: c.t(userMessages, "deleteText"),
      },
    },
    ui.card(
      ui.cardHeader(h.h2(c.t(userMessages, "access"))),
      ui.form(
        c,
        Access,
        {
          values: { roles: rolesOf(row), disabled: row.disabled },
          labels: { roles: c.t(userMessages, "role"), disabled: c.t(userMessages, "disabled") },
          help: { disabled: c.t(userMessages, "disabledHelp") },
          fields: { roles: { choices: [...new Set([...roles, ...rolesOf(row)])] } },
          submit: false,
        },
        h.id("access"),
        h.action(c.href("/users/{id}", { id: row.id }, { query: { shown: rowTag(row) } })),
        ui.wide,
      ),
      ui.cardFooter(
        h.span(c.t(userMessages, "accessHelp")),
        ui.submit(ui.small, h.formAttr("access"), c.t(userMessages, "save")),
      ),
    ),
    ui.card(
      ui.cardHeader(h.h2(c.t(userMessages, "sessions"))),
      sessions.length === 0 ? h.p(ui.muted, c.t(userMessages, "noSessions")) : [
        ui.itemList(sessions.map(({ device, usedAtMs }) =>
          ui.listItem(shownDevice(c, device), {
            image: ui.sign("laptop"),
            detail: ui.time(c, new Date(usedAtMs), { relative: true }),
          })
        )),
        ui.cardFooter(
          h.span(c.t(userMessages, "signOutHelp")),
          h.form(
            h.method("post"),
            h.action(c.action("signOut")),
            csrfInput(c),
            ui.submit(ui.outline, ui.small, c.t(userMessages, "signOut")),
          ),
        ),
      ],
    ),
    // if sample
    await bookLoanRows(c, { readerId: row.id }),
    // end
    ui.history(c, {
      changes: await users(c).changes(row.id),
      schema: UserInput,
      label: (field) => c.t(userMessages, field),
    }),
  );
}

/** POST /users/{id} */
export async function POST(c: Ctx<"/users/{id}">): Promise<Result> {
  const row = await users(c).get(c.param("id", int()));
  const { roles: chosen, disabled } = await c.bind(Access);
  const known = new Set([...roles, ...rolesOf(row)]);
  const role = chosen.filter((each) => known.has(each)).join(" ");
  // An outdated form would undo what another administrator has changed.
  if (!ui.isShown(c, rowTag(row))) return tell(c, row.id, "stale");
  const isSaved = await users(c).save(row.id, { role, disabled });
  return tell(c, row.id, isSaved ? "saved" : "last");
}

export const Actions = { signOut, remove };

async function signOut(c: Ctx<"/users/{id}">): Promise<Result> {
  const { id } = await users(c).get(c.param("id", int()));
  await use(c, Accounts).signOut(String(id));
  return tell(c, id, "noSessions");
}

async function remove(c: Ctx<"/users/{id}">): Promise<Result> {
  const id = c.param("id", int());
  // Other rows may refer to the account.
  const isGone = await keep(new FieldErrors(), users(c).delete(id));
  if (!isGone) return tell(c, id, isGone === undefined ? "inUse" : "last");
  c.flash("success", c.t(userMessages, "deleted"));
  return c.redirect(c.href("/users"));
}

function tell(
  c: Ctx,
  id: number,
  key: "saved" | "noSessions" | "stale" | "last" | "inUse",
): Result {
  const isDone = key === "saved" || key === "noSessions";
  c.flash(isDone ? "success" : "error", c.t(userMessages, key));
  return c.redirect(c.href("/users/{id}", { id }));
}
