/** Email transports: an SMTP server, an HTTP service or an outbox. */
import { PermanentError } from "../jobs/job.ts";
import { hideCredentials } from "../runtime/addon.ts";
import type { MailMessage } from "./message.ts";

/** Sends emails. */
export interface MailTransport {
  /** The host and port that it connects to; `provideMail` warns if the permission is missing. */
  readonly host?: string;
  /**
   * Sends an email. Rejects if it was not accepted, with a `PermanentError` if no retry can help.
   *
   * @returns The recipients that were refused, if others were accepted.
   */
  send(
    message: MailMessage,
    options: { readonly signal: AbortSignal },
  ): Promise<readonly string[] | void>;
}

/** The used member of a transporter of `npm:nodemailer`. */
export interface Transporter {
  /** Sends an email. */
  sendMail(message: object): Promise<unknown>;
}

/**
 * Sends emails by SMTP, with a transporter of `npm:nodemailer` that the application creates.
 * @example
 * ```ts
 * import { smtp, type Transporter } from "@fw/fw/mail";
 *
 * // import nodemailer from "npm:nodemailer@10"; smtp(nodemailer.createTransport("smtps://…"))
 * export const transport = (transporter: Transporter) => smtp(transporter);
 * ```
 */
export function smtp(transporter: Transporter): MailTransport {
  return {
    send: async ({ id, from, to, recipients = to, attachments, ...message }, { signal }) => {
      const [, domain = "localhost"] = /@([^@>]+)>?$/.exec(from) ?? [];
      const files = attachments.map((file) => ({ ...file, encoding: "base64" as const }));
      const content = { ...message, from, to: [...to], attachments: files };
      const envelope = { from, to: [...recipients] };
      const messageId = `<${id}@${domain}>`;
      try {
        // Versions before 10 ignore the signal.
        const sent = Object(
          await transporter.sendMail({ ...content, envelope, messageId, signal }),
        );
        return Array.isArray(sent.rejected) ? sent.rejected.map(String) : [];
      } catch (error) {
        throw isPermanent(error)
          ? new PermanentError("The mail server refused the mail.", { cause: error })
          : error;
      }
    },
  };
}

/** Reports whether a server refused the message or all recipients for good (RFC 5321, section 4.2.1). */
function isPermanent(error: unknown): boolean {
  const { code, responseCode, rejectedErrors } = Object(error);
  // A wrong password or a full outbox is corrected on the server, and a greeting may change.
  if (code !== "EENVELOPE" && code !== "EMESSAGE") return false;
  if (Array.isArray(rejectedErrors)) {
    return rejectedErrors.every((each) => isFinal(Object(each).responseCode));
  }
  return isFinal(responseCode);
}

/** Excludes 530 to 538, which ask for a sign-in or for TLS, so that the settings are wrong. */
function isFinal(code: unknown): boolean {
  return typeof code === "number" && code >= 500 && Math.trunc(code / 10) !== 53;
}

/** Options of {@linkcode httpMail}. */
export interface HttpMailOptions {
  /** Endpoint of the service. */
  readonly url: string;
  /** The bearer token. */
  readonly token: string;
  /** Creates the body of the request. @default the message */
  readonly body?: (message: MailMessage) => unknown;
  /** Replaces `fetch`. @default fetch */
  readonly fetch?: typeof fetch;
}

/**
 * Sends emails through a service that accepts JSON with a bearer token.
 *
 * @throws {TypeError} if the address is not an `https` URL, or `http` on this machine.
 * @example
 * ```ts
 * import { httpMail, type MailMessage } from "@fw/fw/mail";
 *
 * const body = ({ from, ...message }: MailMessage) => ({ sender: from, ...message });
 * const url = "https://mail.example.org/send";
 * export const transport = httpMail({ url, token: "secret", body });
 * ```
 */
export function httpMail(options: HttpMailOptions): MailTransport {
  const { url, token, body = (message) => message, fetch: send = fetch } = options;
  const parsed = URL.parse(url);
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(parsed?.hostname ?? "");
  if (
    parsed === null || (parsed.protocol !== "https:" && !(parsed.protocol === "http:" && isLocal))
  ) {
    throw new TypeError(`Cannot send mail to "${hideCredentials(url)}": use an https URL.`);
  }
  return {
    host: `${parsed.hostname}:${parsed.port || (parsed.protocol === "http:" ? 80 : 443)}`,
    send: async (message, { signal }) => {
      const response = await send(parsed, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "idempotency-key": message.id,
        },
        body: JSON.stringify(body(message)),
        redirect: "error",
        signal,
      });
      await response.body?.cancel();
      if (response.ok) return;
      const fault = `The mail service responded with ${response.status}.`;
      throw refusals.has(response.status) ? new PermanentError(fault) : new Error(fault);
    },
  };
}

/** The statuses for a mail that the service will never accept. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422]);

/** An email in an {@linkcode Outbox}. */
export interface SentMail extends MailMessage {
  /** The number, from 1. */
  readonly number: number;
  /** The time at which it was sent. */
  readonly sentAt: Date;
}

/** Keeps emails instead of sending them. */
export interface Outbox extends MailTransport {
  /** The emails, the newest last. */
  readonly mails: readonly SentMail[];
}

/** Maximum number of emails in an outbox. */
const maxMails = 100;

/**
 * Creates a transport that keeps the last 100 emails, for development and tests.
 *
 * @example
 * ```ts
 * import { outbox } from "@fw/fw/mail";
 *
 * export const kept = outbox();
 * ```
 */
export function outbox(): Outbox {
  const mails: SentMail[] = [];
  let number = 0;
  return {
    mails,
    send: (message) => {
      mails.push({ ...message, number: ++number, sentAt: new Date() });
      if (mails.length > maxMails) mails.shift();
      return Promise.resolve();
    },
  };
}
