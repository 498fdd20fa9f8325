import { type Ctx, httpError, type Result } from "../mod.ts";
import { addTicket, ownerOf, signExtras } from "./runs/browser_history.ts";
import { AiError, type AiErrorCode } from "./errors.ts";
import type { Message } from "./message.ts";
import { unfinishedRun } from "./runs/run.ts";
import type { RunEvent, RunResult, RunState, Step } from "./runs/types.ts";

/** Why a run failed, for display in the browser. */
export interface RunFailure {
  /** The stable code of the failure, as in `AiError`. */
  readonly code: string;
  /** A sentence for the user; the details are in the log. */
  readonly message: string;
  /** The unanswered message; it is not in the history, so that it can be sent again. */
  readonly draft: string | undefined;
}

/** A run that ended with an `AiError`, as passed to the page, with the results before the failure. */
export interface FailedRun extends Omit<RunState, "agent" | "usage"> {
  /** Distinguishes the results. */
  readonly status: "failed";
  /** Why it failed. */
  readonly error: RunFailure;
}

/** The state that a page shows: the result of a run, or its failure. */
export type ShownRun<T = undefined> = (RunResult<T> & { readonly error: undefined }) | FailedRun;

/** Options of {@link sendRun}. */
export interface SendRunOptions<T = undefined> {
  /**
   * Renders the page for a form that was sent without the script: the whole conversation, after the run
   * has ended. A failed run has an `error`, and its page the status 400, 502, 503 or 504.
   *
   * @default a client that does not accept events gets the result as JSON, and a failure as a problem document
   */
  readonly page?: (result: ShownRun<T>) => Result | Promise<Result>;
}

const offered = ["text/event-stream", "application/json"] as const;
// A script asks for events explicitly; a client that accepts anything gets the browser's page.
const offeredWithPage = ["text/html", "application/json", "text/event-stream"] as const;

