import {
  type Application,
  type Ctx,
  type Infer,
  key,
  list,
  provide,
  struct,
  text,
  texts,
  use,
} from "../mod.ts";
import { findApplication, hideCredentials, useIfProvided } from "../runtime/addon.ts";
import { checkIntegers, job } from "../jobs/job.ts";
import { addMailJob, AppJobs, enqueue } from "../jobs/runtime.ts";
import {
  checkAddress,
  checkRecipients,
  checkSubject,
  encodeAttachment,
  type Mail,
} from "./message.ts";
import { addOutboxPages } from "./outbox_pages.ts";
import { renderMail } from "./render.ts";
import { type MailTransport, type Outbox, outbox, type SentMail } from "./transport.ts";

/** Options of {@linkcode provideMail}. */
export interface MailOptions {
  /** The sender, such as `Events <events@example.org>`. */
  readonly from: string;
  /** The origin of links, never taken from the `Host` header. @default `config.publicOrigin` */
  readonly origin?: string;
  /**
   * Timeout of the transport, in milliseconds. A server that is slower may still deliver the email, and the
   * next attempt delivers it again. @default 10_000, and 60_000 in a job
   */
  readonly timeoutMs?: number | undefined;
  /** The language if neither the email nor the request has one. @default "en" */
  readonly language?: string;
  /** Example emails by name, shown in development at `/_fw/dev/mail/<name>`. @default {} */
  readonly previews?: Readonly<Record<string, (c: Ctx) => Pick<Mail, "subject" | "body">>>;
}

const AppMail = key<{
  readonly transport: MailTransport;
  /** The refused recipients by mail, until a job of their own is stored. */
  readonly refused: Map<string, readonly string[]>;
  readonly options: Required<Omit<MailOptions, "timeoutMs">> & Pick<MailOptions, "timeoutMs">;
}>("mail");

/**
 * Provides mail to an application, in `Setup`. In development, emails are not sent but kept and
 * shown at `/_fw/dev/mail`. If the application provides jobs, each email is sent by a job.
 *
 * @throws {TypeError} for a malformed sender or origin; `RangeError` for a `timeoutMs` out of range.
 * @example
 * ```ts
 * import type { Application } from "@fw/fw";
 * import { outbox, provideMail } from "@fw/fw/mail";
 *
 * export function Setup(app: Application): void {
 *   provideMail(app, outbox(), { from: "events@example.org", origin: "https://example.org" });
 * }
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
      `Cannot send mail with links to "${
        hideCredentials(origin)
      }": set config.publicOrigin (FW_ORIGIN) to an origin ` +
        "such as https://example.org.",
    );
  }
  const { timeoutMs, language = "en", previews = {} } = options;
  if (timeoutMs !== undefined) checkIntegers("provide mail", { timeoutMs });
  const kept = isOutbox(transport) || app.env !== "dev" ? transport : outbox();
  const from = checkAddress(options.from);
  const checked = { from, origin, timeoutMs, language, previews };
  provide(app, AppMail, { transport: kept, refused: new Map(), options: checked });
  addMailJob(app, mailJob);
  if (app.env === "dev" && isOutbox(kept)) addOutboxPages(app, { ...checked, mails: kept.mails });
  if (app.env === "prod" && isOutbox(kept)) {
    app.log.warn(
      "Mail goes nowhere: it is kept in memory. Fix: give provideMail a transport, such as httpMail or smtp.",
    );
  }
  const { host } = kept;
  if (host === undefined) return;
  if (Deno.permissions.querySync({ name: "net", host }).state === "granted") return;
  // At boot, because without the permission every email would silently be lost.
  app.log.warn(
    `Cannot send mail: no access to ${host}. Fix: add ${host} to --allow-net of the start task.`,
  );
}

function isOutbox(transport: MailTransport): transport is Outbox {
  return "mails" in transport;
}

/**
 * Sends an email. If the application provides jobs, it is enqueued, so that a slow mail server does not
 * delay requests, and it joins the database transaction; until it is sent, its text is stored with the job.
 *
 * @throws {TypeError} for a malformed address, subject or attachment, before anything is sent.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import { mail } from "@fw/fw/mail";
 *
 * export async function announce(c: Ctx): Promise<void> {
 *   const attachments = [{ filename: "room.txt", content: "12", contentType: "text/plain" }];
 *   const body = h.p("The room is ", h.strong("12"), ".");
 *   await mail(c, { to: "Grace <grace@example.org>", subject: "A change", body, attachments });
 * }
 * ```
 */
