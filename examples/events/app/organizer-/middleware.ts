import type { Ctx, Next } from "@fw/fw";
import { sessions } from "@/lib/sign_in.ts";

const guard = sessions.requireRole("organiser");

/** Admits organisers and hides their pages from search engines. The guard keeps them out of caches. */
export function Middleware(c: Ctx, next: Next): Promise<Response> {
  c.header("x-robots-tag", "noindex");
  // Forms use the city's local time, wherever the organiser is.
  c.zone = "UTC";
  return guard(c, next);
}
