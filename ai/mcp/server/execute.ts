import { randomToken } from "../../../runtime/addon.ts";
import { isJsonObject } from "../../json.ts";
import { maxStateChars, type StateBinding } from "../../runs/kept_state.ts";
import { errorBody, InputRequired, invalidParams, McpError, rpcCodes } from "../protocol/errors.ts";
import {
  metaKeys,
  namedMethods,
  newestSessionRevision,
  type RequestId,
  type RpcParams,
  type RpcRequest,
  servedRevisions,
  sessionRevisions,
  wireError,
  wireResult,
  wireText,
} from "../protocol/messages.ts";
import { observe, type Subject } from "./metrics.ts";
import type { Core } from "./core.ts";
import { approvalKey, dispatch, serverCapabilities, toolOf } from "./dispatch.ts";
import { CallContext } from "./call_context.ts";
import { listening } from "./listen.ts";
import { type Incoming, parseImplementation, parseProgressToken, takesStream } from "./incoming.ts";
import type { RequestMeta, SessionClient } from "./call.ts";
import { changeSettings, readLevel, Session } from "./sessions/session.ts";

/** Runs a request of any transport in its era's format; returns no text if cancelled. Never rejects. */
export async function answerRequest(
  i: Incoming,
  client: Session | RequestMeta,
): Promise<{ readonly text?: string; readonly error?: unknown }> {
  const { core, request, request: { id, method }, c, controller } = i;
  // A deadline, or a question to the client, is not a cancellation.
  const isCancelled = ({ aborted, reason } = controller.signal): boolean =>
    aborted && reason?.name === "AbortError";
  const tool = toolOf(core, request)?.tool;
  const timeoutMs = method === listening ? Infinity : tool?.timeoutMs ?? core.callTimeoutMs;
  const run = (hold: Hold): Promise<RpcParams> =>
    client instanceof Session ? runSession(i, client, hold) : runStateless(i, client);
  try {
    const subject: Subject = { method, tool: tool?.name, metrics: c?.app.metrics };
    const result = await observe(subject, () => withDeadline(timeoutMs, controller, run));
    return isCancelled() ? {} : { text: wireText(wireResult(id, result)) };
  } catch (error) {
    if (isCancelled()) return {};
    if (!(error instanceof McpError)) (c?.log ?? i.log)?.error("mcp request failed", { error });
    return { text: errorText(id, error), error };
  }
}

function errorText(id: RequestId, error: unknown): string {
  try {
    return wireText(wireError(id, errorBody(error)));
  } catch (fault) {
    // An application's data may be circular.
    return wireText(wireError(id, errorBody(fault)));
  }
}

export function parseInitialize({ params }: RpcRequest): SessionClient {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== "string") throw invalidParams("protocolVersion is missing");
  if (!isJsonObject(capabilities)) throw invalidParams("capabilities are missing");
  const isServed = sessionRevisions.includes(protocolVersion);
  return {
    // A client that requests another revision gets the newest, and may disconnect.
    revision: isServed ? protocolVersion : newestSessionRevision,
    capabilities: usedCapabilities(capabilities),
    client: parseImplementation(clientInfo),
  };
}

/** Keeps only the capabilities used later, so that clients cannot store arbitrary data in a session. */
function usedCapabilities({ elicitation, sampling, roots }: RpcParams): RpcParams {
  const mark = (value: unknown): RpcParams | undefined => isJsonObject(value) ? {} : undefined;
  const asks = isJsonObject(elicitation)
    ? { form: mark(elicitation.form), url: mark(elicitation.url) }
    : undefined;
  return { elicitation: asks, sampling: mark(sampling), roots: mark(roots) };
}

export function initializeResult(core: Core, { revision }: SessionClient): RpcParams {
  const { info: serverInfo, instructions } = core;
  const capabilities = serverCapabilities(core);
  return { protocolVersion: revision, capabilities, serverInfo, instructions };
}

async function runSession(i: Incoming, session: Session, hold: Hold): Promise<RpcParams> {
  const { c, request, send, controller: { signal } } = i;
  const { method, params } = request;
  const { client, settings } = session;
  if (method === "ping" || await changeSettings(settings, request)) return {};
  // Questions are sent on the stream of the call.
  const capabilities = c === undefined || takesStream(c) ? client.capabilities : {};
  const logLevel = () => readLevel(settings);
  const about = { ...client, capabilities, logLevel, progressToken: parseProgressToken(params) };
  const call = new CallContext(i, about, (method, { params }) =>
    hold(session.ask(method, {
      // Revision 2025-11-25 requires an id for a page visit.
      params: params.mode === "url" ? { ...params, elicitationId: crypto.randomUUID() } : params,
      signal,
      send,
    })));
  return await dispatch(call);
}

async function runStateless(i: Incoming, meta: RequestMeta): Promise<RpcParams> {
  const { core, request: { method } } = i;
  if (method === "server/discover") {
    const { instructions, info } = core;
    const _meta = { [metaKeys.serverInfo]: info };
    const capabilities = serverCapabilities(core);
    const facts = { supportedVersions: servedRevisions, capabilities, instructions, _meta };
    return complete(core, method, facts);
  }
  if (namedMethods.has(method)) return await runWithInput(i, meta);
  const call = new CallContext(i, meta, () => Promise.reject(new InputRequired()));
  return complete(core, method, await dispatch(call));
}

