import { assertEquals, assertMatch } from "@std/assert";
import { createHash, createHmac } from "node:crypto";
import { type IdTokenExpectations, verifyIdToken } from "../../../auth/oidc/id_token.ts";
import type { TokenRefusal } from "../../../auth/oidc/jws.ts";
import type { JwkSet } from "../../../auth/oidc/jwk_set.ts";
import { b64, keySet, makeKey, type TestKey } from "./signer.ts";

const now = 1_750_000_000;
const rs256 = await makeKey("RS256");
const rs384 = await rs256.withAlg("RS384");
const rs512 = await rs256.withAlg("RS512");
const es256 = await makeKey("ES256");
const es384 = await makeKey("ES384");
const es512 = await makeKey("ES512");
const ps256 = await rs256.withAlg("PS256");
const short = await makeKey("RS256", { kid: "short", bits: 1_024 });
const almost = await makeKey("RS256", { kid: "almost", bits: 2_040 });
const foreign = await makeKey("RS256");
const foreignEs = await makeKey("ES256");

const all = keySet(...[rs256, rs384, rs512, es256, es384].map(({ jwk }) => jwk));

const claims = {
  iss: "https://id.example",
  sub: "user-1",
  aud: "app",
  exp: now + 300,
  iat: now,
  nonce: "nonce-1",
};

/** A case: what the token is, what it is checked against, and the reason for the refusal. */
interface Row {
  readonly token: unknown;
  readonly keys?: JwkSet;
  readonly expected?: Partial<IdTokenExpectations>;
  readonly reason?: TokenRefusal;
}

async function check({ token, keys = all, expected = {} }: Row): Promise<string> {
  const result = await verifyIdToken(await token, {
    keys,
    isIssuer: (iss) => iss === "https://id.example",
    clientId: "app",
    nonce: "nonce-1",
    accessToken: "access-1",
    nowMs: now * 1_000,
    ...expected,
  });
  return result.ok ? `accepted ${result.value.sub}` : result.reason;
}

const header = (key: TestKey): { alg: string; kid: string } => ({ alg: key.alg, kid: key.kid });

/** A genuine token with other claims; `undefined` leaves a claim out. */
const withClaims = (changes: object, key = es256): Promise<string> =>
  key.token(header(key), { ...claims, ...changes });

/** A genuine signature below another header. */
const withHeader = (changes: object, key = rs256): Promise<string> =>
  key.token({ ...header(key), ...changes }, claims);

const genuine = await rs256.token(header(rs256), claims);
const genuineEs = await es256.token(header(es256), claims);
const [head = "", body = "", signature = ""] = genuine.split(".");
const [esHead = "", esBody = "", esSignature = ""] = genuineEs.split(".");

function hmac(key: string | Uint8Array, input: string, bits = 256): string {
  return createHmac(`sha${bits}`, key).update(input).digest("base64url");
}

const hs = `${b64('{"alg":"HS256","kid":"rs256"}')}.${body}`;
const spki = new Uint8Array(await crypto.subtle.exportKey("spki", rs256.pair.publicKey));
const pem = `-----BEGIN PUBLIC KEY-----\n${
  spki.toBase64().replace(/.{64}/g, "$&\n")
}\n-----END PUBLIC KEY-----\n`;

/** The integers of an ECDSA signature in DER, as other libraries write it. */
function der(raw: string): string {
  const bytes = Uint8Array.fromBase64(raw, { alphabet: "base64url" });
  const half = bytes.length / 2;
  const integer = (part: Uint8Array): number[] => {
    const value = [...part];
    if ((value[0] ?? 0) > 127) value.unshift(0);
    return [2, value.length, ...value];
  };
  const parts = [...integer(bytes.subarray(0, half)), ...integer(bytes.subarray(half))];
  return b64(new Uint8Array([48, parts.length, ...parts]));
}

const flipLast = (text: string): string => {
  const bytes = Uint8Array.fromBase64(text, { alphabet: "base64url" });
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return b64(bytes);
};

/** The same bytes, spelt with unused bits in the last character. */
function respell(text: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return text.slice(0, -1) + alphabet.charAt(alphabet.indexOf(text.at(-1) ?? "") + 1);
}

