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
    ...["a b=1", "a\tb=1", "é=1", "(x)=1", "a@b=1", "=1", '"a"=1', "a,b=1", "\0=1"].map((pair) =>
      [`a name that is not a token: ${JSON.stringify(pair)}`, "name of a request cookie", [[
        "ok",
        "1",
      ]], entries(`${pair}; ok=1`)] as const
    ),
    ...["ok=1; ok=2", "ok=1; ok=2; ok=3", "ok=1; ok="].map((header) =>
      [
        `a planted second value: ${header}`,
        "first of a name",
        [["ok", "1"]],
        entries(header),
      ] as const
    ),
    ...["\0", "a\u0001b", "a\u001fb", "a\u007fb", "a\tb", "a\r\nb"].map((value) =>
      [`a control character in a value: ${JSON.stringify(value)}`, "control characters", [[
        "ok",
        "1",
      ]], entries(`x=${value}; ok=1`)] as const
    ),
    ...["flag", "ab; cd", "%3D"].map((pair) =>
      [
        `a pair without an equals sign: ${pair}`,
        "pairs without =",
        [["ok", "1"]],
        entries(`${pair}; ok=1`),
      ] as const
    ),
    [
      "20,000 cookies",
      "number of cookies",
      200,
      (module) =>
        module.parseCookies(Array.from({ length: 20_000 }, (_, i) => `c${i}=1`).join(";")).size,
    ],
    ...badNames.map((name) =>
      [
        `setting the name ${JSON.stringify(name)}`,
        "name",
        refused,
        written({ name, value: "1" }),
      ] as const
    ),
    ...badValues.map((value) =>
      [
        `setting the value ${JSON.stringify(value)}`,
        "value",
        refused,
        written({ name: "a", value }),
      ] as const
    ),
    [
      "setting more than browsers keep",
      "size",
      refused,
      written({ name: "a", value: "x".repeat(4_096) }),
    ],
    ...["", "x", "/a;Domain=evil.example", "/\r\nX: y", "/é", "//\0"].map((path) =>
      [
        `setting the path ${JSON.stringify(path)}`,
        "path",
        refused,
        written({ name: "a", value: "1", path }),
      ] as const
    ),
    ...["", "a;b", "a b", "a\r\nb", "a..b", "*.example", "é.example"].map((domain) =>
      [
        `setting the domain ${JSON.stringify(domain)}`,
        "domain",
        refused,
        written({ name: "a", value: "1", domain }),
      ] as const
    ),
    ...[NaN, Infinity, -Infinity].map((maxAgeSeconds) =>
      [
        `setting the age ${maxAgeSeconds}`,
        "age",
        refused,
        written({ name: "a", value: "1", maxAgeSeconds }),
      ] as const
    ),
    ...[
      { name: "__Host-a", value: "1", path: "/x" },
      { name: "__host-a", value: "1", domain: "a.example" },
      { name: "__HOST-a", value: "1", path: "/x", domain: "a.example" },
    ].map((cookie) =>
      [
        `a prefix that browsers refuse: ${JSON.stringify(cookie)}`,
        "prefix",
        refused,
        written(cookie),
      ] as const
    ),
    ...[
      { name: "__Host-a", value: "1", secure: false },
      { name: "__Secure-a", value: "1", secure: false },
      { name: "a", value: "1", secure: false, sameSite: "None" as const },
    ].map((cookie) =>
      [
        `an insecure cookie that browsers refuse: ${JSON.stringify(cookie)}`,
        "secure",
        refused,
        written(cookie),
      ] as const
    ),
  ],
});
