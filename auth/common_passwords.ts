import data from "./common_passwords.json" with { type: "json" };

/** Words that attackers combine. */
const commonWords: ReadonlySet<string> = new Set(data.words.split(" "));

/** The rows of keyboards and other sequences; a password uses parts of them in both directions. */
const sequences: readonly string[] = [
  ...["abcdefghijklmnopqrstuvwxyz", "01234567890", "0987654321"],
  ...["qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm"],
  ...["1qaz2wsx3edc4rfv5tgb6yhn", "qazwsxedcrfvtgb", "1q2w3e4r5t6y7u8i9o0p"],
].flatMap((row) => [row, [...row].reverse().join("")]);

/** Digits and symbols, each followed by the letter in whose place it stands. */
const spellings = "0o1i3e4a5s7t@a$s!i";

/** Minimum number of parts, of which a character that belongs to no word is one. */
const minParts = 5;

/** Length of the longest sequence and word. */
const maxPartChars = 26;

/**
 * Reports whether a password is one of those that attackers try first: one of the 3,000 most used of twelve
 * characters and more, or one of fewer than five parts. A part is a common word, a sequence such as `qwerty`, a
 * repetition, up to four digits, or any other character: `Password1234!` has three.
 *
 * @param options `words`: words that an attacker guesses for this account, such as the name of the site and
 * the address of the user: each is a word, and so are its parts of three characters or more. @default none
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { isCommonPassword } from "@fw/fw/auth";
 *
 * assertEquals(isCommonPassword("Password1234!"), true);
 * assertEquals(isCommonPassword("lovelace@1815", { words: ["ada.lovelace@example.org"] }), true);
 * assertEquals(isCommonPassword("correct horse battery"), false);
 * ```
 */
export function isCommonPassword(
  password: string,
  options: { readonly words?: readonly string[] } = {},
): boolean {
  const { words = [] } = options;
  // As many characters as `hashPassword` takes, so that a longer one costs no more.
  const text = password.slice(0, 1_024).normalize("NFKC").slice(0, 1_024).toLowerCase();
  fingerprints ??= decodeFingerprints(data.mostUsed);
  // With and without what users add at the end, such as an exclamation mark.
  const isMostUsed = [text, text.replace(/[^\p{L}]+$/u, "")]
    .some((each) => fingerprints?.has(passwordFingerprint(each)));
  return isMostUsed || countParts(text, words) < minParts;
}

let fingerprints: ReadonlySet<number> | undefined;

/** Size of a fingerprint, in bits: another password has that of one of the list in 0.1 % of cases. */
const fingerprintBits = 22;

/** Returns the fingerprint of a password (FNV-1a), as `tools/common_passwords.ts` writes it. */
export function passwordFingerprint(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 32 - fingerprintBits;
}

/** Decodes ascending fingerprints: the distances between them, in three digits of base 36 each. */
function decodeFingerprints(text: string): ReadonlySet<number> {
  let last = 0;
  return new Set(Array.from(text.match(/.{3}/g) ?? [], (digits) => last += parseInt(digits, 36)));
}

function countParts(text: string, words: readonly string[]): number {
  const whole = words.map((word) => word.normalize("NFKC").toLowerCase());
  const own = new Set(whole.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]));
  const maxChars = Math.max(maxPartChars, ...whole.map(({ length }) => length));
  const spelled = text.replace(
    /[013457@$!]/g,
    (char) => spellings[spellings.indexOf(char) + 1] ?? "",
  );
  const isWord = (part: string): boolean => commonWords.has(part) || own.has(part);
  /** The minimum number of parts of each beginning of the text. */
  const least = [0];
  for (let end = 1; end <= text.length; end++) {
    const counts = [(least[end - 1] ?? 0) + 1];
    for (let start = Math.max(0, end - maxChars); start <= end - 3; start++) {
      const part = text.slice(start, end);
      const isPart = isWord(part) || isWord(spelled.slice(start, end)) || isSequence(part);
      if (isPart) counts.push((least[start] ?? 0) + 1);
      // A repetition of the characters before it adds nothing.
      if (text.slice(0, start).endsWith(part)) counts.push(least[start] ?? 0);
    }
    least[end] = Math.min(...counts);
  }
  return least.at(-1) ?? 0;
}

function isSequence(part: string): boolean {
  return /^(?:(.)\1*|\d{3,4})$/u.test(part) || sequences.some((row) => row.includes(part));
}
