import { HttpError } from "../../../mod.ts";
import { requestHeaders } from "../../../runtime/addon.ts";
import { invalidParams, McpError, rpcCodes } from "../protocol/errors.ts";
import { decodeHeaderValue, headerText, valueAt } from "../protocol/headers.ts";
import { isJsonObject } from "../../json.ts";
import {
  metaKeys,
  namedMethods,
  type RpcParams,
  type RpcRequest,
  type WireMessage,
  wireResult,
} from "../protocol/messages.ts";
import { findTool } from "./dispatch.ts";
import { countRefusal, listenResult } from "./execute.ts";
import { failure, onAbort, reply, requireScopes, type Sender, takesStream } from "./http_reply.ts";
import { openListener, parseFilter } from "./changes.ts";
import { EventLog, LogBudget } from "./event_log.ts";
import type { RequestMeta } from "./call.ts";
import { parseMeta } from "./incoming.ts";
import type { CompiledTool } from "./offers/tools.ts";

export function answerStateless(sender: Sender, request: RpcRequest): Response | Promise<Response> {
  const { c, core } = sender;
  const { id, method, params } = request;
  let meta: RequestMeta;
  try {
    checkHeaders(requestHeaders(c), request);
    meta = parseMeta(params);
    if (method === "subscriptions/listen") return listen(sender, request);
    if (method === "tools/call") {
      checkParamHeaders(requestHeaders(c), findTool(core, params), params);
    }
  } catch (error) {
    // Too many streams of this client are open: the status says so.
    if (error instanceof HttpError || error instanceof Response) throw error;
    countRefusal(core, request, c, error);
    return failure(c, {
      status: statusOf(error, error instanceof McpError ? 400 : 500),
      error,
      id,
    });
  }
  requireScopes(sender, request);
  return run(sender, request, meta);
}

function run(sender: Sender, request: RpcRequest, meta: RequestMeta): Promise<Response> {
  const { c } = sender;
  const controller = new AbortController();
  return reply(sender, request, {
    client: meta,
    controller,
    statusOf,
    open: () => new EventLog("r", { budget: new LogBudget(Infinity) }),
    respond: (log: EventLog) =>
      c.stream(async (s) => {
        // A client that closes the stream cancels the call.
        onAbort(s.signal, () => {
          if (log.hasEnded) return;
          controller.abort(new DOMException("The client has gone.", "AbortError"));
        });
        await log.read(0, { send: (text) => s.send("", text), signal: s.signal });
      }),
  });
}

function listen(sender: Sender, request: RpcRequest): Response {
  const { c, core } = sender;
  const { id, params } = request;
  const filter = parseFilter(params);
  requireScopes(sender, request);
  if (!takesStream(c)) {
    const error = invalidParams("subscriptions/listen needs Accept: text/event-stream");
    return failure(c, { status: 406, error, id });
  }
  // A change that waits already is not told twice, which bounds what a client that stopped reading holds.
  const waiting = new Set<string>();
  let wake = (): void => {};
  const send = (message: WireMessage): void => {
    waiting.add(JSON.stringify(message));
    wake();
  };
  if (core.changes.streams >= core.changes.max) {
    const error = new McpError(rpcCodes.internalError, "Too many subscriptions are open");
    return failure(c, { status: 503, error, id });
  }
  return c.stream(async (s) => {
    // Not before the stream begins: one that is refused or never read would keep its place.
    const close = openListener(core.changes, { id, filter, send });
    if (close === undefined) return;
    let isClosing = false;
    const end = (): void => {
      isClosing = true;
      wake();
    };
    core.changes.ends.add(end);
    const release = core.mailOf(c.app).hold();
    onAbort(s.signal, end);
    try {
      for (;;) {
        for (const text of waiting) {
          waiting.delete(text);
          await s.send("", text);
        }
        if (isClosing) break;
        if (waiting.size === 0) await new Promise<void>((resolve) => wake = resolve);
      }
      await s.send("", JSON.stringify(wireResult(id, listenResult(core, id))));
    } finally {
      core.changes.ends.delete(end);
      release();
      close();
    }
  });
}

/** An error of a running method is not an HTTP failure. */
function statusOf(error: unknown, other = 200): number {
  if (!(error instanceof McpError)) return other;
  return error.code === rpcCodes.methodNotFound ? 404 : requestCodes.has(error.code) ? 400 : other;
}

const requestCodes: ReadonlySet<number> = new Set([
  rpcCodes.missingClientCapability,
  rpcCodes.headerMismatch,
  rpcCodes.unsupportedVersion,
]);

/** @throws {McpError} for a header that does not say what the body does ("Server Validation"). */
function checkHeaders(headers: Headers, { method, params }: RpcRequest): void {
  const { _meta: meta } = params;
  const claimed = isJsonObject(meta) ? meta[metaKeys.protocolVersion] : undefined;
  const check = (name: string, isRight: (value: string) => boolean): void => {
    const value = headers.get(name);
    if (value === null) throw mismatch(`The header ${name} is missing`);
    if (!isRight(value)) throw mismatch(`The header ${name} is not what the body says`);
  };
  // Without the member in the body, the body is what is malformed.
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
