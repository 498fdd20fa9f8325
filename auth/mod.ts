/**
 * Sign-in: sessions with deadlines and guards, with or without a store on the server. Users
 * authenticate with a password (`hashPassword`, `verifyPassword`), a passkey (`passkeys`) or an
 * identity provider (`oidc`, `entraId`, `keycloak`, `cognito`, `clerk`, `github`, `discord`, `oauth`).
 *
 * @example
 * ```ts
 * import { App } from "@fw/fw";
 * import { createSessions } from "@fw/fw/auth";
 * import { testRequest } from "@fw/fw/testing";
 *
 * const sessions = createSessions();
 * const app = new App({ env: "dev", logRequest: () => false });
 * app.route({
 *   pattern: "/account",
 *   middleware: [{ Middleware: sessions.require }],
 *   page: async (c) => c.text(200, (await sessions.user(c))?.subject ?? ""),
 * });
 * await testRequest(app, "GET", "/account").wantHeader("location", "/login?next=%2Faccount");
 * ```
 *
 * @module
 */

export type { Awaitable, SessionOwner, SessionStore, StoredSession } from "../runtime/addon.ts";
export { type AttemptOptions, type Attempts, createAttempts } from "./attempts.ts";
export { isCommonPassword } from "./common_passwords.ts";
export type { Guard, Guards } from "./guards.ts";
export { type MemorySessionOptions, memorySessionStore } from "./memory_store.ts";
export { nextPath } from "./next_path.ts";
export { hashPassword, needsRehash, verifyPassword } from "./passwords.ts";
export { passkeyForm, type PasskeyFormOptions } from "./passkeys/form.ts";
export { passkeys } from "./passkeys/passkeys.ts";
export type { PasskeyHandlers, PasskeyOptions, Passkeys, PasskeyUser } from "./passkeys/types.ts";
export { memoryPasskeyStore } from "./passkeys/stores.ts";
export type { Passkey, PasskeyAdded, PasskeyStore, PasskeyUse } from "../runtime/addon.ts";
export type { SessionOptions } from "./session_options.ts";
export { createSessions, type SessionInfo, type Sessions } from "./sessions.ts";
export type { SignIn, User } from "./session_record.ts";
export { createTokens } from "./tokens.ts";
export type * from "./token_types.ts";

export type { AccountRow, Auth, AuthOptions, ProviderUser } from "./oidc/auth_options.ts";
export type { ClientAuth } from "./oidc/auth_options.ts";
export { discord, github, oauth } from "./oidc/oauth.ts";
export type { GitHubClient, OAuth, OAuthOptions } from "./oidc/oauth.ts";
export type {
  OAuthEndpoints,
  OAuthIdentity,
  OAuthProvider,
  OidcClient,
} from "./oidc/provider_plan.ts";
export {
  clerk,
  type ClerkProvider,
  cognito,
  type CognitoProvider,
  entraId,
  type EntraIdProvider,
  type EnvAuthOptions,
  keycloak,
  type KeycloakProvider,
  oidc,
  oidcFromEnv,
  type OidcProvider,
} from "./oidc/providers.ts";
