import { type Config, defaultConfig, overlaySettings } from "../base/config/config.ts";
import type { Logger } from "../base/observe/logger.ts";
import { createLogger, guardLogger } from "../telemetry/log.ts";
import {
  type Security,
  type SecurityEvent,
  SecurityEvents,
  type SecuritySubject,
} from "../base/observe/events.ts";
import { findStores, logBootNotes } from "../base/stores/stores.ts";
import { explainBootError } from "../base/diagnose/error_text.ts";
import type { HealthCheck, HealthReport } from "../base/observe/health.ts";
import { MetricRegistry } from "../telemetry/metric_registry.ts";
import type { Metrics } from "../base/observe/metrics.ts";
import type {
  Application,
  AppTree,
  FetchHandler,
  HandlerOptions,
  StartWork,
} from "../base/ctx/application.ts";
import type { Settings } from "../base/ctx/config.ts";
import type { Route } from "../base/ctx/route.ts";
import type { Env } from "../base/env.ts";
import { logPath } from "../request/request_ctx.ts";
import { HealthChecks } from "../serve/health_checks.ts";
import { endPlainly } from "./boot_failure.ts";
import { compileRuntime } from "./compile.ts";
import { Context } from "./context.ts";
import type { Runtime } from "../pipeline/runtime.ts";
import type { ExportOptions } from "../export/options.ts";
import type { ExportReport } from "../export/report.ts";
import { serveUntilStopped, type Serving } from "../listen/listen.ts";
import { endsWithin } from "../listen/listener.ts";
import {
  createHandler,
  createPipeline,
  type Pipeline,
  type PipelineOptions,
} from "../pipeline/pipeline.ts";
import { Sockets } from "../pipeline/upgrade.ts";

/** The parts of the folder tree that are not routes. */
export type AppParts = Omit<AppTree, "routes">;

/**
 * An application: its configuration, its routes, and the handler that serves them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 *
 * const app = new App({ logRequest: () => false });
 * app.route({ pattern: "/hello/{name}", methods: { GET: (c) => c.text(200, c.param("name")) } });
 * const response = await app.fetch(new Request("http://localhost/hello/ada"));
 * assertEquals(await response.text(), "ada");
 * ```
 */
export class App implements Application {
  /** The configuration: writable until the first request, then frozen. */
  declare readonly config: Config;
  /** Receives reports of blocked requests, for the log and for `config.onSecurityEvent`. */
  readonly security: Security;
  /** The metrics of the application: the framework's own and those that `Setup` creates. */
  readonly metrics: Metrics;
  readonly #registry: MetricRegistry;
  readonly #health: HealthChecks;
  readonly #events: SecurityEvents;
  readonly #routes: Route[] = [];
  readonly #parts: AppParts;
  #log: Logger | undefined;
  #compiled: Runtime | undefined;
  #pipeline: Pipeline | undefined;
  #serving: Serving | undefined;
  readonly #sockets: Sockets = new Sockets();
  #shutdown: Promise<void> | undefined;
  readonly #starts: StartWork[] = [];
  readonly #ends: (() => void | Promise<void>)[] = [];