export async function mail(owner: Ctx | Application, message: Mail): Promise<void> {
  const { from, origin, ...defaults } = use(owner, AppMail).options;
  const { language = ("language" in owner ? owner.language : undefined) ?? defaults.language } =
    message;
  const { body, replyTo, attachments = [] } = message;
  const subject = checkSubject(message.subject);
  const ready = {
    id: crypto.randomUUID(),
    from,
    recipients: [],
    to: checkRecipients(message.to),
    subject,
    ...renderMail({ subject, body }, { origin, language }),
    replyTo: replyTo === undefined ? "" : checkAddress(replyTo),
    attachments: attachments.map(encodeAttachment),
  };
  const app = findApplication(owner);
  if (useIfProvided(app, AppJobs) !== undefined) await enqueue(owner, mailJob, ready);
  else await send(ready, { app });
}

const StoredMail = struct({
  id: text(),
  recipients: texts(),
  from: text("required"),
  to: texts("required"),
  subject: text(),
  text: text(),
  html: text(),
  replyTo: text(),
  attachments: list(struct({ filename: text("required"), contentType: text(), content: text() })),
});

// Pauses of 5 s, doubling to an hour: a mail survives an outage of the mail server of about a day.
// The deadline is that of the transport, and 25 MB of files are what most servers accept.
const mailJob = job("mail", StoredMail, send, {
  attempts: 34,
  backoffMs: 5_000,
  timeoutMs: 2 ** 31 - 1,
  maxValueChars: 35_000_000,
});

/** Sends an email; refused recipients get a mail of their own, because the others must not get theirs twice. */
async function send(
  message: Infer<typeof StoredMail>,
  { app, signal, id }: {
    readonly app: Application;
    readonly signal?: AbortSignal;
    readonly id?: string;
  },
): Promise<void> {
  const { transport, refused, options } = use(app, AppMail);
  signal?.throwIfAborted();
  const { timeoutMs = id === undefined ? 10_000 : 60_000 } = options;
  const limit = AbortSignal.any([signal ?? [], AbortSignal.timeout(timeoutMs)].flat());
  const late = Promise.withResolvers<never>();
  const text = `The mail server took longer than ${timeoutMs} ms (timeoutMs of provideMail)`;
  const timeout = new DOMException(text, "TimeoutError");
  const end = (): void => late.reject(signal?.aborted ? signal.reason : timeout);
  limit.addEventListener("abort", end);
  const { replyTo, recipients: all, ...rest } = message;
  // A job of an earlier version has no id for its mail.
  const mailId = message.id || id || "";
  const recipients = refused.get(mailId) ?? all;
  const ready = {
    ...rest,
    ...(replyTo !== "" && { replyTo }),
    ...(recipients.length > 0 && { recipients }),
  };
  const sending = Promise.try(() => transport.send(ready, { signal: limit }));
  // A transport may ignore the signal.
  const racing = Promise.race([sending, late.promise]);
  // Without a listener the signal does not keep the process running.
  const left = await racing.finally(() => limit.removeEventListener("abort", end)) ?? [];
  const { length: count } = recipients.length > 0 ? recipients : message.to;
  // If the server accepts none, another mail would start at once, and have new attempts.
  if (left.length > 0 && (id === undefined || left.length >= count)) {
    throw new Error(
      `The mail server refused ${left.length} of ${count} recipients: ${left.join(", ")}.`,
    );
  }
  if (left.length > 0) {
    // If the job cannot be stored, this one runs again.
    refused.set(mailId, left);
    await enqueue(app, mailJob, { ...message, recipients: [...left] });
  }
  refused.delete(mailId);
}

/**
 * Returns the emails kept by an application, the newest last, for tests.
 *
 * @param app The application, in development or with an `outbox()` as its transport.
 * @throws {TypeError} if its transport sends emails.
 * @example
 * ```ts
 * import type { Application } from "@fw/fw";
 * import { sentMail } from "@fw/fw/mail/testing";
 *
 * export const subjects = (app: Application) => sentMail(app).map(({ subject }) => subject);
 * ```
 */
export function sentMail(app: Application): readonly SentMail[] {
  const { transport } = use(app, AppMail);
  if (isOutbox(transport)) return transport.mails;
  throw new TypeError("Cannot read sent mail: provide an outbox() in tests.");
}
