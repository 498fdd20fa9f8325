/**
 * Reads the emails that an application sent in a test.
 *
 * @module
 */
export { sentMail } from "./runtime.ts";
export { type Outbox, outbox, type SentMail } from "./transport.ts";
