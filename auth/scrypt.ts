import { Buffer } from "node:buffer";
import { scrypt } from "node:crypto";
import { httpError } from "../mod.ts";

/** What a hash costs: parameters of scrypt (RFC 7914). */
export interface ScryptCost {
  /** The binary logarithm of N, the number of blocks. */
  readonly logN: number;
  /** The size of a block. */
  readonly r: number;
  /** How often all of it is done. */
  readonly p: number;
}

/** How many hashes run at once: each takes 32 MiB and a thread. */
const maxRunning = 4;

/** How many wait for their turn: at a few tenths of a second each, those behind would wait in vain. */
const maxWaiting = 128;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs scrypt in a thread of its own, a few at a time in the whole process: a flood of sign-ins must
 * not take all memory and all threads.
 *
 * @returns 32 bytes.
 * @throws {HttpError} 503 `password_check_busy` where too many wait already.
 */
export async function deriveScrypt(
  password: string,
  salt: Uint8Array,
  cost: ScryptCost,
): Promise<Uint8Array> {
  await takeTurn();
  try {
    return await runScrypt(password, salt, cost);
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}

function takeTurn(): Promise<void> | void {
  if (running < maxRunning) return void running++;
  if (waiting.length < maxWaiting) return new Promise((resolve) => waiting.push(resolve));
  throw httpError(503, "Too many passwords are being checked; try again in a moment.", {
    code: "password_check_busy",
    headers: { "retry-after": "2" },
  });
}

function runScrypt(
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
