import { McpError } from "../protocol/errors.ts";
import { parseMessage } from "../protocol/messages.ts";
import { isStateless, statelessRevision } from "../protocol/revision.ts";
import { readBodyText } from "../../http/body_chunks.ts";
import { abortable } from "../../http/wait.ts";
import { McpClientError, SessionLostError } from "./errors.ts";
import type { McpAuthorization } from "./oauth/oauth.ts";
import type { OAuthOptions } from "./oauth/options.ts";
import type { PauseTime } from "./request_time.ts";

/** Options of {@link http}. */
export interface HttpOptions {
  /** Headers of every request, such as `Authorization` with a token that is known already. @default none */
  readonly headers?: HeadersInit;
  /** Signs in where the server wants it. @default not at all */
  readonly auth?: OAuthOptions;
  /** Sends the requests. @default the global `fetch` */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** The most bytes of one message. @default 16777216 (16 MiB) */
  readonly maxMessageBytes?: number;
  /** How long the server has to answer `server/discover`, in milliseconds. @default 30000 */
  readonly probeMs?: number;
}

/** Sends the HTTP requests of a connection, with its session and its access token. */
export class HttpSender {
  /** The revision that requests are sent in. */
  revision: string = statelessRevision;
  /** The session, also after the server has forgotten it; `undefined` for none. */
  sessionId: string | undefined = undefined;
  /** Whether the server has forgotten the session. */
  isLost = false;
  readonly #url: URL;
  readonly #options: HttpOptions;
  readonly #auth: McpAuthorization | undefined;
  readonly #maxBytes: number;
  readonly #onLost: (error: Error) => void;
  /** Whether the handshake is over, also with a server that gives no session id. */
  #isOpen = false;

  /** @param url The MCP endpoint. */
  constructor(
    url: URL,
    { options, authorization, maxBytes, onLost }: {
      readonly options: HttpOptions;
      readonly authorization: McpAuthorization | undefined;
      readonly maxBytes: number;
      readonly onLost: (error: Error) => void;
    },
  ) {
    this.#url = url;
    this.#options = options;
    this.#maxBytes = maxBytes;
    this.#onLost = onLost;
    this.#auth = authorization;
  }

  /** Notes the session that the response to the handshake opens. */
  openSession(response: Response): void {
    this.sessionId = readSessionId(response);
    this.#isOpen = true;
  }

  /**
   * Sends a request; signs in, or widens the token, when the server asks for it and the user may be asked.
   */
  async send(
    method: string,
    { headers, body, signal, pause = (wait) => wait(), mayAsk = true }: {
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly signal: AbortSignal;
      readonly pause?: PauseTime | undefined;
      readonly mayAsk?: boolean;
    },
  ): Promise<Response> {
    const auth = this.#auth;
    for (let attempt = 0;; attempt++) {
      const all = new Headers(this.#options.headers);
      all.set("accept", "application/json, text/event-stream");
      if (body !== undefined) all.set("content-type", "application/json");
      // The handshake comes before a revision is agreed on.
      if (isStateless(this.revision) || this.sessionId !== undefined || this.#isOpen) {
        all.set("mcp-protocol-version", this.revision);
      }
      if (this.sessionId !== undefined) all.set("mcp-session-id", this.sessionId);
      for (const [name, value] of Object.entries(headers)) all.set(name, value);
      const token = await auth?.token(signal);
      if (token !== undefined) all.set("authorization", `Bearer ${token}`);
      const request = new Request(this.#url, {
        method,
        headers: all,
        ...(body === undefined ? {} : { body }),
        signal,
        // A redirect could carry the token to another host.
        redirect: "manual",
      });
      const response = await fetchResponse(request, this.#options);
      const isRefused = response.status === 401 || response.status === 403;
      if (!isRefused) auth?.accepted();
      if (!isRefused || auth === undefined || !mayAsk || attempt >= 2) return response;
      const challenge = response.headers.get("www-authenticate");
      const refusal = { status: response.status, challenge, token, signal };
      if (!await pause(() => auth.answer(refusal))) return response;
      await response.body?.cancel();
    }
  }

  /** Returns the error of a response that is no success. */
  async failureOf(response: Response, signal: AbortSignal): Promise<Error> {
    const { status } = response;
    const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
    if (isJson) {
      const body = await this.readJson(response, signal).catch(() => undefined);
      const message = parseMessage(body);
      if (message?.kind === "failure") {
        if (status === 404 && this.sessionId !== undefined) return this.#lost();
        const { code, message: text, data } = message.error;
        if (status !== 401) return new McpError(code, text, { data });
      }
    } else {
      await response.body?.cancel();
      if (status === 404 && this.sessionId !== undefined) return this.#lost();
    }
    const code = status === 401 || status === 403 ? "mcp_auth" : "mcp_http";
    // The query may hold a key.
    const place = `${this.#url.origin}${this.#url.pathname}`;
    return new McpClientError(code, `The MCP server at ${place} answered ${status}.`, {
      status,
    });
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

/**
 * Sends a request with the `fetch` of the transport.
 *
 * @throws {McpClientError} `mcp_unreachable` where no response arrives.
 */
export async function fetchResponse(
  request: Request,
  { fetch = globalThis.fetch }: HttpOptions,
): Promise<Response> {
  const { signal } = request;
  try {
    // Not every `fetch` heeds the signal of its request.
    return await abortable(fetch(request), {
      signal,
      drop: (response) => void response.body?.cancel().catch(() => {}),
    });
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    const message = `Cannot reach the server at ${new URL(request.url).origin}`;
    throw new McpClientError("mcp_unreachable", message, { cause });
  }
}

function readSessionId(response: Response): string | undefined {
  const id = response.headers.get("mcp-session-id");
  return id !== null && /^[\x21-\x7e]{1,1024}$/.test(id) ? id : undefined;
}
