import { assertEquals, assertThrows } from "@std/assert";
import { App, type Config, configFromEnv, NoTimeout, Off } from "../../../../../mod.ts";
import {
  checkConfig,
  defaultConfig,
  parseBasePath,
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
  Deno.test(`parseBasePath ${JSON.stringify(text)}`, () => assertEquals(parseBasePath(text), base));
}

const inputs = [
  "shop",
  "/a//b",
  "//a",
  "/a b",
  ..."/é /%41 /a?b /a#b /.. /a/./b".split(" "),
  "/a\\b",
];
for (const text of inputs) {
  Deno.test(`parseBasePath refuses ${JSON.stringify(text)} with the fix`, () => {
    const message =
      `Cannot set config.basePath (FW_BASE_PATH) to "${text}": write a path such as "/shop"`;
    assertThrows(() => parseBasePath(text), TypeError, message);
  });
}

/** Returns the whole message; those of the table lack the common start. */
function whole(message: string): string {
  return message.startsWith("Cannot ") ? message : `Cannot set config.${message}`;
}

function timed(set: Partial<Config["timeouts"]>): Partial<Config> {
  return { timeouts: { ...defaultConfig().timeouts, ...set } };
}

function limited(set: Partial<Config["bodyLimits"]>): Partial<Config> {
  return { bodyLimits: { ...defaultConfig().bodyLimits, ...set } };
}

const fromOne = "use 1 to 2147483647 milliseconds, or NoTimeout.";
const fromZero = "use 0 to 2147483647 milliseconds, or NoTimeout.";
const inBytes = "use a whole number of bytes from 0 up.";

/** Invalid settings; the message names the setting, the value and the fix. */
const wrong: readonly [settings: Partial<Config>, message: string][] = [
  [{ addr: "nowhere" }, 'Cannot listen on "nowhere": write an address such as ":3000"'],
  [{ env: "production" as "prod" }, 'env to "production": write "dev" or "prod".'],
  [{ basePath: "shop" }, 'basePath (FW_BASE_PATH) to "shop": write a path such as "/shop"'],
  [
    { publicOrigin: "a.example" },
    'publicOrigin (FW_ORIGIN) to "a.example": write a scheme and a host',
  ],
  [{ publicOrigin: "https://a.example/" }, "publicOrigin (FW_ORIGIN)"],
  [{ publicOrigin: "https://A.example" }, "publicOrigin (FW_ORIGIN)"],
  [{ publicOrigin: "https://a.example:443" }, "publicOrigin (FW_ORIGIN)"],
  [{ publicOrigin: "ftp://a.example" }, "publicOrigin (FW_ORIGIN)"],
  [{ zone: "Mars/Base" }, 'zone to "Mars/Base": write a name of the time zone'],
  [{ zone: "+01:00" }, 'zone to "+01:00"'],
  [timed({ shutdownMs: -1 }), `timeouts.shutdownMs to "-1": ${fromZero}`],
  [timed({ shutdownMs: NaN }), 'timeouts.shutdownMs to "NaN"'],
  [timed({ shutdownMs: 2 ** 31 }), `timeouts.shutdownMs to "2147483648": ${fromZero}`],
  [timed({ readMs: 0 }), `timeouts.readMs to "0": ${fromOne}`],
  [timed({ writeMs: 0 }), `timeouts.writeMs to "0": ${fromOne}`],
  [timed({ idleMs: 0 }), `timeouts.idleMs to "0": ${fromOne}`],
  [timed({ maxHeaderBytes: -1 }), `timeouts.maxHeaderBytes to "-1": ${inBytes}`],
  [limited({ maxTextBytes: -1 }), `bodyLimits.maxTextBytes to "-1": ${inBytes}`],
  [limited({ maxFields: NaN }), 'bodyLimits.maxFields to "NaN": use an integer from 0 up.'],
  [{ maxBodyBytes: 1.5 }, `maxBodyBytes to "1.5": ${inBytes}`],
  [{ maxBodyBytes: -1 }, `maxBodyBytes to "-1": ${inBytes}`],
  [{ secret: "short" }, "secret (FW_SECRET) to a secret of 5 bytes: use 32 or more"],
  [{ secret: " ".repeat(40) }, "secret (FW_SECRET) to a secret of 0 bytes: use 32 or more"],
  [{ secret: `${"x".repeat(31)}\n` }, "secret (FW_SECRET) to a secret of 31 bytes: use 32 or more"],
  [
    { previousSecret: new Uint8Array(31) },
    "previousSecret (FW_SECRET_PREVIOUS) to a secret of 31 bytes",
  ],
  [{ csrf: { cookie: "a b" } }, 'csrf.cookie to "a b"'],
  [{ csrf: { header: "x:y" } }, 'csrf.header to "x:y"'],
  [{ public: new URL("https://x.example/") }, 'Cannot serve config.public "https://x.example/"'],
];

for (const [settings, text] of wrong) {
  const message = whole(text);
  Deno.test(`boot refuses a wrong setting: ${message}`, () => {
    assertThrows(() => new App(settings).handler(), Error, message);
  });
}

/** Values that JavaScript allows `Config` in `setup.ts` to assign. */
const lacking: readonly [settings: Record<string, unknown>, message: string][] = [
  [{ bodyLimits: {} }, 'bodyLimits.maxFields to "undefined": use an integer from 0 up.'],
  [{ bodyLimits: undefined }, 'bodyLimits to "undefined": use an object with the settings'],
  [{ openLimits: { client: 1 } }, 'openLimits.site to "undefined": use an integer from 0 up.'],
  [{ timeouts: { maxHeaderBytes: 1 } }, 'timeouts.drainMs to "undefined": '],
  [{ addr: undefined }, 'addr to "undefined": use a string.'],
];

for (const [settings, message] of lacking) {
  Deno.test(`checkConfig refuses a missing setting: ${message}`, () => {
    assertThrows(() => checkConfig({ ...defaultConfig(), ...settings }), TypeError, message);
  });
}

Deno.test("boot does not quote a refused secret", () => {
  const secret = "hunter2-hunter2";
  const error = assertThrows(() => new App({ secret }).handler(), RangeError);
  assertEquals(error.message.includes("hunter2"), false as boolean);
});

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

Deno.test("configFromEnv refuses a misspelt FW_ENV, so a typo cannot disable protections", () => {
  runWithEnv({ FW_ENV: "develop" }, () => {
    assertThrows(() => configFromEnv(), TypeError, 'Cannot read FW_ENV "develop"');
  });
});
