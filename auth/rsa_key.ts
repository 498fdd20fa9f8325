/** The shortest modulus (RFC 7518, section 3.3), and the longest that is computed with, in bits. */
const [minBits, maxBits] = [2_048, 8_192];

/**
 * Returns whether two numbers make an RSA key whose signatures count: an exponent of 1 signs nothing, and
 * an even one is no exponent of RSA.
 *
 * @param n The modulus, big-endian.
 * @param e The exponent, big-endian.
 */
export function isRsaKey(n: Uint8Array, e: Uint8Array): boolean {
  const start = n.findIndex((byte) => byte !== 0);
  const bits = (n.length - start) * 8 - Math.clz32(n[start] ?? 0) + 24;
  const exponent = e.length > 4 ? 0 : e.reduce((sum, byte) => sum * 256 + byte, 0);
  return start >= 0 && bits >= minBits && bits <= maxBits && exponent >= 3 && exponent % 2 === 1;
}
