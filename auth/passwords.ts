import { Buffer } from "node:buffer";
import { scrypt, timingSafeEqual } from "node:crypto";
import type { Ctx } from "../mod.ts";
import { inTurn } from "./turns.ts";
import { decodeBase64url, encodeBase64url } from "./strict_json.ts";

export interface ScryptCost {
  /** The binary logarithm of N, the number of blocks. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

function deriveScrypt(
  password: string,
  salt: Uint8Array,
  { logN, r, p }: ScryptCost,
): Promise<Uint8Array> {
  const N = 2 ** logN;
  const options = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    // Keyboards may produce different code points for the same letters.
    scrypt(Buffer.from(password.normalize("NFKC"), "utf8"), salt, 32, options, (error, derived) => {
      if (error) reject(error);
      else resolve(derived);
    });
  });
}

/** The cost that OWASP recommends (Password Storage Cheat Sheet): 32 MiB and some tenths of a second per hash. */
const fullCost: ScryptCost = { logN: 15, r: 8, p: 3 };

const testCost: ScryptCost = { logN: 1, r: 1, p: 1 };

/** The holders of the lower test cost; the full cost applies again when the last one is disposed. */
const lowered = new Set<Disposable>();

function currentCost(): ScryptCost {
  return lowered.size > 0 ? testCost : fullCost;
}

function prefixOf({ logN, r, p }: ScryptCost): string {
  return `$scrypt$ln=${logN},r=${r},p=${p}$`;
}

/**
 * Lowers the cost of `hashPassword` for the tests of a file, until the result is disposed. Afterwards
 * `needsRehash` returns true for hashes of the lower cost.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { hashPassword, needsRehash, verifyPassword } from "@fw/fw/auth";
 * import { lowerPasswordCost } from "@fw/fw/auth/testing";
 *
 * const cost = lowerPasswordCost();
 * const kept = await hashPassword("correct horse battery staple");
 * assertEquals(await verifyPassword("correct horse battery staple", kept), true);
 * cost[Symbol.dispose]();
 * assertEquals(needsRehash(kept), true);
 * ```
 */
export function lowerPasswordCost(): Disposable {
  const holder: Disposable = { [Symbol.dispose]: () => void lowered.delete(holder) };
  lowered.add(holder);
  return holder;
}

/** Maximum cost that a stored hash may require: 128 MiB, OWASP's largest. */
const maxCost: ScryptCost = { logN: 17, r: 8, p: 16 };

/** Maximum length of a password, in UTF-16 code units, because normalising takes time. */
const maxPasswordChars = 1_024;

/**
 * Hashes a password for storage, using scrypt with the cost that OWASP recommends and a random salt.
 *
 * The process runs only a few hashes at a time; networks and clients take turns, so that a flood delays only
 * its own requests. Some slots are reserved for setting a password.
 *
 * @param password The password, up to 1,024 characters; it is normalised (NFKC).
 * @param options `c`: the context of the request, whose client waits its turn.
 * @returns A string of 92 characters that starts with its version: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`.
 * @throws {RangeError} for a password that is empty or too long: limit the form field.
 * @throws {HttpError} 503 `password_check_busy` if too many requests of this client are waiting.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { hashPassword, verifyPassword } from "@fw/fw/auth";
 *
 * const kept = await hashPassword("correct horse battery staple");
 * assertEquals(await verifyPassword("correct horse battery staple", kept), true);
 * assertEquals(await verifyPassword("wrong", kept), false);
 * ```
 */
export async function hashPassword(
  password: string,
  options: { readonly c?: Ctx } = {},
): Promise<string> {
  if (password === "" || password.length > maxPasswordChars) {
    throw new RangeError(
      `Cannot hash a password of ${password.length} characters: use 1 to ${maxPasswordChars}, as ` +
        'with text("required,max=200").',
    );
  }
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const cost = currentCost();
  const turn = { c: options.c, isReserved: true };
  const derived = await inTurn(turn, () => deriveScrypt(password, salt, cost));
  return prefixOf(cost) + [salt, derived].map(encodeBase64url).join("$");
}

/**
 * Checks a password against a stored hash, in a time that does not depend on how much of it matches. Without
 * a hash (no such account) it takes as long and returns `false`, so that timing does not reveal accounts.
 *
 * @param kept The result of {@link hashPassword}, or `undefined` for an account that does not exist.
 * @param options `c`: the context of the request, whose client waits for its turn. `isKnown`: whether the
 * browser has signed in to this account before, which gives it a reserved slot. @default isKnown false
 * @throws {HttpError} 503 `password_check_busy` if too many requests of this client are waiting.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { verifyPassword } from "@fw/fw/auth";
 *
 * const rows = new Map<string, string>();
 * assertEquals(await verifyPassword("a guess", rows.get("ada@example.org")), false);
 * ```
 */
export async function verifyPassword(
  password: string,
  kept: string | undefined,
  options: { readonly c?: Ctx; readonly isKnown?: boolean } = {},
): Promise<boolean> {
  const hash = parseHash(kept ?? "");
  const typed = password.length > maxPasswordChars ? "" : password;
  const { salt, derived, cost } = hash ?? { ...decoy, cost: currentCost() };
  const turn = { c: options.c, isReserved: options.isKnown ?? false };
  const actual = await inTurn(turn, () => deriveScrypt(typed, salt, cost));
  // Compare in any case, for equal timing; an empty password never matches.
  const isEqual = timingSafeEqual(actual, derived);
  return isEqual && hash !== undefined && typed !== "";
}

/**
 * Returns whether a stored hash has another cost or format than new ones: after a sign-in with it,
 * store `await hashPassword(password)` instead.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { hashPassword, needsRehash } from "@fw/fw/auth";
 *
 * assertEquals(needsRehash(await hashPassword("correct horse battery staple")), false);
 * ```
 */
export function needsRehash(kept: string): boolean {
  return parseHash(kept) === undefined || !kept.startsWith(prefixOf(currentCost()));
}

/** The hash for comparison if there is no account. */
const decoy = { salt: new Uint8Array(16), derived: new Uint8Array(32) };

function parseHash(
  text: string,
): { cost: ScryptCost; salt: Uint8Array; derived: Uint8Array } | undefined {
  const match =
    /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/
      .exec(text);
  if (match === null) return undefined;
  const [, logN, r, p, salt = "", derived = ""] = match;
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  const isSane = cost.logN >= 1 && cost.r >= 1 && cost.p >= 1 && cost.logN <= maxCost.logN &&
    cost.r <= maxCost.r && cost.p <= maxCost.p;
  const [saltBytes, derivedBytes] = [decodeBase64url(salt), decodeBase64url(derived)];
  if (!isSane || saltBytes === undefined || derivedBytes === undefined) return undefined;
  return { cost, salt: saltBytes, derived: derivedBytes };
}
