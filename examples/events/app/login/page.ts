import {
  csrfInput,
  type Ctx,
  FieldErrors,
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
import { provider, sessions } from "@/lib/sign_in.ts";

const Credentials = struct({
  email: text("required,email,max=200"),
  password: text("required,max=200"),
});

/** GET /login */
export async function Page(c: Ctx): Promise<Result> {
  if (await sessions.user(c) !== undefined) return c.redirect(target(c));
  return page(c, { errors: new FieldErrors(), email: "" });
}

/** POST /login */
export async function POST(c: Ctx): Promise<Result> {
  const input = await c.tryBind(Credentials);
  const account = input.ok
    ? await use(c, Organisers).verify(input.value.email, input.value.password)
    : undefined;
  if (account !== undefined) {
    await sessions.start(c, account);
    return c.redirect(target(c));
  }
  if (input.ok) input.errors.add("password", "or address is wrong");
  c.status(422);
  return page(c, { errors: input.errors, email: input.text("email") });
}

function target(c: Ctx): string {
  return nextPath(c, { fallback: "/organize" });
}

/** What was typed, and what is wrong with it. */
interface Typed {
  readonly errors: FieldErrors;
  readonly email: string;
}

function page(c: Ctx, typed: Typed): Node {
  c.title = "Sign in";
  const { search } = c.url;
  return ui.stack(
    ui.pageHeader("Sign in", h.p("For those who make the schedule.")),
    ui.form(h.novalidate(), csrfInput(c), fields(typed), ui.submit("Sign in")),
    passkeyForm(c, { kind: "sign-in", action: `${c.href("/login/passkey")}${search}` }),
    provider !== undefined &&
      h.p(h.a(
        h.href(`${c.href("/login/provider")}${search}`),
        ui.noNavigate(),
        "Sign in with your organisation",
      )),
  );
}

function fields({ errors, email }: Typed): Node {
  const messageOf = (field: string, label: string): Node => {
    const message = errors.get(field);
    return ui.error(message && `${label} ${message}`);
  };
  return h.fragment(
    ui.field(
      "email",
      "Address",
      ui.input(
        h.name("email"),
        h.type("email"),
        h.autocomplete("username"),
        h.required(),
        h.value(email),
      ),
      messageOf("email", "Address"),
    ),
    ui.field(
      "password",
      "Password",
      ui.input(
        h.name("password"),
        h.type("password"),
        h.autocomplete("current-password"),
        h.required(),
      ),
      messageOf("password", "Password"),
    ),
  );
}
