// Users for tests. Only tests may import this file.
import type { App } from "@fw/fw";
import { withUser } from "@fw/fw/auth/testing";
import type { TestOption } from "@fw/fw/testing";
import { sessions } from "../lib/sessions.ts";

/** Starts a session for a test client. Look the user up here if your sign-in keeps accounts. */
export function withAccount(
  _app: App,
  { email = "ada@example.org", role }: { readonly email?: string; readonly role?: string } = {},
): Promise<TestOption> {
  const roles = role?.split(" ") ?? [];
  return Promise.resolve(withUser(sessions, { subject: email, email, roles }));
}
