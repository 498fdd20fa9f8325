import { abortable, delay } from "../../http/wait.ts";
import { checkLimits, checkTimeout } from "../../options.ts";
import { hideCredentials, readCapped } from "../../../runtime/addon.ts";
import { McpClientError, receivedError, SessionLostError } from "../protocol/errors.ts";
import { encodeHeaderValue } from "../protocol/headers.ts";
import {
  isAnswerTo,
  isStateless,
  namedMethods,
  parseLooseText,
  type RequestId,
  type RpcMessage,
  type RpcParams,
  type RpcRequest,
  statelessRevision,
  type WireMessage,
  wireNotification,
  wireRequest,
  wireText,
} from "../protocol/messages.ts";
import { isSessionLoss, parseSessionId, readEvents, type StreamPlace } from "./http_response.ts";
import {
  createAnswerer,
  defaultMaxMessageBytes,
  type Link,
  type LinkEvents,
  maxResumes,
  type McpTransport,
  type Outgoing,
  resumeDelayMs,
  withRequestTime,
} from "./link.ts";
import type { HttpOptions } from "./options.ts";

/**
 * Describes a server at a URL.
 *
 * @param url The MCP endpoint; use plain HTTP only in a trusted network.
 * @throws {TypeError} for a URL that is not an absolute HTTP or HTTPS URL.
 * @throws {RangeError} for an option out of range.
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
    throw new TypeError(
      `Cannot dial "${hideCredentials(url)}": use an absolute URL with http or https.`,
    );
  }
  const { maxMessageBytes = defaultMaxMessageBytes, probeMs = defaultProbeMs } = options;
  checkLimits({ maxMessageBytes });
  checkTimeout("probeMs", probeMs);
  const name = `${parsed.origin}${parsed.pathname}`;
  return {
    name,
    connect: (events) => Promise.resolve(new HttpLink(parsed, { options, events })),
  };
}

type Take = (message: RpcMessage) => RpcParams | undefined;

export class HttpLink implements Link {
  readonly probeMs: number;
  revision: string = statelessRevision;
  readonly #url: URL;
  readonly #options: HttpOptions;
  readonly #events: LinkEvents;
  readonly #maxBytes: number;
  readonly #tellMs: number;
  readonly #answerRequest: (request: RpcRequest) => Promise<void>;
  readonly #closing: AbortController = new AbortController();
  /** Ends the streams of a lost session; its successor opens its own. */
  readonly #lost: AbortController = new AbortController();
  #sessionId: string | undefined = undefined;
  /** True after the handshake, even if the server sends no session id. */
  #isOpen = false;
  #nextId = 1;

  constructor(
    url: URL,
    { options, events, tellMs = 30_000 }: {
      readonly options: HttpOptions;
      readonly events: LinkEvents;
      /** Timeout for sending an answer or a notification, in milliseconds. @default 30000 */
      readonly tellMs?: number;
    },
  ) {
    this.#url = url;
    this.#options = options;
    this.#events = events;
    this.#tellMs = tellMs;
    this.#answerRequest = createAnswerer(events.onRequest, (answer) => this.#tell(answer));
    this.probeMs = options.probeMs ?? defaultProbeMs;
    this.#maxBytes = options.maxMessageBytes ?? defaultMaxMessageBytes;
  }

  get hasHeaders(): boolean {
    return isStateless(this.revision);
  }

  async request(outgoing: Outgoing): Promise<RpcParams> {
    const id = this.#nextId++;
    const { method, params } = outgoing;
    const signal = AbortSignal.any([outgoing.signal, this.#closing.signal]);
    const isSession = !isStateless(this.revision) && method !== "initialize";
    const cancel = (): void => {
      // Without sessions, closing the stream cancels the request.
      if (!isSession || this.#closing.signal.aborted) return;
      this.notify("notifications/cancelled", { requestId: id }).catch(() => {});
    };
    outgoing.signal.addEventListener("abort", cancel);
    try {
      const headers = this.#headersOf(outgoing);
      const response = await this.#post(wireRequest(id, method, params), headers, signal);
      if (method === "initialize") {
        this.#sessionId = parseSessionId(response);
        this.#isOpen = true;
      }
      const take: Take = (message) => this.#take(message, id, outgoing.onNotification);
      return await this.#readAnswer(response, signal, take);
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
    this.#closing.abort(new McpClientError("mcp_closed", "The MCP client is closed."));
    if (this.#sessionId === undefined || this.#lost.signal.aborted) return;
    // The server drops idle sessions on its own, so a failure here is harmless.
    const signal = AbortSignal.timeout(closeMs);
    await this.#send({ method: "DELETE", signal }).then((response) => response.body?.cancel())
      .catch(() => {});
  }

  #headersOf({ method, params, headers }: Outgoing): Record<string, string> {
    if (!this.hasHeaders) return {};
    const name = params[namedMethods.get(method) ?? ""];
    return {
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": encodeHeaderValue(name) } : {}),
      ...headers,
    };
  }

  async #send(
    { headers = {}, ...request }: {
      readonly method: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly signal: AbortSignal;
    },
  ): Promise<Response> {
    const all = new Headers(this.#options.headers);
    all.set("accept", "application/json, text/event-stream");
    if (request.body !== undefined) all.set("content-type", "application/json");
    // The handshake comes before a revision is agreed on.
    if (isStateless(this.revision) || this.#isOpen) all.set("mcp-protocol-version", this.revision);
    if (this.#sessionId !== undefined) all.set("mcp-session-id", this.#sessionId);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    const { fetch = globalThis.fetch } = this.#options;
    const { signal } = request;
    try {
      // A redirect could carry a token to another host.
      const sent = fetch(this.#url, { ...request, headers: all, redirect: "manual" });
      // Not every `fetch` obeys the signal of its request.
      return await abortable(sent, signal, ({ body }) => void body?.cancel().catch(() => {}));
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      if (cause instanceof Error && !(cause instanceof TypeError)) throw cause;
      const message = `Cannot reach the server at ${this.#url.origin}`;
      throw new McpClientError("mcp_unreachable", message, { cause });
    }
  }

  async #post(
    message: WireMessage,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    const body = wireText(message);
    const response = await this.#send({ method: "POST", headers, body, signal });
    if (response.ok) return response;
    throw await this.#failureOf(response, signal);
  }

  async #tell(message: WireMessage): Promise<void> {
    const headers = isStateless(this.revision) ? { "mcp-method": String(message.method) } : {};
    const ends = [this.#lost.signal, this.#closing.signal];
    await withRequestTime(this.#tellMs, ends, async ({ signal }) => {
      const response = await this.#post(message, headers, signal);
      await response.body?.cancel();
    });
  }

  async #failureOf(response: Response, signal: AbortSignal): Promise<Error> {
    const { status } = response;
    const text = await this.#readText(response, signal).catch(() => "") ?? "";
    const [message] = parseLooseText(text);
    const error = message?.kind === "failure" ? message.error : undefined;
    const said = { code: error?.code, text: error?.message ?? text };
    if (this.#sessionId !== undefined && isSessionLoss(status, said)) return this.#loseSession();
    if (error !== undefined && status !== 401) return receivedError(error);
    const code = status === 401 || status === 403 ? "mcp_auth" : "mcp_http";
    // The query may contain a key.
    const place = `${this.#url.origin}${this.#url.pathname}`;
    return new McpClientError(code, `The MCP server at ${place} answered ${status}.`, { status });
  }

  /** Returns the error for each request of a lost session; the first one ends the connection. */
  #loseSession(): Error {
    const error = new SessionLostError();
    if (!this.#lost.signal.aborted) {
      this.#lost.abort(error);
      this.#events.onClosed(error);
    }
    return error;
  }

  async #readAnswer(response: Response, signal: AbortSignal, take: Take): Promise<RpcParams> {
    const type = response.headers.get("content-type") ?? "";
    if (/^text\/event-stream\b/i.test(type)) return await this.#readStream(response, signal, take);
    if (!/^application\/json\b/i.test(type)) {
      await response.body?.cancel();
      throw new McpClientError("mcp_bad_message", `The MCP server sent "${type}" content.`);
    }
    const text = await this.#readText(response, signal);
    if (text === undefined) {
      const message = `The MCP server sent a message of over ${this.#maxBytes} bytes.`;
      throw new McpClientError("mcp_too_large", message);
    }
    const result = parseLooseText(text).values().map(take).find((each) => each !== undefined);
    if (result !== undefined) return result;
    throw new McpClientError("mcp_bad_message", "The MCP server's reply contains no response.");
  }

  /** Reads a body; `undefined` if it is too large, `""` if it breaks off. */
  async #readText({ body }: Response, signal: AbortSignal): Promise<string | undefined> {
    const bytes = await readCapped(body, { maxBytes: this.#maxBytes, signal })
      .catch(() => new Uint8Array());
    signal.throwIfAborted();
    return bytes && new TextDecoder().decode(bytes);
  }

  async #readStream(first: Response, signal: AbortSignal, onMessage: Take): Promise<RpcParams> {
    let response: Response | undefined = first;
    const place: StreamPlace = { lastEventId: undefined, retryMs: undefined };
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
      await delay(resumeDelayMs(place, resumes), signal);
      response = await this.#resume(place, signal);
    }
  }

  async #resume({ lastEventId }: StreamPlace, signal: AbortSignal): Promise<Response | undefined> {
    const headers: Record<string, string> = { accept: "text/event-stream" };
    if (lastEventId !== undefined) {
      // Encode the header as UTF-8 bytes, as browsers do.
      const bytes = new TextEncoder().encode(lastEventId);
      headers["last-event-id"] = bytes.reduce((text, byte) => text + String.fromCharCode(byte), "");
    }
    let response: Response;
    try {
      response = await this.#send({ method: "GET", headers, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      return undefined;
    }
    if (response.ok) return response;
    const failure = await this.#failureOf(response, signal);
    // Do not retry a request that would be refused again.
    if (response.status >= 400 && response.status < 500) throw failure;
    return undefined;
  }

  #take(
    message: RpcMessage,
    id: RequestId,
    onNotification: LinkEvents["onNotification"],
  ): RpcParams | undefined {
    if (message.kind === "result") return isAnswerTo(id, message) ? message.result : undefined;
    if (message.kind !== "failure") return this.#receive(message, onNotification);
    if (message.id !== undefined && !isAnswerTo(id, message)) return undefined;
    const { code, message: text } = message.error;
    const isLost = this.#sessionId !== undefined && isSessionLoss(200, { code, text });
    throw isLost ? this.#loseSession() : receivedError(message.error);
  }

  #receive(message: RpcMessage, onNotification: LinkEvents["onNotification"]): undefined {
    if (message.kind === "notification") onNotification(message.method, message.params);
    // Servers of revision 2026-07-28 send no requests.
    if (message.kind === "request" && !isStateless(this.revision)) this.#answerRequest(message);
  }

  async #listen(): Promise<void> {
    const signal = AbortSignal.any([this.#closing.signal, this.#lost.signal]);
    const place: StreamPlace = { lastEventId: undefined, retryMs: undefined };
    for (let failures = 0; !signal.aborted;) {
      // Do not ask again a server that has no such stream.
      const response = await this.#resume(place, signal);
      const maxBytes = this.#maxBytes;
      const onMessage = (message: RpcMessage): undefined => {
        failures = 0;
        this.#receive(message, this.#events.onNotification);
      };
      if (response !== undefined) {
        await readEvents(response.body, { place, maxBytes, signal, onMessage }).catch((error) => {
          if (signal.aborted) throw error;
        });
      }
      await delay(resumeDelayMs(place, failures++), signal);
    }
  }
}

const [closeMs, defaultProbeMs] = [2_000, 30_000];
