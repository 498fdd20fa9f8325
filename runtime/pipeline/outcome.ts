import type { Answered } from "../base/ctx/answer.ts";
import { causeChain } from "../base/diagnose/error_text.ts";
import { type HttpError, httpError, isFwError, statusOf } from "../base/errors/errors.ts";
import { dropDeadline, startDeadline } from "../body/deadline.ts";
import type { UploadSpool } from "../body/upload/spool.ts";
import { renderError, renderLastResort } from "../render/error_pages.ts";
import { answerStep } from "../render/page.ts";
import { addHeader, finishAnswer, opened } from "../request/answer.ts";
import {
  ExportConnection,
  logPath,
  ProcessConnection,
  type RequestCtx,
} from "../request/request_ctx.ts";
import { forbidCopy } from "../request/stage.ts";
import type { Runtime } from "./runtime.ts";
import { endUpgrade } from "./upgrade.ts";

type Fail = (c: RequestCtx, error: unknown) => Answered;

export interface Outcome {
  /** Completes the head, ends the request's open resources, and writes the log. */
  readonly finish: (c: RequestCtx, response: Response) => Answered;
  readonly fail: Fail;
  /** Responds when even rendering the error failed, for example because a staged header is invalid. */
  readonly lastResort: Fail;
  /** Waits for the chain up to its deadline, then ends the request: with `failing` if the chain failed. */
  readonly settle: (c: RequestCtx, work: Promise<Response>, failing: Fail) => Promise<Response>;
}

export function createOutcome(runtime: Runtime): Outcome {
  const finish = createFinish(runtime);
  const lastResort = createLastResort(runtime, finish);
  const settle = createSettle(runtime, finish);
  const fail = createFail(runtime, { finish, lastResort, settle });
  return { finish, fail, lastResort, settle };
}

function createFinish(runtime: Runtime): Outcome["finish"] {
  const { events, meter, accessLog, incidents } = runtime;
  // The log reads the ids anyway; without it, reading the headers would cost every request.
  const showsBrought = accessLog.isTimed;
  const hasCors = runtime.cors !== undefined ||
    runtime.app.routes.some(({ cors }) => cors !== undefined);
  return (c, response) => {
    const { answer, upgraded } = c;
    if (upgraded !== undefined) {
      const isFailed = response !== upgraded.response;
      const { status } = response;
      if (isFailed) c.log.error("the response of an upgraded connection was dropped", { status });
      return endUpgrade(c, upgraded, { ...runtime, isFailed });
    }
    // The handler, or a middleware, may have changed them.
    if (opened.has(response)) answer.isStaged = true;
    const mayTellId = response.status >= 400 || (showsBrought && c.ids.isBrought);
    // The application may have set its own.
    if (mayTellId && answer.state !== "sealed" && !answer.headers?.has("x-request-id")) {
      addHeader(c, response, ["x-request-id", c.ids.requestId]);
    }
    // A response that the framework built is complete unless something was staged.
    const cors = hasCors ? c.cors : undefined;
    const isDone = response === answer.response && !answer.isStaged && cors === undefined &&
      (c.spoken === undefined || answer.kind !== "data");
    let final = isDone ? response : finishAnswer(c, response, cors);
    if (final.status >= 300 && final.status < 400) {
      // After 307 and 308, a script that requests the whole page posts again, as browsers do.
      const isStep = final.status < 304 || c.fragment !== undefined;
      if (isStep && c.headers.has("fw-fragment")) final = answerStep(final);
    }
    answer.state = "sealed";
    c.finish();
    if (c.scope !== undefined) {
      // The asynchronous context keeps what it reaches until a full collection of garbage (`bench/i18n`).
      const { texts, languagePrefix } = c;
      c.scope.facts = { texts, languagePrefix };
    }
    const { status } = final;
    if (status === 401 || status === 403) events.reportRefusal(c, status);
    meter?.end(c, status);
    accessLog.write(c, status);
    if (status >= 500) incidents?.keep(c, status);
    const { method } = c.target;
    // The form of a GET is its query, so there are no uploads to remove.
    if (method === "GET") return final;
    if (method === "HEAD") return withoutBody(c, final);
    const spool = c.touchedBody?.spool;
    return spool === undefined ? final : endBody(c, final, spool);
  };
}

/**
 * Returns the head of a response, for `HEAD`. The length of a framework body is set as for `GET`; the body of
 * a foreign response is cancelled, so that its producer stops.
 */
export async function withoutBody(c: RequestCtx, response: Response): Promise<Response> {
  if (response.body === null) return response;
  const { status } = response;
  const headers = new Headers(response.headers);
  const isMeasured = response === c.answer.response && c.answer.kind !== "stream";
  if (isMeasured && !headers.has("content-length")) {
    const { byteLength } = await response.arrayBuffer();
    headers.set("content-length", String(byteLength));
    return new Response(null, { status, headers });
  }
  // The body is locked or its source fails to cancel, but the response is only a head anyway.
  await response.body.cancel().catch(() => {});
  if (headers.has("content-length")) return new Response(null, { status, headers });
  // An empty stream, because with null the server would send a length of 0, which is not that of `GET`.
  return new Response(ReadableStream.from([]), { status, headers });
}

