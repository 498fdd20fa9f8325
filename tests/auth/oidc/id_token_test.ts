import { assertEquals, assertMatch } from "@std/assert";
import { createHash, createHmac } from "node:crypto";
import { type IdTokenExpectations, verifyIdToken } from "../../../auth/oidc/id_token.ts";
import type { JwkSet } from "../../../auth/oidc/jws.ts";
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

/** A case: the token, and the keys and expectations used to check it. */
type Row = [token: unknown, keys?: JwkSet | undefined, expected?: Partial<IdTokenExpectations>];

async function check([token, keys = all, expected = {}]: Row): Promise<string> {
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

/** Returns a genuine token with other claims; `undefined` removes a claim. */
const withClaims = (changes: object, key = es256): Promise<string> =>
  key.token(header(key), { ...claims, ...changes });

/** Puts a genuine signature under another header. */
const withHeader = (changes: object, key = rs256): Promise<string> =>
  key.token({ ...header(key), ...changes }, claims);

/** Puts genuine claims under another header. */
const under = (head: object | string, key = rs256): Promise<string> => key.token(head, claims);

/** Puts another payload under a genuine header. */
const signed = (payload: string): Promise<string> => rs256.token(header(rs256), payload);

const restOfClaims = JSON.stringify(claims).slice(1);
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

/** Returns the integers of an ECDSA signature in DER, as other libraries write it. */
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

/** Returns the same bytes, encoded with unused bits in the last character. */
function respell(text: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return text.slice(0, -1) + alphabet.charAt(alphabet.indexOf(text.at(-1) ?? "") + 1);
}

const atHash = (token: string, bits = 256): string => {
  const digest = createHash(`sha${bits}`).update(token).digest();
  return b64(digest.subarray(0, digest.length / 2));
};

const rsKey = (changes: object): JwkSet => keySet({ ...rs256.jwk, ...changes });
const esKey = (changes: object): JwkSet => keySet({ ...es256.jwk, ...changes });
const withOther = keySet(rs256.jwk, { ...foreign.jwk, kid: "other" });
const headText = JSON.stringify(header(rs256));
const aged = { maxAgeSeconds: 100 };

const accepted: Readonly<Record<string, Row>> = {
  "RS256": [genuine],
  "RS384": [withClaims({}, rs384)],
  "RS512": [withClaims({}, rs512)],
  "ES256": [genuineEs],
  "ES384": [withClaims({}, es384)],
  "typ JWT": [withHeader({ typ: "JWT" })],
  "typ jwt in small letters": [withHeader({ typ: "jwt" })],
  "typ application/jwt": [withHeader({ typ: "application/jwt" })],
  "no kid, one key that fits": [under({ alg: "RS256" }), keySet(rs256.jwk, es256.jwk)],
  "a key alone": [under({ alg: "RS256" }), keySet({ kty: "RSA", n: rs256.jwk.n, e: rs256.jwk.e })],
  "a key with key_ops verify": [genuine, rsKey({ key_ops: ["verify"] })],
  "a jwk in the header, which is ignored": [withHeader({ jwk: foreign.jwk })],
  "a jku in the header, which is ignored": [withHeader({ jku: "https://evil.example" })],
  "x5c and x5t in the header": [withHeader({ x5c: ["MII"], x5t: "abc" })],
  "one kid for two algorithms": [genuine, keySet(rs256.jwk, { ...es256.jwk, kid: "rs256" })],
  "entries of the set that are not keys": [
    genuine,
    keySet(null as unknown as object, [], { kty: "oct", k: "AA" }, rs256.jwk),
  ],
  "one audience in a list": [withClaims({ aud: ["app"] })],
  "two audiences and azp": [withClaims({ aud: ["api", "app"], azp: "app" })],
  "one audience and azp": [withClaims({ azp: "app" })],
  "expired 59 seconds ago": [withClaims({ exp: now - 59 })],
  "expired 59.999 seconds ago": [withClaims({ exp: now - 59.999 })],
  "valid in 60 seconds": [withClaims({ nbf: now + 60 })],
  "issued in 60 seconds": [withClaims({ iat: now + 60 })],
  "times with fractions": [withClaims({ exp: now + 0.5, iat: now - 0.5, nbf: 0 })],
  "at_hash of the access token": [withClaims({ at_hash: atHash("access-1") })],
  "at_hash by SHA-384": [withClaims({ at_hash: atHash("access-1", 384) }, es384)],
  "at_hash by SHA-512": [withClaims({ at_hash: atHash("access-1", 512) }, rs512)],
  "auth_time, not requested": [withClaims({ auth_time: 5 })],
  "auth_time at the edge of the age": [withClaims({ auth_time: now - 160 }), all, aged],
  "auth_time in 60 seconds": [withClaims({ auth_time: now + 60 })],
  "a nonce where none is expected": [genuine, undefined, { nonce: undefined }],
  "claims that are null, as absent": [
    withClaims({ azp: null, nbf: null, at_hash: null, auth_time: null, email: null }),
  ],
  "a subject of 255 characters": [withClaims({ sub: "u".repeat(255) })],
  "a member named __proto__": [signed(`{"__proto__":{"a":1},${restOfClaims}`)],
  "a name that repeats in another object": [withClaims({ a: { iss: 1 }, b: [{ iss: 2 }] })],
  "a string that resembles members": [withClaims({ a: '"iss":1,"iss":{[', b: "\\" })],
  "depth 16": [withClaims({ a: JSON.parse("[".repeat(15) + "]".repeat(15)) })],
};

const refused: Readonly<Record<string, [reason: string, ...Row]>> = {
  // Values that are not tokens.
  "undefined": ["form", undefined],
  "null": ["form", null],
  "a number": ["form", 5],
  "an object": ["form", { toString: () => genuine }],
  "a list with a token": ["form", [genuine]],
  "an empty text": ["form", ""],
  "dots": ["form", ".."],
  "one part": ["form", head],
  "two parts": ["form", `${head}.${body}`],
  "four parts": ["form", `${genuine}.`],
  "five parts, an encrypted token": ["form", `${genuine}.a.b`],
  "an empty header": ["form", `.${body}.${signature}`],
  "an empty payload": ["form", `${head}..${signature}`],
  "no signature": ["signature", `${head}.${body}.`],
  "the JSON serialisation": ["form", JSON.stringify({ payload: body, protected: head, signature })],
  "a size over the limit": ["size", `${head}.${"A".repeat(32_768)}.${signature}`],
  "a size of a megabyte": ["size", "A".repeat(1_000_000)],
  "a genuine token over the limit": ["size", withClaims({ pad: "x".repeat(40_000) })],
  // Non-canonical base64.
  "padding": ["form", `${head}.${body}.${signature}==`],
  "padding in the payload": ["form", `${head}.${body}=.${signature}`],
  "the alphabet with + and /": ["form", `${head}.${body}.${signature.slice(0, -2)}+/`],
  "a space in front": ["form", ` ${genuine}`],
  "a line feed at the end": ["form", `${genuine}\n`],
  "a line feed inside": ["form", `${head}.${body}.${signature.slice(0, 8)}\n${signature.slice(8)}`],
  "a NUL": ["form", `${genuine}\0`],
  "a wide character": ["form", `${genuine}é`],
  "a lone surrogate": ["form", `${genuine}\ud800`],
  "unused bits in the signature": ["form", `${head}.${body}.${respell(signature)}`],
  "unused bits in an ES256 signature": ["form", `${esHead}.${esBody}.${respell(esSignature)}`],
  "a length that no bytes have": ["form", `${head}.${body}.${signature}AAA`],
  // Headers.
  "a header that is not JSON": ["header", under("{alg:RS256}")],
  "a header that is an array": ["header", under("[]")],
  "a header that is null": ["header", under("null")],
  "a header that is a text": ["header", under('"RS256"')],
  "a header with a byte order mark": ["header", under(`\ufeff${headText}`)],
  "a header with trailing text": ["header", under(`${headText}{}`)],
  "alg twice": ["header", under('{"alg":"none","alg":"RS256","kid":"rs256"}')],
  "alg twice, once escaped": ["header", under('{"alg":"RS256","\\u0061lg":"none","kid":"rs256"}')],
  "kid twice": ["header", under('{"alg":"RS256","kid":"rs256","kid":"rs256"}')],
  "a header of depth 17": [
    "header",
    under(`{"alg":"RS256","kid":"rs256","a":${"[".repeat(16)}${"]".repeat(16)}}`),
  ],
  "a header of depth 5,000": [
    "header",
    under(`{"alg":"RS256","a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`),
  ],
  "a header that is not UTF-8": [
    "header",
    (async () => {
      const text = JSON.stringify({ ...header(rs256), x: "?" });
      const bytes = new TextEncoder().encode(text).map((byte) => byte === 0x3f ? 0xff : byte);
      const input = `${b64(bytes)}.${body}`;
      return `${input}.${await rs256.sign(input)}`;
    })(),
  ],
  "crit with a name": ["crit", withHeader({ crit: ["exp"], exp: 1 })],
  "crit, empty": ["crit", withHeader({ crit: [] })],
  "crit, null": ["crit", withHeader({ crit: null })],
  "crit b64": ["crit", withHeader({ crit: ["b64"], b64: false })],
  "b64 without crit": ["crit", withHeader({ b64: false })],
  // Algorithms.
  "alg none, no signature": ["alg", `${b64('{"alg":"none"}')}.${body}.`],
  "alg none, signed": ["alg", `${b64('{"alg":"none","kid":"rs256"}')}.${body}.${signature}`],
  "alg None": ["alg", `${b64('{"alg":"None"}')}.${body}.`],
  "alg NONE": ["alg", `${b64('{"alg":"NONE"}')}.${body}.`],
  "alg empty": ["alg", withHeader({ alg: "" })],
  "alg missing": ["alg", withHeader({ alg: undefined })],
  "alg null": ["alg", withHeader({ alg: null })],
  "alg a list": ["alg", withHeader({ alg: ["RS256"] })],
  "alg a number": ["alg", withHeader({ alg: 256 })],
  "alg in small letters": ["alg", withHeader({ alg: "rs256" })],
  "alg with a space": ["alg", withHeader({ alg: "RS256 " })],
  "alg constructor": ["alg", withHeader({ alg: "constructor" })],
  "alg __proto__": ["alg", under('{"alg":"__proto__","kid":"rs256"}')],
  "HS256 with the public key in PEM": ["alg", `${hs}.${hmac(pem, hs)}`],
  "HS256 with the public key in DER": ["alg", `${hs}.${hmac(spki, hs)}`],
  "HS256 with the public key as JWK": ["alg", `${hs}.${hmac(JSON.stringify(rs256.jwk), hs)}`],
  "HS256 with an empty key": ["alg", `${hs}.${hmac("", hs)}`],
  "HS256 with the modulus": ["alg", `${hs}.${hmac(rs256.jwk.n ?? "", hs)}`],
  "HS384": ["alg", withHeader({ alg: "HS384" })],
  "HS512": ["alg", withHeader({ alg: "HS512" })],
  "PS256, rightly signed": ["alg", withClaims({}, ps256), keySet(ps256.jwk)],
  "ES512, rightly signed": ["alg", withClaims({}, es512), keySet(es512.jwk)],
  "ES256K": ["alg", withHeader({ alg: "ES256K" })],
  "EdDSA": ["alg", withHeader({ alg: "EdDSA" })],
  "RSA1_5": ["alg", withHeader({ alg: "RSA1_5" })],
  "dir": ["alg", withHeader({ alg: "dir" })],
  "RS256 said to be RS512": ["key", withHeader({ alg: "RS512" })],
  "RS256 as RS512, no alg": ["signature", withHeader({ alg: "RS512" }), rsKey({ alg: undefined })],
  "RS256 said to be ES256": ["key", withHeader({ alg: "ES256" })],
  "ES256 said to be RS256": ["key", withHeader({ alg: "RS256" }, es256)],
  "ES256 said to be ES384": ["key", withHeader({ alg: "ES384" }, es256), esKey({ alg: undefined })],
  // Types.
  "typ at+jwt, an access token": ["typ", withHeader({ typ: "at+jwt" })],
  "typ logout+jwt": ["typ", withHeader({ typ: "logout+jwt" })],
  "typ application/at+jwt": ["typ", withHeader({ typ: "application/at+jwt" })],
  "typ dpop+jwt": ["typ", withHeader({ typ: "dpop+jwt" })],
  "typ JOSE": ["typ", withHeader({ typ: "JOSE" })],
  "typ empty": ["typ", withHeader({ typ: "" })],
  "typ null": ["typ", withHeader({ typ: null })],
  "typ a list": ["typ", withHeader({ typ: ["JWT"] })],
  // Keys.
  "an unknown kid": ["key", withHeader({ kid: "other" })],
  "a kid that is a number": ["header", withHeader({ kid: 1 })],
  "a kid that is null": ["header", withHeader({ kid: null })],
  "a kid that is an object": ["header", withHeader({ kid: { $ne: 1 } })],
  "a kid that is a path": ["key", withHeader({ kid: "../../dev/null" })],
  "a kid that is SQL": ["key", withHeader({ kid: "x' UNION SELECT 'k" })],
  "a kid in other letters": ["key", withHeader({ kid: "RS256" })],
  "an empty kid": ["key", withHeader({ kid: "" })],
  "the kid of another key": ["signature", withHeader({ kid: "other" }), withOther],
  "no kid, two keys that fit": ["key", under({ alg: "RS256" }), withOther],
  "one kid twice": ["key", genuine, keySet(foreign.jwk, rs256.jwk)],
  "an empty set": ["key", genuine, keySet()],
  "a key for encryption": ["key", genuine, rsKey({ use: "enc" })],
  "a key whose use is a list": ["key", genuine, rsKey({ use: ["sig"] })],
  "a key with key_ops as a string": ["key", genuine, rsKey({ key_ops: "verify" })],
  "a key that may only sign": ["key", genuine, rsKey({ key_ops: ["sign"] })],
  "a key for RSA-OAEP": ["key", genuine, rsKey({ alg: "RSA-OAEP" })],
  "a key for PS256": ["key", genuine, rsKey({ alg: "PS256" })],
  "a key whose alg is null": ["key", genuine, rsKey({ alg: null })],
  "an RSA key of 1,024 bits": ["key", withClaims({}, short), keySet(short.jwk)],
  "an RSA key of 2,040 bits": ["key", withClaims({}, almost), keySet(almost.jwk)],
  "an RSA key of 1,024 bits behind zeros": [
    "key",
    withClaims({}, short),
    keySet({
      ...short.jwk,
      n: b64(new Uint8Array([...new Uint8Array(128), ...bytesOf(short.jwk.n)])),
    }),
  ],
  "an RSA key of 32,768 bits": ["key", genuine, rsKey({ n: b64(new Uint8Array(4_096).fill(255)) })],
  "an RSA exponent of 1": ["key", genuine, rsKey({ e: "AQ" })],
  "an RSA exponent of 2": ["key", genuine, rsKey({ e: "Ag" })],
  "an RSA exponent of 4": ["key", genuine, rsKey({ e: "BA" })],
  "an RSA exponent of 0": ["key", genuine, rsKey({ e: "AA" })],
  "an RSA exponent of eight bytes": ["key", genuine, rsKey({ e: "AQAAAAAAAAE" })],
  "a modulus with padding": ["key", genuine, rsKey({ n: `${rs256.jwk.n}==` })],
  "a modulus that is a number": ["key", genuine, rsKey({ n: 5 })],
  "a key without a modulus": ["key", genuine, rsKey({ n: undefined })],
  "the public key as oct": ["key", genuine, keySet({ kty: "oct", k: b64(spki), kid: "rs256" })],
  "the wrong curve": ["key", genuineEs, keySet({ ...es384.jwk, kid: "es256", alg: "ES256" })],
  "a key that claims another curve": [
    "key",
    genuineEs,
    keySet({ ...es384.jwk, kid: "es256", alg: "ES256", crv: "P-256" }),
  ],
  "a key that claims a curve of the same length": ["key", genuineEs, esKey({ crv: "secp256k1" })],
  "a key of another type with the right members": ["key", genuine, rsKey({ kty: "oct" })],
  "the curve P-521": ["key", genuineEs, keySet({ ...es512.jwk, kid: "es256", alg: "ES256" })],
  "a point that is not on the curve": ["signature", genuineEs, esKey({ y: es256.jwk.x })],
  "a short coordinate": ["key", genuineEs, esKey({ x: b64(bytesOf(es256.jwk.x).subarray(1)) })],
  "a key beyond the hundredth": [
    "key",
    genuine,
    keySet(...Array.from({ length: 100 }, (_, i) => ({ ...es256.jwk, kid: `k${i}` })), rs256.jwk),
  ],
  // Signatures.
  "a changed payload": [
    "signature",
    `${head}.${b64(JSON.stringify({ ...claims, sub: "admin" }))}.${signature}`,
  ],
  "a changed header": ["signature", `${b64('{"kid":"rs256","alg":"RS256"}')}.${body}.${signature}`],
  "a key of another party": ["signature", under(header(rs256), foreign)],
  "a key of another party, sent as jwk": [
    "signature",
    under({ ...header(rs256), jwk: foreign.jwk }, foreign),
  ],
  "a key of another party, sent as jwk without kid": [
    "signature",
    under({ alg: "RS256", jwk: foreign.jwk }, foreign),
    keySet(rs256.jwk),
  ],
  "an ES256 key of another party": ["signature", under(header(es256), foreignEs)],
  "a flipped bit": ["signature", `${head}.${body}.${flipLast(signature)}`],
  "a short signature": ["signature", `${head}.${body}.${b64(bytesOf(signature).subarray(1))}`],
  "a long signature": [
    "signature",
    `${head}.${body}.${b64(new Uint8Array([0, ...bytesOf(signature)]))}`,
  ],
  "a signature of zeros": ["signature", `${head}.${body}.${b64(new Uint8Array(256))}`],
  "an ES256 signature of zeros": ["signature", `${esHead}.${esBody}.${b64(new Uint8Array(64))}`],
  "an ES256 signature in DER": ["signature", `${esHead}.${esBody}.${der(esSignature)}`],
  "the signature of another token": [
    "signature",
    withClaims({ sub: "admin" }).then((other) => `${head}.${body}.${other.split(".")[2]}`),
  ],
  // Payloads that were signed.
  "a payload that is not JSON": ["claims", signed("{")],
  "a payload that is an array": ["claims", signed("[]")],
  "a payload that is a token": ["claims", rs256.token({ ...header(rs256), cty: "JWT" }, genuine)],
  "iss twice": ["claims", signed(`{"iss":"https://evil.example",${restOfClaims}`)],
  "a name twice, deep inside": ["claims", signed(`{"a":[{"b":1,"b":2}],${restOfClaims}`)],
  "payload of depth 17": ["claims", withClaims({ a: JSON.parse("[".repeat(16) + "]".repeat(16)) })],
  "NaN as a time": ["claims", signed(`{"exp":NaN,${restOfClaims}`)],
  // Claims.
  "iss missing": ["iss", withClaims({ iss: undefined })],
  "iss of another party": ["iss", withClaims({ iss: "https://evil.example" })],
  "iss with a slash": ["iss", withClaims({ iss: "https://id.example/" })],
  "iss in other letters": ["iss", withClaims({ iss: "https://ID.example" })],
  "iss in a list": ["iss", withClaims({ iss: ["https://id.example"] })],
  "iss null": ["iss", withClaims({ iss: null })],
  "aud missing": ["aud", withClaims({ aud: undefined })],
  "aud of another client": ["aud", withClaims({ aud: "other" })],
  "aud with the client as a prefix": ["aud", withClaims({ aud: "app2" })],
  "aud empty": ["aud", withClaims({ aud: "" })],
  "aud an empty list": ["aud", withClaims({ aud: [] })],
  "aud a list of others": ["aud", withClaims({ aud: ["a", "b"] })],
  "aud a list with a number": ["aud", withClaims({ aud: ["app", 5], azp: "app" })],
  "aud a nested list": ["aud", withClaims({ aud: [["app"]] })],
  "aud an object": ["aud", withClaims({ aud: { 0: "app" } })],
  "two audiences without azp": ["azp", withClaims({ aud: ["app", "api"] })],
  "two audiences, azp of the other": ["azp", withClaims({ aud: ["app", "api"], azp: "api" })],
  "azp of another client": ["azp", withClaims({ azp: "other" })],
  "azp in a list": ["azp", withClaims({ azp: ["app"] })],
  "exp missing": ["exp", withClaims({ exp: undefined })],
  "exp a text": ["exp", withClaims({ exp: String(now + 300) })],
  "exp null": ["exp", withClaims({ exp: null })],
  "exp true": ["exp", withClaims({ exp: true })],
  "exp infinite": ["exp", signed(JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e400'))],
  "exp negative": ["exp", withClaims({ exp: -1 })],
  "expired 60 seconds ago": ["exp", withClaims({ exp: now - 60 })],
  "expired 61 seconds ago": ["exp", withClaims({ exp: now - 61 })],
  "expired a year ago": ["exp", withClaims({ exp: now - 31_536_000 })],
  "nbf a text": ["nbf", withClaims({ nbf: "0" })],
  "nbf negative": ["nbf", withClaims({ nbf: -1 })],
  "valid in 61 seconds": ["nbf", withClaims({ nbf: now + 61 })],
  "valid in 60.001 seconds": ["nbf", withClaims({ nbf: now + 60.001 })],
  "iat missing": ["iat", withClaims({ iat: undefined })],
  "iat a text": ["iat", withClaims({ iat: String(now) })],
  "iat an object": ["iat", withClaims({ iat: {} })],
  "iat negative": ["iat", withClaims({ iat: -1 })],
  "issued in 61 seconds": ["iat", withClaims({ iat: now + 61 })],
  "nonce missing": ["nonce", withClaims({ nonce: undefined })],
  "nonce of another attempt": ["nonce", withClaims({ nonce: "nonce-2" })],
  "nonce empty": ["nonce", withClaims({ nonce: "" })],
  "nonce in a list": ["nonce", withClaims({ nonce: ["nonce-1"] })],
  "nonce with trailing text": ["nonce", withClaims({ nonce: "nonce-1 " })],
  "at_hash of another token": ["at-hash", withClaims({ at_hash: atHash("access-2") })],
  "at_hash whole": [
    "at-hash",
    withClaims({ at_hash: createHash("sha256").update("access-1").digest("base64url") }),
  ],
  "at_hash by another hash": ["at-hash", withClaims({ at_hash: atHash("access-1", 384) })],
  "at_hash a number": ["at-hash", withClaims({ at_hash: 1 })],
  "at_hash empty": ["at-hash", withClaims({ at_hash: "" })],
  "auth_time missing though requested": ["auth-time", genuine, all, aged],
  "auth_time a text": ["auth-time", withClaims({ auth_time: "5" })],
  "auth_time beyond the edge of the age": [
    "auth-time",
    withClaims({ auth_time: now - 161 }),
    undefined,
    { maxAgeSeconds: 100 },
  ],
  "auth_time beyond the edge of the age 0": [
    "auth-time",
    withClaims({ auth_time: now - 61 }),
    undefined,
    { maxAgeSeconds: 0 },
  ],
  "auth_time in 61 seconds": ["auth-time", withClaims({ auth_time: now + 61 })],
  "sub missing": ["sub", withClaims({ sub: undefined })],
  "sub empty": ["sub", withClaims({ sub: "" })],
  "sub a number": ["sub", withClaims({ sub: 5 })],
  "sub in a list": ["sub", withClaims({ sub: ["user-1"] })],
  "sub of 256 characters": ["sub", withClaims({ sub: "u".repeat(256) })],
  "sub with a lone surrogate": ["sub", withClaims({ sub: "\ud800" })],
};

function bytesOf(text = ""): Uint8Array {
  return Uint8Array.fromBase64(text, { alphabet: "base64url" });
}

// A signature that is still pending when a test starts would count as that test's leak.
await Promise.all([...Object.values(accepted), ...Object.values(refused)].flat());

for (const [name, row] of Object.entries(accepted)) {
  Deno.test(`verifyIdToken accepts ${name}`, async () => {
    assertEquals((await check(row)).slice(0, 9), "accepted ");
  });
}

for (const [name, [reason, ...row]] of Object.entries(refused)) {
  Deno.test(`verifyIdToken refuses ${name}`, async () => {
    assertEquals(await check(row), `token-${reason}`);
  });
}

Deno.test("verifyIdToken refuses a token with any byte changed, and never throws", async () => {
  // Changing any character must be noticed: in the header, the payload and the signature.
  for (let at = 0; at < genuineEs.length; at += 3) {
    for (const char of ["A", "_", ".", "=", "\0"]) {
      if (genuineEs.charAt(at) === char) continue;
      const token = genuineEs.slice(0, at) + char + genuineEs.slice(at + 1);
      assertMatch(await check([token]), /^token-/, `${at} ${char}`);
    }
  }
});
