import { type Ctx, limit, type Next, type Result } from "@fw/fw";
import { isKnownBrowser } from "@/lib/sign_in.ts";

// Ten tries at once, then one every ten seconds: for each client, and for each account. A browser that has
// signed in before counts by itself: strangers who guess must not lock the owner out.
const byClient = limit(0.1, 10);
const byAccount = limit(0.1, 10, {
  name: "account",
  key: async (c) => {
    const email = (await c.form("email"))?.trim().toLowerCase().slice(0, 200);
    // Both have a prefix: a stranger may send any text as an address.
    return email && `${isKnownBrowser(c, email) ? "known" : "stranger"} ${email}`;
  },
});

/** Slows guesses down. A passkey cannot be guessed, and sends no form. */
export function MiddlewarePOST(c: Ctx, next: Next): Result | Promise<Result> {
  if (c.pattern !== "/login") return byClient(c, next);
  return byClient(c, async () => {
    const result = await byAccount(c, next);
    if (result instanceof Error) throw result;
    return result instanceof Response ? result : c.noContent();
  });
}
