import { Buffer } from "node:buffer";
import { hkdfSync, timingSafeEqual } from "node:crypto";

/** How long a secret must be at least, in bytes. */
export const minSecretBytes = 32;

/**
 * Makes a token that nobody can guess.
 *
 * @param bytes How much randomness it holds. @default 32
 * @returns base64url without padding: 43 characters for 32 bytes.
 */
export function randomToken(bytes = 32): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("base64url");
}

/** Whether two secrets are the same, in a time that tells their length at most. */
export function equalSecrets(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, "utf8"), Buffer.from(b, "utf8")];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The bytes of a secret; a text counts as UTF-8. */
export function secretBytes(secret: string | Uint8Array): Uint8Array {
  return typeof secret === "string" ? Buffer.from(secret, "utf8") : secret;
}

/**
 * Derives a key for one purpose (HKDF with SHA-256, RFC 5869), so that no two uses of a secret
 * share a key.
 *
 * @returns 32 bytes.
 */
export function deriveKey(secret: string | Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secretBytes(secret), new Uint8Array(0), purpose, 32));
}
