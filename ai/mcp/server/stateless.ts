import type { Ctx } from "../../../mod.ts";
import { invalidParams, McpError, rpcCodes } from "../protocol/errors.ts";
import { cutLine, isJsonObject } from "../../json.ts";
import { isMessageId, type RpcParams, type RpcRequest } from "../protocol/messages.ts";
import { mayAsk } from "../protocol/revision.ts";
import { metaKeys, servedRevisions, statelessRevision } from "../protocol/revision.ts";
import {
  type Exchange,
  type Implementation,
  isLogLevel,
  type McpCaller,
  type McpLogLevel,
} from "./call.ts";
import { CallContext } from "./call_context.ts";
import { approvalKey } from "./approval.ts";
import type { Core } from "./core.ts";
import { cacheable, capabilitiesOf, dispatch, isSharedMethod, methodNotFound } from "./dispatch.ts";
import { type Answers, InputRequired, InputRound } from "./input_round.ts";
import type { StateBinding } from "../../runs/signed_state.ts";

/** A request's description of itself in `_meta` (revision 2026-07-28). */
export interface RequestMeta {
  readonly revision: string;
  readonly capabilities: RpcParams;
  readonly client: Implementation | undefined;
  readonly logLevel: McpLogLevel | undefined;
  readonly progressToken: string | number | undefined;
}

/** Reports whether the parameters of a request carry the revision, which older ones never do. */
export function claimsStateless(params: RpcParams): boolean {
  return isJsonObject(params._meta) && Object.hasOwn(params._meta, metaKeys.protocolVersion);
}

export function parseMeta(params: RpcParams): RequestMeta {
  const { _meta: meta } = params;
  if (!isJsonObject(meta)) throw invalidParams("params._meta is missing");
  const revision = meta[metaKeys.protocolVersion];
  if (typeof revision !== "string") {
    throw invalidParams(`params._meta["${metaKeys.protocolVersion}"] is missing`);
  }
  if (revision !== statelessRevision) throw unsupportedRevision(revision);
  const capabilities = meta[metaKeys.clientCapabilities];
  if (!isJsonObject(capabilities)) {
    throw invalidParams(`params._meta["${metaKeys.clientCapabilities}"] is missing`);
  }
  const logLevel = meta[metaKeys.logLevel];
  if (logLevel !== undefined && !isLogLevel(logLevel)) throw invalidParams("Unknown log level");
  return {
    revision,
    capabilities,
    client: parseImplementation(meta[metaKeys.clientInfo]),
    logLevel,
    progressToken: parseProgressToken(params),
  };
}

/** Reads the token under which progress is reported; `undefined` where the client did not ask. */
export function parseProgressToken({ _meta: meta }: RpcParams): string | number | undefined {
  const token = isJsonObject(meta) ? meta.progressToken : undefined;
  return typeof token === "number" || isMessageId(token) ? token : undefined;
}

/**
 * Reads how a program describes itself, within bounds: a session keeps it.
 *
 * @returns `undefined` for what has no name or no version.
 */
export function parseImplementation(value: unknown): Implementation | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, version, title, description, websiteUrl } = value;
  if (typeof name !== "string" || typeof version !== "string") return undefined;
  const more = Object.entries({ title, description, websiteUrl }).flatMap(([member, text]) =>
    typeof text === "string" ? [[member, cutLine(text, maxAboutChars)]] : []
  );
  return {
    name: cutLine(name, maxAboutChars),
    version: cutLine(version, maxAboutChars),
    ...Object.fromEntries(more),
  };
}

const maxAboutChars = 256;

export function unsupportedRevision(requested: string): McpError {
  return new McpError(rpcCodes.unsupportedVersion, "Unsupported protocol version", {
    data: { supported: servedRevisions, requested: cutLine(requested) },
  });
}

export interface StatelessRequest {
  readonly core: Core;
  readonly request: RpcRequest;
  readonly meta: RequestMeta;
  readonly principal: string;
  readonly caller: McpCaller | undefined;
  readonly c: Ctx | undefined;
  readonly fetch: Exchange["fetch"];
  readonly log?: Exchange["log"];
  readonly signal: AbortSignal;
  readonly stop: (reason: unknown) => void;
  readonly notify: Exchange["notify"];
}

