import { assertEquals, assertThrows } from "@std/assert";
import { App, type Config, configFromEnv, NoTimeout, Off } from "../../../../../mod.ts";
import {
  checkConfig,
  defaultConfig,
  trimBasePath,
} from "../../../../../runtime/base/config/config.ts";
import { parseAddress, parseEnv } from "../../../../../runtime/base/env.ts";
import { runWithEnv } from "../../with_env.ts";

const addresses: readonly [text: string, hostname: string, port: number][] = [
  [":3000", "0.0.0.0", 3_000],
  ["3000", "0.0.0.0", 3_000],
  [":0", "0.0.0.0", 0],
  [" :80 ", "0.0.0.0", 80],
  ["127.0.0.1:8080", "127.0.0.1", 8_080],
  ["localhost:8080", "localhost", 8_080],
  ["my-host.example:1", "my-host.example", 1],
  ["[::1]:3000", "::1", 3_000],
  ["[::]:3000", "::", 3_000],
  ["[::ffff:127.0.0.1]:65535", "::ffff:127.0.0.1", 65_535],
  ...["lo", "eth0", "lo-0", "wlan0.5", "en_1", "1"].map((
    zone,
  ): [string, string, number] => [`[fe80::1%${zone}]:0`, `fe80::1%${zone}`, 0]),
];

for (const [text, hostname, port] of addresses) {
  Deno.test(`parseAddress ${JSON.stringify(text)}`, () => {
    assertEquals(parseAddress(text), { hostname, port });
  });
}

