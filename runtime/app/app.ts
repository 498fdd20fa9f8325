import {
  checkConfig,
  type Config,
  csrfNames,
  defaultConfig,
  Off,
  parseBasePath,
} from "../base/config.ts";
import { createLogger, type Logger } from "../base/log.ts";
import { type Security, SecurityEvents, type SecuritySubject } from "../base/events.ts";
import { warnOfSplitState } from "../base/memory_state.ts";
import { explainBootError } from "../base/missing_permission.ts";
import type { HealthCheck, HealthReport } from "../base/health.ts";
import { MetricRegistry } from "../base/metric_registry.ts";
import type { Metrics } from "../base/metrics.ts";
import { joinBase } from "../base/path.ts";
import type {
  Application,
  AppTree,
  Ctx,
  Env,
  FetchHandler,
  HandlerOptions,
  Route,
  Services,
  Settings,
} from "../base/types.ts";
import type { ErrorViews } from "../render/errors.ts";
import { deferPart } from "../render/defer.ts";
import { createIslands } from "../render/island.ts";
import { renderAll, renderDocument, renderPage } from "../render/page.ts";
import { compileClient, findWholeNetworks } from "../guard/client_ip.ts";
import { compileCors } from "../guard/cors.ts";
import { csrfToken } from "../guard/csrf.ts";
import { compileHosts } from "../guard/hosts.ts";
import { compileObservers } from "../guard/observers.ts";
import { compileRateLimit } from "../guard/rate_limit.ts";
import { requestNonce } from "../guard/nonce.ts";
import { compileSecureHeaders } from "../guard/secure_headers.ts";
import type { RequestContext } from "../request/ctx.ts";
import type { Shared } from "../request/shared.ts";
import { setSigner, Signer } from "../request/signed.ts";
import { StreamRegistry } from "../request/sse_registry.ts";
import { findSpoolDir } from "../request/upload_spool.ts";
import { createAccessLog } from "../serve/access_log.ts";
import { createDevEvents } from "../serve/dev_events.ts";
import { HealthChecks } from "../serve/health_checks.ts";
import { openStaticFiles, publicFolderOf, type StaticFiles } from "../serve/static.ts";
import { openTracing } from "../serve/tracing.ts";
import { openInstruments } from "./instruments.ts";
import { serveUntilStopped, type Serving } from "./listen.ts";
import type { ExportOptions } from "./export_options.ts";
import type { ExportReport } from "./export_report.ts";
import { createGate } from "./gates.ts";
import type { Compiled } from "./compiled.ts";
import { createPipeline, type Pipeline } from "./pipeline.ts";
import { compileRoutes } from "./routes.ts";
import { createWatch, refuseHiddenRoutes } from "./watch.ts";
import { Sockets, upgradeRequest } from "./upgrade.ts";

