import { observabilityPaths, type ObservabilitySettings } from "../base/config/observability.ts";
import type { Router } from "../request/router.ts";
import type { StaticFiles } from "../serve/static/files.ts";
import type { CompiledRoute } from "./compiled_route.ts";

/** The kinds of monitoring endpoints. */
export type Endpoint = "live" | "ready" | "metrics";

/** An endpoint and its path. */
export interface EndpointPath {
  /** The path as it is sent: an endpoint has one spelling. */
  readonly path: string;
  /** The endpoint. */
  readonly endpoint: Endpoint;
}

/**
 * Lists the endpoints by the length of their paths: a `Map` would hash the path of every request
 * (`bench/router`).
 */
export function listEndpoints(
  settings: ObservabilitySettings,
  base: string,
): readonly (readonly EndpointPath[] | undefined)[] {
  const { live, ready, health, metrics } = observabilityPaths(settings);
  const all: [path: string | undefined, endpoint: Endpoint][] = [
    [live, "live"],
    [ready, "ready"],
    [health, "ready"],
    [metrics, "metrics"],
  ];
  const byLength: EndpointPath[][] = [];
  for (const [path, endpoint] of all) {
    if (path === undefined) continue;
    const sent = base + path;
    (byLength[sent.length] ??= []).push({ path: sent, endpoint });
  }
  return byLength;
}

/**
 * Refuses an endpoint that would hide a route of the application or one of its static files.
 *
 * @throws {TypeError} naming the setting, the path and the fix.
 */
export function refuseHidden(
  settings: ObservabilitySettings,
  served: {
    readonly router: Router<CompiledRoute>;
    readonly files: Pick<StaticFiles, "isInFolder"> | undefined;
  },
): void {
  const { router, files } = served;
  for (const [name, path] of Object.entries(observabilityPaths(settings))) {
    const match = router.find(path);
    const hidden = match?.isLiteral === true
      ? `the route "${match.value.pattern}" (${match.value.source})`
      : files?.isInFolder(path)
      ? "a static file"
      : undefined;
    if (hidden === undefined) continue;
    const setting = name === "metrics" ? "metrics (FW_METRICS)" : "health";
    throw new TypeError(
      `Cannot serve "${path}" (config.observability.${setting}): ${hidden} is there; choose another path for one of them.`,
    );
  }
}
