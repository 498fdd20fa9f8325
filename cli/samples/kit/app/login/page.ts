import { type Bound, type Ctx, type Infer, type Result, struct, text, use } from "@fw/fw";
import { nextPath, passkeyForm } from "@fw/fw/auth";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { accountMessages } from "../../lib/account_messages.ts";
import { Accounts } from "../../lib/accounts.ts";
import { knownBrowser } from "../../lib/known_browsers.ts";
import { afterLogin, attempts, sessions, signIn } from "../../lib/sessions.ts";

const Credentials = struct({
  email: text("required,email,max=200"),
  password: text("required,max=200"),
});
type Credentials = Infer<typeof Credentials>;

/** GET /login */
export async function Page(c: Ctx): Promise<Result> {
  // "again" comes from requireRecent: then signed-in users see the form too.
  const isAgain = c.query("again") !== undefined;
  if (!isAgain && await sessions.user(c) !== undefined) return c.redirect(target(c));
  return form(c);
}

/** POST /login */
export async function POST(c: Ctx): Promise<Result> {
  const input = await c.tryBind(Credentials);
  if (!input.ok) return form(c, input, 422);
  const { email, password } = input.value;
  // A known browser has its own limit, so that a stranger cannot lock the owner out.
  const browser = await knownBrowser(c, email);
  const isKnown = browser !== undefined;
  const key = isKnown ? `browser ${browser}` : `address ${email.toLowerCase()}`;
  const waitMs = await attempts.take(c, key);
  if (waitMs > 0) return busy(c, input, waitMs);
  const account = await use(c, Accounts).verify(email, password, { c, isKnown });
  if (account !== undefined && await signIn(c, account)) return c.redirect(target(c));
  // One message for both cases: a stranger must not learn who has an account.
  input.errors.add("email", c.t(accountMessages, "wrong"));
  return form(c, input, 422);
}

/** Returns where to go after the sign-in, always a path of this application. */
function target(c: Ctx): string {
  return nextPath(c, { fallback: afterLogin });
}

function busy(c: Ctx, input: Bound<Credentials>, waitMs: number): Result {
  const seconds = Math.ceil(waitMs / 1_000);
  c.app.security.report(c, "rate");
  c.header("retry-after", String(seconds));
  input.errors.add("email", c.t(accountMessages, "tooMany", { seconds }));
  return form(c, input, 429);
}

function form(c: Ctx, input?: Bound<Credentials>, status = 200): Result {
  c.title = c.t(accountMessages, "signIn");
  c.status(status);
  return ui.authCard(
    c.t(accountMessages, "welcome"),
    c.t(accountMessages, "signInHelp"),
    // if passkeys
    passkeyForm(c, {
      kind: "sign-in",
      action: `${c.href("/login/passkey")}${c.url.search}`,
      label: [ui.icon("passkey"), c.t(accountMessages, "passkeySignIn")],
      note: c.t(accountMessages, "passkeyNote"),
      failed: c.t(accountMessages, "passkeyFailed"),
    }),
    ui.orLine(c.t(accountMessages, "orPassword")),
    // end
    ui.form(c, Credentials, {
      values: input,
      labels: { email: c.t(accountMessages, "email"), password: c.t(accountMessages, "password") },
      fields: {
        email: { attributes: h.autocomplete("username") },
        password: { attributes: h.autocomplete("current-password") },
      },
      submit: ui.submit(
        // if passkeys
        ui.outline,
        // end
        ui.wide,
        c.t(accountMessages, "signIn"),
      ),
    }),
    // if provider
    ui.buttonLink(
      `${c.href("/login/provider")}${c.url.search}`,
      ui.outline,
      ui.wide,
      c.t(accountMessages, "signInWith"),
    ),
    // end
    ui.row(
      h.a(h.href(c.href("/reset")), c.t(accountMessages, "forgot")),
      ui.spacer(),
      h.a(h.href(c.href("/signup")), c.t(accountMessages, "signUp")),
    ),
  );
}
