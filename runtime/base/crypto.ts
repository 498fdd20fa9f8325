import { Buffer } from "node:buffer";
import { hkdfSync } from "node:crypto";

/** The minimum length of a secret in bytes. */
export const minSecretBytes = 32;

/**
 * Generates an unguessable token.
 *
 * @param bytes How much randomness it holds. @default 32
 * @returns base64url without padding: 43 characters for 32 bytes.
 */
export function randomToken(bytes = 32): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("base64url");
}

/** Compares two secrets; the time it takes reveals at most their length. */
export function equalSecrets(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  // Every character is compared, even after a mismatch. `timingSafeEqual` requires two buffers, which
  // costs as much as parsing the form (`bench/http`).
  let difference = 0;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
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
