import type { Application } from "../ctx/application.ts";
import type { Config, Settings } from "../ctx/config.ts";
import { eventsPath, reloadScriptPath } from "../conventions.ts";
import { parseAddress, parseEnv, readVariable, type Variables } from "../env.ts";
import { type IpNetwork, parseNetworks } from "../ip.ts";
import { type CsrfNames, type ObservabilitySettings, Off } from "./settings.ts";
import { checkShape, eachVariable, isGroup, listSettings, type Row, type Rows } from "./table.ts";

export { type CsrfNames, NoTimeout, Off, type OpenLimits, type Timeouts } from "./settings.ts";
export type { Config, Settings } from "../ctx/config.ts";

export function defaultConfig(): Config {
  return fillDefaults(listSettings()) as unknown as Config;
}

function fillDefaults(rows: Rows): object {
  const present = Object.entries(rows).filter(([, row]) => typeof row !== "string");
  const fallback = (row: unknown): unknown =>
    isGroup(row) ? fillDefaults(row) : (row as Row<unknown>)[1];
  return maskSecrets(Object.fromEntries(present.map(([name, row]) => [name, fallback(row)])));
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

export function checkConfig(config: Config): void {
  checkShape(config);
  parseAddress(config.addr);
  if (config.reusePort && config.listener === "node") {
    throw new TypeError(
      'Cannot set config.reusePort (FW_REUSE_PORT) with listener "node": use listener "deno".',
    );
  }
  checkPaths(config.observability);
  parseTrusted(config.observability.trusted);
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
  const { metrics, ...taken } = observabilityPaths(settings);
  const own = [...Object.values(taken), eventsPath, reloadScriptPath];
  if (metrics === undefined || !own.includes(metrics)) return;
  throw new TypeError(
    `Cannot set config.observability.metrics (FW_METRICS) to "${metrics}": the framework serves something else there; choose another path.`,
  );
}

export function parseTrusted(trusted: readonly string[]): IpNetwork[] {
  return parseNetworks(trusted, "config.observability.trusted, FW_OBS_TRUSTED");
}

export type SentCsrfNames = Required<Omit<CsrfNames, "cookie">>;

export function csrfNames({ csrf: { field, header } }: Pick<Config, "csrf">): SentCsrfNames {
  return { field: field || "_csrf", header: header || "X-CSRF-Token" };
}

/** Returns a base path without a trailing slash, `""` for none. */
export function trimBasePath(text: string): string {
  return text.replace(/\/+$/, "");
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

/** Freezes the configuration: a later change would have no effect, so it throws. */
export function freezeConfig(config: Config): void {
  // A copy, because the caller may keep using the object that it passed.
  config.variables = Object.freeze({ ...config.variables });
  Object.freeze(config.languages);
  for (const [name, row] of Object.entries(listSettings())) {
    const [kind] = Array.isArray(row) ? row : ["group"];
    if (kind.startsWith("group")) Object.freeze(Reflect.get(config, name));
  }
  Object.freeze(config);
}

const secretNames: ReadonlySet<string> = new Set(["secret", "previousSecret", "token"]);

/** Masks secrets where settings are printed or serialized; settings can still be read. */
function maskSecrets<T extends object>(settings: T): T {
  const value = (): object => mapValues(settings, mask);
  // Not enumerable, so that a copy contains settings only.
  return Object.defineProperties(settings, {
    toJSON: { value },
    [Symbol.for("nodejs.util.inspect.custom")]: { value },
  });
}

function mask(name: string, value: unknown): unknown {
  if (name === "variables") return mapValues(value as object, () => "[hidden]");
  // Setup may have replaced it.
  if (name === "observability") return mapValues(value as object, mask);
  return secretNames.has(name) && value !== undefined ? "[hidden]" : value;
}

function mapValues(values: object, map: (name: string, value: unknown) => unknown): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, map(name, value)]),
  );
}
