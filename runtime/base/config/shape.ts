import type { Config } from "../ctx/config.ts";
import { findNearest } from "../diagnose/nearest.ts";
import { isToken } from "../headers.ts";
import { findTimeZone } from "../local_time.ts";
import { isJsonObject } from "../values.ts";
import { type CorsPolicy, Off } from "./settings.ts";

/** The longest time that `setTimeout` takes; beyond it fires at once. */
const longestTimeoutMs = 2_147_483_647;

const isText = (value: unknown): value is string => typeof value === "string";
const isFunction = (value: unknown): boolean => typeof value === "function";
const isCount = (value: unknown): boolean => Number.isInteger(value) || value === Infinity;
const isTime = (value: unknown): boolean =>
  typeof value === "number" && (value <= longestTimeoutMs || value === Infinity);

interface Kind {
  readonly is: (value: unknown) => boolean;
  readonly fix: string;
}

/** The kinds of values that settings take, as messages name them; `any` is checked where it is used. */
const kinds = {
  count: {
    is: (value) => isCount(value) && Number(value) >= 0,
    fix: "use an integer from 0 up",
  },
  bytes: {
    is: (value) => isCount(value) && Number(value) >= 0,
    fix: "use a whole number of bytes from 0 up",
  },
  series: {
    is: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
    fix: "use an integer from 1 up",
  },
  // Elsewhere 0 means no deadline; here it would refuse every body and every response.
  time: {
    is: (value) => isTime(value) && Number(value) >= 1,
    fix: `use 1 to ${longestTimeoutMs} milliseconds, or NoTimeout`,
  },
  delay: {
    is: (value) => isTime(value) && Number(value) >= 0,
    fix: `use 0 to ${longestTimeoutMs} milliseconds, or NoTimeout`,
  },
  any: { is: () => true, fix: "" },
  text: { is: isText, fix: "use a string" },
  number: { is: (value) => typeof value === "number", fix: "write a number" },
  flag: { is: (value) => typeof value === "boolean", fix: "write true or false" },
  function: { is: isFunction, fix: "use a function" },
  texts: {
    is: (value) => Array.isArray(value) && value.every(isText),
    fix: 'use an array of strings, for example ["a", "b"]',
  },
  group: { is: isJsonObject, fix: "use an object with the settings of the group" },
  words: {
    is: (value) => isJsonObject(value) && Object.values(value).every(isText),
    fix: 'use strings by key, for example { required: "please fill this in" }',
  },
  lists: {
    is: isJsonObject,
    fix: 'use arrays by directive, for example { "img-src": ["https://cdn.example"] }',
  },
  header: {
    is: (value) => isText(value) || value === Off,
    fix: "write the header's value, or Off",
  },
  path: { is: (value) => isText(value) || value === Off, fix: "write a path, or Off" },
  folder: { is: (value) => isText(value) && value !== "", fix: "use a folder, or leave it out" },
  requestLog: {
    is: (value) => isFunction(value) || value === Off || value === "all",
    fix: 'use a function, "all", or Off',
  },
  logger: { is: isLogger, fix: "use a Logger, for example the result of createLogger" },
  off: { is: (value) => value === Off, fix: "write Off, or leave it out" },
  env: { is: (value) => value === "dev" || value === "prod", fix: 'write "dev" or "prod"' },
  listener: {
    is: (value) => value === "deno" || value === "node",
    fix: 'write "deno" or "node"',
  },
  zone: {
    is: (value) => isText(value) && findTimeZone(value) !== undefined,
    fix: 'write a name of the time zone database, such as "Europe/Lisbon"',
  },
  printable: {
    is: (value) => isText(value) && /^[\x21-\x7e]*$/.test(value),
    fix: "write printable ASCII without spaces",
  },
  token: {
    is: (value) => isText(value) && (value === "" || isToken(value)),
    fix: "write letters, digits, hyphens and underscores",
  },
} satisfies Readonly<Record<string, Kind>>;

const ranges = /^(?:count|bytes|series|time|delay)$/;

type KindName = keyof typeof kinds;

/** The kind of each setting of a group by name, with a question mark where it may be absent. */
type Shape = ReadonlyMap<string, KindName | `${KindName}?`>;

/** Reads the names of a group's settings by their kind. */
function shapeOf(names: { readonly [Kind in KindName | `${KindName}?`]?: string }): Shape {
  return new Map(
    Object.entries(names).flatMap(([kind, list]) =>
      list.split(" ").map((name) => [name, kind as KindName] as const)
    ),
  );
}

