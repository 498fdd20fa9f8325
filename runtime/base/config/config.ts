import type { Application } from "../ctx/application.ts";
import type { Config, Settings } from "../ctx/config.ts";
import { eventsPath, reloadScriptPath } from "../conventions.ts";
import { minSecretBytes, secretBytes } from "../crypto.ts";
import { parseAddress, parseEnv, readVariable, type Variables } from "../env.ts";
import { type IpNetwork, parseNetworks } from "../ip.ts";
import { isPlainPath } from "../url/path.ts";
import { type CsrfNames, type ObservabilitySettings, Off } from "./settings.ts";
import { checkShape, defaultConfig, eachVariable, maskSecrets } from "./table.ts";

export { type CsrfNames, NoTimeout, Off, type OpenLimits, type Timeouts } from "./settings.ts";
export type { Config, Settings } from "../ctx/config.ts";
export { defaultConfig, freezeConfig } from "./table.ts";

/**
 * Reads the settings from the environment; `variables` win over it, and a setting without a variable keeps
 * its default.
 *
 * @throws {TypeError} naming the variable, its value and the fix.
 */
export function configFromEnv(variables: Variables = {}): Config {
  const config = defaultConfig();
  config.variables = variables;
  config.addr = readAddress(config.addr, variables);
  const reload = readVariable("FW_DEV_RELOAD", variables);
  if (reload !== undefined && !parseSwitch("FW_DEV_RELOAD", reload)) config.devReload = Off;
  eachVariable(config, (name, kind, set) => {
    const text = readVariable(name, variables);
    if (text === undefined) return;
    if (kind === "env") set(parseEnv(text));
    else if (kind === "texts") set(parseList(name, text));
    else set(kind === "flag" ? parseSwitch(name, text) : text);
  });
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

function parseSwitch(name: string, text: string): boolean {
  const value = text.trim().toLowerCase();
  if (value === "on" || value === "off") return value === "on";
  throw new TypeError(`Cannot read ${name} "${text}": write "on" or "off".`);
}

function parseList(name: string, text: string): string[] {
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
  checkPaths(config.observability);
  checkToken(config.observability.token);
  parseTrusted(config.observability.trusted);
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

/** Returns the paths of the probes and the metrics inside the application; disabled ones are absent. */
export function observabilityPaths(
  { health, metrics }: Pick<ObservabilitySettings, "health" | "metrics">,
): Readonly<Partial<Record<"live" | "ready" | "health" | "metrics", string>>> {
  return {
    ...(health === Off ? {} : { live: `${health}/live`, ready: `${health}/ready`, health }),
    ...(metrics === undefined || metrics === "" ? {} : { metrics }),
  };
}

function checkPaths(settings: ObservabilitySettings): void {
  const { metrics } = settings;
  const { health, ...paths } = observabilityPaths(settings);
  for (const [setting, path] of [["health", health], ["metrics (FW_METRICS)", paths.metrics]]) {
    if (path === undefined || isPlainPath(path)) continue;
    throw new TypeError(
      `Cannot set config.observability.${setting} to "${path}": write a path such as "/metrics", without dots, queries or escapes.`,
    );
  }
  const taken = [health, paths.live, paths.ready, eventsPath, reloadScriptPath];
  if (metrics === undefined || !taken.includes(metrics)) return;
  throw new TypeError(
    `Cannot set config.observability.metrics (FW_METRICS) to "${metrics}": the framework serves something else there; choose another path.`,
  );
}

/** Refuses a token that can be guessed or that no request can carry; the message must not contain it. */
function checkToken(token: unknown): void {
  if (token === undefined) return;
  const setting = "config.observability.token (FW_OBS_TOKEN)";
  if (typeof token !== "string") throw new TypeError(`Cannot set ${setting}: use a string.`);
  if (token.length < minSecretBytes) {
    throw new RangeError(
      `Cannot set ${setting} to a token of ${token.length} characters: use ${minSecretBytes} or more, for example what "openssl rand -hex 32" prints.`,
    );
  }
  if (!bearerToken.test(token)) {
    throw new TypeError(
      `Cannot set ${setting}: a header carries letters, digits and "-._~+/" only, with "=" at the end; use what "openssl rand -hex 32" prints.`,
    );
  }
}

/** A token as `Authorization: Bearer` carries it (RFC 6750, section 2.1). */
const bearerToken = /^[A-Za-z0-9._~+/-]+=*$/;

/** Reads the networks whose clients need no token. */
export function parseTrusted(trusted: readonly string[]): IpNetwork[] {
  return parseNetworks(trusted, "config.observability.trusted, FW_OBS_TRUSTED");
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
    observability: maskSecrets({ ...base.observability, ...withoutUndefined(given.observability) }),
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