const atHash = (token: string, bits = 256): string => {
  const digest = createHash(`sha${bits}`).update(token).digest();
  return b64(digest.subarray(0, digest.length / 2));
};

const accepted: Readonly<Record<string, Row>> = {
  "RS256": { token: genuine },
  "RS384": { token: withClaims({}, rs384) },
  "RS512": { token: withClaims({}, rs512) },
  "ES256": { token: genuineEs },
  "ES384": { token: withClaims({}, es384) },
  "typ JWT": { token: withHeader({ typ: "JWT" }) },
  "typ jwt in small letters": { token: withHeader({ typ: "jwt" }) },
  "typ application/jwt": { token: withHeader({ typ: "application/jwt" }) },
  "no kid, one key that fits": {
    token: rs256.token({ alg: "RS256" }, claims),
    keys: keySet(rs256.jwk, es256.jwk),
  },
  "a key without alg, use and kid": {
    token: rs256.token({ alg: "RS256" }, claims),
    keys: keySet({ kty: "RSA", n: rs256.jwk.n, e: rs256.jwk.e }),
  },
  "a key with key_ops verify": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, key_ops: ["verify"] }),
  },
  "a jwk in the header, which is ignored": { token: withHeader({ jwk: foreign.jwk }) },
  "a jku in the header, which is ignored": { token: withHeader({ jku: "https://evil.example" }) },
  "x5c and x5t in the header": { token: withHeader({ x5c: ["MII"], x5t: "abc" }) },
  "two keys of one kid for two algorithms": {
    token: genuine,
    keys: keySet(rs256.jwk, { ...es256.jwk, kid: "rs256" }),
  },
  "entries of the set that are no keys": {
    token: genuine,
    keys: keySet(null as unknown as object, [], { kty: "oct", k: "AA" }, rs256.jwk),
  },
  "one audience in a list": { token: withClaims({ aud: ["app"] }) },
  "two audiences and azp": { token: withClaims({ aud: ["api", "app"], azp: "app" }) },
  "one audience and azp": { token: withClaims({ azp: "app" }) },
  "expired 59 seconds ago": { token: withClaims({ exp: now - 59 }) },
  "expired 59.999 seconds ago": { token: withClaims({ exp: now - 59.999 }) },
  "valid in 60 seconds": { token: withClaims({ nbf: now + 60 }) },
  "issued in 60 seconds": { token: withClaims({ iat: now + 60 }) },
  "times with fractions": { token: withClaims({ exp: now + 0.5, iat: now - 0.5, nbf: 0 }) },
  "at_hash of the access token": { token: withClaims({ at_hash: atHash("access-1") }) },
  "at_hash by SHA-384": { token: withClaims({ at_hash: atHash("access-1", 384) }, es384) },
  "at_hash by SHA-512": { token: withClaims({ at_hash: atHash("access-1", 512) }, rs512) },
  "auth_time, not asked for": { token: withClaims({ auth_time: 5 }) },
  "auth_time at the edge of the age": {
    token: withClaims({ auth_time: now - 160 }),
    expected: { maxAgeSeconds: 100 },
  },
  "auth_time in 60 seconds": { token: withClaims({ auth_time: now + 60 }) },
  "a nonce where none is expected": { token: genuine, expected: { nonce: undefined } },
  "claims that are null, as absent": {
    token: withClaims({ azp: null, nbf: null, at_hash: null, auth_time: null, email: null }),
  },
  "a subject of 255 characters": { token: withClaims({ sub: "u".repeat(255) }) },
  "a member named __proto__": {
    token: rs256.token(header(rs256), `{"__proto__":{"a":1},${JSON.stringify(claims).slice(1)}`),
  },
  "a name that repeats in another object": {
    token: withClaims({ a: { iss: 1 }, b: [{ iss: 2 }] }),
  },
  "a text that looks like members": { token: withClaims({ a: '"iss":1,"iss":{[', b: "\\" }) },
  "depth 16": { token: withClaims({ a: JSON.parse("[".repeat(15) + "]".repeat(15)) }) },
};

