import { type Bound, csrfInput, type Ctx, type Infer, type Node, struct, text } from "@fw/fw";
import { catalog } from "@fw/fw/i18n";

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
  const path = c.href("/orders/{slug}", {
    // each param
    slug: c.param("slug"),
    // end
  });
  return c.redirect(`${path}?sent=1`);
}

/** The form, with what was sent and what is wrong with it. */
function view(c: Ctx, input?: Bound<OrdersInput>): Node {
  c.title = c.t(messages, "title");
  const field = (name: "name" | "email", type: string): Node => {
    const message = input?.errors.get(name);
    return (
      <label>
        {c.t(messages, name)}
        <input
          name={name}
          type={type}
          autocomplete={name}
          required
          value={input?.text(name) ?? ""}
          aria-invalid={message === undefined ? undefined : "true"}
        />
        {message !== undefined && <span class="message">{message}</span>}
      </label>
    );
  };
  return (
    <section class="hero">
      <h1>{c.title}</h1>
      {c.query("sent") === "1" && <p class="badge">{c.t(messages, "thanks")}</p>}
      <form method="post">
        {csrfInput(c)}
        {field("name", "text")}
        {field("email", "email")}
        <button type="submit">{c.t(messages, "send")}</button>
      </form>
    </section>
  );
}
