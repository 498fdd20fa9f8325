import type { Config, LanguageTexts } from "../ctx/config.ts";
import { findNearest } from "../diagnose/nearest.ts";
import { isToken } from "../headers.ts";
import { findTimeZone } from "../local_time.ts";
import { isJsonObject } from "../values.ts";
import { type CorsPolicy, Off } from "./settings.ts";

/** The longest delay that `setTimeout` accepts, in milliseconds; a longer one fires at once. */
const longestTimeoutMs = 2_147_483_647;

const isText = (value: unknown): value is string => typeof value === "string";
const isFunction = (value: unknown): boolean => typeof value === "function";
const isCount = (value: unknown): boolean =>
  typeof value === "number" && value >= 0 && (Number.isInteger(value) || value === Infinity);
const isTime = (value: unknown): boolean =>
  typeof value === "number" && (value <= longestTimeoutMs || value === Infinity);

type Kind = readonly [is: (value: unknown) => boolean, fix: string];

/** The kinds of setting values with the fix for others; `any` is checked where it is used. */
const kinds = {
  count: [isCount, "use an integer from 0 up"],
  bytes: [isCount, "use a whole number of bytes from 0 up"],
  series: [
    (value) => Number.isSafeInteger(value) && Number(value) >= 1,
    "use an integer from 1 up",
  ],
  // Elsewhere 0 means no deadline; here it would refuse every body and every response.
  time: [
    (value) => isTime(value) && Number(value) >= 1,
    `use 1 to ${longestTimeoutMs} milliseconds, or NoTimeout`,
  ],
  delay: [
    (value) => isTime(value) && Number(value) >= 0,
    `use 0 to ${longestTimeoutMs} milliseconds, or NoTimeout`,
  ],
  any: [() => true, ""],
  text: [isText, "use a string"],
  number: [(value) => typeof value === "number", "write a number"],
  flag: [(value) => typeof value === "boolean", "write true or false"],
  function: [isFunction, "use a function"],
  texts: [
    (value) => Array.isArray(value) && value.every(isText),
    'use an array of strings, for example ["a", "b"]',
  ],
  group: [isJsonObject, "use an object with the settings of the group"],
  words: [
    (value) => isJsonObject(value) && Object.values(value).every(isText),
    'use strings by key, for example { required: "please fill this in" }',
  ],
  lists: [
    isJsonObject,
    'use arrays by directive, for example { "img-src": ["https://cdn.example"] }',
  ],
  header: [(value) => isText(value) || value === Off, "write the header's value, or Off"],
  path: [(value) => isText(value) || value === Off, "write a path, or Off"],
  folder: [(value) => isText(value) && value !== "", "use a folder, or leave it out"],
  requestLog: [
    (value) => isFunction(value) || value === Off || value === "all",
    'use a function, "all", or Off',
  ],
  logger: [isLogger, "use a Logger, for example the result of createLogger"],
  off: [(value) => value === Off, "write Off, or leave it out"],
  env: [(value) => value === "dev" || value === "prod", 'write "dev" or "prod"'],
  listener: [(value) => value === "deno" || value === "node", 'write "deno" or "node"'],
  zone: [
    (value) => isText(value) && findTimeZone(value) !== undefined,
    'write a name of the time zone database, such as "Europe/Lisbon"',
  ],
  printable: [
    (value) => isText(value) && /^[\x21-\x7e]*$/.test(value),
    "write printable ASCII without spaces",
  ],
  token: [
    (value) => isText(value) && (value === "" || isToken(value)),
    "write letters, digits, hyphens and underscores",
  ],
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

const languageTexts: Shape<LanguageTexts> = {
  validationMessages: "words?",
  labels: "words?",
  errorPages: "words?",
};

type GroupName =
  | "timeouts"
  | "bodyLimits"
  | "openLimits"
  | "observability"
  | "csrf"
  | "security"
  | "rateLimit"
  | "cors";

const groups: { readonly [Name in GroupName]: Shape<NonNullable<Config[Name]>> } = {
  timeouts: {
    drainMs: "delay",
    shutdownMs: "delay",
    readMs: "time",
    writeMs: "time",
    idleMs: "time",
    maxHeaderBytes: "bytes",
  },
  bodyLimits: {
    maxFields: "count",
    maxFiles: "count",
    maxTextBytes: "bytes",
    maxMemoryBytes: "bytes",
    minBytesPerSecond: "count",
    maxJsonDepth: "count",
    maxJsonKeys: "count",
  },
  openLimits: { client: "count", site: "count", all: "count" },
  observability: {
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
  },
  csrf: { cookie: "token?", field: "printable?", header: "token?" },
  security: {
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
  },
  rateLimit: { rate: "number", burst: "number", store: "group?" },
  cors: {
    origins: "texts?",
    methods: "texts?",
    headers: "texts?",
    expose: "texts?",
    credentials: "flag?",
    maxAgeSeconds: "number?",
  },
};

/**
 * Checks that every setting exists and has the right type: a misspelt `trustedProxys` must not silently keep
 * the default. Its errors name the setting, its value and the fix.
 */
export function checkShape(config: Config): void {
  checkGroup("config", config, shape);
  for (const group of Object.keys(groups) as GroupName[]) {
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
  checkGroup(at.name, policy, groups.cors);
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
  const [is, fix]: Kind = kinds[kind];
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
