import type { Cookie } from "../../../mod.ts";
import * as cookies from "../../../runtime/request/cookies.ts";
import { testHostile } from "../hostile.ts";

type Module = typeof cookies;

const entries = (header: string) => (module: Module): [string, string][] => [
  ...module.parseCookies(header),
];

function written(cookie: Cookie): (module: Module) => string {
  return (module) => {
    try {
      return module.serializeCookie(cookie, { path: "/", isSecure: false });
    } catch (error) {
      return error instanceof Error ? error.constructor.name : String(error);
    }
  };
}

const refused = "TypeError";
const badNames = ["a b", "a=b", "a;b", "a\r\nb", "", "a,b", '"a"', "é", "a\0"];
const badValues = [
  "a;b",
  "a; Path=/",
  "a\r\nSet-Cookie: x=y",
  "a\nb",
  "a\0b",
  "a b",
  "a,b",
  'a"b',
  "a\\b",
  "é",
  "\u2028",
  "\ud800",
];

testHostile<Module>("hostile cookies", {
  module: cookies,
  rows: [
    ...["a b=1", "a\tb=1", "é=1", "(x)=1", "a@b=1", "=1", '"a"=1', "a,b=1", "\0=1"].map((pair) => ({
      name: `a name that is no token: ${JSON.stringify(pair)}`,
      guard: "name of a request cookie",
      run: entries(`${pair}; ok=1`),
      want: [["ok", "1"]],
    })),
    ...["ok=1; ok=2", "ok=1; ok=2; ok=3", "ok=1; ok="].map((header) => ({
      name: `a planted second value: ${header}`,
      guard: "first of a name",
      run: entries(header),
      want: [["ok", "1"]],
    })),
    ...["\0", "a\u0001b", "a\u001fb", "a\u007fb", "a\tb", "a\r\nb"].map((value) => ({
      name: `a control character in a value: ${JSON.stringify(value)}`,
      guard: "control characters",
      run: entries(`x=${value}; ok=1`),
      want: [["ok", "1"]],
    })),
    ...["flag", "ab; cd", "%3D"].map((pair) => ({
      name: `a pair without an equals sign: ${pair}`,
      guard: "pairs without =",
      run: entries(`${pair}; ok=1`),
      want: [["ok", "1"]],
    })),
    {
      name: "20,000 cookies",
      guard: "number of cookies",
      run: (module) =>
        module.parseCookies(Array.from({ length: 20_000 }, (_, i) => `c${i}=1`).join(";")).size,
      want: 200,
    },
    ...badNames.map((name) => ({
      name: `setting the name ${JSON.stringify(name)}`,
      guard: "name",
      run: written({ name, value: "1" }),
      want: refused,
    })),
    ...badValues.map((value) => ({
      name: `setting the value ${JSON.stringify(value)}`,
      guard: "value",
      run: written({ name: "a", value }),
      want: refused,
    })),
    {
      name: "setting more than browsers keep",
      guard: "size",
      run: written({ name: "a", value: "x".repeat(4_096) }),
      want: refused,
    },
    ...["", "x", "/a;Domain=evil.example", "/\r\nX: y", "/é", "//\0"].map((path) => ({
      name: `setting the path ${JSON.stringify(path)}`,
      guard: "path",
      run: written({ name: "a", value: "1", path }),
      want: refused,
    })),
    ...["", "a;b", "a b", "a\r\nb", "a..b", "*.example", "é.example"].map((domain) => ({
      name: `setting the domain ${JSON.stringify(domain)}`,
      guard: "domain",
      run: written({ name: "a", value: "1", domain }),
      want: refused,
    })),
    ...[NaN, Infinity, -Infinity].map((maxAgeSeconds) => ({
      name: `setting the age ${maxAgeSeconds}`,
      guard: "age",
      run: written({ name: "a", value: "1", maxAgeSeconds }),
      want: refused,
    })),
    ...[
      { name: "__Host-a", value: "1", path: "/x" },
      { name: "__host-a", value: "1", domain: "a.example" },
      { name: "__HOST-a", value: "1", path: "/x", domain: "a.example" },
    ].map((cookie) => ({
      name: `a prefix that browsers refuse: ${JSON.stringify(cookie)}`,
      guard: "prefix",
      run: written(cookie),
      want: refused,
    })),
    ...[
      { name: "__Host-a", value: "1", secure: false },
      { name: "__Secure-a", value: "1", secure: false },
      { name: "a", value: "1", secure: false, sameSite: "None" as const },
    ].map((cookie) => ({
      name: `an insecure cookie that browsers refuse: ${JSON.stringify(cookie)}`,
      guard: "secure",
      run: written(cookie),
      want: refused,
    })),
  ],
});
