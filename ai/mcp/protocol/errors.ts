/** The codes of JSON-RPC 2.0 and of the protocol ("Error Codes" of revision 2026-07-28). */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Only in revisions with sessions; the stateless one says `invalidParams`. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** Details of an {@link McpError} beside its code and message. */
export interface McpErrorOptions {
  /** More about the error, as JSON. */
  readonly data?: unknown;
  /** The error that led here, for the log. */
  readonly cause?: unknown;
}

/**
 * An error of the Model Context Protocol: what a server answers in the member `error`. A handler that
 * throws one decides what the client sees; a client rejects with the one that the server sent. Codes
 * outside of -32768 to -32000 are free for applications.
 *
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
  /** The class name, also in copies of the package. */
  override readonly name: string = "McpError";
  /** The code: of JSON-RPC, of the protocol, or of the application. */
  readonly code: number;
  /** More about the error, as JSON; `undefined` for none. */
  readonly data: unknown;

  /**
   * Creates the error.
   *
   * @param code The code, a whole number.
   * @param message One sentence for people.
   */
  constructor(code: number, message: string, options: McpErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }
}

/** The member `error` of a response. */
export interface RpcErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Returns what a response says of an error; anything but an {@link McpError} stays a secret. */
export function errorBody(error: unknown): RpcErrorBody {
  if (!(error instanceof McpError)) {
    return { code: rpcCodes.internalError, message: "Internal error" };
  }
  const { code, message, data } = error;
  return data === undefined ? { code, message } : { code, message, data };
}

export function invalidParams(message: string, options: McpErrorOptions = {}): McpError {
  return new McpError(rpcCodes.invalidParams, message, options);
}
