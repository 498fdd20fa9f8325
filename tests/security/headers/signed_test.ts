import { deriveKey } from "../../../runtime/addon.ts";
import { createHmac } from "node:crypto";
import { Signer } from "../../../runtime/request/signed.ts";
import { testHostile } from "../hostile.ts";

const secret = "0123456789abcdef0123456789abcdef";
const week = { ttlMs: 7 * 86_400_000 };

function signer(): Signer {
  return new Signer({ secret, previousSecret: undefined, env: "prod" });
}

function genuine(value = "user-1", name = "sid"): { value: string; expiry: string; code: string } {
  const [head = "", expiry = "", code = ""] = signer().sign(name, value, week).split(".");
  return { value: head, expiry, code };
}

const b64 = (text: string): string => btoa(text).replace(/=+$/, "");
const later = (ms: number): string => Math.ceil(Date.now() + ms).toString(36);

/** Returns a MAC made without key derivation, as an attacker who guesses the scheme would. */
function naiveCode(key: string | Uint8Array, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

function flip(text: string): string {
  return (text.startsWith("A") ? "B" : "A") + text.slice(1);
}

/** Returns another letter for the last four bits of a MAC, of whose six bits two are unused. */
function respelt(letter: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return alphabet.charAt(alphabet.indexOf(letter) + 1);
}

const { value, expiry, code } = genuine();
const payload = `${value}.${expiry}`;
const isSigned = (text: string, name = "sid") => () => signer().verify(name, text);

const forged: readonly [name: string, run: () => unknown][] = [
  ["another value", isSigned(`${b64("user-2")}.${expiry}.${code}`)],
  ["an empty value", isSigned(`.${expiry}.${code}`)],
  ["a later expiry", isSigned(`${value}.${later(9e9)}.${code}`)],
  ["a flipped code", isSigned(`${payload}.${flip(code)}`)],
  ["a code of zeros", isSigned(`${payload}.${"A".repeat(43)}`)],
  ["the value of another cookie", isSigned(`${payload}.${code}`, "admin")],
  ["a name that extends into the value", isSigned(`${payload}.${code}`, "si")],
  ["a value moved into the name", isSigned(`${payload}.${code}`, `sid\0${value}`)],
  ["the MAC of the bare secret", isSigned(`${payload}.${naiveCode(secret, `sid\0${payload}`)}`)],
  [
    "the MAC without the name",
    isSigned(`${payload}.${naiveCode(deriveKey(secret, "fw signed cookies 1"), payload)}`),
  ],
  [
    "the key of another purpose",
    isSigned(`${payload}.${naiveCode(deriveKey(secret, "csrf"), `sid\0${payload}`)}`),
  ],
  ["an empty key", isSigned(`${payload}.${naiveCode("", `sid\0${payload}`)}`)],
];

const misshapen: readonly [name: string, text: string][] = [
  ["nothing", ""],
  ["one part", value],
  ["two parts", payload],
  ["four parts", `${payload}.${code}.x`],
  ["dots only", ".."],
  ["a short code", `${payload}.${code.slice(1)}`],
  ["another spelling of the MAC", `${payload}.${code.slice(0, -1)}${respelt(code.slice(-1))}`],
  ["a long code", `${payload}.${code}A`],
  ["a padded code", `${payload}.${code.slice(1)}=`],
  ["standard base64", `a+/b.${expiry}.${code}`],
  ["a signed expiry", `${value}.-1.${code}`],
  ["an expiry in capitals", `${value}.ZZZZ.${code}`],
  ["an endless expiry", `${value}.${"z".repeat(12)}.${code}`],
  ["a line break", `${payload}.${code}\n`],
  ["a NUL", `${value}\0.${expiry}.${code}`],
  ["text beyond ASCII", `é.${expiry}.${code}`],
  ["a lone surrogate", `\ud800.${expiry}.${code}`],
  ["JSON", '{"value":"user-1"}'],
  ["__proto__", "__proto__"],
];

testHostile("hostile signed cookies", [
  ...forged.map(([name, run]) => [name, undefined, run] as const),
  ...misshapen.map(([name, text]) => [name, undefined, isSigned(text)] as const),
  [
    "more than a cookie can hold",
    undefined,
    () => signer().verify("sid", signer().sign("sid", "x".repeat(4_000), week)),
  ],
  ["signing a lone surrogate", "TypeError", () => refusal("\ud800", week)],
  ...[0, -1, NaN, Infinity].map((ttlMs) =>
    [`signing for ${ttlMs} ms`, "RangeError", () => refusal("x", { ttlMs })] as const
  ),
]);

function refusal(value: string, options: { readonly ttlMs: number }): unknown {
  try {
    return signer().sign("sid", value, options);
  } catch (error) {
    return error instanceof Error ? error.constructor.name : error;
  }
}
