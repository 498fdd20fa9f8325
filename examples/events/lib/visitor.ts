import type { Ctx } from "@fw/fw";

const cookie = "visitor";
const yearMs = 365 * 86_400_000;

/** Returns the visitor's random name from a signed cookie; `undefined` if none has been set yet. */
export function visitorOf(c: Ctx): string | undefined {
  return c.signed(cookie);
}

/** Returns the visitor's name, creating it if needed, and extends the cookie to a year from now. */
export function rememberVisitor(c: Ctx): string {
  const visitor = visitorOf(c) ?? crypto.randomUUID();
  c.setSigned(cookie, visitor, yearMs);
  return visitor;
}
