import { assert, assertNotMatch, assertThrows } from "@std/assert";
import { App, Off } from "../../../../../mod.ts";
import { checkConfig, defaultConfig } from "../../../../../runtime/base/config/config.ts";

type Values = Record<string, unknown>;

const fromOne = "use 1 to 2147483647 milliseconds, or NoTimeout.";
const fromZero = "use 0 to 2147483647 milliseconds, or NoTimeout.";
const inBytes = "use a whole number of bytes from 0 up.";
const texts = 'use an array of strings, for example ["a", "b"].';
const source = "use a folder, a file: URL";
const base = 'write a path such as "/shop", without dots, queries or escapes.';
const origin = 'write a scheme and a host, such as "https://example.org", without a path.';
const probe = 'write a path such as "/health", without dots, queries or escapes, or Off.';
const metrics = 'write a path such as "/metrics", without dots, queries or escapes.';
const taken = "the framework serves something else there; choose another path.";
const longSecret = "use a string or a Uint8Array of 32 bytes or more, for example what";
const bearer = 'use 32 letters, digits and "-._~+/" or more, with "=" at the end only, for example';

/** Settings of the wrong name or kind, as JavaScript allows, and of a wrong value. */
const refused: readonly [settings: Values, message: string][] = [
  [
    { trustedProxys: [] },
    "trustedProxys: there is no such setting. Did you mean trustedProxies? There are addr,",
  ],
  [{ addr: "nowhere" }, 'Cannot listen on "nowhere": write an address such as ":3000"'],
  [{ env: "production" }, 'env (FW_ENV) to "production": write "dev" or "prod".'],
  [{ listener: "bun" }, 'listener to "bun"'],
  [{ reusePort: true, listener: "node" }, "reusePort (FW_REUSE_PORT) with"],
  ...["shop", "/a//b", "//a", "/a b", "/a\\b", ..."/é /%41 /a?b /a#b /.. /a/./b".split(" ")].map(
    (basePath) => row({ basePath }, `basePath (FW_BASE_PATH) to ${quote(basePath)}: ${base}`),
  ),
  ...["a.example", "ftp://a.example", ..."/ :443 /x".split(" ").map((s) => `https://a.example${s}`)]
    .map((text) => row({ publicOrigin: text }, `publicOrigin (FW_ORIGIN) to "${text}": ${origin}`)),
  ...["https://u:p/@w@", "https://u@", "u:pw@", "https:/u:pw@"].map((text) =>
    row(
      { publicOrigin: `${text}a.example` },
      `publicOrigin (FW_ORIGIN) to "${text.includes("//") ? "https://" : ""}[hidden]@a.example"`,
    )
  ),
  [
    { publicOrigin: `https://u:${"p".repeat(200)}@a.example` },
    'publicOrigin (FW_ORIGIN) to "https://[hidden]@a.example"',
  ],
  [{ publicOrigin: "https://A.example" }, "publicOrigin (FW_ORIGIN) to"],
  [{ zone: "Mars/Base" }, 'zone to "Mars/Base": write a name of the time zone'],
  [{ zone: "+01:00" }, 'zone to "+01:00"'],
  [{ maxBodyBytes: "1024" }, `maxBodyBytes to "1024": ${inBytes}`],
  [{ maxBodyBytes: -1 }, `maxBodyBytes to "-1": ${inBytes}`],
  [{ bodyLimits: { maxTextBytes: -1 } }, `bodyLimits.maxTextBytes to "-1": ${inBytes}`],
  [{ bodyLimits: { maxFields: NaN } }, 'bodyLimits.maxFields to "NaN": use an integer from 0 up.'],
  [{ timeouts: { readSeconds: 1 } }, "timeouts.readSeconds: there is no such"],
  [{ timeouts: { readMs: "1" } }, `timeouts.readMs to "1": ${fromOne}`],
  [{ timeouts: { readMs: Off } }, `timeouts.readMs to "Symbol(fw.Off)": ${fromOne}`],
  [{ timeouts: { readMs: 0 } }, `timeouts.readMs to "0": ${fromOne}`],
  [{ timeouts: { writeMs: 0 } }, `timeouts.writeMs to "0": ${fromOne}`],
  [{ timeouts: { idleMs: 0 } }, `timeouts.idleMs to "0": ${fromOne}`],
  [{ timeouts: { maxHeaderBytes: -1 } }, `timeouts.maxHeaderBytes to "-1": ${inBytes}`],
  [{ timeouts: { shutdownMs: -1 } }, `timeouts.shutdownMs to "-1": ${fromZero}`],
  [{ timeouts: { shutdownMs: NaN } }, 'timeouts.shutdownMs to "NaN"'],
  [{ timeouts: { shutdownMs: 2 ** 31 } }, `timeouts.shutdownMs to "2147483648": ${fromZero}`],
  [{ logger: "json" }, 'logger to "json": use a Logger, for example the result of '],
  [{ logger: { info: () => {} } }, "logger to an object: use a Logger, for example"],
  [{ logRequest: true }, 'logRequest to "true": use a function, "all", or Off.'],
  [{ devReload: false }, 'devReload to "false": write Off, or leave it out.'],
  [{ spoolDir: "" }, 'spoolDir to "": use a folder, or leave it out.'],
  [{ validationMessages: ["x"] }, "validationMessages to a list: use strings by key"],
  [{ labels: { nav: 1 } }, "labels to an object: use strings by key"],
  [{ labels: "Menu" }, 'labels to "Menu": use strings by key'],
  [{ csrfForApi: "yes" }, 'csrfForApi to "yes": write true or false.'],
  [{ csrf: { cookie: "a;b" } }, 'csrf.cookie to "a;b"'],
  [{ csrf: { header: "x:y" } }, 'csrf.header to "x:y"'],
  [{ csrf: { field: "a\nb" } }, 'csrf.field to "a\\nb": write printable ASCII without spaces.'],
  [
    { csrf: { cookies: "x" } },
    "csrf.cookies: there is no such setting. Did you mean cookie? There are cookie, field, header.",
  ],
  [{ onSecurityEvent: {} }, "onSecurityEvent to an object: use a function."],
  [
    { trustedProxies: "10.0.0.0/8" },
    `trustedProxies (FW_TRUSTED_PROXIES) to "10.0.0.0/8": ${texts}`,
  ],
  [{ allowedHosts: [1] }, `allowedHosts (FW_ALLOWED_HOSTS) to a list: ${texts}`],
  [{ rateLimit: 10 }, 'rateLimit to "10": use an object with the settings'],
  [{ rateLimit: { rate: "1", burst: 1 } }, 'rateLimit.rate to "1": write a number.'],
  [{ rateLimit: { rate: 1, bursts: 1 } }, "rateLimit.bursts: there is no such"],
  [
    { rateLimit: { rate: 1, burst: 1, store: {} } },
    "Cannot set the store of config.rateLimit: use an object with a function take, such as sqliteStores(db).limits.",
  ],
  [{ security: { xFrameOptions: "DENY" } }, "security.xFrameOptions: there is no"],
  [
    { security: { frameOptions: true } },
    'security.frameOptions to "true": write the header\'s value, or Off.',
  ],
  [{ security: { delegated: "no" } }, 'security.delegated to "no": write true or false.'],
  [{ security: { nonce: "x" } }, 'security.nonce to "x": use a function.'],
  [
    { security: { cspExtra: { "img-src": "https://a" } } },
    'security.cspExtra["img-src"] to "https://a": use an array of strings',
  ],
  [{ cors: { origins: "*" } }, `cors.origins to "*": ${texts}`],
  [
    { cors: { origin: ["*"] } },
    "cors.origin: there is no such setting. Did you mean origins? There are origins,",
  ],
  [{ cors: { credentials: 1 } }, 'cors.credentials to "1": write true or false.'],
  [
    { cors: { origins: ["https://u:pw@a.example"] } },
    'cors.origins to "https://[hidden]@a.example": write "https://a.example", as browsers do.',
  ],
  [
    { cors: { origins: ["*", "https://u:pw@a.example"] } },
    'cors.origins to "*, https://[hidden]@a.example": write "*" alone',
  ],
  [{ public: true }, `Cannot serve config.public "true": ${source}`],
  [{ public: "" }, `Cannot serve config.public "": ${source}`],
  [{ public: new URL("https://x.example/") }, 'Cannot serve config.public "https://x.example/"'],
  [{ mounts: { "/x": 5 } }, `Cannot serve config.mounts["/x"] "5": ${source}`],
  ...observed([
    [{ metric: "/m" }, "metric: there is no such setting"],
    ...[" /a", ..."metrics / // /a/ /a//b /a/../b /./a /a?b /a#b /a%20b /é".split(" ")].map((
      text,
    ) => row({ metrics: text }, `metrics (FW_METRICS) to "${text}": ${metrics}`)),
    [{ metrics: Off }, "metrics (FW_METRICS) to"],
    ...["health", "health/live", "health/ready", "events", "events/reload.js"].map((path) =>
      row({ metrics: `/_fw/${path}` }, `metrics (FW_METRICS) to "/_fw/${path}": ${taken}`)
    ),
    [{ health: "/h", metrics: "/h/live" }, `metrics (FW_METRICS) to "/h/live": ${taken}`],
    ...["", "/", "health", "/health/", "/a b", 1].map((health) =>
      row({ health }, `health to "${health}": ${probe}`)
    ),
    [{ details: "none" }, 'details to "none": write Off, or leave it out'],
    [{ trusted: "10.0.0.0/8" }, `trusted (FW_OBS_TRUSTED) to "10.0.0.0/8": ${texts}`],
    [{ trusted: ["10.0.0.0/33"] }, 'Cannot trust "10.0.0.0/33" (config.observability.trusted'],
    [{ trusted: ["localhost"] }, 'Cannot trust "localhost" (config.observability.trusted'],
    [{ timeoutMs: "2s" }, `timeoutMs to "2s": ${fromOne}`],
    [{ cacheForMs: -1 }, `cacheForMs to "-1": ${fromZero}`],
    [{ maxSeries: 0 }, 'maxSeries to "0": use an integer from 1 up'],
    [{ maxSeries: 1.5 }, 'maxSeries to "1.5"'],
    [{ maxSeries: Infinity }, 'maxSeries to "Infinity"'],
  ]),
];

