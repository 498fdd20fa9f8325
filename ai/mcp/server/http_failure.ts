import type { Ctx } from "../../../mod.ts";
import { errorBody, McpError, rpcCodes } from "../protocol/errors.ts";
import { type RpcRequest, wireError } from "../protocol/messages.ts";
import type { Admission } from "./bearer.ts";
import type { McpCaller } from "./call.ts";
import type { Core } from "./core.ts";
import { scopesOf } from "./dispatch.ts";
import type { Sessions } from "./sessions/sessions.ts";

export interface Sender {
  readonly core: Core;
  readonly sessions: Sessions;
  readonly c: Ctx;
  readonly caller: McpCaller | undefined;
  readonly principal: string;
  readonly fetch: (request: Request) => Promise<Response>;
  /** Decides whether the caller may use what needs scopes; `undefined` where no token is asked for. */
  readonly admitTo: ((scopes: readonly string[]) => Admission) | undefined;
}

export function invalidRequest(message: string): McpError {
  return new McpError(rpcCodes.invalidRequest, message);
}

export function failure(
  c: Ctx,
  { status, error, id }: {
    readonly status: number;
    readonly error: unknown;
    readonly id?: string | number | undefined;
  },
): Response {
  return c.json(status, wireError(id, errorBody(error)));
}

export function challenge(
  c: Ctx,
  { status, challenge }: { readonly status: 401 | 403; readonly challenge: string },
): Response {
  c.header("WWW-Authenticate", challenge);
  const message = status === 401
    ? "An access token is needed"
    : "The access token does not allow this";
  return failure(c, { status, error: invalidRequest(message) });
}

export function refuseScopes(
  { c, core, admitTo }: Sender,
  request: RpcRequest,
): Response | undefined {
  const scopes = scopesOf(core, request);
  if (scopes.length === 0) return undefined;
  if (admitTo === undefined) {
    // Fail closed: without tokens no caller can have a scope.
    c.log.error("mcp request refused: it needs scopes, and the server has no auth", { scopes });
    const error = invalidRequest("This needs a scope");
    return failure(c, { status: 403, error, id: request.id });
  }
  const admission = admitTo(scopes);
  return admission.kind === "refused" ? challenge(c, admission) : undefined;
}
