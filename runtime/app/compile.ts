import {
  checkConfig,
  csrfNames,
  freezeConfig,
  observabilityPaths,
  Off,
  trimBasePath,
} from "../base/config/config.ts";
import { devReadyVariable } from "../base/conventions.ts";
import type { Application, AppTree } from "../base/ctx/application.ts";
import { findVariable } from "../base/env.ts";
import { parseNetwork } from "../base/ip.ts";
import { createFirstCheck } from "../base/values.ts";
import type { Logger } from "../base/observe/logger.ts";
import { warnOfReach } from "../body/format.ts";
import { compileClient } from "../guard/client_ip.ts";
import { compileCors } from "../guard/cors.ts";
import { compileHosts } from "../guard/hosts.ts";
import { compileRateLimit } from "../guard/rate_limit.ts";
import { compileSecureHeaders } from "../guard/secure_headers.ts";
import { compileLanguages } from "../pipeline/language_texts.ts";
import { refuseHidden } from "../pipeline/probes.ts";
import { compileProblems, compileRoutes } from "../pipeline/routes.ts";
import type { Runtime } from "../pipeline/runtime.ts";
import { createIslands } from "../render/island.ts";
import { compileCookieNames } from "../request/cookies.ts";
import { setSigner, Signer } from "../request/signed.ts";
import { StreamRegistry } from "../request/sse/stream.ts";
import { createAccessLog, openTracing } from "../serve/access_log.ts";
import { Incidents, refuseServedFolder } from "../serve/incidents/incidents.ts";
import { countSecurityEvents, ProcessMetrics, RequestMetrics } from "../serve/metrics.ts";
import { maxKeptBodyBytes } from "../serve/incidents/secrets.ts";
import { openStaticFiles, publicFolderOf, type StaticFiles } from "../serve/static/files.ts";
import { Context } from "./context.ts";

/**
 * Does everything that can be done before the first request, and freezes the configuration.
 *
 * @throws {TypeError} or {RangeError} for an invalid configuration or route.
 */
export function compileRuntime(
  app: Application,
  parts: Omit<AppTree, "routes">,
  own: Pick<Runtime, "events" | "registry" | "health" | "sockets">,
): Runtime {
  const { events, health, registry } = own;
  const { config, env, log, routes } = app;
  checkConfig(config);
  const { observability } = config;
  setSigner(app, new Signer(config));
  const base = trimBasePath(config.basePath);
  const defaults = compileSecureHeaders(config.security);
  const files = openFiles(app, parts, defaults);
  const cors = compileCors(config.cors, "config.cors", csrfNames(config).header);
  // The development server serves the script and its events.
  const hasReload = env === "dev" && config.devReload !== Off &&
    findVariable(devReadyVariable, config.variables) !== undefined;
  const hasMetrics = observabilityPaths(observability).metrics !== undefined;
  if (hasMetrics) events.subscribe(countSecurityEvents(registry));
  const languages = compileLanguages(config);
  if (languages !== undefined) config.languages = languages.tags;
  warnOfWholeNetworks(app);
  warnOfFileLimits(app);
  const router = compileRoutes({ app, cors, languages });
  refuseHidden(observability, router, files);
  const runtime: Runtime = {
    ...own,
    app,
    appDir: env === "dev" ? parts.dir : undefined,
    base,
    Context,
    isListening: false,
    // Not in development, where not every browser accepts a secure cookie at http://localhost.
    isPublicHttps: env !== "dev" && config.publicOrigin?.startsWith("https:") === true,
    bodies: {
      maxBytes: config.maxBodyBytes,
      readMs: config.timeouts.readMs,
      limits: config.bodyLimits,
      spoolDir: config.spoolDir,
      explains: env === "dev",
      keptBytes: observability.incidents === undefined ? 0 : maxKeptBodyBytes,
    },
    signals: new Set(),
    streams: new StreamRegistry(),
    languages,
    defaults,
    cookieNames: {
      http: compileCookieNames(config, { path: base || "/", isSecure: false }),
      https: compileCookieNames(config, { path: base || "/", isSecure: true }),
    },
    findClient: compileClient(config.trustedProxies),
    checkAsset: env === "dev" ? createAssetCheck(files, log) : undefined,
    makeIsland: createIslands(app, (name) => files?.has(name) ?? false, parts.islands),
    errorPages: {
      layout: parts.layout,
      notFound: parts.notFound,
      error: parts.error,
      problemType: config.problemType,
      hasReload,
      hasStart: routes.some(({ pattern, page }) => pattern === "/" && page !== undefined),
    },
    isAllowedHost: compileHosts(config.allowedHosts, env),
    cors,
    rateCheck: config.rateLimit === undefined
      ? undefined
      : compileRateLimit(config.rateLimit, { setting: "config.rateLimit", name: "app" }),
    router,
    findProblems: compileProblems(parts.problems),
    files,
    accessLog: createAccessLog(config, log),
    meter: hasMetrics ? new RequestMetrics(registry) : undefined,
    process: hasMetrics ? new ProcessMetrics(registry, () => health.uptimeSeconds) : undefined,
    tracing: openTracing(),
    incidents: observability.incidents === undefined
      ? undefined
      : new Incidents(observability.incidents, log),
  };
  freezeConfig(config);
  return runtime;
}

function openFiles(
  { config, log }: Application,
  parts: Pick<AppTree, "dir">,
  defaults: Runtime["defaults"],
): StaticFiles | undefined {
  const defaultPublic = publicFolderOf(parts);
  const { incidents } = config.observability;
  if (incidents !== undefined) refuseServedFolder(incidents, { ...config, defaultPublic });
  return openStaticFiles(config, defaultPublic, { defaults, log });
}

/**
 * Creates the check that reports in development, once for each name, that `c.asset` was called with the
 * name of a file that does not exist: the page would get a 404 for it.
 */
function createAssetCheck(files: StaticFiles | undefined, log: Logger): (name: string) => void {
  const isFirst = createFirstCheck(100);
  return (name) => {
    const path = name.replace(/[?#].*/s, "");
    if (files?.has(path) || !isFirst(path)) return;
    log.warn(`Cannot find the asset "${path}": public${path} does not exist`, {
      fix:
        "create the file, or correct the name; `deno task ui` writes those of the component kit, " +
        "with --passkeys also passkeys.js",
    });
  };
}

function warnOfWholeNetworks({ config, log }: Application): void {
  const { trustedProxies, observability } = config;
  const rows = [
    ["trustedProxies", trustedProxies, "claim any address and HTTPS; list your proxies"],
    ["observability.trusted", observability.trusted, "read the metrics; list your own networks"],
  ] as const;
  for (const [setting, networks, harm] of rows) {
    for (const network of networks) {
      // A whole address family.
      if (parseNetwork(network)?.bits !== 0) continue;
      log.warn(`config.${setting} trusts every client, so any client may ${harm}`, { network });
    }
  }
}

function warnOfFileLimits({ config, log, routes }: Application): void {
  for (const { pattern, fileLimits = {} } of routes) {
    for (const [field, maxSizeBytes] of Object.entries(fileLimits)) {
      const rules = { maxSizeBytes };
      warnOfReach({ maxBytes: config.maxBodyBytes }, field, { rules, log: () => log, pattern });
    }
  }
}
