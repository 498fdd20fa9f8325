import { checkConfig, type Config, csrfNames, Off, parseBasePath } from "../base/config/config.ts";
import type { SecurityEvents } from "../base/observe/events.ts";
import type { Logger } from "../base/observe/logger.ts";
import type { MetricRegistry } from "../telemetry/metric_registry.ts";
import type { AppTree } from "../base/ctx/app_tree.ts";
import type { Services } from "../base/ctx/services.ts";
import type { Application } from "../base/ctx/application.ts";
import { findWholeNetworks } from "../guard/client_ip.ts";
import { compileCors, type Cors } from "../guard/cors.ts";
import { compileHosts } from "../guard/hosts.ts";
import { compileObservers } from "../guard/observers.ts";
import { compileRateLimit } from "../guard/rate_limit.ts";
import { compileSecureHeaders } from "../guard/secure_headers.ts";
import type { ErrorPages } from "../render/error_pages.ts";
import type { Router } from "../request/router.ts";
import type { Shared } from "../request/shared.ts";
import { setSigner, Signer } from "../request/signed.ts";
import { StreamRegistry } from "../request/sse/registry.ts";
import { findSpoolDir } from "../body/upload/spool.ts";
import { createAccessLog } from "../serve/access_log.ts";
import { createDevEvents } from "../serve/dev_events.ts";
import type { HealthChecks } from "../serve/health_checks.ts";
import { openStaticFiles, publicFolderOf, type StaticFiles } from "../serve/static/files.ts";
import { Incidents, maxKeptBodyBytes } from "../serve/incidents/incidents.ts";
import { refuseServedFolder } from "../serve/incidents/place.ts";
import { openTracing, type Tracing } from "../serve/tracing.ts";
import type { Compiled } from "./compiled.ts";
import { createPreflight } from "./preflight.ts";
import { createRefusals } from "./early_refusal.ts";
import { createFileStep } from "./file_step.ts";
import { openInstruments } from "./instruments.ts";
import { createLocate } from "./locate.ts";
import { createOutcome } from "./outcome.ts";
import { compileLanguages } from "./language_texts.ts";
import { createPipeline, type Steps } from "./pipeline.ts";
import { createProbeAnswer } from "./probe_answer.ts";
import type { CompiledRoute } from "./compiled_route.ts";
import { compileRoutes } from "./routes.ts";
import { listEndpoints, refuseHidden } from "./probes.ts";

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
  /** Receives reports of blocked requests. */
  readonly events: SecurityEvents;
  /** Its metrics. */
  readonly registry: MetricRegistry;
  /** Its checks. */
  readonly health: HealthChecks;
  /** Creates the services that contexts need from the layers above them. */
  readonly createServices: (made: ServiceParts) => Services;
}

/**
 * Does everything that can be done before the first request, and freezes the configuration.
 *
 * @throws {TypeError} or {RangeError} for a configuration or a route that cannot work.
 */
