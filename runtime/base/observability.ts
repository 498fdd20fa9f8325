import type { Off } from "./off.ts";

/** What the application tells whoever watches it: probes and metrics. */
export interface ObservabilitySettings {
  /**
   * The path below which the probes are: `/live` and `/ready`, and the path itself for the latter.
   * `Off` leaves them out. @default "/_fw/health"
   */
  health: string | typeof Off;
  /**
   * The path at which Prometheus reads the metrics; variable `FW_METRICS`. Without one, or with `""`,
   * there is no endpoint and no request is measured. @default none
   */
  metrics: string | undefined;
  /**
   * Lets whoever sends `Authorization: Bearer <token>` read details and metrics: 32 characters or more;
   * variable `FW_OBS_TOKEN`. @default none
   */
  token: string | undefined;
  /**
   * The clients that need no token, as addresses or CIDRs; variable `FW_OBS_TRUSTED`. They must reach
   * the application directly, or through `trustedProxies`. @default none
   */
  trusted: readonly string[];
  /**
   * Who sees which check failed and why: `Off` nobody. @default everybody in development, the
   * authorised in production
   */
  details: typeof Off | undefined;
  /** How long a check may take, in milliseconds; `NoTimeout` waits for ever. @default 2000 */
  timeoutMs: number;
  /** How long a readiness result is good, in milliseconds; 0 or `NoTimeout` checks each time. @default 1000 */
  cacheForMs: number;
  /** How many series a metric may have. @default 1000 */
  maxSeries: number;
}

/** The settings of an application that was told nothing. */
export function defaultObservability(): ObservabilitySettings {
  return {
    health: "/_fw/health",
    metrics: undefined,
    token: undefined,
    trusted: [],
    details: undefined,
    timeoutMs: 2_000,
    cacheForMs: 1_000,
    maxSeries: 1_000,
  };
}