/**
 * Runs a request of revision 2026-07-28, `subscriptions/listen` aside.
 *
 * @throws {McpError} what the client gets instead.
 */
export async function runStateless(r: StatelessRequest): Promise<RpcParams> {
  const { core, request: { method } } = r;
  if (method === "server/discover") return complete(core, method, discover(core));
  if (!isSharedMethod(method)) throw methodNotFound(method);
  if (!mayAsk(method)) {
    const call = contextOf(r, () => Promise.reject(new InputRequired()));
    return complete(core, method, await dispatch(method, { core, params: r.request.params, call }));
  }
  return await runWithInput(r);
}

function contextOf(r: StatelessRequest, ask: Exchange["ask"]): CallContext {
  const { meta, caller, c, fetch, log, signal, notify } = r;
  const exchange = { ...meta, caller, c, fetch, log, notify, ask, signal };
  return new CallContext(exchange, String(r.request.id));
}

async function runWithInput(r: StatelessRequest): Promise<RpcParams> {
  const { core, request: { method, params } } = r;
  const answers = await admitApproval(r, readAnswers(r));
  return await new Promise((resolve, reject) => {
    // Most calls ask nothing.
    let round: InputRound | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const askClient = (asked: InputRound): void => {
      clearTimeout(timer);
      resolve(withServer(core, asked.result(core.statesOf(r.c?.app), bindingOf(r))));
      r.stop(new InputRequired());
    };
    const call = contextOf(r, (method, { key, params }) => {
      const asked = round ??= new InputRound(answers);
      const answer = asked.ask(key, { method, params });
      // Questions that are asked together go to the client together.
      if (asked.isOpen) timer ??= setTimeout(() => askClient(asked), 0);
      return answer;
    });
    dispatch(method, { core, params, call }).then((result) => {
      if (round?.isOpen) askClient(round);
      else resolve(complete(core, method, result));
    }, (error) => {
      if (round?.isOpen) askClient(round);
      else reject(error);
    });
  });
}

/**
 * Returns what must not change when the client calls again: everything but the answers and `_meta`.
 */
function bindingOf({ principal, request: { method, params } }: StatelessRequest): StateBinding {
  const { _meta: _, inputResponses: __, requestState: ___, ...rest } = params;
  return { principal, method, params: rest };
}

interface Answered {
  /** Names the state that it was given; `undefined` without one. */
  readonly id: string | undefined;
  readonly answers: Answers;
}

const noAnswers: Answered = { id: undefined, answers: new Map() };

/** @throws {McpError} for a state that this server did not give to this caller for this call. */
function readAnswers(r: StatelessRequest): Answered {
  const { requestState, inputResponses } = r.request.params;
  if (requestState === undefined && inputResponses === undefined) return noAnswers;
  const answers = new Map<string, RpcParams>();
  let id: string | undefined;
  if (requestState !== undefined) {
    const kept = r.core.statesOf(r.c?.app).open(requestState, bindingOf(r));
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
  { core, c, principal }: StatelessRequest,
  { id, answers }: Answered,
): Promise<Answers> {
  if (!answers.has(approvalKey)) return answers;
  if (id !== undefined && await core.approvalsOf(c?.app).take(id, principal)) return answers;
  return new Map([...answers].filter(([key]) => key !== approvalKey));
}

function discover(core: Core): RpcParams {
  const { instructions } = core;
  return {
    supportedVersions: servedRevisions,
    capabilities: capabilitiesOf(core),
    ...(instructions === undefined ? {} : { instructions }),
    _meta: { [metaKeys.serverInfo]: core.info },
  };
}

function complete(core: Core, method: string, result: RpcParams): RpcParams {
  const { cacheTtlMs: ttlMs, cacheScope } = core;
  const whole = { resultType: "complete", ...result };
  return withServer(core, cacheable.has(method) ? { ...whole, ttlMs, cacheScope } : whole);
}

export function withServer({ badge }: Core, result: RpcParams): RpcParams {
  const { _meta: meta } = result;
  return { ...result, _meta: isJsonObject(meta) ? { ...badge, ...meta } : badge };
}
