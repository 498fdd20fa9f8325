import { isJsonObject, type JsonObject } from "../../runtime/addon.ts";
import { decodeBase64url, encodeBase64url, parseJsonObject } from "../strict_json.ts";
import { isRsaKey } from "../rsa_key.ts";

type FormFault =
  | ("size" | "form" | "header" | "crit" | "alg" | "typ")
  | ("key" | "key-late" | "signature");

type ClaimFault =
  | ("claims" | "iss" | "aud" | "azp" | "sub" | "exp" | "nbf" | "iat" | "nonce" | "at-hash")
  | ("auth-time" | "events" | "sid" | "jti");

/** The reason of a refused token, as reported in security events. */
export type TokenRefusal = `token-${FormFault | ClaimFault}`;

export type Checked<T, R = TokenRefusal> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: R };

export function refuseToken<R>(reason: R): { readonly ok: false; readonly reason: R } {
  return { ok: false, reason };
}

/** Maximum length of a token, in characters; directories with many groups send 10,000. */
const maxTokenChars = 32_768;

/**
 * Verifies a signed token in compact form (RFC 7515, RFC 8725). The token can only select from a
 * fixed list of algorithms: `jku`, `jwk`, `x5u` and `x5c` are ignored.
 */
export async function verifyJws(
  token: unknown,
  options: { readonly keys: KeySource; readonly types: readonly string[] },
): Promise<Checked<{ readonly hash: AlgorithmPlan["hash"]; readonly payload: JsonObject }>> {
  if (typeof token !== "string") return refuseToken("token-form");
  if (token.length > maxTokenChars) return refuseToken("token-size");
  const parts = token.split(".").map(decodeBase64url);
  const [head, body, signature] = parts;
  if (parts.length !== 3 || !head?.length || !body?.length || !signature) {
    return refuseToken("token-form");
  }
  const header = parseJsonObject(head);
  if (header === undefined) return refuseToken("token-header");
  // Extensions are not supported, and `b64` is one (RFC 7797).
  if (header.crit !== undefined || header.b64 !== undefined) return refuseToken("token-crit");
  const plan = algorithms.get(header.alg);
  if (plan === undefined) return refuseToken("token-alg");
  if (!isType(header.typ, options.types)) return refuseToken("token-typ");
  const { kid } = header;
  if (kid !== undefined && typeof kid !== "string") return refuseToken("token-header");
  const key = await options.keys.find({ plan, kid });
  if (key === undefined) return refuseToken("token-key");
  if (key === "late") return refuseToken("token-key-late");
  const signed = new TextEncoder().encode(token.slice(0, token.lastIndexOf(".")));
  const name = plan.curve === undefined ? "RSASSA-PKCS1-v1_5" : "ECDSA";
  const isGenuine = await crypto.subtle.verify({ name, hash: plan.hash }, key, signature, signed)
    .catch(() => false);
  if (!isGenuine) return refuseToken("token-signature");
  const payload = parseJsonObject(body);
  return payload === undefined
    ? refuseToken("token-claims")
    : { ok: true, value: { hash: plan.hash, payload: withoutNulls(payload) } };
}

/** Removes claims that are `null`, which some providers send for absent ones. */
export function withoutNulls(claims: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null));
}