/** Runs a call that may ask questions ("Multi Round-Trip Requests"); the client repeats it with the answers. */
async function runWithInput(i: Incoming, meta: RequestMeta): Promise<RpcParams> {
  const { core, c, request: { method } } = i;
  const answers = await readAnswers(i);
  const questions = new Map<string, { readonly method: string; readonly params: RpcParams }>();
  return await new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const askClient = (): void => {
      clearTimeout(timer);
      // Each state has its own id, so that an approval works only once and earlier states do not.
      const state = { id: randomToken(), answers: Object.fromEntries(answers) };
      const requestState = core.statesOf(c?.app).seal(state, createBinding(i));
      if (requestState.length > maxStateChars) {
        reject(invalidParams("The client's answers are too long to ask another question"));
      } else {
        const inputRequests = Object.fromEntries(questions);
        resolve(withServer(core, { resultType: "input_required", inputRequests, requestState }));
      }
      i.controller.abort(new InputRequired());
    };
    const call = new CallContext(i, meta, (method, { key, params }) => {
      const answer = answers.get(key);
      if (answer !== undefined) return Promise.resolve(answer);
      questions.set(key, { method, params });
      // Send concurrent questions to the client together.
      timer ??= setTimeout(askClient, 0);
      return Promise.reject(new InputRequired());
    });
    dispatch(call).then(
      (result) => questions.size > 0 ? askClient() : resolve(complete(core, method, result)),
      (error) => questions.size > 0 ? askClient() : reject(error),
    );
  });
}

/** Binds a state to the call: a repeated call may differ only in its answers and `_meta`. */
function createBinding({ principal, request: { method, params } }: Incoming): StateBinding {
  const { _meta: _, inputResponses: __, requestState: ___, ...rest } = params;
  return { principal, method, params: rest };
}

/**
 * Reads the client's answers of all attempts of a call so far, by the keys of their questions. Drops an
 * approval that this call did not request or that was already used, so that the person is asked again.
 *
 * @throws {McpError} for a state of another caller or call.
 * @throws {HttpError} 503 if the use cannot be recorded.
 */
async function readAnswers(i: Incoming): Promise<Map<string, RpcParams>> {
  const { core, c, principal, request: { params: { requestState, inputResponses = {} } } } = i;
  const kept = requestState === undefined
    ? { id: undefined, answers: {} }
    : core.statesOf(c?.app).open(requestState, createBinding(i));
  if (kept === undefined) throw invalidParams("The requestState is invalid or has expired");
  if (!isJsonObject(inputResponses)) throw invalidParams("inputResponses must be an object");
  const answers = new Map<string, RpcParams>();
  for (const [key, answer] of Object.entries({ ...kept.answers, ...inputResponses })) {
    if (!isJsonObject(answer)) throw invalidParams("Every input response must be an object");
    answers.set(key, answer);
  }
  if (!answers.has(approvalKey)) return answers;
  const caller = { user: principal, ip: c?.clientIp };
  const isFirst = kept.id !== undefined && await core.approvalsOf(c?.app).take(kept.id, caller);
  if (!isFirst) answers.delete(approvalKey);
  return answers;
}

function complete(core: Core, method: string, result: RpcParams): RpcParams {
  const caching = /\/(?:discover|list|read)$/.test(method)
    ? { ttlMs: 0, cacheScope: "private" }
    : {};
  return withServer(core, { resultType: "complete", ...result, ...caching });
}

function withServer({ badge }: Core, result: RpcParams): RpcParams {
  const { _meta: meta } = result;
  return { ...result, _meta: isJsonObject(meta) ? { ...badge, ...meta } : badge };
}

/** Number of microtask turns that a call may take before timers are started. */
const quickTurns = 24;

/** Runs a function once a call takes longer than a few turns; never for a call that has ended. */
export async function ifSlow(hasEnded: () => boolean, fn: () => void): Promise<void> {
  for (let turn = 0; turn < quickTurns; turn++) {
    if (hasEnded()) return;
    await undefined;
  }
  // Check and act in the same turn, because the call may end in any other.
  if (!hasEnded()) fn();
}

/** Waits for the client with the timeout paused, because a person takes longer than a tool may. */
type Hold = <T>(answer: Promise<T>) => Promise<T>;

/** Runs a call with a timeout, so that a function that ignores its signal does not block the caller. */
async function withDeadline<T>(
  timeoutMs: number,
  controller: AbortController,
  run: (hold: Hold) => Promise<T>,
): Promise<T> {
  if (timeoutMs === Infinity) return await run((answer) => answer);
  const late = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = (): void => {
    timer = setTimeout(() => {
      const message = `The call took longer than ${timeoutMs} ms`;
      controller.abort(new DOMException(`${message}.`, "TimeoutError"));
      late.reject(new McpError(rpcCodes.internalError, message));
    }, timeoutMs);
  };
  /** Number of questions that are open; `Infinity` once the call has ended. */
  let held = 0;
  ifSlow(() => held > 0, start);
  try {
    return await Promise.race([
      run(async (answer) => {
        held++;
        clearTimeout(timer);
        // The timeout restarts after an answer.
        return await answer.finally(() => --held === 0 && start());
      }),
      late.promise,
    ]);
  } finally {
    held = Infinity;
    clearTimeout(timer);
  }
}
