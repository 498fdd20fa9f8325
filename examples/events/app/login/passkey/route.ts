import { type Ctx, KindPage, type Result, use } from "@fw/fw";
import type { PasskeyHandlers } from "@fw/fw/auth";
import { Organisers } from "@/lib/organisers.ts";
import { organiserKeys, sessions } from "@/lib/sign_in.ts";

// The CSRF token is checked.
export const Kind = KindPage;

/** GET /login/passkey */
export function GET(c: Ctx): Result | Promise<Result> {
  return handlers(c).GET(c);
}

/** POST /login/passkey */
export function POST(c: Ctx): Result | Promise<Result> {
  return handlers(c).POST(c);
}

function handlers(c: Ctx): PasskeyHandlers {
  return organiserKeys(c).signInHandlers(
    sessions,
    (at, subject) => use(at, Organisers).find(subject),
  );
}
