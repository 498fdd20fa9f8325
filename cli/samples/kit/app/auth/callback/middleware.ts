import { type Ctx, HttpError, limit, type Next } from "@fw/fw";
import { nextPath } from "@fw/fw/auth";
import { accountMessages } from "../../../lib/account_messages.ts";
import { afterLogin, sessions } from "../../../lib/sessions.ts";

// Per client: twenty tries at once, then one every five seconds. Each calls the identity provider.
export const MiddlewareGET = limit(0.2, 20);
// if passwords

/** The texts of refusals, which are shown where the user started. */
const texts = {
  sign_in_cancelled: "cancelled",
  provider_taken: "providerTaken",
  provider_unconnected: "connectFirst",
} as const;

export async function Middleware(c: Ctx, next: Next): Promise<Response> {
  try {
    return await next();
  } catch (error) {
    const code = error instanceof HttpError ? error.code : "";
    const [, text] = Object.entries(texts).find(([name]) => name === code) ?? [];
    if (text === undefined) throw error;
    c.flash("error", c.t(accountMessages, text));
    const account = c.href("/account");
    if (await sessions.user(c) !== undefined) return c.redirect(account);
    // The account page has the button that connects.
    const next = text === "connectFirst" ? account : nextPath(c, { fallback: afterLogin });
    return c.redirect(c.href("/login", {}, { query: { next } }));
  }
}
// end
