import { findNearest } from "../diagnose/nearest.ts";
import { isJsonObject } from "../values.ts";
import {
  type CorsPolicy,
  type CsrfNames,
  Off,
  type RateLimit,
  type SecuritySettings,
} from "./settings.ts";
import type { ObservabilitySettings } from "./observability.ts";
import type { Config, LanguageTexts } from "../ctx/config.ts";

/** The kinds of values that settings take, as messages name them. */
const kinds = {
  text: { is: (value: unknown) => typeof value === "string", fix: "use a string" },
  number: { is: (value: unknown) => typeof value === "number", fix: "write a number" },
  flag: { is: (value: unknown) => typeof value === "boolean", fix: "write true or false" },
  function: { is: (value: unknown) => typeof value === "function", fix: "use a function" },
  texts: {
    is: (value: unknown) =>
      Array.isArray(value) && value.every((entry) => typeof entry === "string"),
    fix: 'use an array of strings, for example ["a", "b"]',
  },
  group: {
    is: isJsonObject,
    fix: "use an object with the settings of the group",
  },
  words: {
    is: (value: unknown) =>
      isJsonObject(value) && Object.values(value).every((entry) => typeof entry === "string"),
    fix: 'use strings by key, for example { required: "please fill this in" }',
  },
  lists: {
    is: isJsonObject,
    fix: 'use arrays by directive, for example { "img-src": ["https://cdn.example"] }',
  },
  header: {
    is: (value: unknown) => typeof value === "string" || value === Off,
    fix: "write the header's value, or Off",
  },
  path: {
    is: (value: unknown) => typeof value === "string" || value === Off,
    fix: "write a path, or Off",
  },
  folder: {
    is: (value: unknown) => typeof value === "string" && value !== "",
    fix: "use a folder, or leave it out",
  },
  requestLog: {
    is: (value: unknown) => typeof value === "function" || value === Off || value === "all",
    fix: 'use a function, "all", or Off',
  },
  logger: {
    is: isLogger,
    fix: "use a Logger, for example the result of createLogger",
  },
  off: { is: (value: unknown) => value === Off, fix: "write Off, or leave it out" },
} as const;

type Kind = keyof typeof kinds;

/** A setting's kind by its name; those of other kinds are checked where they are used. */
type Shape<T> = Readonly<Partial<Record<keyof T, Kind>>>;

const shape: Shape<Config> = {
  addr: "text",
  variables: "words",
  compress: "flag",
  reusePort: "flag",
  logger: "logger",
  mounts: "group",
  staticCacheControl: "text",
  staticHeaders: "function",
  basePath: "text",
  timeouts: "group",
  maxBodyBytes: "number",
  bodyLimits: "group",
  openLimits: "group",
  spoolDir: "folder",
  logRequest: "requestLog",
  devReload: "off",
  csrf: "group",
  csrfForApi: "flag",
  security: "group",
  trustedProxies: "texts",
  publicOrigin: "text",
  zone: "text",
  allowedHosts: "texts",
  cors: "group",
  rateLimit: "group",
  onSecurityEvent: "function",
  observability: "group",
  problemType: "function",
  validationMessages: "words",
  labels: "words",
  languages: "texts",
  languagePrefix: "flag",
  languageTexts: "group",
};

const languageTextsShape: Required<Shape<LanguageTexts>> = {
  validationMessages: "words",
  labels: "words",
  errorPages: "words",
};

const csrfShape: Required<Shape<CsrfNames>> = { cookie: "text", field: "text", header: "text" };

const securityShape: Required<Shape<SecuritySettings>> = {
  csp: "header",
  cspExtra: "lists",
  delegated: "flag",
  nonce: "function",
  strictTransportSecurity: "header",
  frameOptions: "header",
  contentTypeOptions: "header",
  referrerPolicy: "header",
  permissionsPolicy: "header",
  crossOriginOpenerPolicy: "header",
};

