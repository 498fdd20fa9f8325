import type { SecurityEvents } from "../base/events.ts";
import type { ErrorPages } from "../render/error_pages.ts";
import type { RequestContext } from "../request/context.ts";
import type { Router } from "../request/router.ts";
import type { Shared } from "../request/shared.ts";
import type { AccessLog } from "../serve/access_log.ts";
import type { DevEvents } from "../serve/dev_events.ts";
import type { StaticFiles } from "../serve/static/files.ts";
import type { RequestMetrics } from "../serve/request_metrics.ts";
import type { Tracing } from "../serve/tracing.ts";
import type { Preflight } from "./preflight.ts";
import type { CompiledRoute } from "./routes.ts";
import type { Probes } from "./probes.ts";

/** What the application is, once compiled. */
export interface Compiled {
  /** What all contexts share. */
  readonly shared: Shared;
  /** The routes by path. */
  readonly router: Router<CompiledRoute>;
  /** The static files, where there are any. */
  readonly files: StaticFiles | undefined;
  /** The error pages. */
  readonly errorPages: ErrorPages;
  /** The request log. */
  readonly accessLog: AccessLog;
  /** How long a handler may take. */
  readonly writeMs: number;
  /** How long the URL of a request may be. */
  readonly maxTargetChars: number;
  /** The reload endpoints, in development. */
  readonly devEvents: DevEvents | undefined;
  /** Whether the host of a request is allowed; `undefined` where any is. */
  readonly isAllowedHost: ((c: RequestContext) => boolean) | undefined;
  /** What a request passes before its route is looked for. */
  readonly preflight: Preflight | undefined;
  /** Takes reports of what was blocked. */
  readonly events: SecurityEvents;
  /** The endpoints by which the application is watched. */
  readonly probes: Probes;
  /** Counts and times requests; `undefined` while the metrics are off. */
  readonly meter: RequestMetrics | undefined;
  /** Names the spans of requests; `undefined` where Deno does not trace. */
  readonly tracing: Tracing | undefined;
}
