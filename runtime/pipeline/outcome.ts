import { type HttpError, httpError, isFwError, statusOf } from "../base/errors/errors.ts";
import type { SecurityEvents } from "../base/observe/events.ts";
import { endInTime } from "../guard/deadlines.ts";
import { type ErrorPages, renderError, renderLastResort } from "../render/error_pages.ts";
import { answerStep } from "../render/fragment.ts";
import { forbidCopy } from "../request/cache_privacy.ts";
import type { Exchange } from "../request/exchange.ts";
import { tellLanguage } from "../request/language.ts";
import { logPath } from "../request/log_path.ts";
import { mergeHeaders } from "../request/merge.ts";
import { ExportConnection } from "../request/shared.ts";
import type { AccessLog } from "../serve/access_log.ts";
import type { Incidents } from "../serve/incidents/incidents.ts";
import type { RequestMetrics } from "../serve/request_metrics.ts";
import type { Tracing } from "../serve/tracing.ts";
import { endBody } from "./body_end.ts";
import { createUpgradeEnd } from "./upgrade_outcome.ts";

/** What the last steps of a request need, gathered at boot. */
export interface OutcomeParts {
  /** The error pages. */
  readonly errorPages: ErrorPages;
  /** Receives reports of blocked requests. */
  readonly events: SecurityEvents;
  /** The request log. */
  readonly accessLog: AccessLog;
  /** Counts and times requests; `undefined` while the metrics are off. */
  readonly meter: RequestMetrics | undefined;
  /** Names the spans of requests; `undefined` where Deno does not trace. */
  readonly tracing: Tracing | undefined;
  /** Keeps requests that were answered with a 5xx; `undefined` while that is off. */
  readonly incidents: Incidents | undefined;
  /** Whether every response carries its request id. */
  readonly requestIdHeader: boolean;
  /** The time limit of a handler, in milliseconds. */
  readonly writeMs: number;
}

/** Ends a request with a response. */
export type Finish = (c: Exchange, response: Response) => Response | Promise<Response>;

/** Ends a request with an error. */
export type Fail = (c: Exchange, error: unknown) => Response | Promise<Response>;

/** The last steps of a request. */
export interface Outcome {
  /** Merges what was staged, ends what the request had open, and writes the log. */
  readonly finish: Finish;
  /** Renders an error, once. */
  readonly fail: Fail;
  /** Responds when even rendering the error failed, for example because a staged header is bad. */
  readonly lastResort: Fail;
  /** Waits for the chain up to its deadline and ends the request with the result. */
  readonly settle: (c: Exchange, work: Promise<Response>) => Promise<Response>;
}

/** Creates the last steps. */
export function createOutcome(parts: OutcomeParts): Outcome {
  const finish = createFinish(parts);
  const lastResort = createLastResort(parts, finish);
  const inTime = createDeadline(parts.writeMs);
  const fail = createFail(parts, {
    finish,
    lastResort,
    settle: (c, work) => {
      return inTime(c, work).then(finishOr(lastResort, c), (error) => lastResort(c, error));
    },
  });
  return {
    finish,
    fail,
    lastResort,
    settle: (c, work) => inTime(c, work).then(finishOr(fail, c), (error) => fail(c, error)),
  };

  /** Runs the last steps of a response, or those of an error when they fail. */
  function finishOr(
    failing: Fail,
    c: Exchange,
  ): (response: Response) => Response | Promise<Response> {
    return (response) => {
      try {
        return finish(c, response);
      } catch (error) {
        return failing(c, error);
      }
    };
  }
}

function createDeadline(
  limitMs: number,
): (c: Exchange, work: Promise<Response>) => Promise<Response> {
  const message = `no answer within ${limitMs} ms (config.timeouts.writeMs)`;
  const onLate = (): HttpError => httpError(503, message, { code: "handler_timeout" });
  return (c, work) => endInTime(c, work, { limitMs, onLate });
}

function createFinish(
  { events, meter, accessLog, incidents, requestIdHeader }: OutcomeParts,
): Finish {
  const upgradeEnd = createUpgradeEnd({ meter, accessLog });
  // The log reads the ids anyway; without it, a look at the headers would cost every request.
  const showsBrought = accessLog.isTimed;
  return (c, response) => {
    const { own, upgraded } = c;
    if (upgraded !== undefined) return upgradeEnd.finish(c, { upgraded, response });
    if (requestIdHeader || response.status >= 400 || (showsBrought && c.broughtRequestId)) {
      stageRequestId(c, response);
    }
    if (c.spoken !== undefined) tellLanguage(c, response);
    const isDone = c.stagedHeaders === undefined && own?.response === response &&
      own.carries !== "nothing" && c.cors === undefined && !c.lacksVary(response) &&
      (c.audience !== "browser" || response.headers.has("cache-control"));
    let final = isDone ? response : mergeHeaders(c, response);
    if (final.status >= 300 && final.status < 400) {
      if (c.env === "dev") warnOfBase(c, final);
      final = answerStep(c, final);
    }
    c.seal();
    const { status } = final;
    if (status === 401 || status === 403) events.reportRefusal(c, status);
    meter?.end(c, status);
    accessLog.write(c, status);
    if (status >= 500) incidents?.keep(c, status);
    if (c.target.method === "HEAD") return withoutBody(c, final);
    const spool = c.touchedBody?.spool;
    return spool === undefined ? final : endBody(c, { response: final, spool });
  };
}

