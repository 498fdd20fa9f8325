import { need, PasskeyFault } from "./fault.ts";

/** The CBOR that authenticators write: no tags, no fractions, no indefinite lengths. */
export type Cbor = number | string | boolean | null | undefined | Uint8Array | Cbor[] | CborMap;

/** A map; keys are texts and whole numbers. */
export type CborMap = Map<number | string, Cbor>;

/** Maximum nesting of values: CTAP2 allows four levels. */
const maxDepth = 8;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads CBOR as authenticators write it (CTAP2 canonical CBOR, a part of RFC 8949): lengths and numbers
 * in their shortest form, each key of a map once.
 */
export class CborReader {
  readonly #bytes: Uint8Array;
  #at: number;

  /** Reads from a place on. */
  constructor(bytes: Uint8Array, start = 0) {
    this.#bytes = bytes;
    this.#at = start;
  }

  /** The start of the next value. */
  get at(): number {
    return this.#at;
  }

  /** Reads one value. @throws {PasskeyFault} `format` for anything else. */
  read(depth = 0): Cbor {
    need(depth <= maxDepth, "format", "CBOR is nested too deeply");
    const initial = this.#byte();
    const major = initial >> 5;
    if (major === 7) return simpleValue(initial & 31);
    const length = this.#argument(initial & 31);
    switch (major) {
      case 0:
        return length;
      case 1:
        return -1 - length;
      case 2:
        return this.#take(length);
      case 3:
        return decodeText(this.#take(length));
      case 4:
        return this.#items(length, depth);
      case 5:
        return this.#map(length, depth);
    }
    return fail("CBOR has a tag");
  }

  #items(length: number, depth: number): Cbor[] {
    // Each item has a byte at least: a length alone must not make a long list.
    need(length <= this.#bytes.length - this.#at, "format", "a CBOR list is cut off");
    return Array.from({ length }, () => this.read(depth + 1));
  }

  #map(length: number, depth: number): CborMap {
    need(length * 2 <= this.#bytes.length - this.#at, "format", "a CBOR map is cut off");
    const map: CborMap = new Map();
    for (let entry = 0; entry < length; entry++) {
      const key = this.read(depth + 1);
      need(typeof key === "number" || typeof key === "string", "format", "a CBOR key is a value");
      need(!map.has(key), "format", "a CBOR key comes twice");
      map.set(key, this.read(depth + 1));
    }
    return map;
  }

  #argument(info: number): number {
    if (info < 24) return info;
    need(info <= 27, "format", "CBOR has a length that is told at the end");
    const size = 2 ** (info - 24);
    const value = this.#take(size).reduce((sum, byte) => sum * 256 + byte, 0);
    need(Number.isSafeInteger(value), "format", "a CBOR number is too large");
    const least = size === 1 ? 24 : 2 ** (4 * size);
    need(value >= least, "format", "a CBOR number is not in its shortest form");
    return value;
  }

  #byte(): number {
    return this.#take(1)[0] ?? 0;
  }

  #take(length: number): Uint8Array {
    need(length <= this.#bytes.length - this.#at, "format", "CBOR is cut off");
    return this.#bytes.subarray(this.#at, this.#at += length);
  }
}

/** Decodes one value that takes all bytes. @throws {PasskeyFault} `format` for anything else. */
export function decodeCbor(bytes: Uint8Array): Cbor {
  const reader = new CborReader(bytes);
  const value = reader.read();
  need(reader.at === bytes.length, "format", "something follows the CBOR value");
  return value;
}

function simpleValue(info: number): Cbor {
  if (info === 20 || info === 21) return info === 21;
  if (info === 22) return null;
  if (info === 23) return undefined;
  return fail("CBOR has a fraction or an unknown simple value");
}

function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return fail("a CBOR text is not UTF-8");
  }
}

function fail(detail: string): never {
  throw new PasskeyFault("format", detail);
}
