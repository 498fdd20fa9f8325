// What the routes of passkeys send and take, for the document of the API: the browser's part reads and
// writes it (Web Authentication, level 3), no code of this application does.

/** The options of a ceremony; the members besides the challenge are for the browser. */
export interface PasskeyChallenge {
  /** Random bytes in base64url, which the browser signs. */
  readonly challenge: string;
}

/** A credential as `PublicKeyCredential.toJSON` writes it. */
export interface PasskeyReply {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly response: Readonly<Record<string, string | readonly string[] | number>>;
}

/** A passkey that was registered. */
export interface PasskeyMade {
  readonly id: string;
}

/** Where the browser goes after a sign-in. */
export interface PasskeySignIn {
  /** A path of this site. */
  readonly location: string;
}
