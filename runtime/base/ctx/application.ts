import type { Env } from "../env.ts";
import type { Security } from "../observe/events.ts";
import type { HealthCheck, HealthReport } from "../observe/health.ts";
import type { Logger } from "../observe/logger.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Config } from "./config.ts";
import type { ErrorHandler, Handler, LayoutHandler, ProblemsHandler, Route } from "./route.ts";

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

/** The contents of the folder tree, as the generated file passes them to `boot`. */
export interface AppTree {
  /** The folder of the application; `undefined` where it was loaded over the network. */
  readonly dir?: string | undefined;
  /** Every route. */
  readonly routes: readonly Route[];
  /** The default exports of living islands, by the path for `c.island`. */
  readonly islands?: Readonly<Record<string, unknown>>;
  /** The root `layout.ts`, for pages without a route, such as error pages. */
  readonly layout?: LayoutHandler;
  /** The root `not_found.ts`. */
  readonly notFound?: Handler;
  /** The root `error.ts`. */
  readonly error?: ErrorHandler;
  /**
   * Every `Problems` by the pattern of its folder, for paths without a route. The first pattern that matches
   * the start of a path applies.
   */
  readonly problems?: Readonly<Record<string, ProblemsHandler>>;
  /** The root `setup.ts`. */
  readonly setup?: SetupModule;
}

/** The exports of the root `setup.ts`. */
export interface SetupModule {
  /** Changes the configuration before the application is created; an error stops the boot. */
  readonly Config?: (config: Config) => void | Promise<void>;
  // Methods, so that functions whose parameter is the class `App` fit too: they receive an `App`.
  /** Runs before the first request: opens what the application needs. */
  Setup?(app: Application): void | Promise<void>;
  /** Runs after the last request: closes what `Setup` opened. */
  Shutdown?(app: Application): void | Promise<void>;
}
