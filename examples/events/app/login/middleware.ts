import { type Ctx, limit, type Next, type Result } from "@fw/fw";
import { isKnownBrowser } from "@/lib/sign_in.ts";

// Ten attempts at once, then one every ten seconds, per client and per account. Browsers that have
// signed in before are counted separately, so that strangers' guesses do not lock out the owner.
const byClient = limit(0.1, 10);
const byAccount = limit(0.1, 10, {
  name: "account",
  key: async (c) => {
    const email = (await c.form("email"))?.trim().toLowerCase().slice(0, 200);
    // Both have a prefix, because a stranger may send any text as an address.
    return email && `${isKnownBrowser(c, email) ? "known" : "stranger"} ${email}`;
  },
});

/** Slows down guessing. Passkeys cannot be guessed and send no form. */
export function MiddlewarePOST(c: Ctx, next: Next): Result | Promise<Result> {
  if (c.pattern !== "/login") return byClient(c, next);
  return byClient(c, async () => {
    const result = await byAccount(c, next);
    if (result instanceof Error) throw result;
    return result instanceof Response ? result : c.noContent();
  });
}
