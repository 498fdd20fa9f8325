import { checkConfig, type Config, csrfNames, Off, parseBasePath } from "../base/config/config.ts";
import type { SecurityEvents } from "../base/events.ts";
import type { Logger } from "../base/logger.ts";
import { warnOfSplitState } from "../base/memory_state.ts";
import type { MetricRegistry } from "../telemetry/metric_registry.ts";
import type { AppTree } from "../base/app_tree.ts";
import type { Services } from "../base/services.ts";
import type { Application } from "../base/types.ts";
import { findWholeNetworks } from "../guard/client_ip.ts";
import { compileCors } from "../guard/cors.ts";
import { compileHosts } from "../guard/hosts.ts";
import { compileObservers } from "../guard/observers.ts";
import { compileRateLimit } from "../guard/rate_limit.ts";
import { compileSecureHeaders } from "../guard/secure_headers.ts";
import type { ErrorPages } from "../render/error_pages.ts";
import type { Shared } from "../request/shared.ts";
import { setSigner, Signer } from "../request/signed.ts";
import { StreamRegistry } from "../request/sse_registry.ts";
import { findSpoolDir } from "../body/upload/spool.ts";
import { createAccessLog } from "../serve/access_log.ts";
import { createDevEvents } from "../serve/dev_events.ts";
import type { HealthChecks } from "../serve/health_checks.ts";
import { openStaticFiles, publicFolderOf, type StaticFiles } from "../serve/static/files.ts";
import { openTracing } from "../serve/tracing.ts";
import type { Compiled } from "./compiled.ts";
import { createPreflight } from "./preflight.ts";
import { openInstruments } from "./instruments.ts";
import { compileRoutes } from "./routes.ts";
import { createProbes, refuseHidden } from "./probes.ts";

/** What the services of an application are made of, once it is compiled that far. */
export interface ServiceParts {
  /** The error pages. */
  readonly errorPages: ErrorPages;
  /** The static files, where there are any. */
  readonly files: StaticFiles | undefined;
}

/** What an application is compiled from. */
export interface CompileParts {
  /** Its configuration, routes and log. */
  readonly app: Application;
  /** What else its folder tree holds. */
  readonly parts: Pick<AppTree, "dir" | "layout" | "notFound" | "error">;
  /** Takes reports of what was blocked. */
  readonly events: SecurityEvents;
  /** Its metrics. */
  readonly registry: MetricRegistry;
  /** Its checks. */
  readonly health: HealthChecks;
  /** Makes what contexts ask of the layers above them. */
  readonly createServices: (made: ServiceParts) => Services;
}

/**
 * Does everything that can be done before the first request, and freezes the configuration.
 *
 * @throws {TypeError} or {RangeError} for a configuration or a route that cannot work.
 */
export function compilePipeline(from: CompileParts): Compiled {
  const { app, parts, events, health, registry } = from;
  const { config, env, log, routes } = app;
  checkConfig(config);
  const { secret, previousSecret } = config;
  setSigner(app, new Signer({ secret, previousSecret, env }));
  const base = parseBasePath(config.basePath);
  const defaults = compileSecureHeaders(config.security);
  const files = openStaticFiles({
    public: config.public,
    defaultPublic: publicFolderOf(parts),
    mounts: config.mounts,
    env,
    cacheControl: config.staticCacheControl,
    headers: config.staticHeaders,
    defaults,
    log,
  });
  const csrf = csrfNames(config);
  const cors = compileCors(config.cors, { name: "config.cors", csrfHeader: csrf.header });
  const hasReload = env === "dev" && config.devReload !== Off;
  const errorPages: ErrorPages = {
    layout: parts.layout,
    notFound: parts.notFound,
    error: parts.error,
    problemType: config.problemType,
    hasReload,
  };
  const tracing = openTracing();
  const shared = createShared(app, {
    appDir: env === "dev" ? parts.dir : undefined,
    base,
    services: from.createServices({ errorPages, files }),
    corsHeaders: cors?.headers,
    defaults,
    activeTraceId: tracing?.traceId,
  });
  warnOfWholeNetworks(config, log);
  warnOfUnreadMetrics(config, log);
  const router = compileRoutes(routes, { config, csrf, cors });
  refuseHidden(config.observability, { router, files });
  const instruments = openInstruments(config.observability, { registry, events, health });
  const compiled: Compiled = {
    shared,
    router,
    isAllowedHost: compileHosts(config.allowedHosts, env),
    preflight: createPreflight({
      router,
      base,
      cors,
      hasRouteCors: routes.some((route) => route.cors !== undefined),
      rate: config.rateLimit === undefined
        ? undefined
        : compileRateLimit(config.rateLimit, { setting: "config.rateLimit", name: "app" }),
      events,
    }),
    events,
    files,
    errorPages,
    accessLog: createAccessLog(config, log),
    writeMs: config.timeouts.writeMs,
    maxTargetChars: config.timeouts.maxHeaderBytes,
    devEvents: hasReload ? createDevEvents() : undefined,
    probes: createProbes({
      base,
      settings: config.observability,
      observe: compileObservers(config.observability),
      health,
      registry,
      process: instruments?.process,
    }),
    meter: instruments?.meter,
    tracing,
  };
  warnOfSplitState(log);
  freeze(config);
  return compiled;
}

function createShared(
  app: Application,
  made: Pick<Shared, "appDir" | "base" | "services" | "corsHeaders" | "defaults" | "activeTraceId">,
): Shared {
  const { config, env, log } = app;
  return {
    ...made,
    app,
    env,
    log,
    trustsProxies: config.trustedProxies.length > 0,
    signals: new Set(),
    streams: new StreamRegistry(),
    bodies: {
      maxBytes: config.maxBodyBytes,
      readMs: config.timeouts.readMs,
      limits: config.bodyLimits,
      spoolDir: config.spoolDir ?? findSpoolDir(),
      explains: env === "dev",
    },
  };
}

function warnOfWholeNetworks(config: Config, log: Logger): void {
  for (const network of findWholeNetworks(config.trustedProxies)) {
    log.warn(
      "config.trustedProxies trusts everybody: any client may claim any address and HTTPS; list your proxies",
      { network },
    );
  }
  for (const network of findWholeNetworks(config.observability.trusted)) {
    log.warn(
      "config.observability.trusted trusts everybody: any client may read the metrics; list your own networks",
      { network },
    );
  }
}

function warnOfUnreadMetrics({ observability }: Config, log: Logger): void {
  const { metrics, token, trusted } = observability;
  if (metrics === undefined || metrics === "" || token !== undefined || trusted.length > 0) return;
  log.warn(
    "nobody may read the metrics: set FW_OBS_TOKEN (config.observability.token), or list networks in FW_OBS_TRUSTED (trusted)",
    { path: metrics },
  );
}

/** From here on a change would have no effect: refuses it instead of ignoring it. */
function freeze(config: Config): void {
  const { timeouts, bodyLimits, observability, csrf, security, cors, rateLimit, mounts } = config;
  const groups = [timeouts, bodyLimits, observability, csrf, security, cors, rateLimit, mounts];
  for (const group of groups) Object.freeze(group);
  Object.freeze(config);
}
