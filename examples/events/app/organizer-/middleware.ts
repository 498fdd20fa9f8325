import type { Ctx, Next } from "@fw/fw";

/** Keeps the pages for organisers out of caches and search engines. */
export function Middleware(c: Ctx, next: Next): Promise<Response> {
  c.header("cache-control", "no-store");
  c.header("x-robots-tag", "noindex");
  return next();
}
