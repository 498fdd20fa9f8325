import type { Application } from "../base/ctx/application.ts";
import type { ProblemsHandler } from "../base/ctx/route.ts";
import type { MatchedRoute, Target } from "../base/ctx/target.ts";
import type { SecurityEvents } from "../base/observe/events.ts";
import type { BodySettings } from "../body/body.ts";
import type { ClientLookup } from "../guard/client_ip.ts";
import type { Cors } from "../guard/cors.ts";
import type { RateCheck } from "../guard/rate_limit.ts";
import type { HostCheck } from "../guard/hosts.ts";
import type { Languages } from "../i18n/languages.ts";
import type { ErrorPages } from "../render/error_pages.ts";
import type { IslandMaker } from "../render/island.ts";
import type { Chain } from "../request/chain.ts";
import type { CookieNames } from "../request/cookies.ts";
import type { DefaultHeaderSets } from "../request/stage.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import type { Router } from "../request/router.ts";
import type { StreamRegistry } from "../request/sse/stream.ts";
import type { AccessLog, Tracing } from "../serve/access_log.ts";
import type { HealthChecks } from "../serve/health_checks.ts";
import type { Incidents } from "../serve/incidents/incidents.ts";
import type { ProcessMetrics, RequestMetrics } from "../serve/metrics.ts";
import type { StaticFiles } from "../serve/static/files.ts";
import type { MetricRegistry } from "../telemetry/metric_registry.ts";
import type { Sockets } from "./upgrade.ts";

/** A route with everything that can be computed before its first request. */
export interface CompiledRoute extends MatchedRoute {
  readonly cors: Cors | undefined;
  readonly chains: Readonly<Record<string, Chain>>;
  /** The chain of `GET`, the most frequent method. */
  readonly get: Chain | undefined;
  readonly allow: string;
  /** The actions of a page: the same route, each with a `POST` of its own. */
  readonly actions: ReadonlyMap<string, CompiledRoute> | undefined;
}

/** The class of contexts, which a higher layer defines. */
export type ContextClass = new (
  runtime: Runtime,
  request: Request,
  target: Target,
  info: Deno.ServeHandlerInfo | undefined,
) => RequestCtx;

export interface Runtime {
  readonly app: Application;
  /** The application's folder in development, whose sources error pages show; `undefined` in production. */
  readonly appDir: string | undefined;
  readonly base: string;
  readonly events: SecurityEvents;
  readonly health: HealthChecks;
  readonly registry: MetricRegistry;
  readonly Context: ContextClass;
  /** Whether the framework's own listener, which has no TLS, receives the requests. */
  readonly isListening: boolean;
  /** Whether browsers reach the application over HTTPS alone, whatever a proxy reports. */
  readonly isPublicHttps: boolean;

  // Members that contexts read.
  readonly bodies: BodySettings;
  readonly signals: Set<AbortController>;
  readonly streams: StreamRegistry;
  readonly sockets: Sockets;
  readonly languages: Languages | undefined;
  readonly defaults: DefaultHeaderSets;
  readonly cookieNames: { readonly http: CookieNames; readonly https: CookieNames };
  readonly findClient: ClientLookup;
  /** Reports a missing asset in development. */
  readonly checkAsset: ((path: string) => void) | undefined;
  readonly makeIsland: IslandMaker;
  readonly errorPages: ErrorPages;

  // Members that the pipeline uses.
  readonly isAllowedHost: HostCheck | undefined;
  readonly cors: Cors | undefined;
  readonly rateCheck: RateCheck | undefined;
  readonly router: Router<CompiledRoute>;
  /** Finds the `Problems` for a path without a route; `undefined` where there is none. */
  readonly findProblems: ((path: string) => ProblemsHandler | undefined) | undefined;
  readonly files: StaticFiles | undefined;
  readonly accessLog: AccessLog;
  /** Counts and times requests; `undefined` while the metrics are off. */
  readonly meter: RequestMetrics | undefined;
  /** The metrics of the process; `undefined` while the metrics are off. */
  readonly process: ProcessMetrics | undefined;
  /** Names the spans of requests; `undefined` without tracing. */
  readonly tracing: Tracing | undefined;
  /** Records requests with a 5xx response; `undefined` if disabled. */
  readonly incidents: Incidents | undefined;
}
