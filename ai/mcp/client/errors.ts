/**
 * The stable names of what can go wrong between a client and its server; what the server itself answers
 * is an `McpError`:
 *
 * | Code | What happened |
 * |---|---|
 * | `mcp_unreachable` | there is no connection, or the child process did not start |
 * | `mcp_http` | the server answered with a status that is no answer of the protocol |
 * | `mcp_auth` | the server wants an access token, and there is none or it is refused |
 * | `mcp_closed` | the client was closed, or the child process ended |
 * | `mcp_broken_stream` | a stream ended before the response, and could not be resumed |
 * | `mcp_timeout` | no response within the configured time |
 * | `mcp_too_large` | a message or a list is larger than the configured limit |
 * | `mcp_bad_message` | the server sent something that is no message of the protocol |
 * | `mcp_unsupported` | client and server share no revision, or the server lacks the feature |
 */
export type McpClientErrorCode =
  | "mcp_unreachable"
  | "mcp_http"
  | "mcp_auth"
  | "mcp_closed"
  | "mcp_broken_stream"
  | "mcp_timeout"
  | "mcp_too_large"
  | "mcp_bad_message"
  | "mcp_unsupported";

/** Details of a failure beside its code and message. */
export interface McpClientErrorOptions {
  /** The HTTP status of the server's response. */
  readonly status?: number | undefined;
  /** The error that led here, for the log. */
  readonly cause?: unknown;
}

/**
 * A failure between a client and its server. Neither the message nor any member carries a token.
 *
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
  /** The class name, also in copies of the package. */
  override readonly name: string = "McpClientError";
  /** The stable name of the failure. */
  readonly code: McpClientErrorCode;
  /** The HTTP status of the server's response; `undefined` where none arrived. */
  readonly status: number | undefined;

  /**
   * Creates the error.
   *
   * @param code The stable name of the failure.
   * @param message What happened and what to do about it.
   */
  constructor(code: McpClientErrorCode, message: string, options: McpClientErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.status = options.status;
  }
}

/** The server has forgotten the session, and with it a request that it did not take. */
export class SessionLostError extends McpClientError {
  constructor() {
    super("mcp_closed", "The MCP server has ended the session.", { status: 404 });
  }
}
