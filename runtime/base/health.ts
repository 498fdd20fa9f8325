/** Whether something works. */
export type HealthStatus = "pass" | "fail";

/** What one check found. */
export interface CheckResult {
  /** The name of the check. */
  readonly name: string;
  /** Whether it passed. */
  readonly status: HealthStatus;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
  /** Why it failed: the message of its error. */
  readonly error: string | undefined;
}

/** Whether the application can serve, as `app.healthReport()` tells. */
export interface HealthReport {
  /** `fail` where one check failed, or the application is stopping. */
  readonly status: HealthStatus;
  /** The checks in the order in which they were added. */
  readonly checks: readonly CheckResult[];
  /** How long ago the application was made, in seconds. */
  readonly uptimeSeconds: number;
}

/**
 * Tells whether something that the application needs works: it passes unless it throws, rejects or gives
 * an error.
 *
 * @param signal Aborts when the time of the check is up.
 */
export type HealthCheck = (signal: AbortSignal) => void | Error | Promise<void | Error>;
