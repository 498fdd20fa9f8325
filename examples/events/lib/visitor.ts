import type { Ctx } from "@fw/fw";

const cookie = "visitor";
const yearMs = 365 * 86_400_000;

/** Who the visitor is: a random name in a signed cookie, or `undefined` before there was a reason. */
export function visitorOf(c: Ctx): string | undefined {
  return c.signed(cookie);
}

/** The same, for whom a name is made when there is none; the cookie lasts a year from now. */
export function rememberVisitor(c: Ctx): string {
  const visitor = visitorOf(c) ?? crypto.randomUUID();
  c.setSigned(cookie, visitor, yearMs);
  return visitor;
}
