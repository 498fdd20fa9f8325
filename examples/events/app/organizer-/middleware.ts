import type { Ctx, Next } from "@fw/fw";
import { sessions } from "@/lib/sign_in.ts";

const guard = sessions.requireRole("organiser");

/** Lets organisers in, and keeps their pages out of search engines. Guards keep them out of caches. */
export function Middleware(c: Ctx, next: Next): Promise<Response> {
  c.header("x-robots-tag", "noindex");
  // Forms have the time on the clocks of the city, wherever the organiser is.
  c.zone = "UTC";
  return guard(c, next);
}
