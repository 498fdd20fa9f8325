import { Buffer } from "node:buffer";
import { scrypt } from "node:crypto";

export interface ScryptCost {
  /** The binary logarithm of N, the number of blocks. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

export function deriveScrypt(
  password: string,
  salt: Uint8Array,
  { logN, r, p }: ScryptCost,
): Promise<Uint8Array> {
  const N = 2 ** logN;
  const options = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    // The same letters typed on two keyboards may be other code points.
    scrypt(Buffer.from(password.normalize("NFKC"), "utf8"), salt, 32, options, (error, derived) => {
      if (error) reject(error);
      else resolve(derived);
    });
  });
}
