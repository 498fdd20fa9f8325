// The JSON of the passkey routes, for the OpenAPI document. Only the browser reads and writes it
// (Web Authentication, level 3), no code of this application.

/** The options of a ceremony; members other than the challenge are for the browser. */
export interface PasskeyChallenge {
  /** Random bytes in base64url, which the browser signs. */
  readonly challenge: string;
}

/** A credential in the format of `PublicKeyCredential.toJSON`. */
export interface PasskeyReply {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly response: Readonly<Record<string, string | readonly string[] | number>>;
}

/** A registered passkey. */
export interface PasskeyMade {
  readonly id: string;
}

/** The destination after a sign-in. */
export interface PasskeySignIn {
  /** A path of this site. */
  readonly location: string;
}
