import type { Config, LanguageTexts } from "../ctx/config.ts";
import { minSecretBytes, secretBytes } from "../crypto.ts";
import { hideCredentials } from "../diagnose/error_text.ts";
import { findNearest } from "../diagnose/nearest.ts";
import { isToken } from "../headers.ts";
import { findTimeZone } from "../local_time.ts";
import { isPlainPath } from "../url/path.ts";
import { isJsonObject } from "../values.ts";
import { type CorsPolicy, Off, type RateLimit } from "./settings.ts";

/** The longest delay that `setTimeout` accepts, in milliseconds; a longer one fires at once. */
const longestTimeoutMs = 2_147_483_647;

type Test = (value: unknown) => boolean;

const isText = (value: unknown): value is string => typeof value === "string";
const isFunction: Test = (value) => typeof value === "function";
const isCount: Test = (value) =>
  typeof value === "number" && value >= 0 && (Number.isInteger(value) || value === Infinity);
const isTime = (value: unknown, least: number): boolean =>
  typeof value === "number" && value >= least &&
  (value <= longestTimeoutMs || value === Infinity);
const isOneOf = (...values: readonly unknown[]): Test => (value) => values.includes(value);
const isPath = (value: unknown): boolean => isText(value) && isPlainPath(value);

/** Rejects an origin that differs from the one that browsers send. */
const isOrigin: Test = (value) => {
  const url = isText(value) ? URL.parse(value) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === value;
};

/** Returns the length of a secret. Whitespace around a key is a mistake, and it adds no entropy. */
const countSecretBytes = (value: unknown): number =>
  isText(value) || value instanceof Uint8Array
    ? secretBytes(isText(value) ? value.trim() : value).length
    : 0;

/** A token as `Authorization: Bearer` carries it (RFC 6750, section 2.1). */
const bearerToken = /^[A-Za-z0-9._~+/-]+=*$/;

