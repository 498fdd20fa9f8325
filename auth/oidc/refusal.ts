import { type Ctx, type HttpError, httpError, Problem } from "../../mod.ts";
import type { TokenRefusal } from "./jws.ts";

/** Why a sign-in is refused, in a word, as security events say it. */
export type SignInRefusal =
  | ("state" | "provider" | "parameter-repeated" | "iss-parameter" | "provider-error" | "code")
  | ("exchange" | "token-response" | "userinfo" | "logout-token" | "logout-csrf")
  | TokenRefusal;

export function refuseSignIn(
  c: Ctx,
  reason: SignInRefusal,
  options: { readonly status?: number; readonly message?: string; readonly detail?: unknown } = {},
): HttpError {
  const { status = 400, message = "The sign-in was not completed. Start it again.", detail } =
    options;
  c.app.security.report(c, "auth", { reason });
  if (detail !== undefined) c.log.warn("a sign-in was refused", { reason, detail });
  return httpError(status, message, { code: "sign_in_refused" });
}

/** Reports that the provider is down, and returns the error to throw. */
export function refuseOutage(c: Ctx, error: Error): Problem {
  c.app.security.report(c, "auth", { reason: "provider-down" });
  c.log.error("the identity provider cannot be used", { error });
  c.header("retry-after", "30");
  return new Problem({
    status: 503,
    title: "Sign-in is unavailable",
    detail: "The sign-in service does not answer at the moment. Try again in a minute.",
    cause: error,
  });
}
