import type { Ctx, Next } from "@fw/fw";

/** Sets the body limit for the form: its uploads, its fields and the multipart overhead. */
export function Middleware(c: Ctx, next: Next): Promise<Response> {
  c.allowBody(Math.max(c.app.config.maxBodyBytes, 2_665 * 1_024));
  return next();
}
