import type { Awaitable } from "./session.ts";

/** A passkey of a user, as a store keeps it. */
export interface Passkey {
  /** The identifier of the credential, in base64url; up to 1,364 characters. */
  readonly id: string;
  /** The account that signs in with it. */
  readonly subject: string;
  /** User handle stored by the authenticator, in base64url: random, one for each account. */
  readonly userHandle: string;
  /** The public key, a JSON Web Key. */
  readonly publicKey: JsonWebKey;
  /** Signature counter of the authenticator, if it has one; else 0. */
  readonly signCount: number;
  /** Whether it can be synced between devices, as of its last sign-in. */
  readonly isBackupEligible: boolean;
  /** Whether it is synced between devices. */
  readonly isBackedUp: boolean;
  /** Label for the user, such as `Firefox on Linux`. */
  readonly label: string;
  /** When it was registered, in milliseconds since 1970. */
  readonly createdAtMs: number;
  /** When it was last used, in milliseconds since 1970. */
  readonly usedAtMs: number;
  /** When the challenge of its last sign-in was created, or 0: an older challenge is refused. */
  readonly challengedAtMs: number;
}

/** The members of a passkey that a sign-in changes. */
export type PasskeyUse = Pick<
  Passkey,
  "signCount" | "isBackupEligible" | "isBackedUp" | "usedAtMs" | "challengedAtMs"
>;

/**
 * Whether a passkey was stored. `exists`: a subject already has that `id`; `too-many`: the subject has
 * reached the maximum; `handle`: the subject's passkeys have a different `userHandle`.
 */
export type PasskeyAdded = "added" | "exists" | "too-many" | "handle";

/** Stores the passkeys of an application. They are public keys, not secrets. */
export interface PasskeyStore {
  /** Stores a new passkey unless the subject already has `max`, atomically. */
  add(passkey: Passkey, options: { readonly max: number }): Awaitable<PasskeyAdded>;
  /** Returns a passkey by its `id`. */
  find(id: string): Awaitable<Passkey | undefined>;
  /** Returns the passkeys of a subject, the oldest first. */
  list(subject: string): Awaitable<readonly Passkey[]>;
  /**
   * Records a sign-in if its challenge is newer than that of the last one, atomically, and returns whether it
   * did: a replayed response fails.
   */
  use(id: string, use: PasskeyUse): Awaitable<boolean>;
  /** Deletes a passkey of a subject; returns whether the subject had it. */
  remove(subject: string, id: string): Awaitable<boolean>;
}
