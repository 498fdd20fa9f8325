import {
  bool,
  type Bound,
  type Ctx,
  fieldError,
  type Infer,
  type Node,
  type Result,
  struct,
  text,
} from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";

const SignIn = struct({
  email: text("required,email"),
  password: text("required,min=8"),
  keep: bool(),
});

type Sent = Bound<Infer<typeof SignIn>>;

/** Renders a small form in the middle of the page. */
export function Page(c: Ctx): Node {
  c.title = "Sign in";
  return formView(c);
}

/** Handles the form; the gallery has no accounts. */
export async function POST(c: Ctx): Promise<Result> {
  const sent = await c.tryBind(SignIn);
  if (sent.ok) sent.errors.merge(fieldError("password", "does not fit: nobody is known here"));
  return await c.render(422, formView(c, sent));
}

function formView(c: Ctx, sent?: Sent): Node {
  return ui.stack(
    h.class("narrow"),
    ui.card(
      ui.cardHeader(h.h1("Welcome back"), h.p("Sign in to see your orders.")),
      ui.form(
        c,
        SignIn,
        {
          values: sent,
          labels: { keep: "Stay signed in" },
          fields: {
            email: { attributes: h.autocomplete("username") },
            password: { attributes: h.autocomplete("current-password") },
          },
          summary: false,
          submit: ui.submit(ui.wide, "Sign in"),
        },
        h.id("sign-in"),
        h.novalidate(),
        ui.swap("sign-in"),
      ),
    ),
  );
}
