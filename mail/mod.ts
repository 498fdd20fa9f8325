/**
 * Mail from nodes: styles on the elements, a text made from it, absolute links, and transports for SMTP, HTTP and
 * development.
 *
 * @example
 * ```ts
 * import type { Application } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import { mail, mailButton, outbox, provideMail } from "@fw/fw/mail";
 *
 * export function Setup(app: Application): void {
 *   provideMail(app, outbox(), { from: "events@example.org", origin: "https://example.org" });
 * }
 *
 * export async function invite(app: Application, to: string): Promise<void> {
 *   const body = h.fragment(h.h1("You are invited"), mailButton("/events/1", "See the event"));
 *   await mail(app, { to, subject: "An invitation", body });
 * }
 * ```
 *
 * @module
 */
export { checkAddress, type Mail, type MailAttachment, type MailMessage } from "./message.ts";
export { mailButton } from "./render.ts";
export { mail, type MailOptions, provideMail } from "./runtime.ts";
export {
  httpMail,
  type HttpMailOptions,
  type MailTransport,
  type Outbox,
  outbox,
  type SentMail,
  smtp,
  type Transporter,
} from "./transport.ts";
