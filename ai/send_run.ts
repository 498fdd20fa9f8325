import { type Ctx, type EventStream, type HttpError, httpError, type Result } from "../mod.ts";
import { addTicket } from "./approval_ticket.ts";
import { AiError, type AiErrorCode } from "./errors.ts";
import type { RunEvent, RunResult, Step } from "./run_types.ts";

/** Options of {@link sendRun}. */
export interface SendRunOptions<T = undefined> {
  /**
   * Renders the page for a browser whose script did not send the form: the whole conversation, once the
   * run is over.
   *
   * @default a client that does not read events gets the result as JSON
   */
  readonly page?: (result: RunResult<T>) => Result | Promise<Result>;
}

/** The media types that a run can be sent as, in the order of preference. */
const offered = ["text/event-stream", "application/json"] as const;
const offeredWithPage = ["text/event-stream", "text/html"] as const;

/**
 * Sends a run to a browser. A script asks for `text/event-stream` and gets the events as they happen:
 * `text`, `tool_call`, `tool_result`, `handoff`, then `done` with the history, or `error` with a code. A
 * form without a script gets the page once the run is over. A client that leaves aborts the run.
 *
 * @param c The context of the request.
 * @param events What `runStream` returned.
 * @returns What the handler returns. It rejects with an `HttpError` where a page cannot be made because
 * the model failed.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import type { Handler } from "@fw/fw";
 * import { agent, readChat, runStream, sendRun } from "@fw/fw/ai";
 * import { scriptedModel } from "@fw/fw/ai/testing";
 * import { testRoute, withHeader, withJson } from "@fw/fw/testing";
 *
 * const helper = agent({ name: "helper", instructions: "Help." });
 * const POST: Handler = async (c) => {
 *   const { input, history } = await readChat(c);
 *   return await sendRun(c, runStream(scriptedModel(["Hello"]), helper, input, { history }));
 * };
 *
 * const route = { pattern: "/chat", methods: { POST } };
 * const accept = withHeader("accept", "text/event-stream");
 * const response = await testRoute(route, "POST", "/chat", withJson({ message: "Hi" }), accept);
 * assertEquals(response.events.map(({ event }) => event), ["text", "done"]);
 * ```
 */
export async function sendRun<T = undefined>(
  c: Ctx,
  events: AsyncIterable<RunEvent<T>>,
  options: SendRunOptions<T> = {},
): Promise<Result> {
  const { page } = options;
  const type = c.accepts(...(page === undefined ? offered : offeredWithPage));
  if (type === "text/event-stream") return streamRun(c, events);
  // The client's own limits bound the run.
  c.noWriteDeadline();
  const result = forBrowser(c, await wholeRun(c, events));
  return page === undefined ? c.json(200, describeResult(result)) : await page(result);
}

function streamRun<T>(c: Ctx, events: AsyncIterable<RunEvent<T>>): Response {
  return c.stream(async (s) => {
    const iterator = events[Symbol.asyncIterator]();
    const leave = (): void => void iterator.return?.();
    s.signal.addEventListener("abort", leave, { once: true });
    try {
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        await sendEvent(s, { c, event: next.value });
      }
    } catch (error) {
      // The client has gone, so no error is sent.
      if (s.signal.aborted) return;
      c.log.error("ai run failed", { error, code: codeOf(error) });
      await s.json("error", { code: codeOf(error), message: publicMessage(error) });
    } finally {
      s.signal.removeEventListener("abort", leave);
    }
    // Tells a browser's EventSource not to connect again.
    await s.done();
  });
}

async function sendEvent<T>(
  s: EventStream,
  { c, event }: { readonly c: Ctx; readonly event: RunEvent<T> },
): Promise<void> {
  if (event.kind === "done") {
    return await s.json("done", describeResult(forBrowser(c, event.result)));
  }
  if (event.kind === "tool_result") logFault(c, event);
  const { kind, ...data } = event.kind === "tool_result" ? hideFault(c, event) : event;
  await s.json(kind, data);
}

async function wholeRun<T>(c: Ctx, events: AsyncIterable<RunEvent<T>>): Promise<RunResult<T>> {
  const iterator = events[Symbol.asyncIterator]();
  const leave = (): void => void iterator.return?.();
  c.signal.addEventListener("abort", leave, { once: true });
  try {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      if (next.value.kind === "tool_result") logFault(c, next.value);
      if (next.value.kind === "done") return next.value.result;
    }
  } catch (error) {
    throw error instanceof AiError ? asHttpError(error) : error;
  } finally {
    c.signal.removeEventListener("abort", leave);
  }
  throw new Error("The run ended without its last event.");
}

/** Prepares a result for a browser, which sends its history back. */
function forBrowser<T>(c: Ctx, result: RunResult<T>): RunResult<T> {
  const steps = result.steps.map((step) => hideFault(c, step));
  const messages = result.messages.map((message) => {
    if (message.role !== "tool") return message;
    const { callId, content } = message;
    // Some models use an id again in a later turn.
    const at = result.steps.findIndex((step) => step.callId === callId && step.output === content);
    return { ...message, content: steps[at]?.output ?? content };
  });
  const isPaused = result.status === "needs_approval";
  return { ...result, steps, messages: isPaused ? addTicket(c, messages) : messages };
}

/** Keeps the words of an unexpected error in the log, outside of development. */
function hideFault<S extends Step>(c: Ctx, step: S): S {
  if (step.isUnexpected !== true || c.env === "dev") return step;
  return { ...step, output: "error: The tool failed." };
}

function logFault(c: Ctx, { tool, output, isUnexpected }: Step): void {
  if (isUnexpected === true) c.log.error("ai tool failed", { tool, error: output });
}

/** What a client gets of a result. */
function describeResult<T>(result: RunResult<T>): Record<string, unknown> {
  const { status, output, agent, messages, usage, pending } = result;
  return { status, output, agent, history: messages, usage, pending };
}

const statuses: Partial<Record<AiErrorCode, number>> = {
  ai_bad_history: 400,
  ai_rate_limited: 503,
  ai_unavailable: 503,
  ai_unreachable: 503,
  ai_timeout: 504,
};

function asHttpError(error: AiError): HttpError {
  const status = statuses[error.code] ?? 502;
  return httpError(status, publicMessage(error), { code: error.code, cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof AiError ? error.code : "ai_failed";
}

/** What a stranger may read: never the words of the model's server, which may name accounts. */
function publicMessage(error: unknown): string {
  switch (codeOf(error)) {
    case "ai_rate_limited":
    case "ai_unavailable":
    case "ai_unreachable":
      return "The assistant is busy. Try again in a moment.";
    case "ai_timeout":
      return "The assistant took too long. Try again.";
    case "ai_max_turns":
      return "The assistant came to no answer. Ask in another way.";
    case "ai_bad_history":
      return "This conversation cannot go on. Start a new one.";
    default:
      return "The assistant failed. Try again.";
  }
}
