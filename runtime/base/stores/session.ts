/** A value or a promise of it; in-memory stores return synchronously. */
export type Awaitable<T> = T | Promise<T>;

/** Names the owner of sessions: a subject of one identity provider, or of the application itself. */
export interface SessionOwner {
  /** The identity provider that vouches for the subject; `""` for the application itself. */
  readonly provider: string;
  /** The stable name of the account, such as the key of its row. */
  readonly subject: string;
}

/** A session as a store keeps it. */
export interface StoredSession extends SessionOwner {
  /** The SHA-256 of the identifier in the cookie, in base64url, so a leaked copy cannot be used to sign in. */
  readonly id: string;
  /** The key of the row in the application, if it is not the subject. */
  readonly account?: string;
  /** The email address of the user. */
  readonly email?: string;
  /** The display name of the user. */
  readonly name?: string;
  /** The roles of the user. */
  readonly roles: readonly string[];
  /** The browser and the system, such as `Firefox on Linux`; `""` where they are unknown. */
  readonly device: string;
  /** When the user signed in, in milliseconds since 1970. */
  readonly issuedAtMs: number;
  /** When the session was last used, in milliseconds since 1970; up to a minute late. */
  readonly usedAtMs: number;
  /** When the session ends unless it is used, in milliseconds since 1970. */
  readonly expiresAtMs: number;
  /** When the session ends even if it is used, in milliseconds since 1970. */
  readonly endsAtMs: number;
  /** The identity provider's own identifier of the session, for its logout messages. */
  readonly sid?: string;
  /** Sealed, opaque data of the identity provider's package. */
  readonly data?: string;
}

/**
 * Stores sessions so that the replicas of an application share them. A store never sees an identifier, only
 * its hash. Expired sessions are absent to every method. If a store fails, the request is refused with 503.
 */
export interface SessionStore {
  /** Stores a new session atomically; returns `false` and changes nothing if the `id` exists. */
  create(session: StoredSession): Awaitable<boolean>;
  /** Returns a session, or `undefined`. */
  read(id: string): Awaitable<StoredSession | undefined>;
  /** Records a use of a session and returns whether the session exists; never restores a deleted one. */
  touch(
    id: string,
    at: { readonly usedAtMs: number; readonly expiresAtMs: number },
  ): Awaitable<boolean>;
  /** Replaces the sealed data of a session if it is still `from`, atomically, and returns whether it did. */
  replaceData(
    id: string,
    change: { readonly from: string | undefined; readonly to: string },
  ): Awaitable<boolean>;
  /** Sets the display name in the sessions of an owner; never restores a deleted one. */
  rename?(owner: SessionOwner, name: string | undefined): Awaitable<void>;
  /** Deletes a session and returns whether it existed. */
  delete(id: string): Awaitable<boolean>;
  /** Returns the sessions of an owner, the most recently used first. */
  list(owner: SessionOwner): Awaitable<readonly StoredSession[]>;
  /** Deletes the sessions of an owner except the one with the `id` in `except`; returns their number. */
  deleteBySubject(owner: SessionOwner, options?: { readonly except?: string }): Awaitable<number>;
  /** Deletes the sessions with an identity provider's own session identifier; returns their number. */
  deleteBySid(provider: string, sid: string): Awaitable<number>;
}
