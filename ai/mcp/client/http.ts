import { encodeHeaderValue } from "../protocol/header_value.ts";
import { errorBody, McpError } from "../protocol/errors.ts";
import {
  parseMessage,
  type RequestId,
  type RpcMessage,
  type RpcParams,
  type RpcRequest,
  wireError,
  type WireMessage,
  wireNotification,
  wireRequest,
  wireResult,
} from "../protocol/messages.ts";
import { isStateless, statelessRevision } from "../protocol/revision.ts";
import { bodyChunks } from "./body_chunks.ts";
import { abortable, backoff, delay } from "./delay.ts";
import { McpClientError, SessionLostError } from "./errors.ts";
import { readEvents, type StreamPlace } from "./event_reader.ts";
import {
  defaultMaxMessageBytes,
  type Link,
  type LinkEvents,
  type McpTransport,
  type Outgoing,
} from "./link.ts";
import { McpAuthorization, type OAuthOptions } from "./oauth.ts";

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

/**
 * Describes a server at a URL.
 *
 * @param url The MCP endpoint; plain HTTP only where the network can be trusted.
 * @param options Headers, sign-in and limits.
 * @throws {TypeError} for a URL that is not absolute, or has another scheme than HTTP.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { http } from "@fw/fw/mcp";
 *
 * const transport = http("https://mcp.example/mcp", { headers: { Authorization: "Bearer …" } });
 * assertEquals(transport.name, "https://mcp.example/mcp");
 * ```
 */
export function http(url: string | URL, options: HttpOptions = {}): McpTransport {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError(`Cannot dial "${url}": give an absolute URL with http or https.`);
  }
  const name = `${parsed.origin}${parsed.pathname}`;
  return { name, connect: (events) => Promise.resolve(new HttpLink(parsed, { options, events })) };
}

/** How often a broken stream is resumed before it counts as lost. */
const maxResumes = 5;

/** The parameters that `Mcp-Name` repeats. */
const named: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

class HttpLink implements Link {
  readonly hasHeaders = true;
  readonly probeMs: number;
  revision: string = statelessRevision;
  readonly #url: URL;
  readonly #options: HttpOptions;
  readonly #events: LinkEvents;
  readonly #auth: McpAuthorization | undefined;
  readonly #maxBytes: number;
  readonly #closing: AbortController = new AbortController();
  #sessionId: string | undefined = undefined;
  /** Whether the handshake is over, also with a server that gives no session id. */
  #isOpen = false;
  #nextId = 1;