function createFail(
  runtime: Runtime,
  { finish, lastResort, settle }: Pick<Outcome, "finish" | "lastResort" | "settle">,
): Fail {
  const { errorPages, events, incidents, tracing } = runtime;
  return (c, thrown) => {
    try {
      let error = thrown;
      let status = statusOf(error);
      if (status === 500 && !isFwError(error)) {
        const interrupted = interruption(c, error);
        if (interrupted === undefined) events.report(c, "panic", { reason: "uncaught-error" });
        else [error, status] = [interrupted, interrupted.status];
      }
      if (c.upgraded !== undefined) {
        const message = "the handler of an upgraded connection failed";
        c.log.error(message, { route: c.pattern, error });
        return endUpgrade(c, c.upgraded, { ...runtime, isFailed: true });
      }
      if (c.info instanceof ExportConnection) c.info.error = error;
      if (status >= 500) {
        tracing?.recordError(error);
        incidents?.note(c, error);
      } else if (status === 413) {
        events.report(c, "body");
        // In development the message is included, because it names the fix.
        const { method } = c;
        if (c.env === "dev" && error instanceof Error) {
          c.log.warn(error.message, { method, path: logPath(c) });
        }
      }
      const response = renderError(c, error, errorPages);
      return response instanceof Promise ? settle(c, response, lastResort) : finish(c, response);
    } catch (inner) {
      return lastResort(c, inner);
    }
  };
}

/** Returns the error of a handler that failed because a signal aborted, as a `fetch` that it waited for does. */
function interruption(c: RequestCtx, error: unknown): HttpError | undefined {
  const chain: readonly unknown[] = [...causeChain(error)];
  if (c.abortReason !== undefined && chain.includes(c.abortReason)) {
    return c.hasClientLeft
      ? clientLeft()
      : httpError(503, "the server is shutting down", { code: "shutting_down" });
  }
  // Not read for other errors: the platform warns of a signal that it aborts after the response.
  const isAbort = chain.some((each) => each instanceof DOMException && each.name === "AbortError");
  return isAbort && chain.includes(c.request.signal.reason) ? clientLeft() : undefined;
}

/** Returns the error of a client that disconnected, which proxies log as 499. */
function clientLeft(): HttpError {
  return httpError(499, "the client went away", { code: "client_left" });
}

function createLastResort({ errorPages }: Runtime, finish: Outcome["finish"]): Fail {
  return (c, error) => {
    if (c.upgraded !== undefined) return c.upgraded.response;
    c.log.error("the error page failed", { path: logPath(c), route: c.pattern, error });
    const { answer } = c;
    answer.headers = answer.cookies = undefined;
    answer.vary = "";
    // The text of the first error may be what fails here, so clients see only the status.
    const shown = c.env === "dev" ? error : undefined;
    const failed = new Error("the error page failed", { cause: shown });
    const response = renderLastResort(c, failed, errorPages);
    return finish(c, forbidCopy(c, response, response.status));
  };
}

/** Removes the temporary files of a request after its response, which may still read them. */
function endBody(c: RequestCtx, response: Response, spool: UploadSpool): Response {
  const release = (): void => {
    try {
      spool.release();
    } catch (error) {
      // Logged, not sent: only the operator can fix a file that cannot be removed.
      c.log.warn("an upload was not removed", { error });
    }
  };
  // In-process, the response ends when it has been read, and a test must not find pending work.
  const completed = c.info instanceof ProcessConnection ? undefined : c.info?.completed;
  if (completed !== undefined) {
    completed.catch(() => {}).then(release);
    return response;
  }
  if (response.body === null || !spool.isUsed) {
    release();
    return response;
  }
  // Without a server there is no completion event, so the end of the body is used.
  const end = new TransformStream<Uint8Array, Uint8Array>({ flush: release, cancel: release });
  return new Response(response.body.pipeThrough(end), response);
}

/**
 * Creates the step that waits for a handler up to its deadline and ends the request with the result, or with a
 * 503. Time spent reading the request body does not count, since the body has its own deadline. All handlers
 * share the sweep of body reads, because a timer per request costs a quarter of a small request (`bench/http`).
 */
function createSettle({ app }: Runtime, finish: Outcome["finish"]): Outcome["settle"] {
  const limitMs = app.config.timeouts.writeMs;
  return (c, work, failing) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const expire = (): void => {
      if (!c.hasWriteDeadline) return;
      const now = performance.now();
      const dueMs = Math.min(c.touchedBody?.readEndMs ?? 0, now) + limitMs;
      if (dueMs > now) {
        deadline = startDeadline(dueMs, expire);
        return;
      }
      const late = `the handler timed out after ${limitMs} ms (config.timeouts.writeMs)`;
      const error = c.hasClientLeft
        ? clientLeft()
        : httpError(503, late, { code: "handler_timeout" });
      c.abort(new DOMException("The deadline of the handler has passed.", "TimeoutError"));
      reject(error);
      work.then((response) => response.body?.cancel(), (late) => {
        c.log.warn("handler failed after its deadline", { path: logPath(c), error: late });
      }).catch(() => {});
    };
    let deadline = startDeadline(performance.now() + limitMs, expire);
    work.then(resolve, reject);
    return promise.then((response) => {
      dropDeadline(deadline);
      return finish(c, response);
    }).catch((error) => {
      dropDeadline(deadline);
      // A failure of `finish` also counts as a failed response.
      return failing(c, error);
    });
  };
}
