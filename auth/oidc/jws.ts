import type { JsonObject } from "../../runtime/addon.ts";
import { decodeBase64url, encodeBase64url, parseJsonObject } from "../strict_json.ts";
import { algorithmOf, algorithmOfKey, type KeySource, type SigningAlgorithm } from "./jwk_set.ts";

type FormFault =
  | "size"
  | "form"
  | "header"
  | "crit"
  | "alg"
  | "typ"
  | "key"
  | "key-late"
  | "signature";

type ClaimFault =
  | ("claims" | "iss" | "aud" | "azp" | "sub" | "exp" | "nbf" | "iat" | "nonce" | "at-hash")
  | ("auth-time" | "events" | "sid" | "jti");

/** Why a token is refused, in a word, as security events say it. */
export type TokenRefusal = `token-${FormFault | ClaimFault}`;

/** The result of a check: the value, or the reason of its absence. */
export type Checked<T, R = TokenRefusal> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: R };

export function refuseToken<R>(reason: R): { readonly ok: false; readonly reason: R } {
  return { ok: false, reason };
}

/** The longest token that is looked at, in characters: directories with many groups send 10,000. */
const maxTokenChars = 32_768;

export interface VerifiedJws {
  readonly alg: SigningAlgorithm;
  readonly payload: JsonObject;
}

/**
 * Checks a signed token in its compact form (RFC 7515, RFC 8725). Nothing in the token chooses how it
 * is checked beyond the fixed list of algorithms: `jku`, `jwk`, `x5u` and `x5c` are ignored.
 */
export async function verifyJws(
  token: unknown,
  options: { readonly keys: KeySource; readonly types: readonly string[] },
): Promise<Checked<VerifiedJws>> {
  if (typeof token !== "string") return refuseToken("token-form");
  if (token.length > maxTokenChars) return refuseToken("token-size");
  const parts = token.split(".").map(decodeBase64url);
  const [head, body, signature] = parts;
  if (parts.length !== 3 || !head?.length || !body?.length || !signature) {
    return refuseToken("token-form");
  }
  const header = parseJsonObject(head);
  if (header === undefined) return refuseToken("token-header");
  // This code understands no extension, and `b64` is one (RFC 7797).
  if (header.crit !== undefined || header.b64 !== undefined) return refuseToken("token-crit");
  const plan = algorithmOf(header.alg);
  if (plan === undefined) return refuseToken("token-alg");
  if (!isType(header.typ, options.types)) return refuseToken("token-typ");
  const { kid } = header;
  if (kid !== undefined && typeof kid !== "string") return refuseToken("token-header");
  const key = await options.keys.find({ alg: plan.alg, kid });
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
    : { ok: true, value: { alg: plan.alg, payload: withoutNulls(payload) } };
}

/** Some providers write a claim that they do not have as `null`. */
export function withoutNulls(claims: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null));
}

/** A token of another kind must not be taken for this one (RFC 8725, section 3.11). */
function isType(typ: unknown, types: readonly string[]): boolean {
  if (typ === undefined) return true;
  return typeof typ === "string" && types.includes(typ.toLowerCase().replace(/^application\//, ""));
}

/**
 * Signs claims in the compact form.
 *
 * @throws {TypeError} for a key that {@link algorithmOfKey} does not know.
 */
export async function signJws(
  header: JsonObject,
  claims: JsonObject,
  key: CryptoKey,
): Promise<string> {
  const encoder = new TextEncoder();
  const plan = algorithmOfKey(key);
  if (plan === undefined) throw new TypeError("Cannot sign with a key of another kind.");
  const input = [{ ...header, alg: plan.alg }, claims]
    .map((part) => encodeBase64url(encoder.encode(JSON.stringify(part)))).join(".");
  const { name } = key.algorithm;
  const signature = await crypto.subtle.sign({ name, hash: plan.hash }, key, encoder.encode(input));
  return `${input}.${encodeBase64url(new Uint8Array(signature))}`;
}
