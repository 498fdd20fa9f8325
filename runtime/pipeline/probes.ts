import type { Answered } from "../base/ctx/answer.ts";
import { observabilityPaths, parseTrusted } from "../base/config/config.ts";
import { type ObservabilitySettings, Off } from "../base/config/settings.ts";
import { equalSecrets } from "../base/crypto.ts";
import { type HttpError, httpError } from "../base/errors/errors.ts";
import { formatIp, isInNetworks, parseIp } from "../base/ip.ts";
import type { HealthReport } from "../base/observe/health.ts";
import { renderProblem } from "../render/error_pages.ts";
import { buildAnswer } from "../request/answer.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import type { Router } from "../request/router.ts";
import type { StaticFiles } from "../serve/static/files.ts";
import { formatMetrics, metricTextType } from "../telemetry/metric_registry.ts";
import type { Endpoint } from "./locate.ts";
import { withoutBody } from "./outcome.ts";
import type { CompiledRoute, Runtime } from "./runtime.ts";

/**
 * Refuses an endpoint that would hide a route of the application or one of its static files.
 *
 * @throws {TypeError} naming the setting, the path and the fix.
 */
export function refuseHidden(
  settings: ObservabilitySettings,
  router: Router<CompiledRoute>,
  files: StaticFiles | undefined,
): void {
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

/** Creates the response to a probe or a scraper, outside the application's middleware. */
export function createProbeAnswer(
  runtime: Runtime,
): (c: RequestCtx, endpoint: Endpoint) => Answered {
  const { health, events, isAllowedHost, errorPages, registry, process, meter, accessLog } =
    runtime;
  const settings = runtime.app.config.observability;
  const observe = compileObservers(settings);
  const finish = (c: RequestCtx, response: Response): Answered => {
    buildAnswer(c, response);
    c.answer.state = "sealed";
    c.finish();
    const { status } = response;
    meter?.end(c, status);
    accessLog.writeProbe(c, status);
    return c.method === "HEAD" ? withoutBody(c, response) : response;
  };
  /** Responds with a problem document whatever the client accepts: no page of the application runs. */
  const refuse = (c: RequestCtx, error: HttpError): Answered => {
    const response = renderProblem(c, error, errorPages);
    for (const [name, value] of Object.entries({ ...probeHeaders, ...error.headers })) {
      response.headers.set(name, value);
    }
    return finish(c, response);
  };
  const answerMetrics = async (c: RequestCtx): Promise<Response> => {
    // Checks also update metrics of dependencies, such as the number of pending jobs.
    await Promise.all([process?.collect(), health.report()]);
    const headers = { "content-type": metricTextType, ...probeHeaders };
    return await finish(c, new Response(formatMetrics(registry), { headers }));
  };
  return (c, endpoint) => {
    if (c.method !== "GET" && c.method !== "HEAD") {
      const headers = { allow: "GET, HEAD" };
      return refuse(c, httpError(405, "Method Not Allowed", { headers }));
    }
    // Without a host list no name is trusted: another site's name may resolve to this server.
    const foreignHost = findForeignHost(c, (host) => isAllowedHost?.(host, null) ?? false);
    const observer = observe(c, foreignHost);
    if (observer === "refused") events.report(c, "auth", { reason: "observability-token" });
    if (endpoint === "metrics") {
      const isListed = foreignHost === undefined || runtime.app.config.allowedHosts.length === 0;
      // A request without the token gets a 401 instead, which explains the fix.
      if (!isListed && observer === "authorised") {
        events.report(c, "host");
        const message = "this host is not served here";
        return refuse(c, httpError(400, message, { code: "host_not_allowed" }));
      }
      if (observer === "authorised") return answerMetrics(c);
      events.reportRefusal(c, 401);
      return refuse(c, metricsRefused(observer === "foreign-host" ? foreignHost : undefined));
    }
    const isOpen = c.env === "dev" && foreignHost === undefined;
    const hasDetails = settings.details !== Off && (isOpen || observer === "authorised");
    if (endpoint === "live") {
      const { uptimeSeconds } = health;
      const alive = { status: "pass", checks: [], uptimeSeconds } as const;
      return finish(c, healthResponse(alive, hasDetails));
    }
    return health.report().then((report) => finish(c, healthResponse(report, hasDetails)));
  };
}

/** @param foreignHost The host that a trusted address requested, if that is why it is refused. */
function metricsRefused(foreignHost: string | undefined): HttpError {
  const name = foreignHost?.replace(/:\d+$/, "");
  const fix = name === undefined
    ? ""
    : `. This address needs none, but the Host "${foreignHost}" is not listed: add "${name}" to config.allowedHosts (FW_ALLOWED_HOSTS), beside the names of the site`;
  return httpError(401, `metrics need the token: send it as Authorization: Bearer${fix}`, {
    headers: { "www-authenticate": 'Bearer realm="metrics"' },
  });
}

/** The headers of every response to a probe or a scraper: never cached, never shared. */
const probeHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-robots-tag": "noindex",
  "x-content-type-options": "nosniff",
};

