import type { Ctx } from "../../../mod.ts";
import { cutLine, isJsonObject } from "../../json.ts";
import {
  mayAsk,
  metaKeys,
  newestSessionRevision,
  type RequestId,
  type RpcParams,
  type RpcRequest,
  servedRevisions,
  sessionRevisions,
} from "../protocol/messages.ts";
import { count, errorName, knownMethod, observe, type Subject } from "../protocol/telemetry.ts";
import type { Core } from "./core.ts";
import {
  approvalKey,
  cacheable,
  capabilitiesOf,
  dispatch,
  isSharedMethod,
  methodNotFound,
  toolOf,
} from "./dispatch.ts";
import {
  createCallContext,
  type Incoming,
  parseImplementation,
  parseProgressToken,
  type RequestMeta,
} from "./incoming.ts";
import { Session } from "./sessions/session.ts";
import type { SessionClient } from "./sessions/replicas.ts";
import { InputRequired, invalidParams, McpError, rpcCodes } from "../protocol/errors.ts";
import { isLogLevel } from "./call.ts";
import { randomToken } from "../../../runtime/addon.ts";
import type { StateBinding } from "../../runs/kept_state.ts";

/**
 * Runs a request in its time and its span, in the envelope of its era, and counts it.
 *
 * @throws {McpError} what the client gets instead.
 */
export function execute(incoming: Incoming, client: Session | RequestMeta): Promise<RpcParams> {
  const { core, request, c, metrics = c?.app.metrics, controller } = incoming;
  const { id, method, params: { name, uri, _meta: meta } } = request;
  const tool = toolOf(core, request)?.tool;
  const isPrompt = method === "prompts/get" && typeof name === "string";
  const { revision } = client instanceof Session ? client.client : client;
  const subject: Subject = {
    side: "server",
    method: knownMethod(method),
    tool: tool?.name,
    prompt: isPrompt ? core.catalog.prompts.get(name)?.name : undefined,
    uri,
    attributes: {
      "mcp.protocol.version": revision,
      "network.transport": c === undefined ? "pipe" : "tcp",
    },
  };
  const observation = {
    metrics: core.metrics ?? metrics,
    traceparent: isJsonObject(meta) ? meta.traceparent : undefined,
    // The id of the session stays out: it lets its holder in where the server has no guard.
    id: cutLine(String(id)),
  };
  const deadline = {
    timeoutMs: tool?.timeoutMs ?? core.callTimeoutMs,
    stop: (reason: unknown) => controller.abort(reason),
  };
  return observe(
    subject,
    observation,
    () =>
      withDeadline(
        (clock) =>
          client instanceof Session
            ? runSession(incoming, client, clock)
            : runStateless(incoming, client),
        deadline,
      ),
  );
}

export function countRefusal(core: Core, { method }: RpcRequest, c: Ctx, error: unknown): void {
  const subject = { side: "server", method: knownMethod(method), attributes: {} } as const;
  const metrics = core.metrics ?? c.app.metrics;
  count(subject, errorName(error, "server"), { metrics, durationMs: 0 });
}

export function parseInitialize({ params }: RpcRequest): SessionClient {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== "string") throw invalidParams("protocolVersion is missing");
  if (!isJsonObject(capabilities)) throw invalidParams("capabilities are missing");
  const isServed = sessionRevisions.includes(protocolVersion);
  return {
    // A client that asks for another revision gets the newest, and may leave.
    revision: isServed ? protocolVersion : newestSessionRevision,
    capabilities: usedCapabilities(capabilities),
    client: parseImplementation(clientInfo),
  };
}

/** Keeps what is asked for later: a session must not hold whatever a client writes. */
function usedCapabilities({ elicitation, sampling, roots }: RpcParams): RpcParams {
  const mark = (value: unknown): RpcParams | undefined => isJsonObject(value) ? {} : undefined;
  const asks = isJsonObject(elicitation)
    ? Object.fromEntries(
      ["form", "url"].filter((mode) => isJsonObject(elicitation[mode])).map((mode) => [mode, {}]),
    )
    : undefined;
  return { elicitation: asks, sampling: mark(sampling), roots: mark(roots) };
}

export function initializeResult(core: Core, { revision }: SessionClient): RpcParams {
  const { info: serverInfo, instructions } = core;
  return {
    protocolVersion: revision,
    capabilities: capabilitiesOf(core),
    serverInfo,
    instructions,
  };
}

