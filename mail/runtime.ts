/** Mail of an application. */
import * as h from "../html/mod.ts";
import {
  type Application,
  type Ctx,
  key,
  list,
  notFound,
  provide,
  type Result,
  struct,
  text,
  texts,
  use,
} from "../mod.ts";
import { enqueue, type Job, job } from "../jobs/mod.ts";
import { checkIntegers } from "../jobs/job.ts";
import { addJob, hasJobs } from "../jobs/runtime.ts";
import {
  checkAddress,
  checkAttachment,
  checkRecipients,
  checkSubject,
  type Mail,
  type MailMessage,
} from "./message.ts";
import { renderMail } from "./render.ts";
import {
  contentBytes,
  type MailTransport,
  type Outbox,
  outbox,
  type SentMail,
} from "./transport.ts";

/** Options of {@linkcode provideMail}. */
export interface MailOptions {
  /** The sender, `Events <events@example.org>`. */
  readonly from: string;
  /**
   * The origin of links, `https://example.org`. The `Host` of a request never decides it.
   *
   * @default `config.publicOrigin`
   */
  readonly origin?: string;
  /** When a transport is given up, in milliseconds. @default 10_000 */
  readonly timeoutMs?: number;
  /** The language where neither the mail nor the request says one. @default "en" */
  readonly language?: string;
  /** Examples of mails by name, which development shows at `/_fw/dev/mail/<name>`. @default {} */
  readonly previews?: Readonly<Record<string, (c: Ctx) => Pick<Mail, "subject" | "body">>>;
}

/** The mail service of an application. */
interface MailService {
  readonly transport: MailTransport;
  readonly options: Required<MailOptions>;
}

const AppMail = key<MailService>("mail");

/**
 * Provides mail to an application, in `Setup`. In development mails are kept and shown at `/_fw/dev/mail`, whatever
 * the transport is. Where the application provides jobs, a mail is one.
 *
 * @param app The application.
 * @param transport What sends mails in production.
 * @param options The sender and the origin of links.
 * @throws {TypeError} for a malformed sender or origin; `RangeError` for a `timeoutMs` out of range.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import { mail, outbox, provideMail } from "@fw/fw/mail";
 *
 * const app = new App({ logRequest: () => false });
 * const kept = outbox();
 * provideMail(app, kept, { from: "events@example.org", origin: "https://example.org" });
 * await mail(app, { to: "ada@example.org", subject: "Hello", body: h.p("See ", h.a(h.href("/"), "us")) });
 * assertEquals(kept.mails[0]?.text, "See us <https://example.org/>\n");
 * ```
 */
export function provideMail(
  app: Application,
  transport: MailTransport,
  options: MailOptions,
): void {
  const { origin = app.config.publicOrigin ?? "" } = options;
  const url = URL.parse(origin);
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== origin) {
    throw new TypeError(
      `Cannot send mail with links to "${origin}": set config.publicOrigin (FW_ORIGIN) to an origin such as https://example.org.`,
    );
  }
  const from = checkAddress(options.from);
  const { timeoutMs = 10_000 } = options;
  checkIntegers("provide mail", { timeoutMs });
  const kept = "mails" in transport || app.env !== "dev" ? transport : outbox();
  provide(app, AppMail, {
    transport: kept,
    options: { language: "en", previews: {}, ...options, origin, timeoutMs, from },
  });
  addJob(app, mailJob);
  if (app.env === "dev" && isOutbox(kept)) addOutboxPages(app, kept);
  if (app.env === "prod" && isOutbox(kept)) {
    app.log.warn(
      "Mail goes nowhere: it is kept in memory. Fix: give provideMail a transport, such as httpMail or smtp.",
    );
  }
  warnIfRefused(app, kept.host);
}

/** Warns at boot: without the permission each mail is lost, and its reader learns nothing of it. */
function warnIfRefused(app: Application, host: string | undefined): void {
  if (host === undefined) return;
  if (Deno.permissions.querySync({ name: "net", host }).state === "granted") return;
  app.log.warn(
    `Cannot send mail: no access to ${host}. Fix: add ${host} to --allow-net of the start task.`,
  );
}

function isOutbox(transport: MailTransport): transport is Outbox {
  return "mails" in transport;
}

/**
 * Sends a mail. Where the application provides jobs it is enqueued, so that a slow server holds up no request, and takes
 * part in the transaction of the data; it waits there with its text until it is sent.
 *
 * @param owner The context of the request, or the application.
 * @param message The mail.
 * @throws {TypeError} for a malformed address, subject or attachment, before anything is sent.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import { mail, outbox, provideMail } from "@fw/fw/mail";
 *
 * const app = new App({ logRequest: () => false });
 * const kept = outbox();
 * provideMail(app, kept, { from: "events@example.org", origin: "https://example.org" });
 * await mail(app, {
 *   to: ["ada@example.org", "Grace <grace@example.org>"],
 *   subject: "A change",
 *   body: () => h.p("The room is ", h.strong("12"), "."),
 *   attachments: [{ filename: "room.txt", content: "12", contentType: "text/plain" }],
 * });
 * assertEquals(kept.mails[0]?.to, ["ada@example.org", "Grace <grace@example.org>"]);
 * ```
 */
