import { parseAddress, parseEnv, readVariable, type Variables } from "../env.ts";
import { checkShape } from "./shape.ts";
import { minSecretBytes, secretBytes } from "../crypto.ts";
import { checkObservability, defaultObservability } from "./observability.ts";
import { maskSecrets } from "./mask.ts";
import { type CsrfNames, Off } from "./settings.ts";
import { isPlainPath } from "../url/path.ts";
import type { Application } from "../ctx/application.ts";
import type { Config, Settings } from "../ctx/config.ts";

export { type CsrfNames, NoTimeout, Off, type OpenLimits, type Timeouts } from "./settings.ts";
export type { Config, Settings } from "../ctx/config.ts";

export function defaultConfig(): Config {
  return maskSecrets({
    addr: ":3000",
    variables: {},
    listener: "deno",
    reusePort: false,
    compress: true,
    env: "prod",
    logger: undefined,
    public: undefined,
    mounts: {},
    staticCacheControl: undefined,
    staticHeaders: undefined,
    basePath: "",
    timeouts: {
      drainMs: 2_000,
      shutdownMs: 5_000,
      readMs: 60_000,
      writeMs: 60_000,
      idleMs: 60_000,
      maxHeaderBytes: 16_384,
    },
    maxBodyBytes: 1_048_576,
    bodyLimits: {
      maxFields: 1_000,
      maxFiles: 100,
      maxTextBytes: 10_485_760,
      maxMemoryBytes: 262_144,
      minBytesPerSecond: 500,
      maxJsonDepth: 64,
      maxJsonKeys: 10_000,
    },
    openLimits: { client: 64, site: 512, all: 10_000 },
    spoolDir: undefined,
    logRequest: undefined,
    devReload: undefined,
    secret: undefined,
    previousSecret: undefined,
    csrf: {},
    csrfForApi: false,
    security: {},
    trustedProxies: [],
    publicOrigin: undefined,
    zone: "UTC",
    allowedHosts: [],
    cors: {},
    rateLimit: undefined,
    onSecurityEvent: undefined,
    observability: defaultObservability(),
    problemType: undefined,
    validationMessages: undefined,
    labels: undefined,
    languages: [],
    languagePrefix: false,
    languageTexts: {},
  });
}

/**
 * Reads the settings from the environment; `variables` win over it, and a setting without a variable keeps
 * its default.
 *
 * @throws {TypeError} naming the variable, its value and the fix.
 */
export function configFromEnv(variables: Variables = {}): Config {
  const config = defaultConfig();
  config.variables = variables;
  const env = readVariable("FW_ENV", variables);
  if (env !== undefined) config.env = parseEnv(env);
  config.addr = readAddress(config.addr, variables);
  config.basePath = readVariable("FW_BASE_PATH", variables) ?? "";
  config.secret = readVariable("FW_SECRET", variables);
  config.previousSecret = readVariable("FW_SECRET_PREVIOUS", variables);
  config.trustedProxies = readList("FW_TRUSTED_PROXIES", variables);
  config.allowedHosts = readList("FW_ALLOWED_HOSTS", variables);
  config.publicOrigin = readVariable("FW_ORIGIN", variables);
  if (readSwitch("FW_DEV_RELOAD", variables) === false) config.devReload = Off;
  config.reusePort = readSwitch("FW_REUSE_PORT", variables) ?? false;
  config.observability.token = readVariable("FW_OBS_TOKEN", variables);
  config.observability.metrics = readVariable("FW_METRICS", variables);
  config.observability.trusted = readList("FW_OBS_TRUSTED", variables);
  config.observability.incidents = readVariable("FW_INCIDENTS", variables);
  return config;
}

/** Reads `ADDR`; if it has no port, `PORT` is used. */
function readAddress(fallback: string, variables: Variables): string {
  const addr = readVariable("ADDR", variables);
  const port = readVariable("PORT", variables);
  const isHost = addr !== undefined && /^(?:\[[^\]]*\]|(?!\d+$)[^:[\]\s/]+)$/.test(addr.trim());
  if (addr !== undefined && !isHost) return addr;
  if (port !== undefined) return `${addr?.trim() ?? ""}:${parsePort(port)}`;
  return isHost ? addr.trim() + fallback.slice(fallback.lastIndexOf(":")) : fallback;
}

function parsePort(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text;
  throw new TypeError(`Cannot read PORT "${text}": write a number from 0 to 65535.`);
}

function readSwitch(name: string, variables: Variables): boolean | undefined {
  const text = readVariable(name, variables)?.trim().toLowerCase();
  if (text === undefined || text === "on" || text === "off") {
    return text === undefined ? undefined : text === "on";
  }
  throw new TypeError(`Cannot read ${name} "${text}": write "on" or "off".`);
}

