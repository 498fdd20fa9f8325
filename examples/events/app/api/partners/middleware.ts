import { type Ctx, limit, type Next, type Result, use } from "@fw/fw";
import { Partners } from "@/lib/partner_gate.ts";

const limited = limit(5, 20);

/** Allows five requests a second, or twenty at once, under `/api/partners`, then checks the key. */
export function Middleware(c: Ctx, next: Next): Result | Promise<Result> {
  c.cacheControl("no-store");
  // The limit comes first, so that it also limits guesses of the key.
  return limited(c, () => {
    use(c, Partners).check(c, c.request.headers.get("authorization"));
    return next();
  });
}