/** The kinds of setting values with the fix for others; `any` is checked where it is used. */
const kinds = {
  count: [isCount, "use an integer from 0 up"],
  bytes: [isCount, "use a whole number of bytes from 0 up"],
  series: [
    (value) => Number.isSafeInteger(value) && Number(value) >= 1,
    "use an integer from 1 up",
  ],
  // Elsewhere 0 means no deadline; here it would refuse every body and every response.
  time: [(value) => isTime(value, 1), `use 1 to ${longestTimeoutMs} milliseconds, or NoTimeout`],
  delay: [(value) => isTime(value, 0), `use 0 to ${longestTimeoutMs} milliseconds, or NoTimeout`],
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
  basePath: [
    (value) => isText(value) && (/^\/*$/.test(value) || isPlainPath(value.replace(/\/+$/, ""))),
    'write a path such as "/shop", without dots, queries or escapes',
  ],
  health: [
    (value) => value === Off || isPath(value),
    'write a path such as "/health", without dots, queries or escapes, or Off',
  ],
  metrics: [
    (value) => value === "" || isPath(value),
    'write a path such as "/metrics", without dots, queries or escapes',
  ],
  origin: [isOrigin, 'write a scheme and a host, such as "https://example.org", without a path'],
  secret: [
    (value) => countSecretBytes(value) >= minSecretBytes,
    `use a string or a Uint8Array of ${minSecretBytes} bytes or more, for example what ` +
    '"openssl rand -base64 48" prints',
  ],
  bearer: [
    (value) => isText(value) && value.length >= minSecretBytes && bearerToken.test(value),
    `use ${minSecretBytes} letters, digits and "-._~+/" or more, with "=" at the end only, for ` +
    'example what "openssl rand -hex 32" prints',
  ],
  folder: [(value) => isText(value) && value !== "", "use a folder, or leave it out"],
  requestLog: [
    (value) => isFunction(value) || value === Off || value === "all",
    'use a function, "all", or Off',
  ],
  logger: [isLogger, "use a Logger, for example the result of createLogger"],
  off: [isOneOf(Off), "write Off, or leave it out"],
  env: [isOneOf("dev", "prod"), 'write "dev" or "prod"'],
  listener: [isOneOf("deno", "node"), 'write "deno" or "node"'],
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
} satisfies Readonly<Record<string, readonly [is: Test, fix: string]>>;

/** The kinds of numbers with a range, whose faults are a `RangeError`. */
const ranges = /^(?:count|bytes|series|time|delay)$/;

type KindName = keyof typeof kinds;

/** A kind by its name, with a question mark if the value may be `undefined`. */
type Kind<T> = undefined extends T ? `${KindName}?` : KindName;

/** A setting that is always there: its kind, its default, and the variable that sets it. */
export type Row<T> = readonly [kind: Kind<T>, fallback?: T, variable?: string];

/** The settings of a group by name; the kind alone for one that may be missing. */
type Table<T> = {
  readonly [Name in keyof T]-?: Record<never, never> extends Pick<T, Name> ? Kind<T[Name]>
    : Row<T[Name]> | Table<T[Name]>;
};

const cors: Table<CorsPolicy> = {
  origins: "texts?",
  methods: "texts?",
  headers: "texts?",
  expose: "texts?",
  credentials: "flag?",
  maxAgeSeconds: "number?",
};

const rateLimit: Table<RateLimit> = { rate: ["number"], burst: ["number"], store: "group?" };

const languageTexts: Table<LanguageTexts> = {
  validationMessages: "words?",
  labels: "words?",
  errorPages: "words?",
};

/** Every setting; a function, so that each configuration has its own objects and arrays. */
export const listSettings = (): Table<Config> => ({
  addr: ["text", ":3000"],
  variables: ["words", {}],
  listener: ["listener", "deno"],
  compress: ["flag", true],
  reusePort: ["flag", false, "FW_REUSE_PORT"],
  env: ["env", "prod", "FW_ENV"],
  logger: ["logger?"],
  public: ["any?"],
  mounts: ["group", {}],
  staticCacheControl: ["text?"],
  staticHeaders: ["function?"],
  basePath: ["basePath", "", "FW_BASE_PATH"],
  timeouts: {
    drainMs: ["delay", 2_000],
    shutdownMs: ["delay", 5_000],
    readMs: ["time", 60_000],
    writeMs: ["time", 60_000],
    idleMs: ["time", 60_000],
    maxHeaderBytes: ["bytes", 16_384],
  },
  maxBodyBytes: ["bytes", 1_048_576],
  bodyLimits: {
    maxFields: ["count", 1_000],
    maxFiles: ["count", 100],
    maxTextBytes: ["bytes", 10_485_760],
    maxMemoryBytes: ["bytes", 262_144],
    minBytesPerSecond: ["count", 500],
    maxJsonDepth: ["count", 64],
    maxJsonKeys: ["count", 10_000],
  },
  openLimits: { client: ["count", 64], site: ["count", 512], all: ["count", 10_000] },
  spoolDir: ["folder?"],
  logRequest: ["requestLog?"],
  devReload: ["off?"],
  secret: ["secret?", undefined, "FW_SECRET"],
  previousSecret: ["secret?", undefined, "FW_SECRET_PREVIOUS"],
  csrf: { cookie: "token?", field: "printable?", header: "token?" },
  csrfForApi: ["flag", false],
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
  trustedProxies: ["texts", [], "FW_TRUSTED_PROXIES"],
  publicOrigin: ["origin?", undefined, "FW_ORIGIN"],
  zone: ["zone", "UTC"],
  allowedHosts: ["texts", [], "FW_ALLOWED_HOSTS"],
  cors,
  rateLimit: ["group?"],
  onSecurityEvent: ["function?"],
  observability: {
    health: ["health", "/_fw/health"],
    metrics: ["metrics?", undefined, "FW_METRICS"],
    token: ["bearer?", undefined, "FW_OBS_TOKEN"],
    trusted: ["texts", [], "FW_OBS_TRUSTED"],
    details: ["off?"],
    timeoutMs: ["time", 2_000],
    cacheForMs: ["delay", 1_000],
    maxSeries: ["series", 1_000],
    incidents: ["folder?", undefined, "FW_INCIDENTS"],
  },
  problemType: ["function?"],
  validationMessages: ["words?"],
  labels: ["words?"],
  languages: ["texts", []],
  languagePrefix: ["flag", false],
  languageTexts: ["group", {}],
});

export type Rows = Readonly<Record<string, unknown>>;

export const isGroup = (row: unknown): row is Rows =>
  typeof row === "object" && !Array.isArray(row);

/**
 * Lists the settings by their path, such as `security.csp`, for readers of the code of an application.
 *
 * @returns The kind of each setting, its default, and the variable that sets it.
 */
export function settingRows(
  rows: Readonly<Record<string, unknown>> = listSettings() as unknown as Rows,
  group = "",
): (readonly [
  path: string,
  row: readonly [kind: string, fallback?: unknown, variable?: string],
])[] {
  return Object.entries(rows).flatMap(([name, row]) =>
    isGroup(row)
      ? settingRows(row, `${group}${name}.`)
      : [[group + name, typeof row === "string" ? [row] : row as Row<unknown>] as const]
  );
}

export function eachVariable(
  config: Config,
  visit: (variable: string, kind: string, set: (value: unknown) => void) => void,
): void {
  for (const [path, [kind, , variable]] of settingRows()) {
    const [name = "", group] = path.split(".").reverse();
    const owner = group === undefined ? config : Reflect.get(config, group);
    const set = (value: unknown): void => void Reflect.set(owner, name, value);
    if (variable !== undefined) visit(variable, kind.replace("?", ""), set);
  }
}

/**
 * Checks that every setting exists and has the right type: a misspelt `trustedProxys` must not silently keep
 * the default. Its errors name the setting, its value and the fix.
 */
export function checkShape(config: Config): void {
  checkGroup("config", config, listSettings());
  if (config.rateLimit !== undefined) checkGroup("config.rateLimit", config.rateLimit, rateLimit);
  for (const [language, values] of Object.entries(config.languageTexts)) {
    checkGroup(`config.languageTexts["${language}"]`, values, languageTexts);
  }
  for (const [directive, sources] of Object.entries(config.security.cspExtra ?? {})) {
    checkKind(`config.security.cspExtra["${directive}"]`, sources, "texts");
  }
}

export function checkCorsShape(policy: CorsPolicy, at: { readonly name: string }): void {
  checkGroup(at.name, policy, cors);
}

function checkGroup(group: string, values: object, rows: object): void {
  checkKind(group, values, "group");
  const names = Object.keys(rows);
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const near = findNearest(unknown, names);
    const guess = near === undefined ? "" : ` Did you mean ${near}?`;
    const known = names.join(", ");
    throw new TypeError(
      `Cannot set ${group}.${unknown}: there is no such setting.${guess} There are ${known}.`,
    );
  }
  for (const [name, row] of Object.entries(rows)) {
    const value = Reflect.get(values, name);
    if (isGroup(row)) checkGroup(`${group}.${name}`, value, row);
    else {
      const [kind, , variable] = typeof row === "string" ? [row] : row as Row<unknown>;
      const told = variable === undefined ? "" : ` (${variable})`;
      checkKind(`${group}.${name}${told}`, value, kind);
    }
  }
}

function checkKind(setting: string, value: unknown, kind: string): void {
  if (value === undefined && kind.endsWith("?")) return;
  const [is, fix] = kinds[kind.replace("?", "") as KindName];
  if (is(value)) return;
  const Fault = typeof value === "number" && ranges.test(kind) ? RangeError : TypeError;
  // The message must not contain a secret.
  const shown = /^(?:secret|bearer)/.test(kind)
    ? `a secret of ${countSecretBytes(value)} bytes`
    : show(value);
  throw new Fault(`Cannot set ${setting} to ${shown}: ${fix}.`);
}

function isLogger(value: unknown): boolean {
  return typeof value === "object" && value !== null &&
    ["debug", "info", "warn", "error", "with"].every((name) =>
      isFunction(Reflect.get(value, name))
    );
}

function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(hideCredentials(value).slice(0, 100));
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : `"${String(value)}"`;
}
