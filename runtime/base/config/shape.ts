import type { Config, LanguageTexts } from "../ctx/config.ts";
import type { BodyLimits } from "../ctx/input.ts";
import { findNearest } from "../diagnose/nearest.ts";
import { isToken } from "../headers.ts";
import { findTimeZone } from "../local_time.ts";
import { isJsonObject } from "../values.ts";
import type { ObservabilitySettings } from "./observability.ts";
import {
  type CorsPolicy,
  type CsrfNames,
  Off,
  type OpenLimits,
  type RateLimit,
  type SecuritySettings,
  type Timeouts,
} from "./settings.ts";

/** The longest delay that `setTimeout` accepts, in milliseconds; a longer one fires at once. */
const longestTimeoutMs = 2_147_483_647;

const isText = (value: unknown): value is string => typeof value === "string";
const isFunction = (value: unknown): boolean => typeof value === "function";
const isCount = (value: unknown): boolean =>
  typeof value === "number" && value >= 0 && (Number.isInteger(value) || value === Infinity);
const isTime = (value: unknown): boolean =>
  typeof value === "number" && (value <= longestTimeoutMs || value === Infinity);

interface Kind {
  readonly is: (value: unknown) => boolean;
  readonly fix: string;
}

/** The kinds of setting values, as messages name them; `any` is checked where it is used. */
const kinds = {
  count: { is: isCount, fix: "use an integer from 0 up" },
  bytes: { is: isCount, fix: "use a whole number of bytes from 0 up" },
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

/** The kinds of numbers with a range, whose faults are a `RangeError`. */
const ranges = /^(?:count|bytes|series|time|delay)$/;

type KindName = keyof typeof kinds;

/** A setting's kind by its name, with a question mark if it may be absent; `any` is checked where it is used. */
type Shape<T> = {
  readonly [Name in keyof T]-?: undefined extends T[Name] ? `${KindName}?` : KindName;
};

const shape: Shape<Config> = {
  addr: "text",
  variables: "words",
  listener: "listener",
  compress: "flag",
  reusePort: "flag",
  env: "env",
  logger: "logger?",
  public: "any?",
  mounts: "group",
  staticCacheControl: "text?",
  staticHeaders: "function?",
  basePath: "text",
  timeouts: "group",
  maxBodyBytes: "bytes",
  bodyLimits: "group",
  openLimits: "group",
  spoolDir: "folder?",
  logRequest: "requestLog?",
  devReload: "off?",
  secret: "any?",
  previousSecret: "any?",
  csrf: "group",
  csrfForApi: "flag",
  security: "group",
  trustedProxies: "texts",
  publicOrigin: "text?",
  zone: "zone",
  allowedHosts: "texts",
  cors: "group",
  rateLimit: "group?",
  onSecurityEvent: "function?",
  observability: "group",
  problemType: "function?",
  validationMessages: "words?",
  labels: "words?",
  languages: "texts",
  languagePrefix: "flag",
  languageTexts: "group",
};

const timeouts: Shape<Timeouts> = {
  drainMs: "delay",
  shutdownMs: "delay",
  readMs: "time",
  writeMs: "time",
  idleMs: "time",
  maxHeaderBytes: "bytes",
};

const bodyLimits: Shape<BodyLimits> = {
  maxFields: "count",
  maxFiles: "count",
  maxTextBytes: "bytes",
  maxMemoryBytes: "bytes",
  minBytesPerSecond: "count",
  maxJsonDepth: "count",
  maxJsonKeys: "count",
};

const openLimits: Shape<OpenLimits> = { client: "count", site: "count", all: "count" };

const observability: Shape<ObservabilitySettings> = {
  health: "path",
  metrics: "text?",
  // Checked elsewhere, so that no message repeats it.
  token: "any?",
  trusted: "texts",
  details: "off?",
  timeoutMs: "time",
  cacheForMs: "delay",
  maxSeries: "series",
  incidents: "folder?",
};

const csrf: Shape<CsrfNames> = { cookie: "token?", field: "printable?", header: "token?" };

const security: Shape<SecuritySettings> = {
  csp: "header?",
  cspExtra: "lists?",
  delegated: "flag?",
  nonce: "function?",
  strictTransportSecurity: "header?",
  frameOptions: "header?",
  contentTypeOptions: "header?",
  referrerPolicy: "header?",
  permissionsPolicy: "header?",
  crossOriginOpenerPolicy: "header?",
};

const rateLimit: Shape<RateLimit> = { rate: "number", burst: "number", store: "group?" };

const languageTexts: Shape<LanguageTexts> = {
  validationMessages: "words?",
  labels: "words?",
  errorPages: "words?",
};

const cors: Shape<CorsPolicy> = {
  origins: "texts?",
  methods: "texts?",
  headers: "texts?",
  expose: "texts?",
  credentials: "flag?",
  maxAgeSeconds: "number?",
};

const groups = { timeouts, bodyLimits, openLimits, observability, csrf, security, rateLimit, cors };

/**
 * Checks that every setting exists and has the right type: a misspelt `trustedProxys` must not silently keep
 * the default. Its errors name the setting, its value and the fix.
 */
export function checkShape(config: Config): void {
  checkGroup("config", config, shape);
  for (const group of Object.keys(groups) as (keyof typeof groups)[]) {
    const values = config[group];
    if (values !== undefined) checkGroup(`config.${group}`, values, groups[group]);
  }
  for (const [language, values] of Object.entries(config.languageTexts)) {
    const group = `config.languageTexts["${language}"]`;
    checkKind(group, values, "group");
    checkGroup(group, values, languageTexts);
  }
  for (const [directive, sources] of Object.entries(config.security.cspExtra ?? {})) {
    checkKind(`config.security.cspExtra["${directive}"]`, sources, "texts");
  }
}

/** Checks that every member of a CORS policy exists and has the right type. */
export function checkCorsShape(policy: CorsPolicy, at: { readonly name: string }): void {
  checkKind(at.name, policy, "group");
  checkGroup(at.name, policy, cors);
}

function checkGroup(
  group: string,
  values: object,
  own: Readonly<Record<string, KindName | `${KindName}?`>>,
): void {
  const names = Object.keys(own);
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const near = findNearest(unknown, names);
    const guess = near === undefined ? "" : ` Did you mean ${near}?`;
    const known = names.join(", ");
    throw new TypeError(
      `Cannot set ${group}.${unknown}: there is no such setting.${guess} There are ${known}.`,
    );
  }
  for (const [name, kind] of Object.entries(own)) {
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
