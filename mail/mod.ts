/**
 * Mail from nodes: styles on the elements, a text made from it, absolute links, and transports for SMTP, HTTP and
 * development. Begin with {@linkcode provideMail} and {@linkcode mail}.
 *
 * @module
 */
export { checkAddress, type Mail, type MailAttachment, type MailMessage } from "./message.ts";
export { mailButton } from "./render.ts";
export { mail, type MailOptions, provideMail } from "./runtime.ts";
export * from "./transport.ts";