async function runSession(
  i: Incoming,
  session: Session,
  clock: CallClock,
): Promise<RpcParams> {
  const { core, request: { method, params } } = i;
  switch (method) {
    case "ping":
      return {};
    case "logging/setLevel":
      if (!isLogLevel(params.level)) throw invalidParams("Unknown log level");
      session.logLevel = params.level;
      return {};
    case "resources/subscribe":
      session.subscribe(readUri(params));
      return {};
    case "resources/unsubscribe":
      session.unsubscribe(readUri(params));
      return {};
  }
  const { send, controller: { signal } } = i;
  const { client, logLevel } = session;
  const about = { ...client, logLevel, progressToken: parseProgressToken(params) };
  const call = createCallContext(
    i,
    about,
    (method, { params }) =>
      clock.hold(session.ask(method, { params: withElicitationId(params), signal, send })),
  );
  return await dispatch(method, { core, params, call });
}

function readUri({ uri }: RpcParams): string {
  if (typeof uri === "string" && uri.length <= maxUriChars) return uri;
  throw invalidParams("The parameter uri must be a text of at most 2048 characters");
}

const maxUriChars = 2_048;

function withElicitationId(params: RpcParams): RpcParams {
  return params.mode === "url" ? { ...params, elicitationId: crypto.randomUUID() } : params;
}

type Answers = ReadonlyMap<string, RpcParams>;

async function runStateless(i: Incoming, meta: RequestMeta): Promise<RpcParams> {
  const { core, request: { method, params } } = i;
  if (method === "server/discover") return complete(core, method, discover(core));
  if (!isSharedMethod(method)) throw methodNotFound(method);
  if (mayAsk(method)) return await runWithInput(i, meta);
  const call = createCallContext(i, meta, () => Promise.reject(new InputRequired()));
  return complete(core, method, await dispatch(method, { core, params, call }));
}

/**
 * Runs a call that may ask ("Multi Round-Trip Requests"): a question without an answer ends it, and the
 * client calls again with the answers.
 */
async function runWithInput(i: Incoming, meta: RequestMeta): Promise<RpcParams> {
  const { core, c, request: { method, params } } = i;
  const answers = await admitApproval(i, readAnswers(i));
  const questions = new Map<string, { readonly method: string; readonly params: RpcParams }>();
  return await new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const askClient = (): void => {
      clearTimeout(timer);
      // Each state has an id of its own: an approval in it counts once, and those before it no more.
      const state = { id: randomToken(), answers: Object.fromEntries(answers) };
      resolve(withServer(core, {
        resultType: "input_required",
        inputRequests: Object.fromEntries(questions),
        requestState: core.statesOf(c?.app).seal(state, createBinding(i)),
      }));
      i.controller.abort(new InputRequired());
    };
    const call = createCallContext(i, meta, (method, { key, params }) => {
      const answer = answers.get(key);
      if (answer !== undefined) return Promise.resolve(answer);
      questions.set(key, { method, params });
      // Questions that are asked together go to the client together.
      timer ??= setTimeout(askClient, 0);
      return Promise.reject(new InputRequired());
    });
    dispatch(method, { core, params, call }).then(
      (result) => questions.size > 0 ? askClient() : resolve(complete(core, method, result)),
      (error) => questions.size > 0 ? askClient() : reject(error),
    );
  });
}

function createBinding({ principal, request: { method, params } }: Incoming): StateBinding {
  const { _meta: _, inputResponses: __, requestState: ___, ...rest } = params;
  return { principal, method, params: rest };
}

interface Answered {
  readonly id: string | undefined;
  readonly answers: Answers;
}

const noAnswers: Answered = { id: undefined, answers: new Map() };

/** @throws {McpError} for a state that this server did not give to this caller for this call. */
function readAnswers(i: Incoming): Answered {
  const { requestState, inputResponses } = i.request.params;
  if (requestState === undefined && inputResponses === undefined) return noAnswers;
  const answers = new Map<string, RpcParams>();
  let id: string | undefined;
  if (requestState !== undefined) {
    const kept = i.core.statesOf(i.c?.app).open(requestState, createBinding(i));
    if (kept === undefined) throw invalidParams("The requestState is invalid or has expired");
    id = kept.id;
    for (const [key, answer] of Object.entries(kept.answers)) {
      if (isJsonObject(answer)) answers.set(key, answer);
    }
  }
  if (inputResponses === undefined) return { id, answers };
  if (!isJsonObject(inputResponses)) throw invalidParams("inputResponses must be an object");
  for (const [key, answer] of Object.entries(inputResponses)) {
    if (!isJsonObject(answer)) throw invalidParams("Every input response must be an object");
    answers.set(key, answer);
  }
  return { id, answers };
}

