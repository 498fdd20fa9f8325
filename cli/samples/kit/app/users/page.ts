import type { Ctx, Node } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import { userMessages } from "../../lib/user_messages.ts";
import { origin, roles, rolesOf, UserQuery, users } from "../../lib/users.ts";

/** GET /users */
export async function Page(c: Ctx): Promise<Node> {
  c.title = c.t(userMessages, "title");
  const page = await users(c).list(await c.bindQuery(UserQuery), ui.pageSize(c));
  return ui.listPage(c, {
    title: c.title,
    text: c.t(userMessages, "about"),
    page,
    note: page.total > 1_000
      ? c.t(userMessages, "many", { most: 1_000 })
      : c.t(userMessages, "count", { count: page.total }),
    columns: [
      {
        title: c.t(userMessages, "account"),
        cell: (row) =>
          ui.item(row.address, {
            href: c.href("/users/{id}", { id: row.id }),
            detail: origin(row),
          }),
      },
      { title: c.t(userMessages, "role"), cell: (row) => rolesOf(row).join(", ") },
      {
        title: c.t(userMessages, "state"),
        kind: "badge",
        cell: ({ disabled }) =>
          disabled
            ? ui.badge(ui.destructive, ui.hollow, c.t(userMessages, "disabled"))
            : ui.badge(ui.success, ui.dot, c.t(userMessages, "active")),
      },
    ],
    label: ({ address }) => address,
    search: c.t(userMessages, "search"),
    filters: [
      { name: "role", label: c.t(userMessages, "role"), choices: roles },
      {
        name: "disabled",
        label: c.t(userMessages, "state"),
        choices: [{ value: "yes", label: c.t(userMessages, "disabled") }],
      },
    ],
    // if passwords
    create: [c.href("/users/new"), c.t(userMessages, "invite")],
    // end
    empty: [c.t(userMessages, "empty"), ""],
  });
}
