import { type Ctx, KindPage, type Result } from "@fw/fw";
import { organiserKeys, sessions } from "@/lib/sign_in.ts";

// The CSRF token is checked.
export const Kind = KindPage;

/** GET /organize/account/passkeys */
export function GET(c: Ctx): Result | Promise<Result> {
  return organiserKeys(c).registerHandlers(sessions).GET(c);
}

/** POST /organize/account/passkeys */
export function POST(c: Ctx): Result | Promise<Result> {
  return organiserKeys(c).registerHandlers(sessions).POST(c);
}
