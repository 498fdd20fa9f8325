import { McpError, rpcCodes, type RpcErrorBody } from "../protocol/errors.ts";
import { parseJsonText, parseLoose } from "./answers.ts";
import { isStateless, statelessRevision } from "../protocol/revision.ts";
import { readBodyText } from "../../http/body_chunks.ts";
import { abortable } from "../../http/wait.ts";
import { McpClientError, SessionLostError } from "./errors.ts";

/** Options of {@link http}. */
export interface HttpOptions {
  /** Headers of every request, such as `Authorization` with a token that is known already. @default none */
  readonly headers?: HeadersInit;
  /**
   * Sends the requests: the `fetch` of a sign-in, such as `withOAuth` of `npm:@modelcontextprotocol/sdk`, or
   * of an application in the same process. An error of it other than a `TypeError` reaches the caller.
   *
   * @default the global `fetch`
   */
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>;
  /** The most bytes of one message. @default 16777216 (16 MiB) */
  readonly maxMessageBytes?: number;
  /** Timeout of the server's response to `server/discover`, in milliseconds. @default 30000 */
  readonly probeMs?: number;
}

/** Sends the HTTP requests of a connection, with its session. */
export class HttpSender {
  revision: string = statelessRevision;
  /** The session, also after the server has forgotten it; `undefined` for none. */
  sessionId: string | undefined = undefined;
  isLost = false;
  readonly #url: URL;
  readonly #options: HttpOptions;
  readonly #maxBytes: number;
  readonly #onLost: (error: Error) => void;
  /** Whether the handshake is over, also with a server that gives no session id. */
  #isOpen = false;

  /** @param url The MCP endpoint. */
  constructor(
    url: URL,
    { options, maxBytes, onLost }: {
      readonly options: HttpOptions;
      readonly maxBytes: number;
      readonly onLost: (error: Error) => void;
    },
  ) {
    this.#url = url;
    this.#options = options;
    this.#maxBytes = maxBytes;
    this.#onLost = onLost;
  }

  openSession(response: Response): void {
    this.sessionId = readSessionId(response);
    this.#isOpen = true;
  }

  /**
   * Sends a request.
   *
   * @throws {McpClientError} `mcp_unreachable` where no response arrives.
   */
  async send(
    method: string,
    { headers, body, signal }: {
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly signal: AbortSignal;
    },
  ): Promise<Response> {
    const all = new Headers(this.#options.headers);
    all.set("accept", "application/json, text/event-stream");
    if (body !== undefined) all.set("content-type", "application/json");
    // The handshake comes before a revision is agreed on.
    if (isStateless(this.revision) || this.sessionId !== undefined || this.#isOpen) {
      all.set("mcp-protocol-version", this.revision);
    }
    if (this.sessionId !== undefined) all.set("mcp-session-id", this.sessionId);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    const { fetch = globalThis.fetch } = this.#options;
    // A redirect could carry a token to another host.
    const init: RequestInit = { method, headers: all, signal, redirect: "manual" };
    try {
      // Not every `fetch` heeds the signal of its request.
      return await abortable(fetch(this.#url, body === undefined ? init : { ...init, body }), {
        signal,
        drop: (response) => void response.body?.cancel().catch(() => {}),
      });
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      if (cause instanceof Error && !(cause instanceof TypeError)) throw cause;
      const message = `Cannot reach the server at ${this.#url.origin}`;
      throw new McpClientError("mcp_unreachable", message, { cause });
    }
  }

  /** Returns the error of a response that is no success. */
  async failureOf(response: Response, signal: AbortSignal): Promise<Error> {
    const { status } = response;
    const { text } = await readBodyText(response.body, { maxBytes: this.#maxBytes, signal })
      .catch(() => ({ text: "" }));
    const message = parseLoose(parseJsonText(text));
    const error = message?.kind === "failure" ? message.error : undefined;
    if (this.isLoss({ status, code: error?.code, text: error?.message ?? text })) {
      return this.#lost();
    }
    if (error !== undefined && status !== 401) {
      return new McpError(error.code, error.message, { data: error.data });
    }
    const code = status === 401 || status === 403 ? "mcp_auth" : "mcp_http";
    // The query may hold a key.
    const place = `${this.#url.origin}${this.#url.pathname}`;
    return new McpClientError(code, `The MCP server at ${place} answered ${status}.`, {
      status,
    });
  }

  /** Reports whether an answer says, in whichever spelling, that the server has forgotten the session. */
  isLoss(
    { status, code, text }: {
      readonly status: number;
      readonly code: number | undefined;
      readonly text: string;
    },
  ): boolean {
    if (this.sessionId === undefined || status === 401 || status === 403 || status >= 500) {
      return false;
    }
    if (status === 404 || status === 410) return code !== rpcCodes.methodNotFound;
    if (status !== 200 && code === sessionNotFound) return true;
    const says = text.slice(0, 500);
    return /\bsession/i.test(says) &&
      /not found|no valid|invalid|unknown|expired|terminated|closed|no longer|does not exist/i.test(
        says,
      ) &&
      (status !== 200 || code === sessionNotFound || code === rpcCodes.invalidRequest ||
        code === serverError);
  }

  errorOf({ code, message, data }: RpcErrorBody): Error {
    return this.isLoss({ status: 200, code, text: message })
      ? this.#lost()
      : new McpError(code, message, { data });
  }

  /** The server has forgotten the session: the client begins a new one. */
  #lost(): Error {
    const error = new SessionLostError();
    // All requests of the session learn of its loss, and only the first of them ends the connection.
    if (!this.isLost) {
      this.isLost = true;
      this.#onLost(error);
    }
    return error;
  }

  /** Reads a body as JSON, within the limit of one message. */
  async readJson(response: Response, signal: AbortSignal): Promise<unknown> {
    const maxBytes = this.#maxBytes;
    const { text, isCut } = await readBodyText(response.body, { maxBytes, signal });
    if (isCut) throw this.#tooLarge();
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new McpClientError("mcp_bad_message", "The MCP server sent broken JSON.", { cause });
    }
  }

  #tooLarge(): McpClientError {
    const message = `The MCP server sent a message of over ${this.#maxBytes} bytes.`;
    return new McpClientError("mcp_too_large", message);
  }
}

/** The error code of servers for an unknown session; no revision names it. */
const sessionNotFound = -32001;

/** The first of the codes that servers may use as they like. */
const serverError = -32000;

function readSessionId(response: Response): string | undefined {
  const id = response.headers.get("mcp-session-id");
  return id !== null && /^[\x21-\x7e]{1,1024}$/.test(id) ? id : undefined;
}
