/** The reason of a refused passkey; security events prefix it with `passkey-`. */
export type PasskeyRefusal =
  | ("format" | "challenge" | "origin" | "rp-id" | "presence" | "verification" | "backup")
  | ("key" | "signature" | "counter" | "unknown" | "user" | "registered" | "too-many");

/** Aborts the verification of a passkey; never thrown out of this package. */
export class PasskeyFault extends Error {
  readonly reason: PasskeyRefusal;

  constructor(reason: PasskeyRefusal, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** Requires a condition. @throws {PasskeyFault} if it is false. */
export function need(
  condition: boolean,
  reason: PasskeyRefusal,
  detail: string,
): asserts condition {
  if (!condition) throw new PasskeyFault(reason, detail);
}