/** Delay before a balancer probes again, in seconds. */
const retryAfterSeconds = "5";

/**
 * Creates the response to a probe: 200, or 503 if a check failed. The body is JSON with `status` and, for
 * clients that may see details, `checks` and `uptime_seconds`; a check has `name`, `status`, `duration_ms`
 * and, if it failed, `error`.
 */
function healthResponse(report: HealthReport, hasDetails: boolean): Response {
  const { status, checks, uptimeSeconds } = report;
  const isPass = status === "pass";
  // Members that are `undefined` are left out.
  const details = hasDetails && {
    checks: checks.map(({ durationMs, ...check }) => ({ ...check, duration_ms: durationMs })),
    uptime_seconds: uptimeSeconds,
  };
  return new Response(JSON.stringify({ status, ...details }), {
    status: isPass ? 200 : 503,
    headers: {
      "content-type": "application/health+json",
      ...probeHeaders,
      ...(isPass ? {} : { "retry-after": retryAfterSeconds }),
    },
  });
}

/** The access of a client; `foreign-host` is a trusted address under a host that is not listed. */
type Observer = "authorised" | "anonymous" | "refused" | "foreign-host";

const maxHeaderChars = 4_096;

const forwardingHeaders = [
  "x-forwarded-for",
  "forwarded",
  "via",
  "x-real-ip",
  "x-forwarded-host",
  "x-forwarded-proto",
];

/**
 * Compiles the rules for who may see metrics and probe details: clients with the token (RFC 6750) and clients
 * at trusted addresses. A trusted address needs a host that is listed, an address itself or `localhost`; if
 * no host is listed, no other name is accepted.
 *
 * @throws {TypeError} naming the setting, its value and the fix.
 */
function compileObservers(
  settings: Pick<ObservabilitySettings, "token" | "trusted">,
): (c: RequestCtx, foreignHost: string | undefined) => Observer {
  const { token } = settings;
  const networks = parseTrusted(settings.trusted);
  return (c, foreignHost) => {
    const given = c.headers.get("authorization");
    const shown = given === null ? undefined : parseBearer(given);
    if (token !== undefined && shown !== undefined && equalSecrets(shown, token)) {
      return "authorised";
    }
    if (networks.length > 0 && isDirect(c)) {
      const address = c.clientIp === undefined ? undefined : parseIp(c.clientIp);
      if (address !== undefined && isInNetworks(address, networks)) {
        if (foreignHost === undefined) return "authorised";
        if (given === null) return "foreign-host";
      }
    }
    return given === null ? "anonymous" : "refused";
  };
}

/** Returns the token of the header; `undefined` for another scheme, and for two (joined) headers. */
function parseBearer(header: string): string | undefined {
  if (header.length > maxHeaderChars) return undefined;
  return /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
}

/**
 * Reports whether the address is the client's own. Behind a proxy that `trustedProxies` does not
 * list, every client has the address of the proxy, which is often a trusted one.
 */
function isDirect({ info, headers, clientIp }: RequestCtx): boolean {
  const address = info?.remoteAddr;
  const peer = address !== undefined && "hostname" in address
    ? parseIp(address.hostname)
    : undefined;
  if (peer === undefined) return false;
  return clientIp !== formatIp(peer) || forwardingHeaders.every((name) => !headers.has(name));
}

/**
 * Finds a host of the request that is neither listed nor an address, as orchestrators write it, nor
 * `localhost`. A site whose name was made to resolve here (DNS rebinding) could read the details through the
 * trusted address of its visitor; it cannot use an address, because its origin is its name. If the target is
 * in absolute form, the header may have another host, so both are checked.
 */
function findForeignHost(
  { target, headers }: RequestCtx,
  isListed: (host: string) => boolean,
): string | undefined {
  const hosts = [target.host, headers.get("host") ?? target.host];
  return hosts.find((host) => !isListed(host) && !isFixed(host));
}

function isFixed(host: string): boolean {
  const name = host.replace(/:\d+$/, "");
  return name.toLowerCase() === "localhost" || parseIp(name.replace(/^\[|\]$/g, "")) !== undefined;
}
