import { requestHeaders } from "../../../runtime/addon.ts";
import { McpError, rpcCodes } from "../protocol/errors.ts";
import { decodeHeaderValue, headerText, valueAt } from "../protocol/headers.ts";
import { isJsonObject } from "../../json.ts";
import { metaKeys, namedMethods, type RpcParams, type RpcRequest } from "../protocol/messages.ts";
import { findTool } from "./dispatch.ts";
import { failure, reply, requireScopes, type Sender } from "./http_reply.ts";
import type { RequestMeta } from "./call.ts";
import { parseMeta } from "./incoming.ts";
import { count, errorName } from "./metrics.ts";
import type { CompiledTool } from "./offers/tools.ts";

export function answerStateless(sender: Sender, request: RpcRequest): Response | Promise<Response> {
  const { c, core } = sender;
  const { id, method, params } = request;
  let client: RequestMeta;
  try {
    checkHeaders(requestHeaders(c), request);
    client = parseMeta(params);
    if (method === "tools/call") {
      checkParamHeaders(requestHeaders(c), findTool(core, request), params);
    }
  } catch (error) {
    count({ method, metrics: c.app.metrics }, errorName(error), 0);
    return failure(c, {
      status: statusOf(error, error instanceof McpError ? 400 : 500),
      error,
      id,
    });
  }
  requireScopes(sender, request);
  return reply(sender, request, { client, controller: new AbortController(), statusOf });
}

/** Returns the HTTP status of an error: 200 for an error of a running method. */
function statusOf(error: unknown, other = 200): number {
  if (!(error instanceof McpError)) return other;
  return error.code === rpcCodes.methodNotFound ? 404 : requestCodes.has(error.code) ? 400 : other;
}

const requestCodes: ReadonlySet<number> = new Set([
  rpcCodes.missingClientCapability,
  rpcCodes.headerMismatch,
  rpcCodes.unsupportedVersion,
]);

/** Checks headers. @throws {McpError} for a header that contradicts the body ("Server Validation"). */
function checkHeaders(headers: Headers, { method, params }: RpcRequest): void {
  const { _meta: meta } = params;
  const claimed = isJsonObject(meta) ? meta[metaKeys.protocolVersion] : undefined;
  const check = (name: string, isRight: (value: string) => boolean): void => {
    const value = headers.get(name);
    if (value === null) throw mismatch(`The header ${name} is missing`);
    if (!isRight(value)) throw mismatch(`The header ${name} is not what the body says`);
  };
  // If the body lacks the member, the error is in the body, which is checked later.
  check("MCP-Protocol-Version", (sent) => typeof claimed !== "string" || sent === claimed);
  check("Mcp-Method", (sent) => sent === method);
  const member = namedMethods.get(method);
  if (member !== undefined) check("Mcp-Name", (sent) => decodeHeaderValue(sent) === params[member]);
}

function checkParamHeaders(headers: Headers, tool: CompiledTool, params: RpcParams): void {
  for (const { header, path } of tool.headerParams) {
    const sent = headers.get(header);
    const value = valueAt(params.arguments, path);
    if (value === undefined && sent === null) continue;
    const decoded = sent === null ? undefined : decodeHeaderValue(sent);
    if (decoded !== undefined && repeats(decoded, value)) continue;
    throw mismatch(`The header ${header} is not what the body says`);
  }
}

function repeats(text: string, value: unknown): boolean {
  if (text === headerText(value)) return true;
  // 42.0 and 42 are the same number.
  return typeof value === "number" && /^-?\d+(?:\.\d+)?$/.test(text) && Number(text) === value;
}

function mismatch(message: string): McpError {
  return new McpError(rpcCodes.headerMismatch, `Header mismatch: ${message}`);
}