/**
 * Drops an approval that this call has not asked for, and one that has been used, so the person is asked
 * again.
 *
 * @throws {HttpError} 503 where it cannot be remembered that it was used.
 */
async function admitApproval(
  { core, c, principal }: Incoming,
  { id, answers }: Answered,
): Promise<Answers> {
  if (!answers.has(approvalKey)) return answers;
  const caller = { user: principal, ip: c?.clientIp };
  if (id !== undefined && await core.approvalsOf(c?.app).take(id, caller)) return answers;
  return new Map([...answers].filter(([key]) => key !== approvalKey));
}

function discover(core: Core): RpcParams {
  const { instructions } = core;
  return {
    supportedVersions: servedRevisions,
    capabilities: capabilitiesOf(core),
    instructions,
    _meta: { [metaKeys.serverInfo]: core.info },
  };
}

function complete(core: Core, method: string, result: RpcParams): RpcParams {
  const { cacheTtlMs: ttlMs, cacheScope } = core;
  const whole = { resultType: "complete", ...result };
  return withServer(core, cacheable.has(method) ? { ...whole, ttlMs, cacheScope } : whole);
}

export function listenResult(core: Core, id: RequestId): RpcParams {
  const meta = { [metaKeys.subscriptionId]: id };
  return withServer(core, { resultType: "complete", _meta: meta });
}

function withServer({ badge }: Core, result: RpcParams): RpcParams {
  const { _meta: meta } = result;
  return { ...result, _meta: isJsonObject(meta) ? { ...badge, ...meta } : badge };
}

/** Number of microtask turns that a call may take before timers are worth their cost. */
const quickTurns = 24;

/** Runs a function once it is clear that a call waits for something; never for a call that has ended. */
export async function ifSlow(hasEnded: () => boolean, fn: () => void): Promise<void> {
  for (let turn = 0; turn < quickTurns; turn++) {
    if (hasEnded()) return;
    await undefined;
  }
  // Asked and done in one turn: the call may end in any other.
  if (!hasEnded()) fn();
}

export interface CallClock {
  /** Waits for the client without counting the time: a person takes longer than a tool may. */
  hold<T>(answer: Promise<T>): Promise<T>;
}

export interface CallDeadline {
  readonly timeoutMs: number;
  readonly stop: (reason: unknown) => void;
}

/**
 * Runs a call, but not for ever: a function that ignores its signal must not block the caller.
 *
 * @throws {McpError} when the time is up.
 */
export function withDeadline<T>(
  run: (clock: CallClock) => Promise<T>,
  { timeoutMs, stop }: CallDeadline,
): Promise<T> {
  if (timeoutMs === Infinity) return run({ hold: (answer) => answer });
  return new Promise((resolve, reject) => {
    const state: { hasEnded: boolean; held: number; timer?: ReturnType<typeof setTimeout> } = {
      hasEnded: false,
      held: 0,
    };
    const start = (): void => {
      if (state.hasEnded || state.held > 0) return;
      state.timer = setTimeout(() => {
        const message = `The call took longer than ${timeoutMs} ms`;
        stop(new DOMException(`${message}.`, "TimeoutError"));
        reject(new McpError(rpcCodes.internalError, message));
      }, timeoutMs);
    };
    const hold = async <A>(answer: Promise<A>): Promise<A> => {
      state.held++;
      clearTimeout(state.timer);
      try {
        return await answer;
      } finally {
        // After an answer the function has its whole time again.
        if (--state.held === 0) start();
      }
    };
    const end = (settle: () => void): void => {
      state.hasEnded = true;
      clearTimeout(state.timer);
      settle();
    };
    run({ hold }).then((value) => end(() => resolve(value)), (error) => end(() => reject(error)));
    ifSlow(() => state.hasEnded || state.held > 0, start);
  });
}