/** Warns in development of a redirect that leaves the base path, which is usually forgotten there. */
function warnOfBase(c: Exchange, response: Response): void {
  const { base, pattern: route } = c;
  const location = response.headers.get("location");
  if (base === "" || location === null || !/^\/(?!\/)/.test(location)) return;
  const isBelow = location.startsWith(base) && /^(?:$|[/?#])/.test(location.slice(base.length));
  if (isBelow) return;
  const fix = `write ${base}${location}, or c.href or href with c.base`;
  c.log.warn("a redirect leads out of the base path", { route, location, fix });
}

/** Adds `X-Request-ID` unless the application set its own. */
function stageRequestId(c: Exchange, response: Response): void {
  const name = "x-request-id";
  if (response.headers.has(name) || c.stagedHeaders?.has(name)) return;
  c.stagedHeaders ??= new Headers();
  c.stagedHeaders.set(name, c.requestId);
}

/**
 * Returns the head of a response, for `HEAD`. Framework bodies are measured, so that the length matches that
 * of `GET`; the body of a foreign response is cancelled, so that its producer can stop.
 */
export async function withoutBody(c: Exchange, response: Response): Promise<Response> {
  if (response.body === null) return response;
  const { status } = response;
  const headers = new Headers(response.headers);
  if (headers.has("content-length")) {
    await giveUp(response.body);
    return new Response(null, { status, headers });
  }
  if (response === c.own?.response && c.own.carries !== "stream") {
    const { byteLength } = await response.arrayBuffer();
    headers.set("content-length", String(byteLength));
    return new Response(null, { status, headers });
  }
  await giveUp(response.body);
  // An empty stream, not null: the server would send a length of 0, which is not that of the GET.
  return new Response(ReadableStream.from([]), { status, headers });
}

async function giveUp(body: ReadableStream): Promise<void> {
  try {
    await body.cancel();
  } catch {
    // The body is locked or its source fails to cancel: the response is a head all the same.
  }
}

function createFail(
  parts: OutcomeParts,
  { finish, lastResort, settle }: Pick<Outcome, "finish" | "lastResort" | "settle">,
): Fail {
  const { errorPages, events, incidents, tracing } = parts;
  const upgradeEnd = createUpgradeEnd(parts);
  return (c, error) => {
    try {
      const { upgraded } = c;
      if (upgraded !== undefined) {
        if (isPanic(error)) events.report(c, "panic", { reason: "uncaught-error" });
        return upgradeEnd.fail(c, { upgraded, error });
      }
      if (c.info instanceof ExportConnection) c.info.error = error;
      if (tracing !== undefined && statusOf(error) >= 500) tracing.recordError(error);
      if (incidents !== undefined && statusOf(error) >= 500) incidents.note(c, error);
      if (isPanic(error)) events.report(c, "panic", { reason: "uncaught-error" });
      else if (statusOf(error) === 413) reportBody(c, { error, events });
      const response = renderError(c, error, errorPages);
      return response instanceof Promise ? settle(c, response) : finish(c, response);
    } catch (inner) {
      return lastResort(c, inner);
    }
  };
}

/** Reports a body that was too large; in development with the message, which names the fix. */
function reportBody(
  c: Exchange,
  { error, events }: { readonly error: unknown; readonly events: SecurityEvents },
): void {
  events.report(c, "body");
  if (c.env !== "dev" || !(error instanceof Error)) return;
  c.log.warn(error.message, { method: c.method, path: logPath(c) });
}

/** Reports whether the error is unintended: not one that a handler throws as a response. */
function isPanic(error: unknown): boolean {
  return !isFwError(error) && statusOf(error) === 500;
}

function createLastResort({ errorPages }: OutcomeParts, finish: Finish): Fail {
  return (c, error) => {
    if (c.upgraded !== undefined) return c.upgraded.response;
    c.log.error("the error page failed", { path: logPath(c), route: c.pattern, error });
    c.stagedHeaders = undefined;
    // What fails here may be what the first error said: a client is told no more than the status.
    const shown = c.env === "dev" ? error : undefined;
    const failed = new Error("the error page failed", { cause: shown });
    const response = renderLastResort(c, failed, errorPages);
    return finish(c, forbidCopy(c, { response, status: response.status }));
  };
}