const corsShape: Required<Shape<CorsPolicy>> = {
  origins: "texts",
  methods: "texts",
  headers: "texts",
  expose: "texts",
  credentials: "flag",
  maxAgeSeconds: "number",
};

// The token is checked where no message can repeat it.
const observabilityShape: Shape<ObservabilitySettings> = {
  health: "path",
  metrics: "text",
  trusted: "texts",
  details: "off",
  timeoutMs: "number",
  cacheForMs: "number",
  maxSeries: "number",
  incidents: "folder",
  requestIdHeader: "flag",
};

const rateShape: Required<Shape<RateLimit>> = { rate: "number", burst: "number", store: "group" };

/**
 * Checks that every setting exists and has the right type: a misspelt `trustedProxys` must not leave the
 * default. Its errors name the setting, its value and the fix.
 */
export function checkShape(config: Config, defaults: Config): void {
  checkGroup("config", { values: config, names: Object.keys(defaults), shape });
  const whole = {
    timeouts: {},
    bodyLimits: {},
    openLimits: {},
    observability: observabilityShape,
  } as const;
  for (const group of ["timeouts", "bodyLimits", "openLimits", "observability"] as const) {
    checkGroup(`config.${group}`, {
      values: config[group],
      names: Object.keys(defaults[group]),
      shape: whole[group],
    });
  }
  const groups = {
    csrf: [config.csrf, csrfShape],
    security: [config.security, securityShape],
    rateLimit: [config.rateLimit, rateShape],
  } as const;
  for (const [group, [values, own]] of Object.entries(groups)) {
    if (values === undefined) continue;
    checkGroup(`config.${group}`, { values, names: Object.keys(own), shape: own });
  }
  checkCorsShape(config.cors, { name: "config.cors" });
  for (const [language, values] of Object.entries(config.languageTexts)) {
    const group = `config.languageTexts["${language}"]`;
    refuseKind(group, { value: values, kind: "group" });
    checkGroup(group, {
      values,
      names: Object.keys(languageTextsShape),
      shape: languageTextsShape,
    });
  }
  for (const [directive, sources] of Object.entries(config.security.cspExtra ?? {})) {
    refuseKind(`config.security.cspExtra["${directive}"]`, { value: sources, kind: "texts" });
  }
}

/** Checks that every member of a CORS policy exists and has the right type. */
export function checkCorsShape(policy: CorsPolicy, at: { readonly name: string }): void {
  refuseKind(at.name, { value: policy, kind: "group" });
  checkGroup(at.name, { values: policy, names: Object.keys(corsShape), shape: corsShape });
}

function checkGroup(
  group: string,
  options: {
    readonly values: object;
    readonly names: readonly string[];
    readonly shape: Readonly<Record<string, Kind | undefined>>;
  },
): void {
  for (const [name, value] of Object.entries(options.values)) {
    if (!options.names.includes(name)) {
      const near = findNearest(name, options.names);
      const guess = near === undefined ? "" : ` Did you mean ${near}?`;
      throw new TypeError(
        `Cannot set ${group}.${name}: there is no such setting.${guess} There are ${
          options.names.join(", ")
        }.`,
      );
    }
    const kind = options.shape[name];
    if (kind !== undefined && value !== undefined) refuseKind(`${group}.${name}`, { value, kind });
  }
}

function refuseKind(
  setting: string,
  options: { readonly value: unknown; readonly kind: Kind },
): void {
  const { value, kind } = options;
  const { is, fix } = kinds[kind];
  if (is(value)) return;
  throw new TypeError(`Cannot set ${setting} to ${show(value)}: ${fix}.`);
}

function isLogger(value: unknown): boolean {
  return typeof value === "object" && value !== null &&
    ["debug", "info", "warn", "error", "with"].every((name) =>
      typeof Reflect.get(value, name) === "function"
    );
}

function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 100));
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : `"${String(value)}"`;
}
