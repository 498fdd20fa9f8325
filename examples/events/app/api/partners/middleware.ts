import { type Ctx, limit, type Next, type Result, use } from "@fw/fw";
import { Partners } from "@/lib/partner_gate.ts";

const limited = limit(5, 20);

/** Below `/api/partners`: at most five requests a second, or twenty at once, and then a key. */
export function Middleware(c: Ctx, next: Next): Result | Promise<Result> {
  c.cacheControl("no-store");
  // The limit comes first, so that it bounds the guesses of a key as well.
  return limited(c, () => {
    use(c, Partners).check(c, c.request.headers.get("authorization"));
    return next();
  });
}
