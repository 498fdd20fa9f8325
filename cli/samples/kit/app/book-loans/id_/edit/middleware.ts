import type { Ctx, Next } from "@fw/fw";

/** Sets the body limit that the form needs: its uploads, its fields and what multipart adds. */
export function Middleware(c: Ctx, next: Next): Promise<Response> {
  c.allowBody(Math.max(c.app.config.maxBodyBytes, 2_727 * 1_024));
  return next();
}