const config = shapeOf({
  "text": "addr basePath",
  "words": "variables",
  "listener": "listener",
  "flag": "compress reusePort csrfForApi languagePrefix",
  "env": "env",
  "logger?": "logger",
  "any?": "public secret previousSecret",
  "group": "mounts timeouts bodyLimits openLimits csrf security cors observability languageTexts",
  "group?": "rateLimit",
  "text?": "staticCacheControl publicOrigin",
  "function?": "staticHeaders onSecurityEvent problemType",
  "bytes": "maxBodyBytes",
  "folder?": "spoolDir",
  "requestLog?": "logRequest",
  "off?": "devReload",
  "texts": "trustedProxies allowedHosts languages",
  "zone": "zone",
  "words?": "validationMessages labels",
});

const languageTexts = shapeOf({ "words?": "validationMessages labels errorPages" });

const groups = {
  timeouts: shapeOf({
    delay: "drainMs shutdownMs",
    time: "readMs writeMs idleMs",
    bytes: "maxHeaderBytes",
  }),
  bodyLimits: shapeOf({
    count: "maxFields maxFiles minBytesPerSecond maxJsonDepth maxJsonKeys",
    bytes: "maxTextBytes maxMemoryBytes",
  }),
  openLimits: shapeOf({ count: "client site all" }),
  observability: shapeOf({
    "path": "health",
    "text?": "metrics",
    // It is checked where no message can repeat it.
    "any?": "token",
    "texts": "trusted",
    "off?": "details",
    "time": "timeoutMs",
    "delay": "cacheForMs",
    "series": "maxSeries",
    "folder?": "incidents",
  }),
  csrf: shapeOf({ "token?": "cookie header", "printable?": "field" }),
  security: shapeOf({
    "header?": "csp strictTransportSecurity frameOptions contentTypeOptions referrerPolicy " +
      "permissionsPolicy crossOriginOpenerPolicy",
    "lists?": "cspExtra",
    "flag?": "delegated",
    "function?": "nonce",
  }),
  rateLimit: shapeOf({ "number": "rate burst", "group?": "store" }),
  cors: shapeOf({
    "texts?": "origins methods headers expose",
    "flag?": "credentials",
    "number?": "maxAgeSeconds",
  }),
};

/**
 * Checks that every setting exists and has the right type: a misspelt `trustedProxys` must not leave the
 * default. Its errors name the setting, its value and the fix.
 */
export function checkShape(settings: Config): void {
  checkGroup("config", settings, config);
  for (const group of Object.keys(groups) as (keyof typeof groups)[]) {
    const values = settings[group];
    if (values !== undefined) checkGroup(`config.${group}`, values, groups[group]);
  }
  for (const [language, values] of Object.entries(settings.languageTexts)) {
    const group = `config.languageTexts["${language}"]`;
    checkKind(group, values, "group");
    checkGroup(group, values, languageTexts);
  }
  for (const [directive, sources] of Object.entries(settings.security.cspExtra ?? {})) {
    checkKind(`config.security.cspExtra["${directive}"]`, sources, "texts");
  }
}

/** Checks that every member of a CORS policy exists and has the right type. */
export function checkCorsShape(policy: CorsPolicy, at: { readonly name: string }): void {
  checkKind(at.name, policy, "group");
  checkGroup(at.name, policy, groups.cors);
}

function checkGroup(group: string, values: object, shape: Shape): void {
  const unknown = Object.keys(values).find((name) => !shape.has(name));
  if (unknown !== undefined) {
    const names = [...shape.keys()];
    const near = findNearest(unknown, names);
    const guess = near === undefined ? "" : ` Did you mean ${near}?`;
    throw new TypeError(
      `Cannot set ${group}.${unknown}: there is no such setting.${guess} There are ${
        names.join(", ")
      }.`,
    );
  }
  for (const [name, kind] of shape) {
    const value: unknown = Reflect.get(values, name);
    if (value === undefined && kind.endsWith("?")) continue;
    checkKind(`${group}.${name}`, value, kind.replace("?", "") as KindName);
  }
}

function checkKind(setting: string, value: unknown, kind: KindName): void {
  const { is, fix }: Kind = kinds[kind];
  if (is(value)) return;
  const Fault = typeof value === "number" && ranges.test(kind) ? RangeError : TypeError;
  throw new Fault(`Cannot set ${setting} to ${show(value)}: ${fix}.`);
}

function isLogger(value: unknown): boolean {
  return typeof value === "object" && value !== null &&
    ["debug", "info", "warn", "error", "with"].every((name) =>
      isFunction(Reflect.get(value, name))
    );
}

function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 100));
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : `"${String(value)}"`;
}
