import { randomToken } from "../../../runtime/addon.ts";
import { isJsonObject } from "../../json.ts";
import type { StateBinding } from "../../runs/signed_state.ts";
import { InputRequired, invalidParams } from "../protocol/errors.ts";
import type { RequestId, RpcParams } from "../protocol/messages.ts";
import { mayAsk, metaKeys, servedRevisions } from "../protocol/revision.ts";
import { approvalKey } from "./approval.ts";
import type { Core } from "./core.ts";
import { cacheable, capabilitiesOf, dispatch, isSharedMethod, methodNotFound } from "./dispatch.ts";
import type { RequestMeta } from "./meta.ts";
import { createCallContext, type Incoming } from "./incoming.ts";

type Answers = ReadonlyMap<string, RpcParams>;

export async function runStateless(i: Incoming, meta: RequestMeta): Promise<RpcParams> {
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