/**
 * Sends a run to a browser. A script asks for `text/event-stream` and gets the events as they happen:
 * `text`, `tool_call`, `tool_result`, `handoff`, then `done` with the history, or `error` with a code. A
 * form without a script gets the page after the run has ended, even if the model failed, and a client that
 * asks for `application/json` gets the whole result. A client that disconnects aborts the run.
 *
 * @throws {HttpError} 400 for a malformed history, 502, 503 and 504 for a failure of the model; with a page,
 * only if the client wants JSON.
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
  // Call this before the head is sent, because it may set a cookie.
  const owner = ownerOf(c);
  if (type === "text/event-stream") return streamRun(c, { events, owner });
  // The AI client's own timeouts limit the run.
  c.noWriteDeadline();
  const steps: Step[] = [];
  try {
    const result = forBrowser(c, { result: await wholeRun(c, { events, steps }), owner });
    return page === undefined || type === "application/json"
      ? c.json(200, describeResult(result))
      : await page({ ...result, error: undefined });
  } catch (error) {
    if (!(error instanceof AiError)) throw error;
    const { code } = error;
    const [status, message] = shownFailure(c, error);
    if (page === undefined || type === "application/json") {
      throw httpError(status, message, { code, cause: error });
    }
    c.log.error("ai run failed", { error, code });
    c.status(status);
    return await page(failedRun(c, { error, steps }));
  }
}

function streamRun<T>(
  c: Ctx,
  { events, owner }: { readonly events: AsyncIterable<RunEvent<T>>; readonly owner: string },
): Response {
  return c.stream(async (s) => {
    const steps: Step[] = [];
    try {
      for await (const event of untilLeft(events, s.signal)) {
        if (event.kind === "done") {
          await s.json("done", describeResult(forBrowser(c, { result: event.result, owner })));
          continue;
        }
        if (event.kind === "tool_result") noteStep(c, steps, event);
        const { kind, ...data } = event.kind === "tool_result" ? hideFault(c, event) : event;
        await s.json(kind, data);
      }
    } catch (error) {
      // The client has disconnected, so no error is sent.
      if (s.signal.aborted) return;
      c.log.error("ai run failed", { error, code: failureCode(error) });
      await s.json("error", describeFailure(c, { error, steps }));
    }
    // Tells a browser's EventSource not to reconnect.
    await s.done();
  });
}

async function wholeRun<T>(
  c: Ctx,
  { events, steps }: { readonly events: AsyncIterable<RunEvent<T>>; readonly steps: Step[] },
): Promise<RunResult<T>> {
  for await (const event of untilLeft(events, c.signal)) {
    if (event.kind === "tool_result") noteStep(c, steps, event);
    if (event.kind === "done") return event.result;
  }
  if (c.signal.aborted) throw httpError(499, "the client disconnected", { code: "client_left" });
  throw unfinishedRun();
}

/** Iterates over a run and aborts it when the client disconnects, even before it starts. */
async function* untilLeft<T>(
  events: AsyncIterable<RunEvent<T>>,
  signal: AbortSignal,
): AsyncGenerator<RunEvent<T>> {
  if (signal.aborted) return;
  const iterator = events[Symbol.asyncIterator]();
  // No client can receive a failure after disconnecting.
  const leave = (): void => void iterator.return?.().catch(() => {});
  signal.addEventListener("abort", leave, { once: true });
  try {
    yield* { [Symbol.asyncIterator]: () => iterator };
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

interface Failure<E> {
  readonly error: E;
  readonly steps: readonly Step[];
}

function failedRun(c: Ctx, { error, steps }: Failure<AiError>): FailedRun {
  const shown = hideFaults(c, { steps, messages: error.history });
  const last = shown.messages.at(-1);
  // Return an unanswered message to the input field, so that it can be sent again.
  const draft = last?.role === "user" && typeof last.content === "string"
    ? last.content
    : undefined;
  return {
    status: "failed",
    output: error.partial,
    value: undefined,
    steps: shown.steps,
    messages: draft === undefined ? shown.messages : shown.messages.slice(0, -1),
    pending: [],
    error: { code: error.code, message: shownFailure(c, error)[1], draft },
  };
}

function describeFailure(c: Ctx, { error, steps }: Failure<unknown>): Record<string, unknown> {
  if (!(error instanceof AiError) || error.history.length === 0) {
    return { code: failureCode(error), message: shownFailure(c, error)[1] };
  }
  const { messages, error: failure } = failedRun(c, { error, steps });
  return { ...failure, history: messages };
}

function forBrowser<T>(
  c: Ctx,
  { result, owner }: { readonly result: RunResult<T>; readonly owner: string },
): RunResult<T> {
  const { steps, messages } = hideFaults(c, result);
  if (result.status !== "needs_approval") return { ...result, steps, messages };
  return { ...result, steps, messages: addTicket(c, { owner, messages }) };
}

/** Removes the text of tools' unexpected errors from steps and messages, and signs the messages. */
function hideFaults(
  c: Ctx,
  run: { readonly steps: readonly Step[]; readonly messages: readonly Message[] },
): { readonly steps: Step[]; readonly messages: readonly Message[] } {
  const steps = run.steps.map((step) => hideFault(c, step));
  const messages = run.messages.map((message) => {
    if (message.role !== "tool") return message;
    const { callId, content } = message;
    // Some models reuse an id in a later turn.
    const at = run.steps.findIndex((step) => step.callId === callId && step.output === content);
    return { ...message, content: steps[at]?.output ?? content };
  });
  return { steps, messages: signExtras(c, messages) };
}

/** Hides the text of an unexpected error, except in development; the log contains it. */
function hideFault<S extends Step>(c: Ctx, step: S): S {
  if (step.isUnexpected !== true || c.env === "dev") return step;
  return { ...step, output: "error: The tool failed." };
}

function noteStep(c: Ctx, steps: Step[], step: Step): void {
  steps.push(step);
  const { tool, output, isUnexpected } = step;
  if (isUnexpected === true) c.log.error("ai tool failed", { tool, error: output });
}

function describeResult<T>(result: RunResult<T>): Record<string, unknown> {
  const { status, output, agent, messages, usage, pending } = result;
  return { status, output, agent, history: messages, usage, pending };
}

const busy = [503, "The assistant is busy. Try again in a moment."] as const;
const failed = [502, "The assistant failed. Try again."] as const;

/** The status and public message of a failure, without the model server's text, which may name accounts. */
const failures: Partial<Record<AiErrorCode, readonly [status: number, message: string]>> = {
  ai_bad_history: [400, "This conversation cannot continue. Start a new one."],
  ai_rate_limited: busy,
  ai_unavailable: busy,
  ai_unreachable: busy,
  ai_timeout: [504, "The assistant took too long. Try again."],
  ai_max_turns: [502, "The assistant found no answer. Ask in another way."],
};

function failureCode(error: unknown): string {
  return error instanceof AiError ? error.code : "ai_failed";
}

/** Returns the status and the message for a client, in development with the cause, such as an unset variable. */
function shownFailure(c: Ctx, error: unknown): readonly [status: number, message: string] {
  const [status, message] = (error instanceof AiError ? failures[error.code] : undefined) ?? failed;
  return c.env === "dev" && error instanceof Error
    ? [status, `${message} ${error.message}`]
    : [status, message];
}