/** Returns a row, so that a list of them has the table's type. */
function row(settings: Values, message: string): [Values, string] {
  return [settings, message];
}

function quote(text: unknown): string {
  return JSON.stringify(text);
}

/** Returns rows of the group `observability`. */
function observed(rows: readonly [settings: Values, message: string][]): [Values, string][] {
  return rows.map(([observability, message]) => [
    { observability },
    message.startsWith("Cannot ") ? message : `observability.${message}`,
  ]);
}

for (const [settings, text] of refused) {
  const message = text.startsWith("Cannot ") ? text : `Cannot set config.${text}`;
  Deno.test(`boot refuses a setting: ${message}`, () => {
    const error = assertThrows(() => new App(settings).handler(), Error, message);
    assert(error instanceof TypeError || error instanceof RangeError);
  });
}

/** Secrets of a wrong kind, length or character; no message may contain one. */
const secrets: readonly [settings: Values, message: string][] = [
  [{ secret: "hunter2" }, `secret (FW_SECRET) to a secret of 7 bytes: ${longSecret}`],
  [{ secret: " ".repeat(40) }, "secret (FW_SECRET) to a secret of 0 bytes"],
  [{ secret: `${"k".repeat(31)}\n` }, "secret (FW_SECRET) to a secret of 31 bytes"],
  [{ secret: 12_345 }, `secret (FW_SECRET) to a secret of 0 bytes: ${longSecret}`],
  [{ previousSecret: new Uint8Array(31) }, "previousSecret (FW_SECRET_PREVIOUS) to a secret of 31"],
  [{ previousSecret: null }, "previousSecret (FW_SECRET_PREVIOUS) to a secret of 0 bytes"],
  ...observed([
    "",
    "k".repeat(31),
    `k${" ".repeat(40)}k`,
    `${"k".repeat(40)}\n`,
    `${"k".repeat(40)},`,
    `${"k".repeat(40)}é`,
    `=${"k".repeat(40)}`,
    1234567890,
    new Uint8Array(32),
  ].map((token) => row({ token }, "token (FW_OBS_TOKEN) to a secret of "))),
];

for (const [settings, message] of secrets) {
  Deno.test(`boot refuses ${quote(settings)} without a quote: ${message}`, () => {
    const error = assertThrows(() => new App(settings).handler(), TypeError, message);
    if (message.startsWith("observability")) assert(error.message.includes(bearer));
    assertNotMatch(error.message, /hunter2|kkkk|12_?345/);
  });
}

/** Values that JavaScript allows `Config` in `setup.ts` to assign. */
const lacking: readonly [settings: Values, message: string][] = [
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