/** The parts of the folder tree that are no routes. */
export type AppParts = Pick<AppTree, "dir" | "layout" | "notFound" | "error" | "setup">;

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
  readonly config: Config;
  /** Takes reports of what was blocked: a line in the log, and `config.onSecurityEvent`. */
  readonly security: Security;
  /** The metrics of the application: those of the framework, and those that `Setup` makes. */
  readonly metrics: Metrics;
  readonly #registry: MetricRegistry;
  readonly #health: HealthChecks;
  readonly #events: SecurityEvents;
  readonly #routes: Route[] = [];
  readonly #parts: AppParts;
  #log: Logger | undefined;
  #compiled: Compiled | undefined;
  #pipeline: Pipeline | undefined;
  #serving: Serving | undefined;
  readonly #sockets: Sockets = new Sockets();
  #shutdown: Promise<void> | undefined;

  /**
   * Makes an application without routes.
   *
   * @param config Settings that differ from the defaults; `configFromEnv()` reads the environment.
   * @param parts The error pages, the root layout and `Shutdown`, as the generated file gives them.
   */
  constructor(config: Settings = {}, parts: AppParts = {}) {
    const defaults = defaultConfig();
    this.config = {
      ...defaults,
      ...config,
      timeouts: { ...defaults.timeouts, ...config.timeouts },
      bodyLimits: { ...defaults.bodyLimits, ...config.bodyLimits },
      observability: { ...defaults.observability, ...config.observability },
      csrf: { ...config.csrf },
      security: { ...config.security },
      cors: { ...config.cors },
    };
    this.#parts = parts;
    const events = new SecurityEvents(locateRequest);
    events.subscribe((event) => this.config.onSecurityEvent?.(event));
    this.security = this.#events = events;
    this.metrics = this.#registry = new MetricRegistry({
      maxSeries: () => this.config.observability.maxSeries,
      onOverflow: ({ name }) =>
        this.log.warn(
          "a metric has too many series; what comes now is counted as other: use labels with fewer values, or raise config.observability.maxSeries",
          { metric: name, max_series: this.config.observability.maxSeries },
        ),
    });
    this.#health = new HealthChecks({
      settings: () => this.config.observability,
      log: () => this.log,
    });
  }

  /** Where the application runs. */
  get env(): Env {
    return this.config.env;
  }

  /** The application's logger: the configured one, else JSON lines in production and text in development. */
  get log(): Logger {
    if (this.config.logger !== undefined) return this.config.logger;
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
        `Cannot add the route "${route.pattern}": the application serves already; add it in Setup.`,
      );
    }
    this.#routes.push(route);
  }

  /**
   * Adds a check of what the application needs to serve, such as its database: the readiness probe fails
   * while one of them does. They run together.
   *
   * @param name What the report and the log call it.
   * @param fn Throws, rejects or gives an error where the thing does not work. Hand its signal on: a
   * check that has not ended is not started again.
   * @throws {TypeError} for a name that is taken.
   */
  check(name: string, fn: HealthCheck): void {
    this.#health.add(name, fn);
  }

  /** Runs the checks, or gives what they found within `observability.cacheForMs`. */
  healthReport(): Promise<HealthReport> {
    return this.#health.report();
  }

  /**
   * The application as a fetch handler, for `Deno.serve` and for other frameworks.
   *
   * @param options `next` answers what no route and no file of the application matches.
   * @throws {TypeError} or {RangeError} for a configuration or a route that cannot work.
   */
  handler(options: HandlerOptions = {}): FetchHandler {
    const pipeline = createPipeline(this.#compile(), options);
    // Async, so that what `next` throws is a rejection like any other.
    return async (request, info) => await pipeline(request, info);
  }

  /** Answers one request; compiles the application on first use. */
  readonly fetch: FetchHandler = async (request, info) => {
    this.#pipeline ??= createPipeline(this.#compile());
    return await this.#pipeline(request, info);
  };

  /**
   * Serves at `config.addr` until SIGINT, SIGTERM or {@link App.shutdown}; requests in flight then
   * have `timeouts.shutdownMs`.
   *
   * @throws {Error} naming the address and the mend when it cannot be listened on.
   */
  async listenAndServe(): Promise<void> {
    try {
      this.#pipeline ??= createPipeline(this.#compile());
    } catch (error) {
      throw explainBootError(error);
    }
    const stopWatching = this.#compiled?.watch.process?.watchLoop();
    try {
      await serveUntilStopped(this, {
        pipeline: this.#pipeline,
        onServing: (serving) => this.#serving = serving,
        shutdown: () => this.shutdown(),
      });
    } finally {
      stopWatching?.();
    }
  }

  /**
   * Writes the site as files that any host serves: every page without parameters, the others for what
   * their `Paths` gives, routes whose path has an extension, and the static files. A second export writes
   * what has changed, and removes what is gone.
   *
   * @param dir The folder; it is made where it is missing, and must hold nothing but earlier exports.
   * @returns What was written, what was left out, and what is good to know.
   * @throws {ExportError} with its report, when a page fails or a link leads nowhere.
   * @throws {TypeError} or {RangeError} for options, and for a folder, that cannot be.
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * import { App } from "@fw/fw";
   * import * as h from "@fw/fw/h";
   *
   * const app = new App({ logRequest: () => false });
   * app.route({ pattern: "/", page: () => h.h1("Home") });
   * const dir = await Deno.makeTempDir();
   * const { written } = await app.export(`${dir}/dist`);
   * assertEquals((await Deno.readTextFile(`${dir}/dist/index.html`)).includes("<h1>Home"), true);
   * assertEquals(written > 0, true);
   * await Deno.remove(dir, { recursive: true });
   * ```
   */
  async export(dir: string | URL, options: ExportOptions = {}): Promise<ExportReport> {
    const compiled = this.#compile();
    // A server never needs it.
    const { exportSite } = await import("./export.ts");
    return await exportSite(dir, { app: this, compiled, appDir: this.#parts.dir }, options);
  }

  /** Stops serving gracefully, then runs `Shutdown`; a second call waits for the first. */
  shutdown(): Promise<void> {
    return this.#shutdown ??= this.#stop();
  }

  async #stop(): Promise<void> {
    this.#health.stop();
    this.#compiled?.devEvents?.close();
    this.#sockets.close();
    // Both begin now: no request may come in between.
    await Promise.all([
      this.#serving?.stop(() => this.#abortSignals()),
      this.#compiled?.shared.streams.end(),
    ]);
    this.#abortSignals();
    await this.#parts.setup?.Shutdown?.(this);
  }

  #abortSignals(): void {
    const reason = new DOMException("The server is shutting down.", "AbortError");
    for (const controller of this.#compiled?.shared.signals ?? []) controller.abort(reason);
  }

  #compile(): Compiled {
    if (this.#compiled !== undefined) return this.#compiled;
    const { config, env } = this;
    checkConfig(config);
    const { secret, previousSecret } = config;
    setSigner(this, new Signer({ secret, previousSecret, env }));
    const base = parseBasePath(config.basePath);
    const files = openStaticFiles({
      public: config.public,
      defaultPublic: publicFolderOf(this.#parts),
      mounts: config.mounts,
      env,
      cacheControl: config.staticCacheControl,
      headers: config.staticHeaders,
      log: this.log,
    });
    const cors = compileCors(config.cors, { name: "config.cors" });
    const hasReload = env === "dev" && config.devReload !== Off;
    const views: ErrorViews = {
      layout: this.#parts.layout,
      notFound: this.#parts.notFound,
      error: this.#parts.error,
      problemType: config.problemType,
      hasReload,
    };
    const tracing = openTracing();
    const shared: Shared = {
      app: this,
      env,
      base,
      log: this.log,
      services: createServices(config, { views, files, sockets: this.#sockets, log: this.log }),
      defaults: compileSecureHeaders(config.security),
      corsHeaders: cors?.headers,
      trustsProxies: config.trustedProxies.length > 0,
      activeTraceId: tracing?.traceId,
      signals: new Set(),
      streams: new StreamRegistry(),
      bodies: {
        maxBytes: config.maxBodyBytes,
        readMs: config.timeouts.readMs,
        limits: config.bodyLimits,
        spoolDir: config.spoolDir ?? findSpoolDir(),
      },
    };
    for (const network of findWholeNetworks(config.observability.trusted)) {
      this.log.warn(
        "config.observability.trusted trusts everybody: any client may read the metrics; list your own networks",
        { network },
      );
    }
    for (const network of findWholeNetworks(config.trustedProxies)) {
      this.log.warn(
        "config.trustedProxies trusts everybody: any client may claim any address and HTTPS; list your proxies",
        { network },
      );
    }
    const router = compileRoutes(this.#routes, { config, csrf: csrfNames(config), cors });
    refuseHiddenRoutes(config.observability, router);
    const instruments = openInstruments(config.observability, {
      registry: this.#registry,
      events: this.#events,
      health: this.#health,
    });
    this.#compiled = {
      shared,
      router,
      isAllowedHost: compileHosts(config.allowedHosts, env),
      gate: createGate({
        router,
        base,
        cors,
        hasRouteCors: this.#routes.some((route) => route.cors !== undefined),
        rate: config.rateLimit === undefined
          ? undefined
          : compileRateLimit(config.rateLimit, { setting: "config.rateLimit", name: "app" }),
        events: this.#events,
      }),
      events: this.#events,
      files,
      views,
      accessLog: createAccessLog(config, this.log),
      writeMs: config.timeouts.writeMs,
      maxTargetChars: config.timeouts.maxHeaderBytes,
      devEvents: hasReload ? createDevEvents() : undefined,
      watch: createWatch({
        base,
        settings: config.observability,
        observe: compileObservers(config.observability),
        health: this.#health,
        registry: this.#registry,
        process: instruments?.process,
      }),
      meter: instruments?.meter,
      tracing,
    };
    warnOfSplitState(this.log);
    // From here on a change would have no effect: refuse it instead of ignoring it.
    Object.freeze(config.timeouts);
    Object.freeze(config.bodyLimits);
    Object.freeze(config.observability);
    Object.freeze(config.csrf);
    Object.freeze(config.security);
    Object.freeze(config.cors);
    Object.freeze(config);
    return this.#compiled;
  }
}

/** Tells where a security event happened. */
function locateRequest(c: SecuritySubject): { ip: string | undefined; path: string } {
  const { clientIp, rawPath } = c as RequestContext;
  return { ip: clientIp, path: rawPath };
}

/** What contexts ask of the layers above them. They hand themselves in: there is one implementation. */
function createServices(
  config: Config,
  parts: {
    readonly views: ErrorViews;
    readonly files: StaticFiles | undefined;
    readonly sockets: Sockets;
    readonly log: Logger;
  },
): Services {
  const { views, files, sockets, log } = parts;
  const { hasReload } = views;
  const client = compileClient(config.trustedProxies);
  const asset = (c: Ctx, path: string): string => {
    const rooted = path.startsWith("/") ? path : `/${path}`;
    return joinBase(c.base, files?.asset(rooted) ?? rooted);
  };
  return {
    render: (c, status, node) => {
      const context = c as RequestContext;
      const layouts = context.route?.layouts ?? [];
      return renderPage(context, node, { status, layouts, hasReload });
    },
    renderAll: (c, status, nodes) => {
      const context = c as RequestContext;
      const layouts = context.route?.layouts ?? [];
      return renderAll(context, nodes, { status, layouts, hasReload });
    },
    document: (c, status, node) => renderDocument(c as RequestContext, status, node),
    csrfToken: (c) => csrfToken(c as RequestContext),
    defer: (c, part, options) => deferPart(c as RequestContext, part, options),
    upgrade: (c, options) => upgradeRequest(c as RequestContext, { ...options, sockets }),
    nonce: (c) => requestNonce(c, config.security),
    client: (c) => client(c as RequestContext),
    asset,
    island: createIslands({
      env: config.env,
      log,
      hasFile: (name) => files?.has(name) ?? false,
      asset,
    }),
  };
}