const refused: Readonly<Record<string, Row & { readonly reason: TokenRefusal }>> = {
  // What is no token.
  "undefined": { token: undefined, reason: "token-form" },
  "null": { token: null, reason: "token-form" },
  "a number": { token: 5, reason: "token-form" },
  "an object": { token: { toString: () => genuine }, reason: "token-form" },
  "a list with a token": { token: [genuine], reason: "token-form" },
  "an empty text": { token: "", reason: "token-form" },
  "dots": { token: "..", reason: "token-form" },
  "one part": { token: head, reason: "token-form" },
  "two parts": { token: `${head}.${body}`, reason: "token-form" },
  "four parts": { token: `${genuine}.`, reason: "token-form" },
  "five parts, an encrypted token": { token: `${genuine}.a.b`, reason: "token-form" },
  "an empty header": { token: `.${body}.${signature}`, reason: "token-form" },
  "an empty payload": { token: `${head}..${signature}`, reason: "token-form" },
  "no signature": { token: `${head}.${body}.`, reason: "token-signature" },
  "the JSON serialisation": {
    token: JSON.stringify({ payload: body, protected: head, signature }),
    reason: "token-form",
  },
  "a size over the limit": {
    token: `${head}.${"A".repeat(32_768)}.${signature}`,
    reason: "token-size",
  },
  "a size of a megabyte": { token: "A".repeat(1_000_000), reason: "token-size" },
  "a genuine token over the limit": {
    token: withClaims({ pad: "x".repeat(40_000) }),
    reason: "token-size",
  },
  // Base64 in other spellings.
  "padding": { token: `${head}.${body}.${signature}==`, reason: "token-form" },
  "padding in the payload": { token: `${head}.${body}=.${signature}`, reason: "token-form" },
  "the alphabet with + and /": {
    token: `${head}.${body}.${signature.slice(0, -2)}+/`,
    reason: "token-form",
  },
  "a space in front": { token: ` ${genuine}`, reason: "token-form" },
  "a line feed at the end": { token: `${genuine}\n`, reason: "token-form" },
  "a line feed in the signature": {
    token: `${head}.${body}.${signature.slice(0, 8)}\n${signature.slice(8)}`,
    reason: "token-form",
  },
  "a NUL": { token: `${genuine}\0`, reason: "token-form" },
  "a wide character": { token: `${genuine}é`, reason: "token-form" },
  "a lone surrogate": { token: `${genuine}\ud800`, reason: "token-form" },
  "unused bits in the signature": {
    token: `${head}.${body}.${respell(signature)}`,
    reason: "token-form",
  },
  "unused bits in an ES256 signature": {
    token: `${esHead}.${esBody}.${respell(esSignature)}`,
    reason: "token-form",
  },
  "a length that no bytes have": { token: `${head}.${body}.${signature}AAA`, reason: "token-form" },
  // Headers.
  "a header that is no JSON": { token: rs256.token("{alg:RS256}", claims), reason: "token-header" },
  "a header that is a list": { token: rs256.token("[]", claims), reason: "token-header" },
  "a header that is null": { token: rs256.token("null", claims), reason: "token-header" },
  "a header that is a text": { token: rs256.token('"RS256"', claims), reason: "token-header" },
  "a header with a byte order mark": {
    token: rs256.token(`\ufeff${JSON.stringify(header(rs256))}`, claims),
    reason: "token-header",
  },
  "a header with something after it": {
    token: rs256.token(`${JSON.stringify(header(rs256))}{}`, claims),
    reason: "token-header",
  },
  "alg twice": {
    token: rs256.token('{"alg":"none","alg":"RS256","kid":"rs256"}', claims),
    reason: "token-header",
  },
  "alg twice, once escaped": {
    token: rs256.token('{"alg":"RS256","\\u0061lg":"none","kid":"rs256"}', claims),
    reason: "token-header",
  },
  "kid twice": {
    token: rs256.token('{"alg":"RS256","kid":"rs256","kid":"rs256"}', claims),
    reason: "token-header",
  },
  "a header of depth 17": {
    token: rs256.token(
      `{"alg":"RS256","kid":"rs256","a":${"[".repeat(16)}${"]".repeat(16)}}`,
      claims,
    ),
    reason: "token-header",
  },
  "a header of depth 5,000": {
    token: rs256.token(`{"alg":"RS256","a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, claims),
    reason: "token-header",
  },
  "a header that is not UTF-8": {
    token: (async () => {
      const text = JSON.stringify({ ...header(rs256), x: "?" });
      const bytes = new TextEncoder().encode(text).map((byte) => byte === 0x3f ? 0xff : byte);
      const input = `${b64(bytes)}.${body}`;
      return `${input}.${await rs256.sign(input)}`;
    })(),
    reason: "token-header",
  },
  "crit with a name": { token: withHeader({ crit: ["exp"], exp: 1 }), reason: "token-crit" },
  "crit, empty": { token: withHeader({ crit: [] }), reason: "token-crit" },
  "crit, null": { token: withHeader({ crit: null }), reason: "token-crit" },
  "crit b64": { token: withHeader({ crit: ["b64"], b64: false }), reason: "token-crit" },
  "b64 without crit": { token: withHeader({ b64: false }), reason: "token-crit" },
  // Algorithms.
  "alg none, no signature": { token: `${b64('{"alg":"none"}')}.${body}.`, reason: "token-alg" },
  "alg none, the signature kept": {
    token: `${b64('{"alg":"none","kid":"rs256"}')}.${body}.${signature}`,
    reason: "token-alg",
  },
  "alg None": { token: `${b64('{"alg":"None"}')}.${body}.`, reason: "token-alg" },
  "alg NONE": { token: `${b64('{"alg":"NONE"}')}.${body}.`, reason: "token-alg" },
  "alg empty": { token: withHeader({ alg: "" }), reason: "token-alg" },
  "alg missing": { token: withHeader({ alg: undefined }), reason: "token-alg" },
  "alg null": { token: withHeader({ alg: null }), reason: "token-alg" },
  "alg a list": { token: withHeader({ alg: ["RS256"] }), reason: "token-alg" },
  "alg a number": { token: withHeader({ alg: 256 }), reason: "token-alg" },
  "alg in small letters": { token: withHeader({ alg: "rs256" }), reason: "token-alg" },
  "alg with a space": { token: withHeader({ alg: "RS256 " }), reason: "token-alg" },
  "alg constructor": { token: withHeader({ alg: "constructor" }), reason: "token-alg" },
  "alg __proto__": {
    token: rs256.token('{"alg":"__proto__","kid":"rs256"}', claims),
    reason: "token-alg",
  },
  "HS256 with the public key in PEM": { token: `${hs}.${hmac(pem, hs)}`, reason: "token-alg" },
  "HS256 with the public key in DER": { token: `${hs}.${hmac(spki, hs)}`, reason: "token-alg" },
  "HS256 with the public key as JWK": {
    token: `${hs}.${hmac(JSON.stringify(rs256.jwk), hs)}`,
    reason: "token-alg",
  },
  "HS256 with an empty key": { token: `${hs}.${hmac("", hs)}`, reason: "token-alg" },
  "HS256 with the modulus": { token: `${hs}.${hmac(rs256.jwk.n ?? "", hs)}`, reason: "token-alg" },
  "HS384": { token: withHeader({ alg: "HS384" }), reason: "token-alg" },
  "HS512": { token: withHeader({ alg: "HS512" }), reason: "token-alg" },
  "PS256, rightly signed": {
    token: ps256.token(header(ps256), claims),
    keys: keySet(ps256.jwk),
    reason: "token-alg",
  },
  "ES512, rightly signed": {
    token: es512.token(header(es512), claims),
    keys: keySet(es512.jwk),
    reason: "token-alg",
  },
  "ES256K": { token: withHeader({ alg: "ES256K" }), reason: "token-alg" },
  "EdDSA": { token: withHeader({ alg: "EdDSA" }), reason: "token-alg" },
  "RSA1_5": { token: withHeader({ alg: "RSA1_5" }), reason: "token-alg" },
  "dir": { token: withHeader({ alg: "dir" }), reason: "token-alg" },
  "RS256 said to be RS512": { token: withHeader({ alg: "RS512" }), reason: "token-key" },
  "RS256 said to be RS512, a key without alg": {
    token: withHeader({ alg: "RS512" }),
    keys: keySet({ ...rs256.jwk, alg: undefined }),
    reason: "token-signature",
  },
  "RS256 said to be ES256": { token: withHeader({ alg: "ES256" }), reason: "token-key" },
  "ES256 said to be RS256": { token: withHeader({ alg: "RS256" }, es256), reason: "token-key" },
  "ES256 said to be ES384": {
    token: withHeader({ alg: "ES384" }, es256),
    keys: keySet({ ...es256.jwk, alg: undefined }),
    reason: "token-key",
  },
  // Types.
  "typ at+jwt, an access token": { token: withHeader({ typ: "at+jwt" }), reason: "token-typ" },
  "typ logout+jwt": { token: withHeader({ typ: "logout+jwt" }), reason: "token-typ" },
  "typ application/at+jwt": {
    token: withHeader({ typ: "application/at+jwt" }),
    reason: "token-typ",
  },
  "typ dpop+jwt": { token: withHeader({ typ: "dpop+jwt" }), reason: "token-typ" },
  "typ JOSE": { token: withHeader({ typ: "JOSE" }), reason: "token-typ" },
  "typ empty": { token: withHeader({ typ: "" }), reason: "token-typ" },
  "typ null": { token: withHeader({ typ: null }), reason: "token-typ" },
  "typ a list": { token: withHeader({ typ: ["JWT"] }), reason: "token-typ" },
  // Keys.
  "an unknown kid": { token: withHeader({ kid: "other" }), reason: "token-key" },
  "a kid that is a number": { token: withHeader({ kid: 1 }), reason: "token-header" },
  "a kid that is null": { token: withHeader({ kid: null }), reason: "token-header" },
  "a kid that is an object": { token: withHeader({ kid: { $ne: 1 } }), reason: "token-header" },
  "a kid that is a path": { token: withHeader({ kid: "../../dev/null" }), reason: "token-key" },
  "a kid that is SQL": { token: withHeader({ kid: "x' UNION SELECT 'k" }), reason: "token-key" },
  "a kid in other letters": { token: withHeader({ kid: "RS256" }), reason: "token-key" },
  "an empty kid": { token: withHeader({ kid: "" }), reason: "token-key" },
  "the kid of another key": {
    token: withHeader({ kid: "other" }),
    keys: keySet(rs256.jwk, { ...foreign.jwk, kid: "other" }),
    reason: "token-signature",
  },
  "no kid, two keys that fit": {
    token: rs256.token({ alg: "RS256" }, claims),
    keys: keySet(rs256.jwk, { ...foreign.jwk, kid: "other" }),
    reason: "token-key",
  },
  "one kid twice": { token: genuine, keys: keySet(foreign.jwk, rs256.jwk), reason: "token-key" },
  "an empty set": { token: genuine, keys: keySet(), reason: "token-key" },
  "a key for encryption": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, use: "enc" }),
    reason: "token-key",
  },
  "a key whose use is a list": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, use: ["sig"] }),
    reason: "token-key",
  },
  "a key that may only sign": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, key_ops: ["sign"] }),
    reason: "token-key",
  },
  "a key for RSA-OAEP": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, alg: "RSA-OAEP" }),
    reason: "token-key",
  },
  "a key for PS256": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, alg: "PS256" }),
    reason: "token-key",
  },
  "a key whose alg is null": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, alg: null }),
    reason: "token-key",
  },
  "an RSA key of 1,024 bits": {
    token: short.token(header(short), claims),
    keys: keySet(short.jwk),
    reason: "token-key",
  },
  "an RSA key of 2,040 bits": {
    token: almost.token(header(almost), claims),
    keys: keySet(almost.jwk),
    reason: "token-key",
  },
  "an RSA key of 1,024 bits behind zeros": {
    token: short.token(header(short), claims),
    keys: keySet({
      ...short.jwk,
      n: b64(new Uint8Array([...new Uint8Array(128), ...bytesOf(short.jwk.n)])),
    }),
    reason: "token-key",
  },
  "an RSA key of 32,768 bits": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, n: b64(new Uint8Array(4_096).fill(255)) }),
    reason: "token-key",
  },
  "an RSA exponent of 1": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, e: "AQ" }),
    reason: "token-key",
  },
  "an RSA exponent of 2": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, e: "Ag" }),
    reason: "token-key",
  },
  "an RSA exponent of 4": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, e: "BA" }),
    reason: "token-key",
  },
  "an RSA exponent of 0": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, e: "AA" }),
    reason: "token-key",
  },
  "an RSA exponent of eight bytes": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, e: "AQAAAAAAAAE" }),
    reason: "token-key",
  },
  "a modulus with padding": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, n: `${rs256.jwk.n}==` }),
    reason: "token-key",
  },
  "a modulus that is a number": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, n: 5 }),
    reason: "token-key",
  },
  "a key without a modulus": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, n: undefined }),
    reason: "token-key",
  },
  "an oct key of the public key's bytes": {
    token: genuine,
    keys: keySet({ kty: "oct", k: b64(spki), kid: "rs256" }),
    reason: "token-key",
  },
  "a key of the wrong curve": {
    token: genuineEs,
    keys: keySet({ ...es384.jwk, kid: "es256", alg: "ES256" }),
    reason: "token-key",
  },
  "a key that claims another curve": {
    token: genuineEs,
    keys: keySet({ ...es384.jwk, kid: "es256", alg: "ES256", crv: "P-256" }),
    reason: "token-key",
  },
  "a key that claims a curve with coordinates of the same length": {
    token: genuineEs,
    keys: keySet({ ...es256.jwk, crv: "secp256k1" }),
    reason: "token-key",
  },
  "a key of another type with the right members": {
    token: genuine,
    keys: keySet({ ...rs256.jwk, kty: "oct" }),
    reason: "token-key",
  },
  "a key on the curve P-521": {
    token: genuineEs,
    keys: keySet({ ...es512.jwk, kid: "es256", alg: "ES256" }),
    reason: "token-key",
  },
  "a point that is not on the curve": {
    token: genuineEs,
    keys: keySet({ ...es256.jwk, y: es256.jwk.x }),
    reason: "token-signature",
  },
  "a coordinate that is short": {
    token: genuineEs,
    keys: keySet({ ...es256.jwk, x: b64(bytesOf(es256.jwk.x).subarray(1)) }),
    reason: "token-key",
  },
  "a key beyond the hundredth": {
    token: genuine,
    keys: keySet(
      ...Array.from({ length: 100 }, (_, i) => ({ ...es256.jwk, kid: `k${i}` })),
      rs256.jwk,
    ),
    reason: "token-key",
  },
  // Signatures.
  "a changed payload": {
    token: `${head}.${b64(JSON.stringify({ ...claims, sub: "admin" }))}.${signature}`,
    reason: "token-signature",
  },
  "a changed header": {
    token: `${b64('{"kid":"rs256","alg":"RS256"}')}.${body}.${signature}`,
    reason: "token-signature",
  },
  "the key of somebody else": {
    token: foreign.token(header(rs256), claims),
    reason: "token-signature",
  },
  "the key of somebody else, sent along as jwk": {
    token: foreign.token({ ...header(rs256), jwk: foreign.jwk }, claims),
    reason: "token-signature",
  },
  "the key of somebody else, sent along as jwk without kid": {
    token: foreign.token({ alg: "RS256", jwk: foreign.jwk }, claims),
    keys: keySet(rs256.jwk),
    reason: "token-signature",
  },
  "an ES256 key of somebody else": {
    token: foreignEs.token(header(es256), claims),
    reason: "token-signature",
  },
  "a flipped bit": { token: `${head}.${body}.${flipLast(signature)}`, reason: "token-signature" },
  "a signature that is short": {
    token: `${head}.${body}.${b64(bytesOf(signature).subarray(1))}`,
    reason: "token-signature",
  },
  "a signature that is long": {
    token: `${head}.${body}.${b64(new Uint8Array([0, ...bytesOf(signature)]))}`,
    reason: "token-signature",
  },
  "a signature of zeros": {
    token: `${head}.${body}.${b64(new Uint8Array(256))}`,
    reason: "token-signature",
  },
  "an ES256 signature of zeros": {
    token: `${esHead}.${esBody}.${b64(new Uint8Array(64))}`,
    reason: "token-signature",
  },
  "an ES256 signature in DER": {
    token: `${esHead}.${esBody}.${der(esSignature)}`,
    reason: "token-signature",
  },
  "the signature of another token": {
    token: withClaims({ sub: "admin" }).then((other) => `${head}.${body}.${other.split(".")[2]}`),
    reason: "token-signature",
  },
  // Payloads that were signed.
  "a payload that is no JSON": { token: rs256.token(header(rs256), "{"), reason: "token-claims" },
  "a payload that is a list": { token: rs256.token(header(rs256), "[]"), reason: "token-claims" },
  "a payload that is a token": {
    token: rs256.token({ ...header(rs256), cty: "JWT" }, genuine),
    reason: "token-claims",
  },
  "iss twice": {
    token: rs256.token(
      header(rs256),
      `{"iss":"https://evil.example",${JSON.stringify(claims).slice(1)}`,
    ),
    reason: "token-claims",
  },
  "a name twice, deep inside": {
    token: rs256.token(header(rs256), `{"a":[{"b":1,"b":2}],${JSON.stringify(claims).slice(1)}`),
    reason: "token-claims",
  },
  "a payload of depth 17": {
    token: withClaims({ a: JSON.parse("[".repeat(16) + "]".repeat(16)) }),
    reason: "token-claims",
  },
  "NaN as a time": {
    token: rs256.token(header(rs256), `{"exp":NaN,${JSON.stringify(claims).slice(1)}`),
    reason: "token-claims",
  },
  // Claims.
  "iss missing": { token: withClaims({ iss: undefined }), reason: "token-iss" },
  "iss of somebody else": {
    token: withClaims({ iss: "https://evil.example" }),
    reason: "token-iss",
  },
  "iss with a slash": { token: withClaims({ iss: "https://id.example/" }), reason: "token-iss" },
  "iss in other letters": { token: withClaims({ iss: "https://ID.example" }), reason: "token-iss" },
  "iss in a list": { token: withClaims({ iss: ["https://id.example"] }), reason: "token-iss" },
  "iss null": { token: withClaims({ iss: null }), reason: "token-iss" },
  "aud missing": { token: withClaims({ aud: undefined }), reason: "token-aud" },
  "aud of another client": { token: withClaims({ aud: "other" }), reason: "token-aud" },
  "aud that begins with the client": { token: withClaims({ aud: "app2" }), reason: "token-aud" },
  "aud empty": { token: withClaims({ aud: "" }), reason: "token-aud" },
  "aud an empty list": { token: withClaims({ aud: [] }), reason: "token-aud" },
  "aud a list of others": { token: withClaims({ aud: ["a", "b"] }), reason: "token-aud" },
  "aud a list with a number": {
    token: withClaims({ aud: ["app", 5], azp: "app" }),
    reason: "token-aud",
  },
  "aud a nested list": { token: withClaims({ aud: [["app"]] }), reason: "token-aud" },
  "aud an object": { token: withClaims({ aud: { 0: "app" } }), reason: "token-aud" },
  "two audiences without azp": { token: withClaims({ aud: ["app", "api"] }), reason: "token-azp" },
  "two audiences, azp of the other": {
    token: withClaims({ aud: ["app", "api"], azp: "api" }),
    reason: "token-azp",
  },
  "azp of another client": { token: withClaims({ azp: "other" }), reason: "token-azp" },
  "azp in a list": { token: withClaims({ azp: ["app"] }), reason: "token-azp" },
  "exp missing": { token: withClaims({ exp: undefined }), reason: "token-exp" },
  "exp a text": { token: withClaims({ exp: String(now + 300) }), reason: "token-exp" },
  "exp null": { token: withClaims({ exp: null }), reason: "token-exp" },
  "exp true": { token: withClaims({ exp: true }), reason: "token-exp" },
  "exp infinite": {
    token: rs256.token(header(rs256), JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e400')),
    reason: "token-exp",
  },
  "exp negative": { token: withClaims({ exp: -1 }), reason: "token-exp" },
  "expired 60 seconds ago": { token: withClaims({ exp: now - 60 }), reason: "token-exp" },
  "expired 61 seconds ago": { token: withClaims({ exp: now - 61 }), reason: "token-exp" },
  "expired a year ago": { token: withClaims({ exp: now - 31_536_000 }), reason: "token-exp" },
  "nbf a text": { token: withClaims({ nbf: "0" }), reason: "token-nbf" },
  "nbf negative": { token: withClaims({ nbf: -1 }), reason: "token-nbf" },
  "valid in 61 seconds": { token: withClaims({ nbf: now + 61 }), reason: "token-nbf" },
  "valid in 60.001 seconds": { token: withClaims({ nbf: now + 60.001 }), reason: "token-nbf" },
  "iat missing": { token: withClaims({ iat: undefined }), reason: "token-iat" },
  "iat a text": { token: withClaims({ iat: String(now) }), reason: "token-iat" },
  "iat an object": { token: withClaims({ iat: {} }), reason: "token-iat" },
  "iat negative": { token: withClaims({ iat: -1 }), reason: "token-iat" },
  "issued in 61 seconds": { token: withClaims({ iat: now + 61 }), reason: "token-iat" },
  "nonce missing": { token: withClaims({ nonce: undefined }), reason: "token-nonce" },
  "nonce of another attempt": { token: withClaims({ nonce: "nonce-2" }), reason: "token-nonce" },
  "nonce empty": { token: withClaims({ nonce: "" }), reason: "token-nonce" },
  "nonce in a list": { token: withClaims({ nonce: ["nonce-1"] }), reason: "token-nonce" },
  "nonce with something after it": {
    token: withClaims({ nonce: "nonce-1 " }),
    reason: "token-nonce",
  },
  "at_hash of another token": {
    token: withClaims({ at_hash: atHash("access-2") }),
    reason: "token-at-hash",
  },
  "at_hash whole": {
    token: withClaims({ at_hash: createHash("sha256").update("access-1").digest("base64url") }),
    reason: "token-at-hash",
  },
  "at_hash by another hash": {
    token: withClaims({ at_hash: atHash("access-1", 384) }),
    reason: "token-at-hash",
  },
  "at_hash empty": { token: withClaims({ at_hash: "" }), reason: "token-at-hash" },
  "auth_time missing, asked for": {
    token: genuine,
    expected: { maxAgeSeconds: 100 },
    reason: "token-auth-time",
  },
  "auth_time a text": { token: withClaims({ auth_time: "5" }), reason: "token-auth-time" },
  "auth_time beyond the edge of the age": {
    token: withClaims({ auth_time: now - 161 }),
    expected: { maxAgeSeconds: 100 },
    reason: "token-auth-time",
  },
  "auth_time beyond the edge of the age 0": {
    token: withClaims({ auth_time: now - 61 }),
    expected: { maxAgeSeconds: 0 },
    reason: "token-auth-time",
  },
  "auth_time in 61 seconds": {
    token: withClaims({ auth_time: now + 61 }),
    reason: "token-auth-time",
  },
  "sub missing": { token: withClaims({ sub: undefined }), reason: "token-sub" },
  "sub empty": { token: withClaims({ sub: "" }), reason: "token-sub" },
  "sub a number": { token: withClaims({ sub: 5 }), reason: "token-sub" },
  "sub in a list": { token: withClaims({ sub: ["user-1"] }), reason: "token-sub" },
  "sub of 256 characters": { token: withClaims({ sub: "u".repeat(256) }), reason: "token-sub" },
  "sub with half a surrogate pair": { token: withClaims({ sub: "\ud800" }), reason: "token-sub" },
};

function bytesOf(text = ""): Uint8Array {
  return Uint8Array.fromBase64(text, { alphabet: "base64url" });
}

// A signature that is not ready when a test begins would count as a leak of that test.
await Promise.all(
  [...Object.values(accepted), ...Object.values(refused)].map(({ token }) => token),
);

for (const [name, row] of Object.entries(accepted)) {
  Deno.test(`verifyIdToken accepts: ${name}`, async () => {
    assertEquals((await check(row)).slice(0, 9), "accepted ");
  });
}

for (const [name, row] of Object.entries(refused)) {
  Deno.test(`verifyIdToken refuses: ${name}`, async () => {
    assertEquals(await check(row), row.reason);
  });
}

Deno.test("verifyIdToken never throws and accepts nothing that a byte was changed in", async () => {
  // A change of any character must be seen: in the header, the payload and the signature.
  for (let at = 0; at < genuineEs.length; at += 3) {
    for (const char of ["A", "_", ".", "=", "\0"]) {
      if (genuineEs.charAt(at) === char) continue;
      const token = genuineEs.slice(0, at) + char + genuineEs.slice(at + 1);
      assertMatch(await check({ token }), /^token-/, `${at} ${char}`);
    }
  }
});
