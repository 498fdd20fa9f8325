import { type Ctx, httpError, type Result } from "../mod.ts";
import { addTicket, ownerOf, signExtras } from "./runs/browser_history.ts";
import { AiError, type AiErrorCode } from "./errors.ts";
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
  // `ownerOf` is called before the head is sent, because it may set a cookie.
  const sending: Sending = { c, owner: ownerOf(c), steps: [] };
  if (type === "text/event-stream") return streamRun(sending, events);
  // The AI client's own timeouts limit the run.
  c.noWriteDeadline();
  const asPage = type === "application/json" ? undefined : page;
  try {
    const result = forBrowser(sending, await wholeRun(sending, events));
    return asPage === undefined
      ? c.json(200, describeResult(result))
      : await asPage({ ...result, error: undefined });
  } catch (error) {
    if (!(error instanceof AiError)) throw error;
    const { code } = error;
    const [status, message] = shownFailure(c, error);
    if (asPage === undefined) throw httpError(status, message, { code, cause: error });
    c.log.error("ai run failed", { error, code });
    c.status(status);
    return await asPage(failedRun(sending, error));
  }
}

/** A run on its way to a browser, with its steps so far. */
interface Sending {
  readonly c: Ctx;
  readonly owner: string;
  readonly steps: Step[];
}

function streamRun<T>(sending: Sending, events: AsyncIterable<RunEvent<T>>): Response {
  const { c } = sending;
  return c.stream(async (s) => {
    try {
      for await (const event of untilLeft(events, s.signal)) {
        if (event.kind === "done") {
          await s.json("done", describeResult(forBrowser(sending, event.result)));
          continue;
        }
        if (event.kind === "tool_result") noteStep(sending, event);
        const { kind, ...data } = event.kind === "tool_result" ? hideFault(c, event) : event;
        await s.json(kind, data);
      }
    } catch (error) {
      // The client has disconnected, so no error is sent.
      if (s.signal.aborted) return;
      c.log.error("ai run failed", { error, code: failureCode(error) });
      await s.json("error", describeFailure(sending, error));
    }
    // Tells a browser's EventSource not to reconnect.
    await s.done();
  });
}

async function wholeRun<T>(
  sending: Sending,
  events: AsyncIterable<RunEvent<T>>,
): Promise<RunResult<T>> {
  const { signal } = sending.c;
  for await (const event of untilLeft(events, signal)) {
    if (event.kind === "tool_result") noteStep(sending, event);
    if (event.kind === "done") return event.result;
  }
  if (signal.aborted) throw httpError(499, "the client disconnected", { code: "client_left" });
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

function failedRun({ c, steps }: Sending, error: AiError): FailedRun {
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

function describeFailure(sending: Sending, error: unknown): Record<string, unknown> {
  if (!(error instanceof AiError) || error.history.length === 0) {
    return { code: failureCode(error), message: shownFailure(sending.c, error)[1] };
  }
  const { messages, error: failure } = failedRun(sending, error);
  return { ...failure, history: messages };
}

function forBrowser<T>({ c, owner }: Sending, result: RunResult<T>): RunResult<T> {
  const { steps, messages } = hideFaults(c, result);
  if (result.status !== "needs_approval") return { ...result, steps, messages };
  return { ...result, steps, messages: addTicket(c, { owner, messages }) };
}

/** Removes the text of tools' unexpected errors from steps and messages, and signs the messages. */
function hideFaults(c: Ctx, run: Pick<RunState, "steps" | "messages">): typeof run {
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

function noteStep({ c, steps }: Sending, step: Step): void {
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
