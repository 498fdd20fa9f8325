/** The signed-in user. */
export interface User {
  /**
   * The issuer of the identity provider that vouches for the subject; `""` for a sign-in of the application
   * itself. Two providers may use one subject for two people: keep both as the key of an account.
   */
  readonly provider: string;
  /** The stable name of the account at its provider, or the key of its row. */
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

/** The user that `sessions.start` signs in. */
export interface SignIn {
  /** The stable name of the account, 1 to 255 characters. Never an email address: it can get another owner. */
  readonly subject: string;
  /** The email address. */
  readonly email?: string | undefined;
  /** The display name. */
  readonly name?: string | undefined;
  /** The roles that the guards look at. @default none */
  readonly roles?: readonly string[] | undefined;
}
