/** The status of a check. */
export type HealthStatus = "pass" | "fail";

/** The result of one check. */
export interface CheckResult {
  /** The name of the check. */
  readonly name: string;
  /** Whether it passed. */
  readonly status: HealthStatus;
  /** Duration, in milliseconds. */
  readonly durationMs: number;
  /** Why it failed: the message of its error. */
  readonly error: string | undefined;
}

/** The application's ability to serve, as `app.healthReport()` returns it. */
export interface HealthReport {
  /** `fail` where one check failed, or the application is stopping. */
  readonly status: HealthStatus;
  /** The checks in the order in which they were added. */
  readonly checks: readonly CheckResult[];
  /** Age of the application, in seconds. */
  readonly uptimeSeconds: number;
}

/**
 * Checks a dependency of the application. The check passes unless it throws, rejects or returns an error.
 *
 * @param signal Aborts when the check's timeout expires.
 */
export type HealthCheck = (signal: AbortSignal) => void | Error | Promise<void | Error>;
