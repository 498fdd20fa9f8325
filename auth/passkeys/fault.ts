/** Why a passkey is refused, in a word; security events say it with `passkey-` in front. */
export type PasskeyRefusal =
  | ("format" | "challenge" | "origin" | "rp-id" | "presence" | "verification" | "backup")
  | ("key" | "signature" | "counter" | "unknown" | "user" | "registered" | "too-many");

/** Ends the verification of a passkey; never leaves this package. */
export class PasskeyFault extends Error {
  readonly reason: PasskeyRefusal;

  constructor(reason: PasskeyRefusal, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** @throws {PasskeyFault} where the condition does not hold. */
export function need(
  condition: boolean,
  reason: PasskeyRefusal,
  detail: string,
): asserts condition {
  if (!condition) throw new PasskeyFault(reason, detail);
}
