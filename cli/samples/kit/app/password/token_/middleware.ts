import { type Ctx, limit, type Next } from "@fw/fw";

// The URL contains the token: the page is not cached, and links send no referrer to other sites.
// "no-referrer" would not work, because the form's request would have no origin and be refused.
export function Middleware(c: Ctx, next: Next): Promise<Response> {
  c.header("cache-control", "no-store");
  c.header("referrer-policy", "same-origin");
  return next();
}

// Limits the hashing, not guesses: tokens cannot be guessed.
export const MiddlewarePOST = limit(0.1, 10);
