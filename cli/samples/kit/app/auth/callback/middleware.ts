import { type Ctx, HttpError, limit, type Next } from "@fw/fw";
import { accountMessages } from "../../../lib/account_messages.ts";
import { sessions } from "../../../lib/sessions.ts";

// Per client: twenty tries at once, then one every five seconds. Each calls the identity provider.
export const MiddlewareGET = limit(0.2, 20);
// if passwords

/** Shows on the page where the user started that the user cancelled, or that the identity is taken. */
export async function Middleware(c: Ctx, next: Next): Promise<Response> {
  try {
    return await next();
  } catch (error) {
    const code = error instanceof HttpError ? error.code : "";
    if (code !== "sign_in_cancelled" && code !== "provider_taken") throw error;
    const key = code === "provider_taken" ? "providerTaken" : "cancelled";
    c.flash("error", c.t(accountMessages, key));
    return c.redirect(c.href(await sessions.user(c) === undefined ? "/login" : "/account"));
  }
}
// end
