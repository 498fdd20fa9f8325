import { type Ctx, HttpError } from "../../../mod.ts";
import { fetchInside, readJsonBody, requestHeaders } from "../../../runtime/addon.ts";
import { McpError, rpcCodes } from "../protocol/errors.ts";
import { isJsonObject } from "../../json.ts";
import {
  parseMessage,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
} from "../protocol/messages.ts";
import { isStateless } from "../protocol/revision.ts";
import type { BearerGuard } from "./bearer.ts";
import type { McpCaller } from "./call.ts";
import type { Core } from "./core.ts";
import type { McpServerOptions } from "./options.ts";
import { reportRoutes } from "./routes/check.ts";
import { refuseOrigin } from "../../origin.ts";
import { claimsStateless } from "./meta.ts";
import { SessionEndpoint } from "./sessions/http.ts";
import { challenge, failure, invalidRequest, type Sender } from "./http_failure.ts";
import { answerStateless } from "./http_stateless.ts";

export interface Guarding {
  readonly guard: BearerGuard | undefined;
  readonly identify: McpServerOptions["identify"] | undefined;
}

/** The MCP endpoint: one URL that serves both eras. */
export class HttpEndpoint {
  readonly #core: Core;
  readonly #guarding: Guarding;
  readonly #sessions: SessionEndpoint;

  constructor(core: Core, guarding: Guarding) {
    this.#core = core;
    this.#guarding = guarding;
    this.#sessions = new SessionEndpoint(core);
  }

  async post(c: Ctx): Promise<Response> {
    reportRoutes(c.app, this.#core.catalog.tools);
    const sender = await this.#admit(c);
    if (sender instanceof Response) return sender;
    const message = await readMessage(c);
    if (message instanceof Response) return message;
    if (message.kind === "request") return await this.#answer(sender, message);
    if (message.kind === "notification" && speaksStateless(c, message)) {
      // The revision has no notifications of clients over HTTP: to cancel, a client closes the stream.
      return new Response(null, { status: 202 });
    }
    return await this.#sessions.take(sender, message);
  }

  #answer(sender: Sender, message: RpcRequest): Response | Promise<Response> {
    // The handshake exists in older revisions alone.
    const isHandshake = message.method === "initialize" && !claimsStateless(message.params);
    return !isHandshake && speaksStateless(sender.c, message)
      ? answerStateless(sender, message)
      : this.#sessions.answer(sender, message);
  }

  async get(c: Ctx): Promise<Response> {
    const sender = await this.#admit(c);
    return sender instanceof Response ? sender : await this.#sessions.open(sender);
  }

  async delete(c: Ctx): Promise<Response> {
    const sender = await this.#admit(c);
    return sender instanceof Response ? sender : await this.#sessions.close(sender);
  }

  close(): void {
    this.#sessions.closeAll();
    for (const end of [...this.#core.changes.ends]) end();
  }

  async #admit(c: Ctx): Promise<Sender | Response> {
    const refusal = refuseOrigin(c);
    if (refusal !== undefined) return failure(c, { status: 403, error: invalidRequest(refusal) });
    const { guard, identify } = this.#guarding;
    let caller: McpCaller | undefined;
    if (guard !== undefined) {
      const admission = await guard.admit(c);
      if (admission.kind === "refused") return challenge(c, admission);
      caller = admission.caller;
    }
    return {
      core: this.#core,
      c,
      caller,
      principal: caller?.subject ?? await identify?.(c) ?? "",
      fetch: (request) => fetchInside(c, request),
      admitTo: guard === undefined ? undefined : (scopes) => guard.admitTo(c, caller, scopes),
    };
  }
}

/** Reports whether a message is of revision 2026-07-28: it says so itself, or its header does. */
function speaksStateless(c: Ctx, message: RpcRequest | RpcNotification): boolean {
  if (claimsStateless(message.params)) return true;
  const revision = requestHeaders(c).get("mcp-protocol-version");
  return revision !== null && /^\d{4}-\d{2}-\d{2}$/.test(revision) && isStateless(revision);
}

async function readMessage(c: Ctx): Promise<RpcMessage | Response> {
  let body: unknown;
  try {
    body = await readJsonBody(c);
  } catch (error) {
    // What is too large, too late or of another type is no JSON-RPC at all.
    if (!(error instanceof HttpError) || error.status !== 400) throw error;
    const parseError = new McpError(rpcCodes.parseError, `Parse error: ${error.message}`);
    return failure(c, { status: 400, error: parseError });
  }
  const message = parseMessage(body);
  if (message !== undefined) return message;
  const what = Array.isArray(body) ? "A body holds one message, not a list" : "This is no message";
  const id = isJsonObject(body) && typeof body.id === "string" ? body.id : undefined;
  return failure(c, { status: 400, error: invalidRequest(what), id });
}
