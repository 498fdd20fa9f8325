import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { need, PasskeyFault } from "./fault.ts";
import { isRsaKey } from "../rsa_key.ts";
import { encodeBase64url } from "../strict_json.ts";

/** A CBOR value as authenticators encode it: without tags, fractions or indefinite lengths. */
export type Cbor = number | string | boolean | null | undefined | Uint8Array | Cbor[] | CborMap;

export type CborMap = Map<number | string, Cbor>;

/** Maximum nesting of values: CTAP2 allows four levels. */
const maxDepth = 8;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads CTAP2 canonical CBOR (a subset of RFC 8949): shortest encodings and unique map keys. */
export class CborReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, start = 0) {
    this.#bytes = bytes;
    this.#at = start;
  }

  get at(): number {
    return this.#at;
  }

  /** Reads one value. @throws {PasskeyFault} `format` for malformed input. */
  read(depth = 0): Cbor {
    need(depth <= maxDepth, "format", "CBOR is nested too deeply");
    const [initial = 0] = this.#take(1);
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
    // Each item has at least one byte, so a length beyond the input must not allocate a list.
    need(length <= this.#bytes.length - this.#at, "format", "a CBOR list is cut off");
    return Array.from({ length }, () => this.read(depth + 1));
  }

  #map(length: number, depth: number): CborMap {
    need(length * 2 <= this.#bytes.length - this.#at, "format", "a CBOR map is cut off");
    const map: CborMap = new Map();
    for (let entry = 0; entry < length; entry++) {
      const key = this.read(depth + 1);
      need(typeof key === "number" || typeof key === "string", "format", "a CBOR key is invalid");
      need(!map.has(key), "format", "a CBOR map repeats a key");
      map.set(key, this.read(depth + 1));
    }
    return map;
  }

  #argument(info: number): number {
    if (info < 24) return info;
    need(info <= 27, "format", "CBOR has an indefinite length");
    const size = 2 ** (info - 24);
    const value = this.#take(size).reduce((sum, byte) => sum * 256 + byte, 0);
    need(Number.isSafeInteger(value), "format", "a CBOR number is too large");
    const least = size === 1 ? 24 : 2 ** (4 * size);
    need(value >= least, "format", "a CBOR number is not in its shortest form");
    return value;
  }

  #take(length: number): Uint8Array {
    need(length <= this.#bytes.length - this.#at, "format", "CBOR is cut off");
    return this.#bytes.subarray(this.#at, this.#at += length);
  }
}

/** Decodes a single value that spans all bytes. @throws {PasskeyFault} `format` for anything else. */
export function decodeCbor(bytes: Uint8Array): Cbor {
  const reader = new CborReader(bytes);
  const value = reader.read();
  need(reader.at === bytes.length, "format", "extra bytes follow the CBOR value");
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
    return fail("a CBOR string is not UTF-8");
  }
}

function fail(detail: string): never {
  throw new PasskeyFault("format", detail);
}

/** The requested algorithms in order of preference: ES256, EdDSA, RS256 (COSE, RFC 9053). */
export const algorithms: readonly number[] = [-7, -8, -257];

/** Reads a COSE_Key (RFC 9052, 9053). @throws {PasskeyFault} `key` for another algorithm, curve or size. */
export function parseCoseKey(value: Cbor): JsonWebKey {
  need(value instanceof Map, "key", "the public key is not a map");
  const alg = value.get(3);
  const keyType = value.get(1);
  if (alg === -7) {
    need(keyType === 2 && value.get(-1) === 1, "key", "an ES256 key is not on the curve P-256");
    const [x, y] = [part(value, -2, 32), part(value, -3, 32)];
    return { kty: "EC", crv: "P-256", alg: "ES256", x, y };
  }
  if (alg === -8) {
    need(keyType === 1 && value.get(-1) === 6, "key", "an EdDSA key is not on the curve Ed25519");
    const x = part(value, -2, 32);
    need(!isSmallOrder(x), "key", "an Ed25519 key has a small order");
    return { kty: "OKP", crv: "Ed25519", alg: "EdDSA", x };
  }
  need(alg === -257 && keyType === 3, "key", `the algorithm ${String(alg)} was not requested`);
  const [n, e] = [value.get(-1), value.get(-2)];
  need(n instanceof Uint8Array && e instanceof Uint8Array, "key", "an RSA key lacks a number");
  need(isRsaKey(n, e), "key", "an RSA key is too short or too long, or its exponent is invalid");
  return { kty: "RSA", alg: "RS256", n: encodeBase64url(n), e: encodeBase64url(e) };
}

function part(key: CborMap, label: number, length: number): string {
  const bytes = key.get(label);
  const isWhole = bytes instanceof Uint8Array && bytes.length === length;
  need(isWhole, "key", "a coordinate does not have 32 bytes");
  return encodeBase64url(bytes);
}

/** The encodings of the points of small order without the sign: y, and y + p where it fits. */
const smallOrder: ReadonlySet<string> = new Set([
  "00".repeat(32),
  "01".padEnd(64, "0"),
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`,
]);

/** Checks for an Ed25519 key under which one signature fits many messages. */
function isSmallOrder(x: string): boolean {
  const y = Uint8Array.fromBase64(x, { alphabet: "base64url" });
  return smallOrder.has(y.with(31, (y[31] ?? 0) & 0x7f).toHex());
}

/** Imports a key, whose point must be on its curve. @throws {PasskeyFault} `key` for an invalid key. */
export function importKey({ alg: _, ...jwk }: JsonWebKey): KeyObject {
  try {
    // WebCrypto imports points beside the curve.
    return createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    throw new PasskeyFault("key", "the public key is not valid");
  }
}

/** Verifies a signature in the format of authenticators, which is ASN.1 for ES256 (WebAuthn, section 6.5.5). */
export function verifySignature(jwk: JsonWebKey, signature: Uint8Array, data: Uint8Array): boolean {
  const key = importKey(jwk);
  try {
    return verify(jwk.alg === "EdDSA" ? undefined : "sha256", data, key, signature);
  } catch {
    return false;
  }
}
