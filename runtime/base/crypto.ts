import { nodeBuffer, nodeCrypto } from "./node.ts";

/** The minimum length of a secret in bytes. */
export const minSecretBytes = 32;

/** Generates an unguessable token in base64url without padding: 43 characters for 32 bytes. */
export function randomToken(bytes = 32): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toBase64(base64url);
}

/** The encoding of tokens and codes: base64url without padding (RFC 4648, section 5). */
export const base64url: { readonly alphabet: "base64url"; readonly omitPadding: true } = {
  alphabet: "base64url",
  omitPadding: true,
};

/** Compares two secrets; the time it takes reveals at most their length. */
export function equalSecrets(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  // Every character is compared, even after a mismatch. `timingSafeEqual` requires two buffers, which
  // costs as much as parsing the form (`bench/http`).
  let difference = 0;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}

export function secretBytes(secret: string | Uint8Array): Uint8Array {
  return typeof secret === "string" ? new TextEncoder().encode(secret) : secret;
}

/** Derives a key of 32 bytes for one purpose (HKDF with SHA-256, RFC 5869), so that no two uses share one. */
export function deriveKey(secret: string | Uint8Array, purpose: string): Uint8Array {
  const bytes = secretBytes(secret);
  return new Uint8Array(nodeCrypto().hkdfSync("sha256", bytes, new Uint8Array(0), purpose, 32));
}

/** Returns the authentication code of a text (HMAC with SHA-256) in base64url. */
export function signText(text: string, key: Uint8Array): string {
  return nodeCrypto().createHmac("sha256", key).update(text).digest("base64url");
}

/** Returns a short text that identifies a random token and does not reveal it. */
export function fingerprintToken(token: string): string {
  return nodeCrypto().createHash("sha256").update(token).digest("base64url").slice(0, 16);
}

const tokenBytes = 32;

/** The length of a masked token: the mask and the token under it, in base64url. */
const maskedChars = 86;

/**
 * Masks a token with fresh randomness, so that no two responses contain the same text. A compressed response
 * that holds a secret beside text of the request reveals the secret by its length (BREACH).
 */
export function maskToken(token: string): string {
  const bytes = new Uint8Array(2 * tokenBytes);
  crypto.getRandomValues(bytes.subarray(0, tokenBytes));
  const secret = Uint8Array.fromBase64(token, base64url);
  for (let at = 0; at < tokenBytes; at++) {
    bytes[tokenBytes + at] = (secret[at] ?? 0) ^ (bytes[at] ?? 0);
  }
  return bytes.toBase64(base64url);
}

export function unmaskToken(masked: string): string {
  const bytes = nodeBuffer().from(masked, "base64url");
  const token = bytes.subarray(tokenBytes).map((byte, at) => byte ^ (bytes[at] ?? 0));
  return token.toBase64(base64url);
}

/** Reports whether a string is a token of this framework: 32 bytes in base64url. */
export function isWellFormed(token: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(token);
}

/** Checks a client's token, masked or as in the cookie; its time does not reveal where they differ. */
export function equalsToken(sent: string, token: string): boolean {
  if (sent.length !== maskedChars) return equalSecrets(sent, token);
  const bytes = nodeBuffer().from(sent, "base64url");
  const secret = nodeBuffer().from(token, "base64url");
  // `Buffer` skips characters outside base64url, so a string of this length may hold fewer bytes.
  if (bytes.length !== 2 * tokenBytes || secret.length !== tokenBytes) return false;
  let difference = 0;
  for (let at = 0; at < tokenBytes; at++) {
    difference |= (bytes[at] ?? 0) ^ (bytes[tokenBytes + at] ?? 0) ^ (secret[at] ?? 0);
  }
  return difference === 0;
}

/** Returns the SHA-256 of a string in UTF-16, because UTF-8 would make all lone surrogates equal. */
export function digestOf(text: string): string {
  const hash = nodeCrypto().createHash("sha256");
  // Node's own conversion takes two to four times as long for a megabyte.
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  hash.update(new Uint8Array(units.buffer));
  return hash.digest("hex");
}
