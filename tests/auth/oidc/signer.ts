/** Signs tokens as a provider would, and as an attacker would. */
import { Buffer } from "node:buffer";
import { JwkSet, type SigningAlgorithm } from "../../../auth/oidc/jws.ts";
import rsaKeys from "./rsa_test_keys.json" with { type: "json" };

export function b64(data: string | Uint8Array): string {
  return Buffer.from(data).toString("base64url");
}

const isExtractable = true;

const hashes = { RS: "RSASSA-PKCS1-v1_5", ES: "ECDSA", PS: "RSA-PSS" } as const;

export class TestKey {
  readonly alg: SigningAlgorithm | "PS256" | "ES512";
  readonly kid: string;
  readonly pair: CryptoKeyPair;
  readonly jwk: JsonWebKey & { readonly kid: string };

  constructor(init: {
    alg: SigningAlgorithm | "PS256" | "ES512";
    kid: string;
    pair: CryptoKeyPair;
    jwk: JsonWebKey;
  }) {
    this.alg = init.alg;
    this.kid = init.kid;
    this.pair = init.pair;
    const { kty, n, e, crv, x, y } = init.jwk;
    this.jwk = JSON.parse(JSON.stringify({
      kty,
      kid: this.kid,
      alg: this.alg,
      use: "sig",
      n,
      e,
      crv,
      x,
      y,
    }));
  }

  /** Signs the text before the last dot. */
  async sign(input: string): Promise<string> {
    const { privateKey } = this.pair;
    const name = hashes[this.alg.slice(0, 2) as keyof typeof hashes];
    const hash = `SHA-${this.alg.slice(2)}`;
    const algorithm = name === "RSA-PSS" ? { name, saltLength: 32 } : { name, hash };
    const bytes = new TextEncoder().encode(input);
    return b64(new Uint8Array(await crypto.subtle.sign(algorithm, privateKey, bytes)));
  }

  /**
   * Returns the same pair of RSA keys as a key for another algorithm, so the two differ only in the
   * algorithm.
   */
  async withAlg(alg: "RS384" | "RS512" | "PS256"): Promise<TestKey> {
    const { kty, n, e, d, p, q, dp, dq, qi } = await crypto.subtle.exportKey(
      "jwk",
      this.pair.privateKey,
    );
    const pair = await importRsa(
      JSON.parse(JSON.stringify({ kty, n, e, d, p, q, dp, dq, qi })),
      alg,
    );
    return new TestKey({ alg, kid: alg.toLowerCase(), pair, jwk: this.jwk });
  }

  async token(header: object | string, payload: object | string): Promise<string> {
    const text = (value: object | string): string =>
      typeof value === "string" ? value : JSON.stringify(value);
    const input = `${b64(text(header))}.${b64(text(payload))}`;
    return `${input}.${await this.sign(input)}`;
  }
}

export async function makeKey(
  alg: SigningAlgorithm | "PS256" | "ES512",
  options: { readonly kid?: string; readonly bits?: number } = {},
): Promise<TestKey> {
  const { kid = alg.toLowerCase(), bits = 2_048 } = options;
  const pair = alg.startsWith("ES")
    ? await makeEcPair(alg)
    : await importRsa(nextRsaKey(bits), alg);
  const jwk = await crypto.subtle.exportKey("jwk", pair.publicKey);
  return new TestKey({ alg, kid, pair, jwk });
}

async function makeEcPair(alg: string): Promise<CryptoKeyPair> {
  const curves: Record<string, string> = { ES256: "P-256", ES384: "P-384", ES512: "P-521" };
  const algorithm = { name: "ECDSA", namedCurve: curves[alg] ?? "" };
  return await crypto.subtle.generateKey(algorithm, isExtractable, ["sign", "verify"]);
}

let turn = 0;

/** Returns the next of the kept keys: new ones take up to a second each. Four in a row differ. */
function nextRsaKey(bits: number): JsonWebKey {
  const keys = Object.entries(rsaKeys.keys).find(([size]) => size === String(bits))?.[1] ?? [];
  return keys[turn++ % keys.length] ?? {};
}

async function importRsa(jwk: JsonWebKey, alg: string): Promise<CryptoKeyPair> {
  const algorithm = { name: hashes[alg.slice(0, 2) as "RS" | "PS"], hash: `SHA-${alg.slice(2)}` };
  const importAs = (key: JsonWebKey, use: KeyUsage): Promise<CryptoKey> =>
    crypto.subtle.importKey("jwk", key, algorithm, isExtractable, [use]);
  const { kty = "", n = "", e = "" } = jwk;
  return {
    publicKey: await importAs({ kty, n, e }, "verify"),
    privateKey: await importAs(jwk, "sign"),
  };
}

export function keySet(...keys: readonly object[]): JwkSet {
  return new JwkSet(keys);
}
