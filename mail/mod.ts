/**
 * Emails from nodes: inline styles, a plain text version, absolute links, and transports for SMTP,
 * HTTP and development. Start with {@linkcode provideMail} and {@linkcode mail}.
 *
 * @module
 */
export { checkAddress, type Mail, type MailAttachment, type MailMessage } from "./message.ts";
export { mailButton } from "./render.ts";
export { mail, type MailOptions, provideMail } from "./runtime.ts";
export * from "./transport.ts";