  constructor(
    url: URL,
    { options, events }: { readonly options: HttpOptions; readonly events: LinkEvents },
  ) {
    this.#url = url;
    this.#options = options;
    this.#events = events;
    this.probeMs = options.probeMs ?? 30_000;
    this.#maxBytes = options.maxMessageBytes ?? defaultMaxMessageBytes;
    const { auth } = options;
    this.#auth = auth === undefined
      ? undefined
      : new McpAuthorization(url, { ...auth, fetch: (request) => this.#fetch(request) });
  }

  async request(outgoing: Outgoing): Promise<RpcParams> {
    const id = this.#nextId++;
    const { method, params } = outgoing;
    const signal = AbortSignal.any([outgoing.signal, this.#closing.signal]);
    const isSession = !isStateless(this.revision) && method !== "initialize";
    const cancel = (): void => {
      // Without sessions the end of the stream is the cancellation.
      if (!isSession || this.#closing.signal.aborted) return;
      this.notify("notifications/cancelled", { requestId: id }).catch(() => {});
    };
    outgoing.signal.addEventListener("abort", cancel);
    try {
      const response = await this.#post(wireRequest(id, method, params), {
        headers: this.#headersOf(outgoing),
        signal,
      });
      if (method === "initialize") this.#sessionId = readSessionId(response);
      return await this.#readAnswer(response, { id, signal, outgoing });
    } catch (error) {
      if (this.#closing.signal.aborted) throw this.#closing.signal.reason;
      throw error;
    } finally {
      outgoing.signal.removeEventListener("abort", cancel);
    }
  }

  async notify(method: string, params: RpcParams): Promise<void> {
    await this.#tell(wireNotification(method, params));
  }

  listen(): void {
    this.#listen().catch(() => {});
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const sessionId = this.#sessionId;
    this.#closing.abort(new McpClientError("mcp_closed", "The MCP client is closed."));
    if (sessionId === undefined) return;
    // The server forgets idle sessions by itself: a failure here does no harm.
    const signal = AbortSignal.timeout(closeMs);
    try {
      const response = await this.#send("DELETE", { headers: {}, signal });
      await response.body?.cancel();
    } catch {
      return;
    }
  }

  /** The headers that repeat what the body says ("Request Metadata" of revision 2026-07-28). */
  #headersOf({ method, params, headers }: Outgoing): Record<string, string> {
    if (!isStateless(this.revision)) return {};
    const member = named.get(method);
    const name = member === undefined ? undefined : params[member];
    return {
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": encodeHeaderValue(name) } : {}),
      ...headers,
    };
  }

  async #tell(message: WireMessage): Promise<void> {
    const headers = isStateless(this.revision) ? { "mcp-method": String(message.method) } : {};
    const response = await this.#post(message, { headers, signal: this.#closing.signal });
    await response.body?.cancel();
  }

  async #post(
    message: WireMessage,
    options: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
  ): Promise<Response> {
    const body = JSON.stringify(message);
    const response = await this.#send("POST", { ...options, body });
    if (response.ok) return response;
    throw await this.#failureOf(response, options.signal);
  }

  /** Sends a request; signs in, or widens the token, when the server asks for it. */
  async #send(
    method: string,
    { headers, body, signal }: {
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly signal: AbortSignal;
    },
  ): Promise<Response> {
    const auth = this.#auth;
    for (let attempt = 0;; attempt++) {
      const all = new Headers(this.#options.headers);
      all.set("accept", "application/json, text/event-stream");
      if (body !== undefined) all.set("content-type", "application/json");
      // The handshake comes before a revision is agreed on.
      if (isStateless(this.revision) || this.#sessionId !== undefined || this.#isOpen) {
        all.set("mcp-protocol-version", this.revision);
      }
      if (this.#sessionId !== undefined) all.set("mcp-session-id", this.#sessionId);
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
      const response = await this.#fetch(request);
      const isRefused = response.status === 401 || response.status === 403;
      if (!isRefused) auth?.accepted();
      if (!isRefused || auth === undefined || attempt >= 2) return response;
      const challenge = response.headers.get("www-authenticate");
      if (!await auth.answer({ status: response.status, challenge, token, signal })) {
        return response;
      }
      await response.body?.cancel();
    }
  }

  async #fetch(request: Request): Promise<Response> {
    const { fetch = globalThis.fetch } = this.#options;
    const { signal } = request;
    try {
      // Not every `fetch` heeds the signal of its request.
      return await abortable(fetch(request), {
        signal,
        drop: (response) => void response.body?.cancel().catch(() => {}),
      });
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      const message = `Cannot reach the MCP server at ${this.#url.origin}`;
      throw new McpClientError("mcp_unreachable", message, { cause });
    }
  }

  async #failureOf(response: Response, signal: AbortSignal): Promise<Error> {
    const { status } = response;
    const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
    if (isJson) {
      const body = await this.#readJson(response, signal).catch(() => undefined);
      const message = parseMessage(body);
      if (message?.kind === "failure") {
        if (status === 404 && this.#sessionId !== undefined) return this.#lost();
        const { code, message: text, data } = message.error;
        if (status !== 401) return new McpError(code, text, { data });
      }
    } else {
      await response.body?.cancel();
      if (status === 404 && this.#sessionId !== undefined) return this.#lost();
    }
    const code = status === 401 || status === 403 ? "mcp_auth" : "mcp_http";
    return new McpClientError(code, `The MCP server at ${this.#url.origin} answered ${status}.`, {
      status,
    });
  }

  /** The server has forgotten the session: the client begins a new one. */
  #lost(): Error {
    const error = new SessionLostError();
    this.#sessionId = undefined;
    this.#events.onClosed(error);
    return error;
  }

  async #readAnswer(
    response: Response,
    { id, signal, outgoing }: {
      readonly id: RequestId;
      readonly signal: AbortSignal;
      readonly outgoing: Outgoing;
    },
  ): Promise<RpcParams> {
    const type = response.headers.get("content-type") ?? "";
    if (type.startsWith("text/event-stream")) {
      return await this.#readStream(response, { id, signal, outgoing });
    }
    if (!/^application\/json\b/.test(type)) {
      await response.body?.cancel();
      throw new McpClientError("mcp_bad_message", `The MCP server answered with "${type}".`);
    }
    const message = parseMessage(await this.#readJson(response, signal));
    const result = message === undefined ? undefined : resultOf(message, id);
    if (result === undefined) {
      throw new McpClientError("mcp_bad_message", "The MCP server answered with no response.");
    }
    if (outgoing.method === "initialize") this.#isOpen = true;
    return result;
  }

  async #readJson(response: Response, signal: AbortSignal): Promise<unknown> {
    const parts: string[] = [];
    const decoder = new TextDecoder();
    let bytes = 0;
    for await (const chunk of bodyChunks(response.body, signal)) {
      bytes += chunk.length;
      // Leaving the loop cancels the body.
      if (bytes > this.#maxBytes) throw this.#tooLarge();
      parts.push(decoder.decode(chunk, { stream: true }));
    }
    try {
      return JSON.parse(parts.join("") + decoder.decode());
    } catch (cause) {
      throw new McpClientError("mcp_bad_message", "The MCP server sent broken JSON.", { cause });
    }
  }

  #tooLarge(): McpClientError {
    const message = `The MCP server sent a message of over ${this.#maxBytes} bytes.`;
    return new McpClientError("mcp_too_large", message);
  }

