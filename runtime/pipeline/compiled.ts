import type { HostCheck } from "../guard/hosts.ts";
import type { Router } from "../request/router.ts";
import type { Shared } from "../request/shared.ts";
import type { DevEvents } from "../serve/dev_events.ts";
import type { Incidents } from "../serve/incidents/incidents.ts";
import type { ProcessMetrics } from "../serve/process_metrics.ts";
import type { StaticFiles } from "../serve/static/files.ts";
import type { Pipeline, PipelineOptions } from "./pipeline.ts";
import type { CompiledRoute } from "./compiled_route.ts";

/** What the application is, once compiled. */
export interface Compiled {
  /** What all contexts share. */
  readonly shared: Shared;
  /** The routes by path. */
  readonly router: Router<CompiledRoute>;
  /** The static files, where there are any. */
  readonly files: StaticFiles | undefined;
  /** Whether a host is allowed; `undefined` where any is. */
  readonly isAllowedHost: HostCheck | undefined;
  /** The reload endpoints, in development. */
  readonly devEvents: DevEvents | undefined;
  /** The measures of the process; `undefined` while the metrics are off. */
  readonly process: ProcessMetrics | undefined;
  /** Keeps requests that were answered with a 5xx; `undefined` while that is off. */
  readonly incidents: Incidents | undefined;
  /** Creates the pipeline that handles requests. */
  createPipeline(options?: PipelineOptions): Pipeline;
}
