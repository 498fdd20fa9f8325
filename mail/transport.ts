/** Email transports: an SMTP server, an HTTP service or an outbox. */
import type { MailMessage } from "./message.ts";

/** Sends emails. */
export interface MailTransport {
  /** The host and port that it connects to; `provideMail` warns if the permission is missing. */
  readonly host?: string;
  /** Sends an email. Rejects if it was not accepted. */
  send(message: MailMessage, options: { readonly signal: AbortSignal }): Promise<void>;
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
 * // import nodemailer from "npm:nodemailer@7"; smtp(nodemailer.createTransport("smtp://…"))
 * export const transport = (transporter: Transporter) => smtp(transporter);
 * ```
 */
export function smtp(transporter: Transporter): MailTransport {
  return {
    send: async ({ to, attachments, ...message }) => {
      const files = attachments.map((file) => ({ ...file, encoding: "base64" as const }));
      await transporter.sendMail({ ...message, to: [...to], attachments: files });
    },
  };
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
    throw new TypeError(`Cannot send mail to "${url}": use an https URL.`);
  }
  return {
    host: `${parsed.hostname}:${parsed.port || (parsed.protocol === "http:" ? 80 : 443)}`,
    send: async (message, { signal }) => {
      const response = await send(parsed, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body(message)),
        redirect: "error",
        signal,
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The mail service responded with ${response.status}.`);
    },
  };
}

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