  /** Reads the stream of a response; one that breaks is resumed where the server allows it. */
  async #readStream(
    first: Response,
    { id, signal, outgoing }: {
      readonly id: RequestId;
      readonly signal: AbortSignal;
      readonly outgoing: Outgoing;
    },
  ): Promise<RpcParams> {
    let response: Response | undefined = first;
    const place: StreamPlace = { lastEventId: undefined, retryMs: undefined };
    const onMessage = (message: RpcMessage): RpcParams | undefined => {
      if (message.kind === "notification") outgoing.onNotification(message.method, message.params);
      else if (message.kind === "request") this.#answer(message);
      else {
        const result = resultOf(message, id);
        if (result !== undefined && outgoing.method === "initialize") this.#isOpen = true;
        return result;
      }
      return undefined;
    };
    for (let resumes = 0;; resumes++) {
      if (response !== undefined) {
        const maxBytes = this.#maxBytes;
        const result = await readEvents(response.body, { place, maxBytes, signal, onMessage });
        if (result !== undefined) return result;
      }
      const canResume = !isStateless(this.revision) && place.lastEventId !== undefined;
      if (!canResume || resumes >= maxResumes) {
        const message = "The MCP server ended the stream before its response.";
        throw new McpClientError("mcp_broken_stream", message);
      }
      await delay(place.retryMs ?? backoff(resumes), signal);
      response = await this.#resume(place, signal);
    }
  }

  async #resume(place: StreamPlace, signal: AbortSignal): Promise<Response | undefined> {
    const { lastEventId } = place;
    const headers: Record<string, string> = { accept: "text/event-stream" };
    if (lastEventId !== undefined) headers["last-event-id"] = lastEventId;
    let response: Response;
    try {
      response = await this.#send("GET", { headers, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      return undefined;
    }
    if (response.ok) return response;
    const failure = await this.#failureOf(response, signal);
    // What will be refused again is not asked for again.
    if (response.status >= 400 && response.status < 500) throw failure;
    return undefined;
  }

  async #answer({ id, method, params }: RpcRequest): Promise<void> {
    if (isStateless(this.revision)) return;
    let answer: WireMessage;
    try {
      answer = wireResult(id, await this.#events.onRequest(method, params));
    } catch (error) {
      answer = wireError(id, errorBody(error));
    }
    await this.#tell(answer).catch(() => {});
  }

  /** Reads the stream of the session for as long as there is one. */
  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    const place: StreamPlace = { lastEventId: undefined, retryMs: undefined };
    const sessionId = this.#sessionId;
    for (let failures = 0; !signal.aborted && this.#sessionId === sessionId;) {
      // A server without such a stream says so once.
      const response = await this.#resume(place, signal);
      if (response !== undefined) {
        failures = 0;
        await readEvents(response.body, {
          place,
          maxBytes: this.#maxBytes,
          signal,
          onMessage: (message) => {
            if (message.kind === "request") this.#answer(message);
            else if (message.kind === "notification") {
              this.#events.onNotification(message.method, message.params);
            }
            return undefined;
          },
        }).catch((error) => {
          if (signal.aborted) throw error;
        });
      }
      await delay(place.retryMs ?? backoff(failures++), signal);
    }
  }
}

/** How long the server has to close a session, in milliseconds. */
const closeMs = 2_000;

function readSessionId(response: Response): string | undefined {
  const id = response.headers.get("mcp-session-id");
  return id !== null && /^[\x21-\x7e]{1,1024}$/.test(id) ? id : undefined;
}

/** @throws {McpError} that the server answered with. */
function resultOf(message: RpcMessage, id: RequestId): RpcParams | undefined {
  if (message.kind === "result") return message.id === id ? message.result : undefined;
  if (message.kind !== "failure" || (message.id !== id && message.id !== undefined)) {
    return undefined;
  }
  const { code, message: text, data } = message.error;
  throw new McpError(code, text, { data });
}
