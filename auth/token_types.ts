import type { Application, Ctx, Next } from "../mod.ts";
import type { SessionStore } from "../runtime/addon.ts";
import type { SignIn, User } from "./session_record.ts";

/** Options of `createTokens`. */
export interface TokenOptions {
  /** Lifetime of a token, in milliseconds: a minute to 366 days. @default 7776000000 (90 days) */
  readonly lifetimeMs?: number;
  /**
   * Store of the token hashes, so that tokens can be listed and revoked, or a function that returns an
   * application's store. @default a token is signed and cannot be revoked
   */
  readonly store?: SessionStore | ((app: Application) => SessionStore);
  /** Keeps the hashes in the store of `provideStores`; in memory without one. @default false */
  readonly stored?: boolean;
  /** The scheme of `Authorization`. A token of one scheme is invalid in another. @default "Bearer" */
  readonly scheme?: string;
  /** Returns the time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: () => number;
}

/** The owner of tokens: a subject and its identity provider, as in {@link User}. */
export interface TokenOwner {
  /** The issuer of the subject's identity provider. @default "" (the application itself) */
  readonly provider?: string;
  /** The stable identifier of the account. */
  readonly subject: string;
}

/** The user on whose behalf a program calls. */
export interface TokenUser extends User {
  /** The scopes that the token was issued with. */
  readonly scopes: readonly string[];
}

/** A new token, which can be read only once. */
export interface IssuedToken {
  /** The string that the program sends in `Authorization`, after the scheme. */
  readonly value: string;
  /** When it expires. */
  readonly expiresAt: Date;
}

/** A token in the list that its owner sees. */
export interface TokenInfo {
  /** Identifies the token for `revoke`; safe to show. */
  readonly id: string;
  /** The label that the token was issued with. */
  readonly label: string;
  /** The scopes that it was issued with. */
  readonly scopes: readonly string[];
  /** When it was issued. */
  readonly issuedAt: Date;
  /** When it was last used, up to a minute ago. */
  readonly usedAt: Date;
  /** When it expires. */
  readonly expiresAt: Date;
}

/**
 * Lets requests with a token pass. Works as middleware; called in a handler, it returns the user.
 *
 * @throws {HttpError} 401 `token_required` or `invalid_token`, 403 `insufficient_scope`, each with
 * `WWW-Authenticate`; 503 `token_store_failed`.
 */
export interface TokenGuard {
  /** Guards a folder: `export const Middleware = tokens.require`. */
  (c: Ctx, next: Next): Promise<Response>;
  /** Guards the rest of a handler. */
  (c: Ctx): Promise<TokenUser>;
}

/** The tokens of an application, as returned by `createTokens`. */
export interface Tokens {
  /**
   * Issues a token for a user. With a context the response is marked `no-store`.
   *
   * @param token `scopes`, at most 50 (RFC 6749, section 3.3); the `label` is shown in the owner's list.
   * @throws {TypeError} for a user, scope or label that cannot be stored, and in production without a store or
   * `FW_SECRET`.
   * @throws {RangeError} for a token that is too large to be signed: use a store.
   * @throws {HttpError} 409 `too_many_tokens` for an owner with 100 stored tokens, 503 `token_store_failed`.
   */
  issue(
    at: Ctx | Application,
    user: SignIn & TokenOwner,
    token: { readonly scopes: readonly string[]; readonly label?: string },
  ): Promise<IssuedToken>;
  /**
   * Returns the user of the request's token, looked up once; `undefined` without a valid token.
   *
   * @throws {HttpError} 503 `token_store_failed`.
   */
  user(c: Ctx): Promise<TokenUser | undefined>;
  /** Lets every valid token pass. */
  readonly require: TokenGuard;
  /**
   * Lets tokens with all of the scopes pass.
   *
   * @throws {TypeError} without a scope, and for an invalid one.
   */
  requireScope(...scopes: string[]): TokenGuard;
  /**
   * Lists the tokens of an owner, most recently used first.
   *
   * @throws {TypeError} without a store.
   * @throws {HttpError} 503 `token_store_failed`.
   */
  list(at: Ctx | Application, owner: TokenOwner): Promise<readonly TokenInfo[]>;
  /**
   * Revokes one token of an owner; returns whether the owner had it.
   *
   * @throws {TypeError} without a store.
   * @throws {HttpError} 503 `token_store_failed`.
   */
  revoke(
    at: Ctx | Application,
    token: { readonly owner: TokenOwner; readonly id: string },
  ): Promise<boolean>;
  /**
   * Revokes the tokens of an owner, for example after a theft; returns how many.
   *
   * @throws {TypeError} without a store.
   * @throws {HttpError} 503 `token_store_failed`.
   */
  revokeAll(at: Ctx | Application, owner: TokenOwner): Promise<number>;
}
