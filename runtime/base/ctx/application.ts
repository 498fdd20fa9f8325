import type { Env } from "../env.ts";
import type { Security } from "../observe/events.ts";
import type { HealthCheck, HealthReport } from "../observe/health.ts";
import type { Logger } from "../observe/logger.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Config } from "./config.ts";
import type { Route } from "./route.ts";

/** Options of `app.handler`. */
export interface HandlerOptions {
  /** Handles requests that no route and no file of the application matches. */
  readonly next?: (request: Request, info?: Deno.ServeHandlerInfo) => Response | Promise<Response>;
}

/** A fetch handler, as hosts accept it. */
export type FetchHandler = (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;

/** Starts background work and returns the function that ends it. */
export type StartWork = () => (() => void | Promise<void>) | Promise<() => void | Promise<void>>;

/** The application as handlers and `setup.ts` see it; the class is `App`. */
export interface Application {
  /** The configuration: writable until the first request, then frozen. */
  readonly config: Config;
  /** The environment: development or production. */
  readonly env: Env;
  /** The application's logger. */
  readonly log: Logger;
  /** The routes in the order in which they were added. */
  readonly routes: readonly Route[];
  /** Receives reports of blocked requests. */
  readonly security: Security;
  /** The metrics of the application. */
  readonly metrics: Metrics;
  /** Adds a health check of a dependency. */
  check(name: string, fn: HealthCheck): void;
  /** Runs the checks, or returns the cached report. */
  healthReport(): Promise<HealthReport>;
  /** Adds background work that starts with serving; the function it returns ends it before `Shutdown`. */
  onStart(start: StartWork): void;
  /** Adds a route; throws a `TypeError` once the application serves. */
  route(route: Route): void;
  /** Returns the application as a fetch handler. */
  handler(options?: HandlerOptions): FetchHandler;
  /** Handles one request. */
  readonly fetch: FetchHandler;
  /** Serves until a signal or `shutdown` ends it. */
  listenAndServe(): Promise<void>;
  /** Stops serving gracefully, then runs `Shutdown`. */
  shutdown(): Promise<void>;
}