function readList(name: string, variables: Variables): string[] {
  const text = readVariable(name, variables);
  if (text === undefined) return [];
  const entries = text.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "");
  // An empty list would turn the check off, which is not the intent of a set variable.
  if (entries.length > 0) return entries;
  throw new TypeError(
    `Cannot read ${name} "${text}": write entries with commas between them, or unset it.`,
  );
}

/** Checks the settings that can be wrong; its errors name the setting, its value and the fix. */
export function checkConfig(config: Config): void {
  checkShape(config);
  parseAddress(config.addr);
  if (config.reusePort && config.listener === "node") {
    throw new TypeError(
      'Cannot set config.reusePort (FW_REUSE_PORT) with listener "node": use listener "deno".',
    );
  }
  parseBasePath(config.basePath);
  checkOrigin(config.publicOrigin);
  checkSecret("config.secret (FW_SECRET)", config.secret);
  checkSecret("config.previousSecret (FW_SECRET_PREVIOUS)", config.previousSecret);
  checkObservability(config.observability);
}

/** Rejects a missing or too short secret; the message must not contain it. */
function checkSecret(setting: string, secret: string | Uint8Array | undefined): void {
  if (secret === undefined) return;
  if (typeof secret !== "string" && !((secret as unknown) instanceof Uint8Array)) {
    throw new TypeError(`Cannot set ${setting}: use a string or a Uint8Array.`);
  }
  // Whitespace around a key is a mistake, and it adds no entropy.
  const { length } = secretBytes(typeof secret === "string" ? secret.trim() : secret);
  if (length < minSecretBytes) {
    throw new RangeError(
      `Cannot set ${setting} to a secret of ${length} bytes: use ${minSecretBytes} or more, for example what "openssl rand -base64 48" prints.`,
    );
  }
}

/** The names by which a client sends the CSRF token back. */
export type SentCsrfNames = Required<Omit<CsrfNames, "cookie">>;

export function csrfNames({ csrf: { field, header } }: Pick<Config, "csrf">): SentCsrfNames {
  return { field: field || "_csrf", header: header || "X-CSRF-Token" };
}

/**
 * Reads a base path and returns it without a trailing slash, `""` for none.
 *
 * @throws {TypeError} for a prefix that no request path can start with.
 */
export function parseBasePath(text: string): string {
  const base = text.replace(/\/+$/, "");
  if (base === "") return "";
  if (!isPlainPath(base)) {
    throw new TypeError(
      `Cannot set config.basePath (FW_BASE_PATH) to "${text}": write a path such as "/shop", without dots, queries or escapes.`,
    );
  }
  return base;
}

function checkOrigin(origin: string | undefined): void {
  if (origin === undefined) return;
  const url = URL.parse(origin);
  if (url !== null && /^https?:$/.test(url.protocol) && url.origin === origin) return;
  throw new TypeError(
    `Cannot set config.publicOrigin (FW_ORIGIN) to "${origin}": write a scheme and a host, such as "https://example.org", without a path.`,
  );
}

/** Returns a configuration overridden by settings; a setting that is `undefined` changes nothing. */
export function overlaySettings(base: Config, settings: Settings): Config {
  const given = withoutUndefined(settings);
  return maskSecrets({
    ...base,
    ...given,
    timeouts: { ...base.timeouts, ...withoutUndefined(given.timeouts) },
    bodyLimits: { ...base.bodyLimits, ...withoutUndefined(given.bodyLimits) },
    openLimits: { ...base.openLimits, ...withoutUndefined(given.openLimits) },
    observability: maskSecrets({
      ...base.observability,
      ...withoutUndefined(given.observability),
    }),
  });
}

function withoutUndefined<T extends object>(values: T | undefined): Partial<T> {
  const given: Partial<T> = { ...values };
  for (const name in given) if (given[name] === undefined) delete given[name];
  return given;
}

/**
 * Reads a variable: from `config.variables` if it is there, otherwise from the environment; `undefined`
 * where it is absent or empty. Code that reads its variables this way can be tested without changing the
 * process.
 *
 * @param owner The configuration in `Config`, or the application in `Setup`.
 * @throws {Deno.errors.NotCapable} when the process may not read the variable.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App, variable } from "@fw/fw";
 *
 * const app = new App({ variables: { EVENTS_DB: ":memory:" } });
 * assertEquals(variable(app, "EVENTS_DB"), ":memory:");
 * ```
 */
export function variable(owner: Application | Config, name: string): string | undefined {
  const { variables } = "config" in owner ? owner.config : owner;
  return readVariable(name, variables);
}
