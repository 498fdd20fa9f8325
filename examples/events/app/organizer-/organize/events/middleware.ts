import type { Ctx, Next } from "@fw/fw";

/**
 * Maximum size of a form with its image. It exceeds the maximum of an image, so that an image that
 * is too large gets a message at its field instead of a 413 page.
 */
const maxFormBytes = 16 * 1024 * 1024;

/** Allows images in the forms under `/organize/events`. It runs before the body is read. */
export function MiddlewarePOST(c: Ctx, next: Next): Promise<Response> {
  c.allowBody(maxFormBytes);
  return next();
}
