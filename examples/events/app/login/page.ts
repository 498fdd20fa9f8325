import {
  type Bound,
  type Ctx,
  type Infer,
  type Node,
  type Result,
  struct,
  text,
  use,
} from "@fw/fw";
import { nextPath, passkeyForm } from "@fw/fw/auth";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { Organisers } from "@/lib/organisers.ts";
import { isKnownBrowser, Provider, rememberBrowser, sessions } from "@/lib/sign_in.ts";
import { pageWords } from "@/lib/page_words.ts";

const Credentials = struct({
  email: text("required,email,max=200"),
  password: text("required,max=200"),
});

/** GET /login */
export async function Page(c: Ctx): Promise<Result> {
  // "again" comes from requireRecent: then signed-in users see the form too.
  const isAgain = c.query("again") !== undefined;
  if (!isAgain && await sessions.user(c) !== undefined) return c.redirect(target(c));
  return page(c);
}

/** POST /login */
export async function POST(c: Ctx): Promise<Result> {
  const input = await c.tryBind(Credentials);
  const account = input.ok
    ? await use(c, Organisers).verify(input.value.email, input.value.password, {
      c,
      isKnown: isKnownBrowser(c, input.value.email.toLowerCase()),
    })
    : undefined;
  if (account !== undefined) {
    await sessions.start(c, account);
    rememberBrowser(c, account.email ?? "");
    return c.redirect(target(c));
  }
  if (input.ok) input.errors.add("password", c.t(pageWords, "wrongPassword"));
  c.status(422);
  return page(c, input);
}

function target(c: Ctx): string {
  return nextPath(c, { fallback: "/organize" });
}

function page(c: Ctx, values?: Bound<Infer<typeof Credentials>>): Node {
  c.title = c.t(pageWords, "signIn");
  const { search } = c.url;
  const form = {
    values,
    labels: { email: c.t(pageWords, "address"), password: c.t(pageWords, "password") },
    fields: {
      email: { attributes: h.autocomplete("username") },
      password: { attributes: h.autocomplete("current-password") },
    },
    summary: false,
    submit: ui.submit(ui.outline, ui.wide, c.t(pageWords, "signIn")),
  };
  return ui.authCard(
    c.title,
    c.t(pageWords, "signInLead"),
    passkeyForm(c, {
      kind: "sign-in",
      action: `${c.href("/login/passkey")}${search}`,
      label: [ui.icon("passkey"), c.t(pageWords, "passkey")],
    }),
    ui.orLine(c.t(pageWords, "orPassword")),
    ui.form(c, Credentials, form, h.novalidate()),
    use(c, Provider) !== undefined &&
      h.p(h.a(
        h.href(`${c.href("/login/provider")}${search}`),
        ui.noNavigate(),
        c.t(pageWords, "organisation"),
      )),
  );
}