export function compilePipeline(from: CompileParts): Compiled {
  const { app, parts } = from;
  const { config, env, log, routes } = app;
  checkConfig(config);
  const { secret, previousSecret } = config;
  setSigner(app, new Signer({ secret, previousSecret, env }));
  const base = parseBasePath(config.basePath);
  const defaults = compileSecureHeaders(config.security);
  const { incidents } = config.observability;
  const defaultPublic = publicFolderOf(parts);
  if (incidents !== undefined) {
    refuseServedFolder(incidents, { ...config, defaultPublic });
  }
  const files = openStaticFiles({
    public: config.public,
    defaultPublic,
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
    hasStart: routes.some(({ pattern, page }) => pattern === "/" && page !== undefined),
    keepsIncidents: config.observability.incidents !== undefined,
  };
  const tracing = openTracing();
  const languages = compileLanguages(config);
  const shared = createShared(app, {
    languages,
    appDir: env === "dev" ? parts.dir : undefined,
    base,
    services: from.createServices({ errorPages, files }),
    corsHeaders: cors?.headers,
    defaults,
    activeTraceId: tracing?.traceId,
  });
  warnOfWholeNetworks(config, log);
  warnOfUnreadMetrics(config, log);
  const router = compileRoutes(routes, { config, csrf, cors, languages });
  refuseHidden(config.observability, { router, files });
  const steps = createSteps(from, { shared, router, files, cors, errorPages, tracing, hasReload });
  freeze(config);
  return {
    ...steps,
    router,
    createPipeline: (options) => createPipeline(steps, options),
  };
}

/** What an application is made of, once it is compiled that far. */
interface CompiledParts {
  readonly shared: Shared;
  readonly router: Router<CompiledRoute>;
  readonly files: StaticFiles | undefined;
  readonly cors: Cors | undefined;
  readonly errorPages: ErrorPages;
  readonly tracing: Tracing | undefined;
  readonly hasReload: boolean;
}

/** Creates the steps that requests pass. */
function createSteps(
  { app, events, health, registry }: CompileParts,
  { shared, router, files, cors, errorPages, tracing, hasReload }: CompiledParts,
): Steps & Pick<Compiled, "process" | "incidents"> {
  const { config, log, routes } = app;
  const { observability: settings, timeouts } = config;
  const { meter, process } = openInstruments(settings, { registry, events, health }) ?? {};
  const accessLog = createAccessLog(config, log);
  const maxTargetChars = timeouts.maxHeaderBytes;
  const isAllowedHost = compileHosts(config.allowedHosts, app.env);
  const observe = compileObservers(settings);
  const told = { errorPages, events, accessLog, meter };
  const { requestIdHeader } = settings;
  const incidents = settings.incidents === undefined
    ? undefined
    : new Incidents(settings.incidents, log);
  const writeMs = timeouts.writeMs;
  const outcome = createOutcome({ ...told, tracing, incidents, requestIdHeader, writeMs });
  const { base, languages } = shared;
  return {
    shared,
    isTimed: accessLog.isTimed || meter !== undefined,
    maxTargetChars,
    locate: createLocate({ base, router, endpoints: listEndpoints(settings, base), languages }),
    answerProbe: createProbeAnswer({
      ...told,
      settings,
      observe,
      isAllowedHost,
      health,
      registry,
      process,
    }),
    isAllowedHost,
    refusals: createRefusals({ errorPages, events, maxTargetChars }, outcome),
    devEvents: hasReload ? createDevEvents() : undefined,
    preflight: createPreflight({
      cors,
      hasRouteCors: routes.some((route) => route.cors !== undefined),
      rate: config.rateLimit === undefined
        ? undefined
        : compileRateLimit(config.rateLimit, { setting: "config.rateLimit", name: "app" }),
      events,
    }),
    files,
    fileStep: files && createFileStep(files, { fail: outcome.fail, finish: outcome.finish, meter }),
    outcome,
    meter,
    process,
    tracing,
    incidents,
  };
}

function createShared(
  app: Application,
  made: Pick<
    Shared,
    "appDir" | "base" | "services" | "corsHeaders" | "defaults" | "activeTraceId" | "languages"
  >,
): Shared {
  const { config, env, log } = app;
  return {
    ...made,
    app,
    env,
    log,
    trustsProxies: config.trustedProxies.length > 0,
    isListening: false,
    signals: new Set(),
    streams: new StreamRegistry(),
    bodies: {
      maxBytes: config.maxBodyBytes,
      readMs: config.timeouts.readMs,
      limits: config.bodyLimits,
      spoolDir: config.spoolDir ?? findSpoolDir(),
      explains: env === "dev",
      keptBytes: config.observability.incidents === undefined ? 0 : maxKeptBodyBytes,
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
    "metrics are unreadable: no token or network is set; give FW_OBS_TOKEN (config.observability.token), or list networks in FW_OBS_TRUSTED (trusted)",
    { path: metrics },
  );
}

/** From here on a change would have no effect: refuses it instead of ignoring it. */
function freeze(config: Config): void {
  const {
    timeouts,
    bodyLimits,
    openLimits,
    observability,
    csrf,
    security,
    cors,
    rateLimit,
    mounts,
  } = config;
  const { languages, languageTexts } = config;
  // The caller may go on to use the object that it passed.
  config.variables = Object.freeze({ ...config.variables });
  const groups = [
    timeouts,
    bodyLimits,
    openLimits,
    observability,
    csrf,
    security,
    cors,
    rateLimit,
    mounts,
  ];
  for (const group of [languages, languageTexts]) Object.freeze(group);
  for (const group of groups) Object.freeze(group);
  Object.freeze(config);
}
