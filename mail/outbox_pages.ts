import * as h from "../html/mod.ts";
import { type Application, type Ctx, notFound, type Result } from "../mod.ts";
import { errorPageStyles } from "../runtime/base/conventions.ts";
import type { Mail } from "./message.ts";
import { renderMail } from "./render.ts";
import type { SentMail } from "./transport.ts";

interface Shown {
  readonly mails: readonly SentMail[];
  readonly previews: Readonly<Record<string, (c: Ctx) => Pick<Mail, "subject" | "body">>>;
  readonly origin: string;
}

/** Keeps browsers from requesting a missing `favicon.ico`. */
const noIcon = h.link(h.rel("icon"), h.href("data:image/png,"));

export function addOutboxPages(app: Application, shown: Shown): void {
  const pattern = "/_fw/dev/mail";
  app.route({ pattern, methods: { GET: (c) => c.html(200, listPage(c, shown)) } });
  app.route({ pattern: `${pattern}/{name}`, methods: { GET: (c) => showMail(c, shown) } });
}

function listPage(c: Ctx, { mails, previews }: Shown): h.Node {
  const link = (name: string | number, label: string): h.Node =>
    h.a(h.href(`${c.base}/_fw/dev/mail/${name}`), label);
  const fact = (name: string, ...texts: h.Child[]): h.Node => h.div(h.dt(name), h.dd(texts));
  const rows = mails.toReversed().map(({ number, to, subject, sentAt }) =>
    fact(sentAt.toISOString().slice(11, 19), link(number, subject), ` to ${to.join(", ")}`)
  );
  const names = Object.keys(previews);
  return h.html(
    h.lang("en"),
    h.head(
      h.meta(h.charset("utf-8")),
      h.meta(h.name("viewport"), h.content("width=device-width, initial-scale=1")),
      h.title("Outbox"),
      noIcon,
      h.style(h.nonce(c.nonce), h.raw(errorPageStyles)),
    ),
    h.body(h.main(
      h.header(h.p(h.class("stage"), "Mail in development"), h.h1("Outbox")),
      h.section(
        h.class("problem quiet"),
        h.dl(
          rows.length === 0 ? fact("Sent", "No mail was sent yet.") : rows,
          names.map((name) => fact("Preview", link(name, name))),
        ),
      ),
      h.footer("This page is for development: nothing here has left this machine."),
    )),
  );
}

/** Shows an email or a preview; with `?text`, its subject, files and plain text. */
function showMail(c: Ctx, { mails, previews, origin }: Shown): Result {
  const name = c.param("name");
  const preview = Object.hasOwn(previews, name) ? previews[name]?.(c) : undefined;
  const found = preview === undefined
    ? mails.find(({ number }) => String(number) === name)
    : { ...preview, ...renderMail(preview, { origin, language: c.language ?? "en" }) };
  if (found === undefined) return notFound();
  // The email is a separate document, with inline styles and without scripts.
  c.header(
    "content-security-policy",
    "default-src 'none'; img-src * data:; style-src 'unsafe-inline'",
  );
  if (c.query("text") === undefined) {
    return c.html(200, h.raw(found.html.replace("<head>", `<head>${h.render(noIcon)}`)));
  }
  const files = "attachments" in found ? found.attachments : [];
  const lines = files.map(({ filename, contentType }) => `${filename} ${contentType}`);
  return c.text(200, [found.subject, ...lines, "", found.text].join("\n"));
}
