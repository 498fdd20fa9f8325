import {
  bool,
  type Bound,
  type Ctx,
  httpError,
  type Infer,
  type Result,
  struct,
  text,
  use,
} from "@fw/fw";
import { isCommonPassword, nextPath } from "@fw/fw/auth";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { sendNotice } from "../../../lib/account_mail.ts";
import { accountMessages } from "../../../lib/account_messages.ts";
import { Accounts } from "../../../lib/accounts.ts";
import { disconnectIdentity, hasIdentity } from "../../../lib/identities.ts";
import { keys } from "../../../lib/passkeys.ts";
import { afterLogin, sessions, signIn } from "../../../lib/sessions.ts";

const NewPassword = struct({
  // Only of a new account.
  name: text("max=80"),
  password: text("required,min=12,max=200"),
  // if passkeys
  removePasskeys: bool(),
  // end
  // if provider
  removeProvider: bool(),
  // end
});
type NewPassword = Infer<typeof NewPassword>;

/** GET /password/{token}: only shows a form, because mail programs open links by themselves. */
export async function Page(c: Ctx): Promise<Result> {
  return await form(c);
}

/** POST /password/{token} */
export async function POST(c: Ctx): Promise<Result> {
  const input = await c.tryBind(NewPassword);
  if (input.ok && await isGuessed(c, input.value)) {
    input.errors.add("password", c.t(accountMessages, "passwordGuessed"));
  }
  if (!input.ok || input.errors.any()) {
    c.status(422);
    return await form(c, input);
  }
  const { name, password } = input.value;
  const account = await use(c, Accounts).setPassword(c.param("token"), password, { c, name });
  if (account === undefined) {
    throw httpError(410, c.t(accountMessages, "linkGone"));
  }
  // End all old sessions, and remove passkeys that a thief may have added.
  await sessions.endAll(c, account.id);
  // if passkeys
  for (const { id } of input.value.removePasskeys ? await keys.list(c, account.id) : []) {
    await keys.remove(c, { subject: account.id, id });
  }
  // end
  // if provider
  if (input.value.removeProvider) await disconnectIdentity(c, account.id);
  // end
  // The first version is the sign-up itself, which is no change.
  if (account.version > 1) sendNotice(c, account.email, "passwordSet");
  const isSignedIn = await signIn(c, account);
  return c.redirect(isSignedIn ? nextPath(c, { fallback: afterLogin }) : c.href("/login"));
}

/** Reports whether attackers try a password first. */
async function isGuessed(c: Ctx, { name, password }: NewPassword): Promise<boolean> {
  const email = await use(c, Accounts).links.find(c.param("token")) ?? "";
  return isCommonPassword(password, { words: [email, name, c.url.hostname] });
}

async function form(c: Ctx, input?: Bound<NewPassword>): Promise<Result> {
  c.title = c.t(accountMessages, "newPassword");
  const email = await use(c, Accounts).links.find(c.param("token"));
  const account = email === undefined ? undefined : await use(c, Accounts).findByEmail(email);
  const isNew = email !== undefined && account === undefined;
  // if provider
  const isConnected = account !== undefined && await hasIdentity(c, account.id);
  // end
  // if passkeys
  const passkeys = account === undefined ? [] : await keys.list(c, account.id);
  const list = passkeys.map(({ label }) => label || c.t(accountMessages, "unknownDevice"));
  // end
  // A password manager stores the address with the password.
  const username = h.when(
    email,
    (value) =>
      h.input(
        h.type("email"),
        h.autocomplete("username"),
        h.value(value),
        h.readonly(),
        h.hidden(),
      ),
  );
  return ui.authCard(
    c.title,
    // A link may have come from someone who wants a password for another account.
    email,
    ui.form(c, NewPassword, {
      values: input ?? {
        name: "",
        password: "",
        // if passkeys
        removePasskeys: true,
        // end
        // if provider
        removeProvider: true,
        // end
      },
      labels: {
        name: c.t(accountMessages, "name"),
        password: c.t(accountMessages, "password"),
        // if passkeys
        removePasskeys: c.t(accountMessages, "removePasskeys", { list: list.join(", ") }),
        // end
        // if provider
        removeProvider: c.t(accountMessages, "removeProvider"),
        // end
      },
      help: {
        name: c.t(accountMessages, "profileHelp"),
        password: c.t(accountMessages, "passwordHelp"),
      },
      fields: {
        name: { attributes: h.autocomplete("name") },
        password: { attributes: h.autocomplete("new-password") },
      },
      except: [
        ...isNew ? [] : ["name" as const],
        // if passkeys
        ...passkeys.length > 0 ? [] : ["removePasskeys" as const],
        // end
        // if provider
        ...isConnected ? [] : ["removeProvider" as const],
        // end
      ],
      layout: (field) => [username, isNew && field("name"), field("password")],
      submit: ui.submit(ui.wide, c.t(accountMessages, "setPassword")),
    }),
  );
}
