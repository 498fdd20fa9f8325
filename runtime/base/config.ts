import { parseAddress, parseEnv, readVariable } from "./env.ts";
import type { Logger } from "./log.ts";
import type { Ctx, Env } from "./types.ts";

/** Turns a setting off where a missing value would mean its default. */
export const Off: unique symbol = Symbol.for("fw.Off");

/** Disables a deadline. */
export const NoTimeout: number = Infinity;

/** How long the server waits, in milliseconds; {@link NoTimeout} waits for ever. */
export interface Timeouts {
  /** How long requests in flight may go on after SIGINT or SIGTERM. @default 5000 */
  shutdownMs: number;
}

/**
 * The settings of an application. `configFromEnv` fills it from the environment, the application's
 * own `Config` changes it, and it is frozen when the first request is served.
 */
export interface Config {
  /** Where `listenAndServe` listens; variables `ADDR` and `PORT`. @default ":3000" */
  addr: string;
  /** Where the application runs; variable `FW_ENV`. @default "prod" */
  env: Env;
  /** Takes the log. @default JSON lines in production, text in development */
  logger: Logger | undefined;
  /** The folder of the static files, served at the root. @default `public/` beside the application */
  public: string | URL | undefined;
  /** The URL prefix of the application; variable `FW_BASE_PATH`. @default "" */
  basePath: string;
  /** How long the server waits. */
  timeouts: Timeouts;
  /**
   * Decides whether an answered request is logged; a 5xx always is.
   *
   * @default every request that matched a route
   */
  logRequest: ((c: Ctx, status: number, durationMs: number) => boolean) | typeof Off | undefined;
  /** `Off` leaves the reload script out of pages in development; variable `FW_DEV_RELOAD=off`. */
  devReload: typeof Off | undefined;
  /** Gives the `type` of a problem document by its status. @default "about:blank" */
  problemType: ((status: number) => string | undefined) | undefined;
}

/** The settings of an application that was told nothing. */
export function defaultConfig(): Config {
  return {
    addr: ":3000",
    env: "prod",
    logger: undefined,
    public: undefined,
    basePath: "",
    timeouts: { shutdownMs: 5_000 },
    logRequest: undefined,
    devReload: undefined,
    problemType: undefined,
  };
}

/**
 * Reads the settings from the environment; what no variable names keeps its default.
 *
 * @returns A new configuration.
 * @throws {TypeError} naming the variable, its value and the mend.
 */
export function configFromEnv(): Config {
  const config = defaultConfig();
  const env = readVariable("FW_ENV");
  if (env !== undefined) config.env = parseEnv(env);
  const port = readVariable("PORT");
  const addr = readVariable("ADDR");
  if (addr !== undefined) config.addr = addr;
  else if (port !== undefined) config.addr = `:${port}`;
  config.basePath = readVariable("FW_BASE_PATH") ?? "";
  if (readVariable("FW_DEV_RELOAD")?.toLowerCase() === "off") config.devReload = Off;
  return config;
}

/**
 * Checks the settings that can be wrong.
 *
 * @throws {TypeError} or {RangeError} naming the setting, its value and the mend.
 */
export function checkConfig(config: Config): void {
  parseAddress(config.addr);
  if (config.env !== "dev" && config.env !== "prod") {
    throw new TypeError(`Cannot set config.env to "${config.env}": write "dev" or "prod".`);
  }
  const { shutdownMs } = config.timeouts;
  if (!(shutdownMs >= 0)) {
    throw new RangeError(
      `Cannot set timeouts.shutdownMs to "${shutdownMs}": give milliseconds from 0 up.`,
    );
  }
  parseBasePath(config.basePath);
}

/**
 * Reads a base path: `/shop` and `/shop/` are one.
 *
 * @returns The prefix without a trailing slash; `""` for none.
 * @throws {TypeError} for a prefix that no request path can start with.
 */
export function parseBasePath(text: string): string {
  const base = text.replace(/\/+$/, "");
  if (base === "") return "";
  if (!/^(\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$/.test(base) || /\/\.\.?(\/|$)/.test(base)) {
    throw new TypeError(
      `Cannot set the base path "${text}": write a path such as "/shop", without dots, queries or escapes.`,
    );
  }
  return base;
}
