import { equalSecrets } from "../runtime/addon.ts";

const setCount = 1_024;

const waysPerSet = 4;

/** Number of characters at the end of a string that are a signature or random: 32 bytes in base64url. */
const secretChars = 43;

/** Number of characters at the end of a string that choose its set: no client can choose them. */
const hashedChars = 12;

interface Entry<T> {
  readonly hash: number;
  readonly text: string;
  readonly value: T;
}

/**
 * Remembers what recent secret texts (cookies, tokens) stand for, a few thousand of them. A browser sends
 * the same one again and again, and to verify or hash it takes longer than the rest of a small request
 * (`bench/http`). A `Map` would hash the whole text each time and compare it in a time that tells how
 * much of a guess is right.
 */
export class RecentTexts<T> {
  readonly #entries: (Entry<T> | undefined)[] = [];
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

  /** Remembers a string that is genuine; only such texts, or a client could push others out. */
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

/** Compares the end, a signature or random, in constant time; the rest only where all of the end is right. */
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
