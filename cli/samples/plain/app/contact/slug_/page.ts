import { type Bound, csrfInput, type Ctx, type Infer, type Node, struct, text } from "@fw/fw";
import * as h from "@fw/fw/h";
import { catalog } from "@fw/fw/i18n";

/** The texts of the page. */
const messages = catalog({
  en: {
    title: "Contact",
    name: "Name",
    email: "Email",
    send: "Send",
    thanks: "Thank you, it has arrived.",
  },
  pt: {
    title: "Contact",
    name: "Nome",
    email: "Email",
    send: "Enviar",
    thanks: "Obrigado, a sua mensagem chegou.",
  },
});

/** What the form takes. */
const ContactInput = struct({
  name: text("required,max=80"),
  email: text("required,email"),
});
type ContactInput = Infer<typeof ContactInput>;

/** GET /contact/{slug} */
export function Page(c: Ctx<"/contact/{slug}">): Node {
  return view(c);
}

/** POST /contact/{slug} */
export async function POST(c: Ctx<"/contact/{slug}">): Promise<Node | Response> {
  const input = await c.tryBind(ContactInput);
  if (!input.ok) {
    c.status(422);
    return view(c, input);
  }
  c.log.info("received", { fields: Object.keys(input.value) });
  const path = c.href("/contact/{slug}", {
    // each param
    slug: c.param("slug"),
    // end
  });
  return c.redirect(`${path}?sent=1`);
}

/** The form, with what was sent and what is wrong with it. */
function view(c: Ctx, input?: Bound<ContactInput>): Node {
  c.title = c.t(messages, "title");
  const field = (name: "name" | "email", type: string): Node => {
    const message = input?.errors.get(name);
    return h.label(
      c.t(messages, name),
      h.input(
        h.name(name),
        h.type(type),
        h.autocomplete(name),
        h.required(),
        h.value(input?.text(name) ?? ""),
        message !== undefined && h.aria("invalid", "true"),
      ),
      message !== undefined && h.span(h.class("message"), message),
    );
  };
  return h.section(
    h.class("hero"),
    h.h1(c.title),
    c.query("sent") === "1" && h.p(h.class("badge"), c.t(messages, "thanks")),
    h.form(
      h.method("post"),
      csrfInput(c),
      field("name", "text"),
      field("email", "email"),
      h.button(h.type("submit"), c.t(messages, "send")),
    ),
  );
}