  /**
   * Creates an application without routes.
   *
   * @param config Settings that differ from the defaults; `configFromEnv()` reads the environment.
   * @param parts The error pages, the root layout and `Shutdown`, as the generated file passes them.
   */
  constructor(config: Settings = {}, parts: AppParts = {}) {
    const settings = overlaySettings(defaultConfig(), config);
    settings.csrf = { ...settings.csrf };
    settings.security = { ...settings.security };
    settings.cors = { ...settings.cors };
    // Not enumerable, because a store or a logger among the settings may not serialize to JSON.
    Object.defineProperty(this, "config", { value: settings });
    this.#parts = parts;
    const events = new SecurityEvents((c) =>
      c instanceof Context ? { ip: c.clientIp, path: logPath(c) } : { ip: undefined, path: "" }
    );
    events.subscribe(logEvent);
    events.subscribe((event) => this.config.onSecurityEvent?.(event));
    this.security = this.#events = events;
    this.metrics = this.#registry = new MetricRegistry({
      // The framework's own series grow with the number of routes, not with client input.
      maxSeries: (name) =>
        name.startsWith("fw_") ? maxOwnSeries : this.config.observability.maxSeries,
      onOverflow: ({ name }) =>
        this.log.warn(
          "a metric has too many series; new ones are counted as other: use labels with fewer values, or raise config.observability.maxSeries",
          { metric: name, max_series: this.config.observability.maxSeries },
        ),
    });
    this.#health = new HealthChecks(this);
  }

  get env(): Env {
    return this.config.env;
  }

  /** The application's logger: the configured one, else JSON lines in production and text in development. */
  get log(): Logger {
    if (this.config.logger !== undefined) return guardLogger(this.config.logger);
    return this.#log ??= this.env === "prod"
      ? createLogger()
      : createLogger({ format: "text", level: "debug" });
  }

  /** The routes in the order in which they were added. */
  get routes(): readonly Route[] {
    return this.#routes;
  }

  /**
   * Adds a route.
   *
   * @throws {TypeError} once the application serves: its routes are compiled then.
   */
  route(route: Route): void {
    if (this.#compiled !== undefined) {
      throw new TypeError(
        `Cannot add the route "${route.pattern}": the application is already serving; add it in Setup.`,
      );
    }
    this.#routes.push(route);
  }

  /**
   * Adds a health check of a dependency, such as the database. The readiness probe fails while any check
   * fails. Checks run concurrently.
   *
   * @param name The name in the report and the log.
   * @param fn Throws, rejects or returns an error when the dependency does not work. Pass its signal on: a
   * check that is still running is not started again.
   * @throws {TypeError} for a duplicate name.
   */
  check(name: string, fn: HealthCheck): void {
    this.#health.add(name, fn);
  }

  /** Runs the checks, or returns the cached report within `observability.cacheForMs`. */
  healthReport(): Promise<HealthReport> {
    return this.#health.report();
  }

  /**
   * Returns the application as a fetch handler, for `Deno.serve` and for other frameworks.
   *
   * @param options `next` handles requests that no route and no file of the application matches.
   * @throws {TypeError} or {RangeError} for an invalid configuration or route.
   */
  handler(options: HandlerOptions = {}): FetchHandler {
    return createHandler(this.#open(options));
  }

  /** Handles one request; compiles the application on first use. */
  readonly fetch: FetchHandler = async (request, info) => {
    this.#pipeline ??= this.#open();
    return await this.#pipeline(request, info);
  };

  /**
   * Adds background work that runs while the application serves.
   *
   * @param start Runs when serving starts. The function that it returns ends the work at shutdown, before
   * `Shutdown`.
   */
  onStart(start: StartWork): void {
    this.#starts.push(start);
  }

  /** Starts the work that {@link App.onStart} added, without serving. Shutdown ends it. */
  async startWork(): Promise<void> {
    for (const start of this.#starts.splice(0)) this.#ends.push(await start());
  }

  /**
   * Serves at `config.addr` until SIGINT, SIGTERM or {@link App.shutdown}; the readiness probe then fails for
   * at most `timeouts.drainMs`, and requests in flight have `timeouts.shutdownMs` to finish.
   *
   * @throws {Error} naming the address and the fix, when the server cannot listen on it.
   */
  async listenAndServe(): Promise<void> {
    let pipeline: Pipeline;
    try {
      pipeline = this.#open({ isListening: true });
      await this.#compiled?.files?.warm();
    } catch (error) {
      throw endPlainly(explainBootError(error), this.config);
    }
    const stopWatching = this.#compiled?.process?.watchLoop();
    try {
      await this.startWork();
      await serveUntilStopped(this, pipeline, (serving) => this.#serving = serving);
    } catch (error) {
      throw endPlainly(error, this.config);
    } finally {
      stopWatching?.();
    }
  }

  /**
   * Writes the site as static files for any host: every page without parameters, pages with parameters for
   * each of their `Paths`, routes whose path has an extension, and the static files. A complete export
   * replaces the one before it; a failed one changes nothing.
   *
   * @param dir The folder; it is created when missing and must hold nothing but earlier exports.
   * @returns The written files, the omitted routes, and the warnings.
   * @throws {ExportError} with its report, when a page fails or a link is broken.
   * @throws {TypeError} or {RangeError} for invalid options and for an unusable folder.
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * import { App } from "@fw/fw";
   * import * as h from "@fw/fw/h";
   *
   * const app = new App({ logRequest: () => false });
   * app.route({ pattern: "/", page: () => h.h1("Home") });
   * const dir = await Deno.makeTempDir();
   * const { files } = await app.export(`${dir}/dist`);
   * assertEquals((await Deno.readTextFile(`${dir}/dist/index.html`)).includes("<h1>Home"), true);
   * assertEquals(files.length > 0, true);
   * await Deno.remove(dir, { recursive: true });
   * ```
   */
  async export(dir: string | URL, options: ExportOptions = {}): Promise<ExportReport> {
    const compiled = this.#compile();
    // Loaded on use: a server does not export.
    const { exportApp } = await import("../export/export.ts");
    return await exportApp(dir, compiled, options);
  }

  /** Stops serving gracefully, then runs `Shutdown`; a second call waits for the first. */
  shutdown(): Promise<void> {
    return this.#shutdown ??= this.#stop();
  }

  /**
   * Calls {@link App.shutdown} at the end of a scope: `await using app = await testApp()`.
   *
   * @example
   * ```ts
   * import { App } from "@fw/fw";
   * import { testRequest } from "@fw/fw/testing";
   *
   * await using app = new App({ env: "dev", logRequest: () => false });
   * app.route({ pattern: "/", methods: { GET: (c) => c.text(200, "Hello") } });
   * await testRequest(app, "GET", "/").wantContains("Hello");
   * ```
   */
  [Symbol.asyncDispose](): Promise<void> {
    return this.shutdown();
  }

  async #stop(): Promise<void> {
    this.#health.stop();
    if (this.#serving !== undefined) await this.#serving.drain();
    this.#sockets.close();
    // Started together, so that no request arrives in between.
    const ended = await Promise.allSettled([
      this.#serving?.stop(() => this.#abortSignals()),
      this.#compiled?.streams.end(),
      ...this.#ends.splice(0).map(async (end) => await end()),
    ]);
    this.#abortSignals();
    await this.#compiled?.incidents?.flush();
    const end = (async () => await this.#parts.setup?.Shutdown?.(this))();
    const { shutdownMs } = this.config.timeouts;
    // Otherwise a database that hangs would keep the process until it is killed. A debugger may.
    if (this.env !== "dev" && !(await endsWithin(end, shutdownMs))) {
      throw new Error(
        `Shutdown of app/setup.ts has not ended after ${shutdownMs} ms (config.timeouts.shutdownMs)`,
      );
    }
    await end;
    // Thrown last, so that a failure leaves nothing open.
    for (const each of ended) if (each.status === "rejected") throw each.reason;
  }

  #abortSignals(): void {
    const reason = new DOMException("The server is shutting down.", "AbortError");
    for (const controller of this.#compiled?.signals ?? []) controller.abort(reason);
  }

  /** Creates the request pipeline; in production, logs the state that replicas do not share. */
  #open(options?: PipelineOptions): Pipeline {
    const compiled = this.#compile();
    if (this.env === "prod") {
      const handlers = this.#routes.flatMap(({ page, methods, middleware = [] }) =>
        [page, methods ?? {}, ...middleware].flatMap((each) =>
          typeof each === "object" ? Object.values(each) : each
        )
      );
      logBootNotes(this.log, findStores(this), handlers);
    }
    return createPipeline(compiled, options);
  }

  #compile(): Runtime {
    return this.#compiled ??= compileRuntime(this, this.#parts, {
      events: this.#events,
      registry: this.#registry,
      health: this.#health,
      sockets: this.#sockets,
    });
  }
}

const maxOwnSeries = 100_000;

function logEvent({ kind, ip, path, reason }: SecurityEvent, c: SecuritySubject): void {
  const cause = reason === undefined ? {} : { reason };
  const host = kind === "host" && c instanceof Context ? refusedHost(c) : {};
  c.log.warn("security", { kind, ip, path, ...cause, ...host });
}

/** The longest name of the DNS with a port. */
const maxHostChars = 259;

function refusedHost({ target: { host }, headers }: Context): Record<string, string> {
  // An absolute target and its `Host` may differ, and either may be refused.
  const hosts = new Set([host, headers.get("host") ?? host]);
  const fix = "if the application serves it, add it to config.allowedHosts (FW_ALLOWED_HOSTS)";
  return { host: [...hosts].join(" ").slice(0, maxHostChars), fix };
}
