import { type HostileRequest, testHostileRequests } from "../hostile.ts";
import type { CorsPolicy } from "../../../mod.ts";
import { ask, refusal } from "../guard_app.ts";

const own = "https://app.example";
const policy: CorsPolicy = { origins: [own], credentials: true, methods: ["GET"] };

function preflight(
  guard: string,
  name: string,
  options: { readonly origin?: string; readonly method?: string },
): HostileRequest {
  const { origin = own, method = "GET" } = options;
  return {
    guard,
    name: `a preflight: ${name}`,
    run: async (fw) => {
      const headers = { origin, "access-control-request-method": method };
      const answer = await ask(fw, { cors: policy }, { method: "OPTIONS", headers });
      return [answer.status, answer.headers.get("access-control-allow-methods")];
    },
    want: [403, null],
  };
}

function read(origin: string): HostileRequest {
  return {
    guard: "exact origins",
    name: `a read: ${origin}`,
    run: async (fw) => {
      const { headers } = await ask(fw, { cors: policy }, { headers: { origin } });
      const { headers: missing } = await ask(fw, { cors: policy }, {
        url: "http://localhost/nothing",
        headers: { origin },
      });
      const allowed = (given: Headers): string | null => given.get("access-control-allow-origin");
      return [allowed(headers), allowed(missing), headers.get("access-control-allow-credentials")];
    },
    want: [null, null, null],
  };
}

const foreign: readonly string[] = [
  "null",
  "https://evil.example",
  "https://app.example.evil.example",
  "https://evil-app.example",
  "https://xapp.example",
  "https://sub.app.example",
  "http://app.example",
  "https://app.example:8443",
  "https://app.example:443",
  "https://app.example.",
  "https://app.example/",
  "https://app.example/x",
  "https://APP.example",
  "HTTPS://app.example",
  "https://app.example@evil.example",
  "https://evil.example#https://app.example",
  "https://app.example, https://evil.example",
  "https://app.example https://evil.example",
  "https://app_example",
  "*",
  "file://",
  "https://xn--app-.example",
];

function boot(guard: string, name: string, cors: CorsPolicy): HostileRequest {
  return { guard, name, run: (fw) => Promise.resolve(refusal(fw, { cors })), want: "refused" };
}

const rows: HostileRequest[] = [
  ...foreign.map(read),
  ...foreign.map((origin) => preflight("exact origins", origin, { origin })),
  ...["DELETE", "get", "GET, DELETE", "*", "CONNECT", "TRACE", "PUT"].map((method) =>
    preflight("listed methods", method, { method })
  ),
  ...["none", "https://evil.example"].map((origin): HostileRequest => ({
    guard: "Vary for whoever asks",
    name: `a cache that stores the answer to ${origin}`,
    run: async (fw) => {
      const sent = origin === "none" ? {} : { headers: { origin } };
      return (await ask(fw, { cors: policy }, sent)).headers.get("vary");
    },
    want: "Origin",
  })),
  boot("no credentials for any site", "* with credentials", {
    origins: ["*"],
    credentials: true,
  }),
  boot("the star stands alone", "* among others", { origins: [own, "*"] }),
  ...[
    "null",
    "https://*.example",
    "https://app.example/",
    "app.example",
    "//app.example",
    "",
    "^.*$",
  ]
    .map((origin) => boot("origins at boot", JSON.stringify(origin), { origins: [origin] })),
  boot("names at boot", "a header that splits", { origins: [own], headers: ["a\r\nx: y"] }),
  boot("names at boot", "a list in one entry", { origins: [own], expose: ["a, b"] }),
  boot("names at boot", "a method with a space", { origins: [own], methods: ["GET X"] }),
  {
    guard: "no code of the application before the answer",
    name: "a preflight of a listed origin",
    run: async (fw) => {
      const headers = { origin: own, "access-control-request-method": "GET" };
      return (await ask(fw, { cors: policy }, { method: "OPTIONS", headers })).status;
    },
    want: 204,
  },
];

testHostileRequests("a foreign origin", rows);
