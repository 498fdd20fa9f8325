import { eventsPath, reloadScriptPath } from "../conventions.ts";
import { minSecretBytes } from "../crypto.ts";
import { type IpNetwork, parseNetwork } from "../ip.ts";
import { maskSecrets } from "./mask.ts";
import { Off } from "./settings.ts";
import { isPlainPath } from "../url/path.ts";

/** Settings of the health probes and the metrics. */
export interface ObservabilitySettings {
  /**
   * The path of the probes: `/live` and `/ready` below it, and readiness at the path itself. `Off` omits
   * them. @default "/_fw/health"
   */
  health: string | typeof Off;
  /**
   * The path at which Prometheus reads the metrics; variable `FW_METRICS`. Without it, requests are not
   * measured. @default none
   */
  metrics: string | undefined;
  /**
   * The token that grants access to details and metrics as `Authorization: Bearer <token>`: 32 characters or
   * more; variable `FW_OBS_TOKEN`. @default none
   */
  token: string | undefined;
  /**
   * The clients that need no token, as addresses or CIDRs; variable `FW_OBS_TRUSTED`. They must reach the
   * application directly, or through `trustedProxies`, and ask for an address, `localhost` or a name in
   * `allowedHosts`. @default none
   */
  trusted: readonly string[];
  /**
   * The clients that see which check failed and why; `Off` hides it from all of them. @default all clients in
   * development, authorised clients in production
   */
  details: typeof Off | undefined;
  /** Timeout of a check, in milliseconds; `NoTimeout` disables it. @default 2000 */
  timeoutMs: number;
  /** Lifetime of a readiness result, in milliseconds; 0 or `NoTimeout` checks each time. @default 1000 */
  cacheForMs: number;
  /** Maximum number of series of a metric. @default 1000 */
  maxSeries: number;
  /**
   * The folder that keeps requests answered with a 5xx, so that `fw incident` can write a test of them;
   * variable `FW_INCIDENTS`. Cookies, authorization, tokens and fields that look secret are left out. The
   * process needs `--allow-read` and `--allow-write` for it. @default none
   */
  incidents: string | undefined;
}

export function defaultObservability(): ObservabilitySettings {
  return maskSecrets({
    health: "/_fw/health",
    metrics: undefined,
    token: undefined,
    trusted: [],
    details: undefined,
    timeoutMs: 2_000,
    cacheForMs: 1_000,
    maxSeries: 1_000,
    incidents: undefined,
  });
}

/**
 * Checks the settings that can be wrong.
 *
 * @throws {TypeError} or {RangeError} naming the setting, its value and the fix.
 */
export function checkObservability(settings: ObservabilitySettings): void {
  checkPaths(settings);
  checkToken(settings.token);
  parseTrusted(settings.trusted);
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

/**
 * Reads the networks whose clients need no token.
 *
 * @throws {TypeError} naming the setting, its value and the fix.
 */
export function parseTrusted(trusted: readonly string[]): IpNetwork[] {
  return trusted.map((text) => {
    const network = parseNetwork(text);
    if (network !== undefined) return network;
    throw new TypeError(
      `Cannot trust "${text}" (config.observability.trusted, FW_OBS_TRUSTED): write an address or a CIDR such as "10.0.0.0/8".`,
    );
  });
}
