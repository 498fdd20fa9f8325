import { type Ctx, limit, type Next, type Result, use } from "@fw/fw";
import { Partners } from "@/lib/partner_gate.ts";

const limited = limit(5, 20);

/** Below `/api/partners`: a key, then at most five requests a second, or twenty at once. */
export function Middleware(c: Ctx, next: Next): Result | Promise<Result> {
  c.cacheControl("no-store");
  use(c, Partners).check(c, c.request.headers.get("authorization"));
  return limited(c, next);
}
