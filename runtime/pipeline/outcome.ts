import { type HttpError, httpError, isFwError, statusOf } from "../base/errors.ts";
import { endInTime } from "../guard/deadlines.ts";
import { renderError, renderLastResort } from "../render/error_pages.ts";
import { answerStep } from "../render/fragment.ts";
import { endBody } from "./body_end.ts";
import { forbidCopy } from "../request/cache_privacy.ts";
import { ExportExchange } from "../request/shared.ts";
import type { RequestContext } from "../request/context.ts";
import { mergeHeaders } from "../request/respond.ts";
import type { Compiled } from "./compiled.ts";
import { failUpgraded, finishUpgraded } from "./upgrade_outcome.ts";

/** Waits for a handler or an error page, but not for ever. */
export function inTime(
  compiled: Compiled,
  { c, work }: { readonly c: RequestContext; readonly work: Promise<Response> },
): Promise<Response> {
  const limitMs = compiled.writeMs;
  const message = `no answer within ${limitMs} ms (config.timeouts.writeMs)`;
  const onLate = (): HttpError => httpError(503, message, { code: "handler_timeout" });
  return endInTime(c, work, { limitMs, onLate });
}

/** What is done when the last steps fail. */
type Failing = (
  compiled: Compiled,
  failure: { readonly c: RequestContext; readonly error: unknown },
) => Response | Promise<Response>;

/** The last steps of an answer, or what is done when they fail. */
export function finishOr(
  failing: Failing,
  compiled: Compiled,
  exchange: { readonly c: RequestContext; readonly response: Response },
): Response | Promise<Response> {
  try {
    return finish(compiled, exchange);
  } catch (error) {
    return failing(compiled, { c: exchange.c, error });
  }
}

/** Merges what was staged, ends what the request had open, and writes the log. */
export function finish(
  compiled: Compiled,
  exchange: { readonly c: RequestContext; readonly response: Response },
): Response | Promise<Response> {
  const { c } = exchange;
  const { upgraded } = c;
  if (upgraded !== undefined) return finishUpgraded(compiled, { ...exchange, upgraded });
  const isDone = c.stagedHeaders === undefined && exchange.response === c.dressed &&
    c.cors === undefined && !c.lacksVary(exchange.response);
  const merged = isDone ? exchange.response : mergeHeaders(c, exchange.response);
  const response = isStep(merged) ? answerStep(c, merged) : merged;
  c.seal();
  const { status } = response;
  if (status === 401 || status === 403) compiled.events.reportRefusal(c, status);
  compiled.meter?.end(c, status);
  compiled.accessLog.write(c, status);
  if (c.method === "HEAD") return withoutBody(c, response);
  return c.touchedBody === undefined ? response : endBody(c, response);
}

/** Whether the answer may send the client elsewhere. */
function isStep({ status }: Response): boolean {
  return status >= 300 && status < 400;
}

/**
 * The head of an answer, for `HEAD`. What the framework wrote is measured, so that the length is the
 * one that `GET` tells; the body of a foreign answer is given up, so that whoever makes it can stop.
 */
export async function withoutBody(c: RequestContext, response: Response): Promise<Response> {
  if (response.body === null) return response;
  const { status } = response;
  const headers = new Headers(response.headers);
  if (headers.has("content-length")) {
    await giveUp(response.body);
    return new Response(null, { status, headers });
  }
  if (response === c.made) {
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
    // What makes it has locked it or fails to stop: the answer is a head all the same.
  }
}

/** Answers an error, rendered once. */
export function fail(
  compiled: Compiled,
  { c, error: given }: { readonly c: RequestContext; readonly error: unknown },
): Response | Promise<Response> {
  try {
    const error = readable(given);
    const { upgraded } = c;
    if (upgraded !== undefined) {
      if (isPanic(error)) compiled.events.report(c, "panic");
      return failUpgraded(compiled, { c, upgraded, error });
    }
    if (c.info instanceof ExportExchange) c.info.error = error;
    if (compiled.tracing !== undefined && statusOf(error) >= 500) {
      compiled.tracing.recordError(error);
    }
    if (isPanic(error)) c.app.security.report(c, "panic");
    else if (statusOf(error) === 413) reportBody(c, error);
    const response = renderError(c, error, compiled.errorPages);
    return response instanceof Promise
      ? inTime(compiled, { c, work: response }).then(
        (value) => finishOr(lastResort, compiled, { c, response: value }),
        (inner) => lastResort(compiled, { c, error: inner }),
      )
      : finish(compiled, { c, response });
  } catch (inner) {
    return lastResort(compiled, { c, error: inner });
  }
}

/** Tells of a body that was too large; in development with the message, which names the fix. */
function reportBody(c: RequestContext, error: unknown): void {
  c.app.security.report(c, "body");
  if (c.env !== "dev" || !(error instanceof Error)) return;
  c.log.warn(error.message, { method: c.method, path: c.rawPath });
}

/** Whether nobody meant the error: it is none that a handler gives to answer with. */
function isPanic(error: unknown): boolean {
  return !isFwError(error) && statusOf(error) === 500;
}

/** The error, or one in the place of a value that throws when it is looked at. */
function readable(error: unknown): unknown {
  try {
    isPanic(error);
    return error;
  } catch {
    return new Error("a handler threw a value that cannot be read");
  }
}

/** Answers when even rendering the error failed, for example because a staged header is bad. */
export function lastResort(
  compiled: Compiled,
  { c, error }: { readonly c: RequestContext; readonly error: unknown },
): Response | Promise<Response> {
  if (c.upgraded !== undefined) return c.upgraded.response;
  c.log.error("the error page failed", { path: c.rawPath, route: c.pattern, error });
  c.stagedHeaders = undefined;
  // What fails here may be what the first error said: a client is told no more than the status.
  const shown = c.env === "dev" ? error : undefined;
  const failed = new Error("the error page failed", { cause: shown });
  const response = renderLastResort(c, failed, compiled.errorPages);
  return finish(compiled, { c, response: forbidCopy(c, { response, status: response.status }) });
}