const brackets = 'put brackets around an IPv6 address, such as "[::]:3000"';
const any = 'write an address such as ":3000" or "127.0.0.1:3000" (config.addr; ADDR or PORT).';
const noAddresses: readonly [fix: string, ...texts: string[]][] = [
  [any, "", ":", ":x", ":65536", ":123456", ":-1", "localhost", "a b:1", "http://x:3000"],
  [any, "x:3000/", "tcp:x:3000", ":3000\n:4000", "[:::]:3000", "[127.0.0.1]:3000"],
  [any, "[fe80::1%]:1", "[::1%a/b]:1"],
  ['add the port, such as "[::]:3000"', "[::]"],
  ['add the port, such as "[::1]:3000"', "[::1]:"],
  ['add the port, such as "[fe80::1%lo-0]:3000"', "[fe80::1%lo-0]"],
  [brackets, "::", "::1", "::1:3000", "fe80::1:3000", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4:80"],
  [brackets, "fe80::1%lo:0", "fe80::1%lo", "1:2:3:4:5:6:7:8:3000"],
];

for (const [fix, ...texts] of noAddresses) {
  for (const text of texts) {
    Deno.test(`parseAddress refuses ${JSON.stringify(text)} with the fix`, () => {
      assertThrows(() => parseAddress(text), TypeError, `Cannot listen on "${text}": ${fix}`);
    });
  }
}

Deno.test("parseEnv accepts dev and prod in any case, and no similar text", () => {
  for (const text of ["dev", "DEV", "Dev", " dev "]) assertEquals(parseEnv(text), "dev");
  for (const text of ["prod", "PROD", "Prod"]) assertEquals(parseEnv(text), "prod");
  for (const text of ["development", "production", "d", "devel", "test", "1", "true"]) {
    const message = `Cannot read FW_ENV "${text}": write "dev" or "prod".`;
    assertThrows(() => parseEnv(text), TypeError, message);
  }
});

const bases: readonly [text: string, base: string][] = [
  ["", ""],
  ["/", ""],
  ["//", ""],
  ["/shop", "/shop"],
  ["/shop/", "/shop"],
  ["/a/b-c_d.e~f", "/a/b-c_d.e~f"],
];

for (const [text, base] of bases) {
  Deno.test(`trimBasePath ${JSON.stringify(text)}`, () => assertEquals(trimBasePath(text), base));
}

Deno.test("boot accepts valid settings: the defaults, no timeout, Off", () => {
  checkConfig(defaultConfig());
  const all = Object.keys(defaultConfig().timeouts).map((name) => [name, NoTimeout]);
  checkConfig({ ...defaultConfig(), timeouts: Object.fromEntries(all) });
  const timeouts = { ...defaultConfig().timeouts, shutdownMs: 0 };
  checkConfig({ ...defaultConfig(), timeouts, logRequest: Off, devReload: Off });
  new App({ secret: "a".repeat(32), previousSecret: "é".repeat(16) }).handler();
  assertEquals(defaultConfig().timeouts.shutdownMs, 5_000);
  assertEquals([defaultConfig().env, defaultConfig().addr], ["prod", ":3000"]);
});

const variables: readonly [set: Record<string, string>, got: Partial<Config>][] = [
  [{}, { addr: ":3000", env: "prod", basePath: "", devReload: undefined, secret: undefined }],
  [{ PORT: "8080" }, { addr: ":8080" }],
  [{ ADDR: "127.0.0.1:1" }, { addr: "127.0.0.1:1" }],
  [{ PORT: "8080", ADDR: "127.0.0.1:1" }, { addr: "127.0.0.1:1" }],
  [{ PORT: "", ADDR: "" }, { addr: ":3000" }],
  [{ ADDR: "127.0.0.1" }, { addr: "127.0.0.1:3000" }],
  [{ ADDR: "127.0.0.1", PORT: "8080" }, { addr: "127.0.0.1:8080" }],
  [{ ADDR: "localhost", PORT: "0" }, { addr: "localhost:0" }],
  [{ ADDR: "[::1]", PORT: "8080" }, { addr: "[::1]:8080" }],
  [{ ADDR: "3001", PORT: "8080" }, { addr: "3001" }],
  [{ ADDR: ":3001", PORT: "8080" }, { addr: ":3001" }],
  [{ FW_ENV: "Dev" }, { env: "dev" }],
  [{ FW_ENV: "" }, { env: "prod" }],
  [{ FW_BASE_PATH: "/shop" }, { basePath: "/shop" }],
  [{ FW_ORIGIN: "https://a.example" }, { publicOrigin: "https://a.example" }],
  [{ FW_DEV_RELOAD: "off" }, { devReload: Off }],
  [{ FW_DEV_RELOAD: "OFF" }, { devReload: Off }],
  [{ FW_DEV_RELOAD: "on" }, { devReload: undefined }],
  [{ FW_REUSE_PORT: "on" }, { reusePort: true }],
  [{ FW_REUSE_PORT: "Off" }, { reusePort: false }],
  [{ FW_TRUSTED_PROXIES: " 10.0.0.0/8 , ::1,, " }, { trustedProxies: ["10.0.0.0/8", "::1"] }],
  [{ FW_ALLOWED_HOSTS: "a.example, *.b.example" }, { allowedHosts: ["a.example", "*.b.example"] }],
  [{ FW_ALLOWED_HOSTS: "" }, { allowedHosts: [] }],
  [{ FW_SECRET: "a".repeat(32), FW_SECRET_PREVIOUS: "b".repeat(32) }, {
    secret: "a".repeat(32),
    previousSecret: "b".repeat(32),
  }],
];

for (const [set, got] of variables) {
  Deno.test(`configFromEnv with ${JSON.stringify(set)}`, () => {
    runWithEnv(set, () => {
      const config = configFromEnv();
      for (const [name, value] of Object.entries(got)) {
        assertEquals(config[name as keyof Config], value, name);
      }
    });
  });
}

const unread: readonly [variables: Record<string, string>, message: string][] = [
  // A typo must not disable protections.
  [{ FW_ENV: "develop" }, 'Cannot read FW_ENV "develop"'],
  [{ FW_OBS_TRUSTED: "," }, "Cannot read FW_OBS_TRUSTED"],
  [{ PORT: "http" }, 'Cannot read PORT "http": write a number from 0 to 65535.'],
  [{ PORT: "65536" }, 'Cannot read PORT "65536": write a number from 0 to 65535.'],
  [{ FW_REUSE_PORT: "1" }, 'Cannot read FW_REUSE_PORT "1": write "on" or "off".'],
  [{ FW_DEV_RELOAD: "no" }, 'Cannot read FW_DEV_RELOAD "no": write "on" or "off".'],
  [
    { FW_ALLOWED_HOSTS: " , " },
    'Cannot read FW_ALLOWED_HOSTS " , ": write entries with commas between them, or unset it.',
  ],
  [
    { FW_TRUSTED_PROXIES: "," },
    'Cannot read FW_TRUSTED_PROXIES ",": write entries with commas between them, or unset it.',
  ],
];

for (const [variables, message] of unread) {
  Deno.test(`configFromEnv refuses ${JSON.stringify(variables)}`, async () => {
    await runWithEnv(variables, () => assertThrows(() => configFromEnv(), TypeError, message));
  });
}

Deno.test("changes by Setup apply before the first request, and later ones are refused", async () => {
  const app = new App({ logRequest: Off });
  app.route({ pattern: "/", methods: { GET: (c) => c.text(200, "") } });
  app.config.security.contentTypeOptions = "nosniff";
  app.config.allowedHosts = ["example.com"];
  app.config.rateLimit = { rate: 1, burst: 1 };
  const statuses: number[] = [];
  for (const url of ["http://evil.example/", "http://example.com/", "http://example.com/"]) {
    const response = await app.fetch(new Request(url));
    statuses.push(response.status);
  }
  assertEquals(statuses, [400, 200, 429]);
  assertThrows(() => app.config.allowedHosts = [], TypeError);
  assertThrows(() => app.config.security.delegated = true, TypeError);
  assertThrows(() => app.config.cors.credentials = true, TypeError);
});