/** Reports whether `typ` is allowed, so that no other kind of token is accepted (RFC 8725, section 3.11). */
function isType(typ: unknown, types: readonly string[]): boolean {
  if (typ === undefined) return true;
  return typeof typ === "string" && types.includes(typ.toLowerCase().replace(/^application\//, ""));
}

/** Signs claims in the compact form. @throws {TypeError} for a key that {@link algorithmOfKey} does not support. */
export async function signJws(
  header: JsonObject,
  claims: JsonObject,
  key: CryptoKey,
): Promise<string> {
  const encoder = new TextEncoder();
  const plan = algorithmOfKey(key);
  if (plan === undefined) throw new TypeError("Cannot sign with a key of this type.");
  const input = [{ ...header, alg: plan.alg }, claims]
    .map((part) => encodeBase64url(encoder.encode(JSON.stringify(part)))).join(".");
  const { name } = key.algorithm;
  const signature = await crypto.subtle.sign({ name, hash: plan.hash }, key, encoder.encode(input));
  return `${input}.${encodeBase64url(new Uint8Array(signature))}`;
}

/** The algorithms that a provider may sign with; `none` and HMAC are never accepted. */
export type SigningAlgorithm = "RS256" | "RS384" | "RS512" | "ES256" | "ES384";

/** The key requirements of an algorithm (RFC 7518, sections 3.3 and 3.4). */
interface AlgorithmPlan {
  readonly alg: SigningAlgorithm;
  readonly hash: "SHA-256" | "SHA-384" | "SHA-512";
  /** The curve and the bytes of a coordinate; absent for RSA. */
  readonly curve?: { readonly name: "P-256" | "P-384"; readonly bytes: number };
}

// A map, because `algorithms["constructor"]` of an object would be defined.
const algorithms: ReadonlyMap<unknown, AlgorithmPlan> = new Map<unknown, AlgorithmPlan>([
  ["RS256", { alg: "RS256", hash: "SHA-256" }],
  ["RS384", { alg: "RS384", hash: "SHA-384" }],
  ["RS512", { alg: "RS512", hash: "SHA-512" }],
  ["ES256", { alg: "ES256", hash: "SHA-256", curve: { name: "P-256", bytes: 32 } }],
  ["ES384", { alg: "ES384", hash: "SHA-384", curve: { name: "P-384", bytes: 48 } }],
]);

export function algorithmOfKey(key: CryptoKey): AlgorithmPlan | undefined {
  if (!key.usages.includes("sign")) return undefined;
  const { name, hash, namedCurve } = key.algorithm as EcKeyAlgorithm & RsaHashedKeyAlgorithm;
  if (name === "ECDSA") return algorithms.get(`ES${namedCurve.slice(2)}`);
  return name === "RSASSA-PKCS1-v1_5" ? algorithms.get(`RS${hash.name.slice(4)}`) : undefined;
}

export interface WantedKey {
  readonly plan: AlgorithmPlan;
  readonly kid: string | undefined;
}

export interface KeySource {
  /** Returns the key, `undefined` for no match or several, `"late"` if it may not have been fetched yet. */
  find(wanted: WantedKey): Promise<CryptoKey | "late" | undefined>;
}

/** A verification key never leaves the process. */
const isExtractable = false;

const maxKeys = 100;

/** The keys of a provider (RFC 7517). Keys that cannot verify are ignored. */
export class JwkSet implements KeySource {
  readonly #keys: readonly JsonObject[];
  readonly #imported: Map<string, Promise<CryptoKey | undefined>> = new Map();

  constructor(keys: readonly unknown[]) {
    this.#keys = keys.slice(0, maxKeys).filter(isJsonObject);
  }

  find({ plan, kid }: WantedKey): Promise<CryptoKey | undefined> {
    const fitting = this.#keys.filter((key) =>
      (kid === undefined || key.kid === kid) && isFit(key, plan)
    );
    const [key] = fitting;
    // If several keys match, the token must name one (OpenID Connect Core, section 10.1).
    if (key === undefined || fitting.length > 1) return Promise.resolve(undefined);
    const at = `${plan.alg} ${this.#keys.indexOf(key)}`;
    const known = this.#imported.get(at) ?? importKey(key, plan);
    this.#imported.set(at, known);
    return known;
  }
}

function isFit(key: JsonObject, { alg, curve }: AlgorithmPlan): boolean {
  if (key.kty !== (curve === undefined ? "RSA" : "EC")) return false;
  if (curve !== undefined && key.crv !== curve.name) return false;
  if (key.alg !== undefined && key.alg !== alg) return false;
  if (key.use !== undefined && key.use !== "sig") return false;
  const operations = key.key_ops;
  return operations === undefined || (Array.isArray(operations) && operations.includes("verify"));
}

async function importKey(key: JsonObject, plan: AlgorithmPlan): Promise<CryptoKey | undefined> {
  const { curve, hash } = plan;
  try {
    // Import only the public members, whatever else the key contains.
    if (curve !== undefined) {
      const jwk = { kty: "EC", crv: curve.name, ...coordinates(key, curve.bytes) };
      const algorithm = { name: "ECDSA", namedCurve: curve.name };
      return await crypto.subtle.importKey("jwk", jwk, algorithm, isExtractable, ["verify"]);
    }
    const n = decode(key.n);
    const e = decode(key.e);
    if (!isRsaKey(n, e)) return undefined;
    const jwk = { kty: "RSA", n: encodeBase64url(n), e: encodeBase64url(e) };
    const algorithm = { name: "RSASSA-PKCS1-v1_5", hash };
    return await crypto.subtle.importKey("jwk", jwk, algorithm, isExtractable, ["verify"]);
  } catch {
    return undefined;
  }
}

function coordinates(key: JsonObject, bytes: number): { x: string; y: string } {
  const read = (member: unknown): string => {
    const point = decode(member);
    if (point.length !== bytes) throw new RangeError("the coordinate has the wrong length");
    return encodeBase64url(point);
  };
  return { x: read(key.x), y: read(key.y) };
}

function decode(member: unknown): Uint8Array {
  const bytes = typeof member === "string" ? decodeBase64url(member) : undefined;
  if (bytes === undefined) throw new TypeError("the member is not base64url");
  return bytes;
}