export async function mail(owner: Ctx | Application, message: Mail): Promise<void> {
  const { options } = use(owner, AppMail);
  const language = message.language ?? ("language" in owner ? owner.language : undefined) ??
    options.language;
  const subject = checkSubject(message.subject);
  const body = typeof message.body === "function" ? message.body() : message.body;
  const ready: MailMessage = {
    from: options.from,
    to: checkRecipients(message.to),
    subject,
    ...renderMail(body, { origin: options.origin, language, subject }),
    ...(message.replyTo !== undefined && { replyTo: checkAddress(message.replyTo) }),
    attachments: (message.attachments ?? []).map(checkAttachment),
  };
  const app = "app" in owner ? owner.app : owner;
  if (!hasJobs(app)) return await send(app, ready);
  await enqueue(owner, mailJob, {
    ...ready,
    to: [...ready.to],
    replyTo: ready.replyTo ?? "",
    attachments: ready.attachments.map((file) => ({
      filename: file.filename,
      contentType: file.contentType ?? "",
      content: contentBytes(file).toBase64(),
    })),
  });
}

async function send(app: Application, message: MailMessage, signal?: AbortSignal): Promise<void> {
  const { transport, options } = use(app, AppMail);
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const limit = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(limit.reason);
  limit.addEventListener("abort", onAbort);
  try {
    // A transport may ignore the signal, as that of SMTP does.
    await Promise.race([transport.send(message, { signal: limit }), late]);
  } finally {
    limit.removeEventListener("abort", onAbort);
  }
}

const StoredMail = struct({
  from: text("required"),
  to: texts("required"),
  subject: text(),
  text: text(),
  html: text(),
  replyTo: text(),
  attachments: list(struct({ filename: text("required"), contentType: text(), content: text() })),
});

/** The job that sends a mail. */
const mailJob: Job<{
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  replyTo: string;
  attachments: { filename: string; contentType: string; content: string }[];
}> = job("mail", StoredMail, async ({ attachments, replyTo, ...message }, { app, signal }) => {
  const files = attachments.map(({ content, ...file }) => ({
    ...file,
    content: Uint8Array.fromBase64(content),
  }));
  await send(app, { ...message, ...(replyTo !== "" && { replyTo }), attachments: files }, signal);
});

/**
 * Returns the mails that an application kept, the newest last: for tests.
 *
 * @param app The application, whose transport is an `outbox()` or which runs in development.
 * @returns The mails.
 * @throws {TypeError} if its transport sends them.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import { mail, outbox, provideMail } from "@fw/fw/mail";
 * import { sentMail } from "@fw/fw/mail/testing";
 *
 * const app = new App({ logRequest: () => false });
 * provideMail(app, outbox(), { from: "events@example.org", origin: "https://example.org" });
 * await mail(app, { to: "ada@example.org", subject: "Hello", body: h.p("See you") });
 * assertEquals(sentMail(app).map(({ subject }) => subject), ["Hello"]);
 * ```
 */
export function sentMail(app: Application): readonly SentMail[] {
  const { transport } = use(app, AppMail);
  if (isOutbox(transport)) return transport.mails;
  throw new TypeError("Cannot read what was sent: provide an outbox() in tests.");
}

/** Shows the kept mails, and the previews, in development. */
function addOutboxPages(app: Application, { mails }: Outbox): void {
  app.route({
    pattern: "/_fw/dev/mail",
    methods: { GET: (c) => c.html(200, outboxPage(c, mails)) },
  });
  app.route({
    pattern: "/_fw/dev/mail/{name}",
    methods: { GET: (c) => showMail(c, mails) },
  });
}

function outboxPage(c: Ctx, mails: readonly SentMail[]): h.Node {
  const { previews } = use(c, AppMail).options;
  const link = (name: string | number, label: string): h.Node =>
    h.a(h.href(`${c.base}/_fw/dev/mail/${name}`), label);
  const rows = mails.toReversed().map(({ number, to, subject, sentAt }) =>
    h.li(link(number, subject), ` to ${to.join(", ")}, ${sentAt.toISOString()}`)
  );
  const names = Object.keys(previews);
  return h.html(
    h.lang("en"),
    h.head(h.title("Outbox"), h.meta(h.name("viewport"), h.content("width=device-width"))),
    h.body(
      h.h1("Outbox"),
      rows.length === 0 ? h.p("No mail was sent yet.") : h.ul(rows),
      names.length > 0 && h.h2("Previews"),
      names.length > 0 && h.ul(names.map((name) => h.li(link(name, name)))),
    ),
  );
}

/** Shows a mail, or a preview, with its subject, its text and its files beside it. */
function showMail(c: Ctx, mails: readonly SentMail[]): Result {
  const { previews, origin } = use(c, AppMail).options;
  const name = c.param("name");
  const preview = Object.hasOwn(previews, name) ? previews[name]?.(c) : undefined;
  const found = preview === undefined
    ? mails.find(({ number }) => String(number) === name)
    : renderPreview(preview, { origin, language: c.language ?? "en" });
  if (found === undefined) return notFound();
  // The mail is a document of its own: no script runs in it, and its styles are on its elements.
  c.header(
    "content-security-policy",
    "default-src 'none'; img-src * data:; style-src 'unsafe-inline'",
  );
  if (c.query("text") === undefined) return c.html(200, h.raw(found.html));
  const files = found.attachments.map(({ filename, contentType }) => `${filename} ${contentType}`);
  return c.text(200, [found.subject, ...files, "", found.text].join("\n"));
}

function renderPreview(
  { subject, body }: Pick<Mail, "subject" | "body">,
  options: { readonly origin: string; readonly language: string },
): Pick<MailMessage, "subject" | "html" | "text" | "attachments"> {
  const node = typeof body === "function" ? body() : body;
  return { subject, ...renderMail(node, { ...options, subject }), attachments: [] };
}
