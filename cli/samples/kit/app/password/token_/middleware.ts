import { type Ctx, limit, type Next } from "@fw/fw";

// The address holds the token: nothing stores its pages, and no other site learns it from a link. With
// "no-referrer" a browser would not say where the form comes from, and it would be refused.
export function Middleware(c: Ctx, next: Next): Promise<Response> {
  c.header("cache-control", "no-store");
  c.header("referrer-policy", "same-origin");
  return next();
}

// Tokens cannot be guessed; what is limited is the work.
export const MiddlewarePOST = limit(0.1, 10);
