import type { Ctx, Next } from "@fw/fw";

/** Sets the body limit: a file of 50,000 rows has several megabytes. */
export function Middleware(c: Ctx, next: Next): Promise<Response> {
  c.allowBody(Math.max(c.app.config.maxBodyBytes, 16 * 1_024 * 1_024));
  return next();
}
