import { deriveKey } from "../../../runtime/addon.ts";
import { createHmac } from "node:crypto";
import * as signed from "../../../runtime/request/signed.ts";
import { testHostile } from "../hostile.ts";

type Module = typeof signed;

const secret = "0123456789abcdef0123456789abcdef";
const other = "fedcba9876543210fedcba9876543210";
const week = { ttlMs: 7 * 86_400_000 };

function signer(module: Module, key?: string, previousSecret?: string): signed.Signer {
  return new module.Signer({ secret: key ?? secret, previousSecret, env: "prod" });
}

function genuine(value = "user-1", name = "sid"): { value: string; expiry: string; code: string } {
  const [head = "", expiry = "", code = ""] = signer(signed).sign(name, value, week).split(".");
  return { value: head, expiry, code };
}

const b64 = (text: string): string => btoa(text).replace(/=+$/, "");
const later = (ms: number): string => Math.ceil(Date.now() + ms).toString(36);

/** A code made without the key derivation, as someone who guesses the scheme would. */
function naiveCode(key: string | Uint8Array, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

function flip(text: string): string {
  return (text.startsWith("A") ? "B" : "A") + text.slice(1);
}

const { value, expiry, code } = genuine();
const payload = `${value}.${expiry}`;
const isSigned = (text: string, name = "sid") => (module: Module) =>
  signer(module).verify(name, text);

const forged: readonly [name: string, run: (module: Module) => unknown][] = [
  ["another value", isSigned(`${b64("user-2")}.${expiry}.${code}`)],
  ["an empty value", isSigned(`.${expiry}.${code}`)],
  ["a later expiry", isSigned(`${value}.${later(9e9)}.${code}`)],
  ["a flipped code", isSigned(`${payload}.${flip(code)}`)],
  ["a code of zeros", isSigned(`${payload}.${"A".repeat(43)}`)],
  ["the cookie of another name", isSigned(`${payload}.${code}`, "admin")],
  ["a name that ends where another begins", isSigned(`${payload}.${code}`, "si")],
  ["a value moved into the name", isSigned(`${payload}.${code}`, `sid\0${value}`)],
  ["another secret", (module) => signer(module, other).verify("sid", `${payload}.${code}`)],
  ["the code of the bare secret", isSigned(`${payload}.${naiveCode(secret, `sid\0${payload}`)}`)],
  [
    "the code without the name",
    isSigned(`${payload}.${naiveCode(deriveKey(secret, "fw signed cookies 1"), payload)}`),
  ],
  [
    "the key of another purpose",
    isSigned(`${payload}.${naiveCode(deriveKey(secret, "csrf"), `sid\0${payload}`)}`),
  ],
  ["an empty key", isSigned(`${payload}.${naiveCode("", `sid\0${payload}`)}`)],
  [
    "no secret at all",
    (module) =>
      new module.Signer({ secret: undefined, previousSecret: undefined, env: "prod" }).verify(
        "sid",
        `${payload}.${code}`,
      ),
  ],
  [
    "a dev secret of another process",
    (module) =>
      new module.Signer({ secret: undefined, previousSecret: undefined, env: "dev" }).verify(
        "sid",
        `${payload}.${code}`,
      ),
  ],
  [
    "a secret rotated out twice",
    (module) => signer(module, other, "x".repeat(32)).verify("sid", `${payload}.${code}`),
  ],
];

const misshapen: readonly [name: string, text: string][] = [
  ["nothing", ""],
  ["one part", value],
  ["two parts", payload],
  ["four parts", `${payload}.${code}.x`],
  ["dots only", ".."],
  ["a short code", `${payload}.${code.slice(1)}`],
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

testHostile<Module>("hostile signed cookies", {
  module: signed,
  rows: [
    ...forged.map(([name, run]) => [name, "code", undefined, run] as const),
    ...misshapen.map(([name, text]) => [name, "shape", undefined, isSigned(text)] as const),
    ...[1, 60_000, 86_400_000].map((ttlMs) =>
      [`a cookie that lived ${ttlMs} ms and is over`, "expiry", undefined, (module: Module) => {
        const now = Date.now;
        const text = signer(module).sign("sid", "user-1", { ttlMs });
        Date.now = () => now() + ttlMs + 1;
        try {
          return signer(module).verify("sid", text);
        } finally {
          Date.now = now;
        }
      }] as const
    ),
    [
      "more than a cookie holds",
      "length",
      undefined,
      (module) => signer(module).verify("sid", signer(module).sign("sid", "x".repeat(4_000), week)),
    ],
    [
      "signing half a surrogate pair",
      "well-formed value",
      "TypeError",
      (module) => refusal(() => signer(module).sign("sid", "\ud800", week)),
    ],
    ...[0, -1, NaN, Infinity].map((ttlMs) =>
      [
        `signing for ${ttlMs} ms`,
        "time to live",
        "RangeError",
        (module: Module) => refusal(() => signer(module).sign("sid", "x", { ttlMs })),
      ] as const
    ),
  ],
});

function refusal(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error instanceof Error ? error.constructor.name : error;
  }
}
