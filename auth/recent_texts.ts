import { equalSecrets } from "../runtime/addon.ts";

const setCount = 1_024;

const waysPerSet = 4;

/** Length of a string's secret end, a signature or random: 32 bytes in base64url. */
const secretChars = 43;

/** Length of the end that selects the set; a client cannot choose these characters. */
const hashedChars = 12;

/**
 * Caches the values of a few thousand recent secret strings (cookies, tokens). A browser sends the same
 * one repeatedly, and verifying or hashing it takes longer than the rest of a small request
 * (`bench/http`). A `Map` would hash the whole string each time, and its comparison time would reveal how
 * much of a guess is right.
 */
export class RecentTexts<T> {
  readonly #entries: { readonly hash: number; readonly text: string; readonly value: T }[] = [];
  #turn = 0;

  find(text: string): T | undefined {
    const hash = hashEnd(text);
    const start = (hash & (setCount - 1)) * waysPerSet;
    for (let way = 0; way < waysPerSet; way++) {
      const entry = this.#entries[start + way];
      if (entry?.hash === hash && isSame(entry.text, text)) return entry.value;
    }
    return undefined;
  }

  /** Caches a verified string; unverified ones would let a client evict others. */
  put(text: string, value: T): void {
    const hash = hashEnd(text);
    const start = (hash & (setCount - 1)) * waysPerSet;
    const ways = Array.from({ length: waysPerSet }, (_, way) => start + way);
    const at = ways.find((way) => this.#entries[way]?.hash === hash) ??
      ways.find((way) => this.#entries[way] === undefined) ??
      start + this.#turn++ % waysPerSet;
    this.#entries[at] = { hash, text, value };
  }
}

/** Compares the secret end in constant time, and the rest only if the end matches. */
function isSame(known: string, text: string): boolean {
  return equalSecrets(known.slice(-secretChars), text.slice(-secretChars)) && known === text;
}

function hashEnd(text: string): number {
  let hash = text.length;
  for (let at = Math.max(0, text.length - hashedChars); at < text.length; at++) {
    hash = Math.imul(hash, 31) + text.charCodeAt(at) | 0;
  }
  return hash;
}
