/** Who is signed in. */
export interface User {
  /** The stable name of the account: the key of its row, or the subject of an identity provider. */
  readonly subject: string;
  /** The email address, where it is known. */
  readonly email?: string;
  /** The display name, where it is known. */
  readonly name?: string;
  /** The roles that the guards look at. */
  readonly roles: readonly string[];
  /** When the user signed in. */
  readonly issuedAt: Date;
}

/** Who signs in: what `sessions.start` takes. */
export interface SignIn {
  /** The stable name of the account, 1 to 255 characters. Never an email address, which changes hands. */
  readonly subject: string;
  /** The email address. */
  readonly email?: string | undefined;
  /** The display name. */
  readonly name?: string | undefined;
  /** The roles that the guards look at. @default none */
  readonly roles?: readonly string[] | undefined;
}
