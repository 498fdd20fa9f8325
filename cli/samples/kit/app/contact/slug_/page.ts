import { type Bound, type Ctx, type Infer, type Node, struct, text } from "@fw/fw";
import * as h from "@fw/fw/h";
import { catalog } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";

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
    title: "Contact", // translate
    name: "Nome",
    email: "Email",
    send: "Enviar",
    thanks: "Obrigado, a sua mensagem chegou.",
  },
});

/** The fields of the form. */
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
  c.flash("success", c.t(messages, "thanks"));
  return c.redirect(c.href("/contact/{slug}", {
    // each param
    slug: c.param("slug"),
    // end
  }));
}

/** The form, with submitted values and their errors. */
function view(c: Ctx, values?: Bound<ContactInput>): Node {
  c.title = c.t(messages, "title");
  const form = ui.form(c, ContactInput, {
    values,
    labels: { name: c.t(messages, "name"), email: c.t(messages, "email") },
    fields: {
      name: { attributes: h.autocomplete("name") },
      email: { attributes: h.autocomplete("email") },
    },
    submit: c.t(messages, "send"),
  });
  return h.fragment(ui.pageHeader(c.title), form);
}
