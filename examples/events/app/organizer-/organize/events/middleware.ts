import type { Ctx, Next } from "@fw/fw";

/**
 * How much a form with its picture may send. It is more than a picture may have, so that one that is
 * too large gets a message beside its field and not a page that says 413.
 */
const maxFormBytes = 16 * 1024 * 1024;

/** Lets the forms below `/organize/events` carry a picture. It runs before the body is read. */
export function MiddlewarePOST(c: Ctx, next: Next): Promise<Response> {
  c.allowBody(maxFormBytes);
  return next();
}
