import { type Bound, type Ctx, type Infer, type Node, struct, text } from "@fw/fw";
import { catalog } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";

/** The texts of the page. */
const messages = catalog({
  en: {
    title: "Orders",
    name: "Name",
    email: "Email",
    send: "Send",
    thanks: "Thank you, it has arrived.",
  },
  pt: {
    title: "Orders",
    name: "Nome",
    email: "Email",
    send: "Enviar",
    thanks: "Obrigado, a sua mensagem chegou.",
  },
});

/** What the form takes. */
const OrdersInput = struct({
  name: text("required,max=80"),
  email: text("required,email"),
});
type OrdersInput = Infer<typeof OrdersInput>;

/** GET /orders/{slug} */
export function Page(c: Ctx<"/orders/{slug}">): Node {
  return view(c);
}

/** POST /orders/{slug} */
export async function POST(c: Ctx<"/orders/{slug}">): Promise<Node | Response> {
  const input = await c.tryBind(OrdersInput);
  if (!input.ok) {
    c.status(422);
    return view(c, input);
  }
  c.log.info("received", { fields: Object.keys(input.value) });
  c.flash("success", c.t(messages, "thanks"));
  return c.redirect(c.href("/orders/{slug}", {
    // each param
    slug: c.param("slug"),
    // end
  }));
}

/** The form, with what was sent and what is wrong with it. */
function view(c: Ctx, values?: Bound<OrdersInput>): Node {
  c.title = c.t(messages, "title");
  const form = ui.form(c, OrdersInput, {
    values,
    labels: { name: c.t(messages, "name"), email: c.t(messages, "email") },
    submit: c.t(messages, "send"),
  });
  return (
    <>
      {ui.pageHeader(c.title)}
      {form}
    </>
  );
}
