/**
 * Helpers for testing routes that require a sign-in.
 *
 * @module
 */
import { randomToken } from "../runtime/addon.ts";
import type { TestOption } from "../runtime/testing/mod.ts";
import { encodeSession } from "./session_cookie.ts";
import { findManager } from "./session_manager.ts";
import { createSession, hashId, type SignIn } from "./session_record.ts";

/**
 * Signs in a test request, or every request of a test client: starts a session as a sign-in would, and sends
 * its cookie.
 *
 * @param user The signed-in user; `subject` defaults to `"test"`.
 * @throws {TypeError} if `auth` is not the result of `createSessions` or a provider.
 * @example
 * ```ts
 * import { createSessions } from "@fw/fw/auth";
 * import { withUser } from "@fw/fw/auth/testing";
 * import { testPage } from "@fw/fw/testing";
 *
 * const sessions = createSessions();
 * const page = async (c: import("@fw/fw").Ctx) => c.text(200, (await sessions.require(c)).subject);
 * // For every request of a client: newTestClient(app, withUser(sessions, { subject: "42" })).
 * await testPage({ page }, "/me", withUser(sessions, { subject: "42" })).wantContains("42");
 * ```
 */
export function withUser(auth: object, user: Partial<SignIn> = {}): TestOption {
  const manager = findManager(auth);
  return (plan) => {
    const token = randomToken();
    const session = createSession({ subject: "test", ...user }, {
      part: { provider: "" },
      settings: manager.settings,
      id: hashId(token),
      device: "a test",
    });
    const isStored = manager.settings.store !== undefined;
    if (isStored) manager.planted.set(session.id, session);
    const value = isStored ? token : encodeSession(session);
    plan.own.push({ name: manager.settings.cookie, value, isSigned: !isStored });
  };
}

export { type TestProvider, testProvider } from "./oidc/test_provider.ts";
export { lowerPasswordCost } from "./passwords.ts";
