import { type Ctx, HttpError } from "../../../mod.ts";
import { readJsonBody, requestHeaders } from "../../../runtime/addon.ts";
import { McpError, rpcCodes } from "../protocol/errors.ts";
import { isJsonObject } from "../../json.ts";
import {
  isStateless,
  parseMessage,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
} from "../protocol/messages.ts";
import type { BearerGuard } from "./bearer.ts";
import type { Core } from "./core.ts";
import type { McpHandlers, McpServerOptions } from "./options.ts";
import { refuseOrigin } from "../../origin.ts";
import { claimsStateless } from "./incoming.ts";
import { answerSession, endSession, openEventStream, takeMessage } from "./sessions/http.ts";
import { Sessions } from "./sessions/sessions.ts";
import { challenge, failure, invalidRequest, type Sender } from "./http_reply.ts";
import { answerStateless } from "./http_stateless.ts";

export function createHandlers(
  core: Core,
  guard: BearerGuard | undefined,
  identify: McpServerOptions["identify"] | undefined,
): McpHandlers {
  const sessions = new Sessions(core);
  const admitted =
    (answer: (sender: Sender) => Promise<Response>) => async (c: Ctx): Promise<Response> => {
      const refusal = refuseOrigin(c);
      if (refusal !== undefined) return failure(c, { status: 403, error: invalidRequest(refusal) });
      const admission = await guard?.admit(c);
      if (admission?.kind === "refused") return challenge(c, admission);
      const caller = admission?.caller;
      const principal = caller?.subject ?? await identify?.(c) ?? "";
      try {
        return await answer({ core, sessions, c, caller, principal, guard });
      } catch (thrown) {
        if (thrown instanceof Response) return thrown;
        throw thrown;
      }
    };
  return {
    GET: admitted(openEventStream),
    POST: admitted(answerMessage),
    DELETE: admitted(endSession),
  };
}

async function answerMessage(sender: Sender): Promise<Response> {
  const { c } = sender;
  const message = await readMessage(c);
  if (message.kind !== "request") {
    // In revision 2026-07-28 clients send no notifications over HTTP; to cancel, they close the stream.
    return message.kind === "notification" && speaksStateless(c, message)
      ? new Response(null, { status: 202 })
      : await takeMessage(sender, message);
  }
  // The handshake exists only in older revisions.
  const isHandshake = message.method === "initialize" && !claimsStateless(message.params);
  return !isHandshake && speaksStateless(c, message)
    ? await answerStateless(sender, message)
    : await answerSession(sender, message);
}

function speaksStateless(c: Ctx, message: RpcRequest | RpcNotification): boolean {
  if (claimsStateless(message.params)) return true;
  const revision = requestHeaders(c).get("mcp-protocol-version");
  return revision !== null && /^\d{4}-\d{2}-\d{2}$/.test(revision) && isStateless(revision);
}

async function readMessage(c: Ctx): Promise<RpcMessage> {
  let body: unknown;
  try {
    body = await readJsonBody(c);
  } catch (error) {
    // A body that is too large, too late or of another type is an HTTP failure, not a JSON-RPC error.
    if (!(error instanceof HttpError) || error.status !== 400) throw error;
    const parseError = new McpError(rpcCodes.parseError, `Parse error: ${error.message}`);
    throw failure(c, { status: 400, error: parseError });
  }
  const message = parseMessage(body);
  if (message !== undefined) return message;
  const what = Array.isArray(body)
    ? "A body must contain one message, not a list"
    : "This is not a message";
  const id = isJsonObject(body) && typeof body.id === "string" ? body.id : undefined;
  throw failure(c, { status: 400, error: invalidRequest(what), id });
}
