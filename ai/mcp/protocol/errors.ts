/** The codes of JSON-RPC 2.0 and of the protocol ("Error Codes" of revision 2026-07-28). */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Only in revisions with sessions; the stateless one uses `invalidParams`. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** Further details of an {@link McpError}, including the `cause` for the log. */
export type McpErrorOptions = Partial<Pick<McpError, "data">> & { readonly cause?: unknown };

/**
 * An error of the Model Context Protocol, sent in the member `error` of a response. A handler throws
 * one to decide what the client sees; a client rejects with the one that the server sent.
 * Applications may use codes outside -32768 to -32000.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { McpError } from "@fw/fw/mcp";
 *
 * const error = new McpError(-32602, "Unknown city: Atlantis", { data: { city: "Atlantis" } });
 * assertEquals(error.code, -32602);
 * assertEquals(error.data, { city: "Atlantis" });
 * ```
 */
export class McpError extends Error {
  /** The class name, the same in every copy of the package. */
  override readonly name: string = "McpError";
  /** The code: of JSON-RPC, of the protocol, or of the application. */
  readonly code: number;
  /** Additional JSON data about the error; `undefined` without any. */
  readonly data: unknown;

  /** Creates the error. */
  constructor(code: number, message: string, options: McpErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }
}

export interface RpcErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Returns the error member of a response, which reveals details only of an {@link McpError}. */
export function errorBody(error: unknown): RpcErrorBody {
  if (!(error instanceof McpError)) {
    return { code: rpcCodes.internalError, message: "Internal error" };
  }
  const { code, message, data } = error;
  return data === undefined ? { code, message } : { code, message, data };
}

export function receivedError({ code, message, data }: RpcErrorBody): McpError {
  return new McpError(code, message, { data });
}

export function invalidParams(message: string, options: McpErrorOptions = {}): McpError {
  return new McpError(rpcCodes.invalidParams, message, options);
}

export function invalidRequest(message: string): McpError {
  return new McpError(rpcCodes.invalidRequest, message);
}

/**
 * The stable codes of failures between a client and its server; an error that the server sends is an
 * `McpError`:
 *
 * | Code | What happened |
 * |---|---|
 * | `mcp_unreachable` | there is no connection, or the child process did not start |
 * | `mcp_http` | the server answered with a status that is not an answer of the protocol |
 * | `mcp_auth` | the server wants an access token, and there is none or it is refused |
 * | `mcp_closed` | the client was closed, or the child process ended |
 * | `mcp_broken_stream` | a stream ended before the response, and could not be resumed |
 * | `mcp_timeout` | no response within the configured time |
 * | `mcp_too_large` | a message or a list is larger than the configured limit |
 * | `mcp_bad_message` | the server sent something that is not a message of the protocol |
 * | `mcp_unsupported` | client and server share no revision, or the server lacks the feature |
 */
export type McpClientErrorCode =
  | ("mcp_unreachable" | "mcp_http" | "mcp_auth" | "mcp_closed" | "mcp_broken_stream")
  | ("mcp_timeout" | "mcp_too_large" | "mcp_bad_message" | "mcp_unsupported");

/** Further details of a failure, including the `cause` for the log. */
export type McpClientErrorOptions = Partial<Pick<McpClientError, "status">> & {
  readonly cause?: unknown;
};

/**
 * A failure between a client and its server. Neither the message nor any member contains a token.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { dial, http, McpClientError } from "@fw/fw/mcp";
 *
 * const fetch = () => Promise.resolve(new Response("no", { status: 503 }));
 * const error = await dial(http("https://mcp.example/", { fetch })).catch((error) => error);
 * assertEquals(error instanceof McpClientError && error.code, "mcp_http");
 * ```
 */
export class McpClientError extends Error {
  /** The class name, the same in every copy of the package. */
  override readonly name: string = "McpClientError";
  /** The stable name of the failure. */
  readonly code: McpClientErrorCode;
  /** The HTTP status of the server's response; `undefined` if none arrived. */
  readonly status: number | undefined;

  /** Creates the error. */
  constructor(code: McpClientErrorCode, message: string, options: McpClientErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.status = options.status;
  }
}

/** The server has dropped the session and therefore did not accept the request. */
export class SessionLostError extends McpClientError {
  constructor() {
    super("mcp_closed", "The MCP server has ended the session.", { status: 404 });
  }
}

/** The reason for stopping a function whose question has no answer yet. */
export class InputRequired extends Error {
  override readonly name: string = "InputRequired";

  constructor() {
    super("The client must answer a question first; the call runs again with the answer.");
  }
}
