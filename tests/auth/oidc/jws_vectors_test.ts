/**
 * The kinds of rows in Wycheproof's `json_web_signature` and `json_web_key` that need handmade
 * signatures: changed PKCS #1 padding, and ECDSA values at their limits. The other kinds of both
 * files are rows of `id_token_test.ts`. The payloads are plain text, as in those files, so they
 * have no claims.
 */
import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { verifyJws } from "../../../auth/oidc/jws.ts";
import { b64, keySet, makeKey, type TestKey } from "./signer.ts";

const rsa = await makeKey("RS256");
const p256 = await makeKey("ES256");
const keys = keySet(rsa.jwk, p256.jwk);
const { n = "", d = "" } = await crypto.subtle.exportKey("jwk", rsa.pair.privateKey);
const [modulus, exponent] = [bigOf(n), bigOf(d)];

const inputOf = ({ alg, kid }: TestKey): string =>
  `${b64(JSON.stringify({ alg, kid }))}.${b64('{"sub":"user-1"}')}`;
const digest = createHash("sha256").update(inputOf(rsa)).digest("hex");
const sha256 = "3031300d060960864801650304020105000420";

/** Returns the block of a signature (RFC 8017, section 9.2), filled with `ff`. */
const block = (end: string, start = "0001"): string =>
  start + "ff".repeat(256 - start.length / 2 - end.length / 2) + end;

const paddings: readonly [name: string, block: string, isGenuine: boolean][] = [
  ["correct padding", block(`00${sha256}${digest}`), true],
  ["another block type", block(`00${sha256}${digest}`, "0002"), false],
  ["block type 0", block(`00${sha256}${digest}`, "0000"), false],
  ["one octet other than ff", block(`fe00${sha256}${digest}`), false],
  ["no 0 before the hash", block(`${sha256}${digest}`), false],
  ["trailing bytes after the hash", block(`00${sha256}${digest}00`), false],
  ["short padding, a suffix", `0001${"ff".repeat(8)}00${sha256}${digest}`.padEnd(512, "0"), false],
  ["the name of SHA-384", block(`00${sha256.replace("0402010500", "0402020500")}${digest}`), false],
  ["no NULL at the algorithm", block(`00302f300b0609608648016503040201${"0420"}${digest}`), false],
  ["a long form of a length", block(`0030813130${sha256.slice(6)}${digest}`), false],
  ["the hash alone", block(`00${digest}`), false],
  ["no hash", block("00"), false],
  ["the hash of another text", block(`00${sha256}${"00".repeat(32)}`), false],
];

for (const [name, hex, isGenuine] of paddings) {
  Deno.test(`verifyJws: an RS256 signature with padding: ${name}`, async () => {
    const signature = Buffer.from(sign(BigInt(`0x${hex}`)).toString(16).padStart(512, "0"), "hex");
    assertEquals(await verify(`${inputOf(rsa)}.${b64(signature)}`), isGenuine);
  });
}

const order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
const none = "00".repeat(32);
const one = none.slice(0, -2) + "01";
const genuine = Buffer.from(await p256.sign(inputOf(p256)), "base64url").toString("hex");
const [r, s] = [genuine.slice(0, 64), genuine.slice(64)];
const twin = (BigInt(`0x${order}`) - BigInt(`0x${s}`)).toString(16).padStart(64, "0");

const values: readonly [name: string, hex: string, isGenuine: boolean][] = [
  ["correct values", r + s, true],
  // Both values of s verify, because fw never uses a signature as an identifier.
  ["the other s", r + twin, true],
  ["r and s are 0", none + none, false],
  ["r is 0", none + s, false],
  ["s is 0", r + none, false],
  ["r is 1 and s is 0", one + none, false],
  ["r and s are 1", one + one, false],
  ["r and s are the order", order + order, false],
  ["r is the order", order + s, false],
  ["s is the order", r + order, false],
  ["both are ff", "ff".repeat(64), false],
  ["s and r", s + r, false],
  ["r alone", r, false],
  ["with 0 before each", `00${r}00${s}`, false],
  ["in 96 octets", r.padStart(96, "0") + s.padStart(96, "0"), false],
];

for (const [name, hex, isGenuine] of values) {
  Deno.test(`verifyJws: an ES256 signature: ${name}`, async () => {
    const signature = b64(Buffer.from(hex, "hex"));
    assertEquals(await verify(`${inputOf(p256)}.${signature}`), isGenuine);
  });
}

async function verify(token: string): Promise<boolean> {
  const result = await verifyJws(token, { keys, types: ["jwt"] });
  return result.ok;
}

function bigOf(text: string): bigint {
  return BigInt(`0x${Buffer.from(text, "base64url").toString("hex")}`);
}

/** Computes RSA without padding, which libraries no longer offer. */
function sign(base: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = result * result % modulus;
    if (bit === "1") result = result * base % modulus;
  }
  return result;
}
