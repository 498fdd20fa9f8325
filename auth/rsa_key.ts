/** Minimum (RFC 7518, section 3.3) and maximum length of a modulus, in bits. */
const [minBits, maxBits] = [2_048, 8_192];

/** Reports whether an RSA key is acceptable: an exponent of 1 signs nothing, and an even one is invalid. */
export function isRsaKey(n: Uint8Array, e: Uint8Array): boolean {
  const start = n.findIndex((byte) => byte !== 0);
  const bits = (n.length - start) * 8 - Math.clz32(n[start] ?? 0) + 24;
  const exponent = e.length > 4 ? 0 : e.reduce((sum, byte) => sum * 256 + byte, 0);
  return start >= 0 && bits >= minBits && bits <= maxBits && exponent >= 3 &&
    exponent % 2 === 1 && !isRoca(n);
}

/** The odd primes up to 167. */
const primes = Array.from({ length: 166 }, (_, at) => at + 2)
  .filter((number, at, all) => all.slice(0, at).every((smaller) => number % smaller !== 0))
  .slice(1);

/**
 * Reports whether a modulus was made by the faulty generator of CVE-2017-15361 (ROCA): modulo small primes it is
 * a power of 65537, so it can be factored. About one in 10^8 other moduli match.
 */
function isRoca(n: Uint8Array): boolean {
  return primes.every((prime) => {
    const rest = n.reduce((sum, byte) => (sum * 256 + byte) % prime, 0);
    let power = 1;
    do {
      if (power === rest) return true;
      power = power * 65_537 % prime;
    } while (power !== 1);
    return false;
  });
}
