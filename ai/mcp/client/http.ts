import { type HttpOptions, HttpSender } from "./http_sender.ts";
import {
  defaultMaxMessageBytes,
  type Link,
  type LinkEvents,
  type McpTransport,
  type Outgoing,
} from "./link.ts";
import { encodeHeaderValue } from "../protocol/header_value.ts";
import {
  type RequestId,
  type RpcMessage,
  type RpcParams,
  type RpcRequest,
  type WireMessage,
  wireNotification,
  wireRequest,
} from "../protocol/messages.ts";
import { namedMethods } from "../protocol/methods.ts";
import { isStateless } from "../protocol/revision.ts";
import { backoff, delay } from "../../http/wait.ts";
import { Answers, parseLoose } from "./answers.ts";
import { McpClientError } from "./errors.ts";
import { readEvents, type StreamPlace } from "./event_reader.ts";
import { withRequestTime } from "./request_time.ts";

export type { HttpOptions } from "./http_sender.ts";

/**
 * Describes a server at a URL.
 *
 * @param url The MCP endpoint; plain HTTP only where the network can be trusted.
 * @param options Headers, `fetch` and limits.
 * @returns The transport, for `dial`.
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
    throw new TypeError(`Cannot dial "${url}": use an absolute URL with http or https.`);
  }
  const name = `${parsed.origin}${parsed.pathname}`;
  return {
    name,
    connect: (events) => Promise.resolve(new HttpLink(parsed, { options, events })),
  };
}

/** Maximum number of times that a broken stream is resumed before it counts as lost. */
const maxResumes = 5;

export class HttpLink implements Link {
  readonly hasHeaders = true;
  readonly probeMs: number;
  readonly #sender: HttpSender;
  readonly #events: LinkEvents;
  readonly #maxBytes: number;
  readonly #tellMs: number;
  readonly #answers: Answers;
  readonly #closing: AbortController = new AbortController();
  /** Ends what belongs to the session when it is lost: its successor listens for itself. */
  readonly #listening: AbortController = new AbortController();
  #nextId = 1;

  /** @param url The MCP endpoint. */
  constructor(
    url: URL,
    { options, events, tellMs = 30_000 }: {
      readonly options: HttpOptions;
      readonly events: LinkEvents;
      /** The maximum time to send an answer or a notification, in milliseconds. @default 30000 */
      readonly tellMs?: number;
    },
  ) {
    this.#events = events;
    this.#tellMs = tellMs;
    this.#answers = new Answers({
      onRequest: events.onRequest,
      send: (answer) => this.#tell(answer),
    });
    this.probeMs = options.probeMs ?? 30_000;
    this.#maxBytes = options.maxMessageBytes ?? defaultMaxMessageBytes;
    this.#sender = new HttpSender(url, {
      options,
      maxBytes: this.#maxBytes,
      onLost: (error) => {
        this.#listening.abort(error);
        events.onClosed(error);
      },
    });
  }

  get revision(): string {
    return this.#sender.revision;
  }

  set revision(revision: string) {
    this.#sender.revision = revision;
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
      if (method === "initialize") this.#sender.openSession(response);
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
    const { sessionId, isLost } = this.#sender;
    this.#closing.abort(new McpClientError("mcp_closed", "The MCP client is closed."));
    if (sessionId === undefined || isLost) return;
    // The server forgets idle sessions by itself: a failure here does no harm.
    const signal = AbortSignal.timeout(closeMs);
    try {
      const response = await this.#sender.send("DELETE", { headers: {}, signal });
      await response.body?.cancel();
    } catch {
      return;
    }
  }

  /** The headers that repeat what the body says ("Request Metadata" of revision 2026-07-28). */
  #headersOf({ method, params, headers }: Outgoing): Record<string, string> {
    if (!isStateless(this.revision)) return {};
    const member = namedMethods.get(method);
    const name = member === undefined ? undefined : params[member];
    return {
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": encodeHeaderValue(name) } : {}),
      ...headers,
    };
  }

  async #tell(message: WireMessage): Promise<void> {
    const headers = isStateless(this.revision) ? { "mcp-method": String(message.method) } : {};
    const time = {
      timeoutMs: this.#tellMs,
      signal: this.#listening.signal,
      closing: this.#closing.signal,
    };
    await withRequestTime(time, async ({ signal }) => {
      const response = await this.#post(message, { headers, signal });
      await response.body?.cancel();
    });
  }

  async #post(
    message: WireMessage,
    options: {
      readonly headers: Readonly<Record<string, string>>;
      readonly signal: AbortSignal;
    },
  ): Promise<Response> {
    const body = JSON.stringify(message);
    const response = await this.#sender.send("POST", { ...options, body });
    if (response.ok) return response;
    throw await this.#sender.failureOf(response, options.signal);
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
    const message = parseLoose(await this.#sender.readJson(response, signal));
    const result = message === undefined ? undefined : this.#resultOf(message, id);
    if (result === undefined) {
      throw new McpClientError("mcp_bad_message", "The MCP server answered with no response.");
    }
    return result;
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
      else return this.#resultOf(message, id);
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
      await delay(pause(place, resumes), signal);
      response = await this.#resume(place, signal);
    }
  }

  async #resume(place: StreamPlace, signal: AbortSignal): Promise<Response | undefined> {
    const { lastEventId } = place;
    const headers: Record<string, string> = { accept: "text/event-stream" };
    if (lastEventId !== undefined) headers["last-event-id"] = lastEventId;
    let response: Response;
    try {
      response = await this.#sender.send("GET", { headers, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      return undefined;
    }
    if (response.ok) return response;
    const failure = await this.#sender.failureOf(response, signal);
    // What will be refused again is not asked for again.
    if (response.status >= 400 && response.status < 500) throw failure;
    return undefined;
  }

  /** @throws {McpError} that the server answered with. */
  #resultOf(message: RpcMessage, id: RequestId): RpcParams | undefined {
    if (message.kind === "result") return message.id === id ? message.result : undefined;
    if (message.kind !== "failure" || (message.id !== id && message.id !== undefined)) {
      return undefined;
    }
    throw this.#sender.errorOf(message.error);
  }

  #answer(request: RpcRequest): void {
    // Servers of revision 2026-07-28 send no requests.
    if (!isStateless(this.revision)) this.#answers.answer(request);
  }

  async #listen(): Promise<void> {
    const signal = AbortSignal.any([this.#closing.signal, this.#listening.signal]);
    const place: StreamPlace = { lastEventId: undefined, retryMs: undefined };
    for (let failures = 0; !signal.aborted;) {
      // A server without such a stream says so once.
      const response = await this.#resume(place, signal);
      if (response !== undefined) {
        let isHeard = false;
        await readEvents(response.body, {
          place,
          maxBytes: this.#maxBytes,
          signal,
          onMessage: (message) => {
            isHeard = true;
            if (message.kind === "request") this.#answer(message);
            else if (message.kind === "notification") {
              this.#events.onNotification(message.method, message.params);
            }
            return undefined;
          },
        }).catch((error) => {
          if (signal.aborted) throw error;
        });
        if (isHeard) failures = 0;
      }
      await delay(pause(place, failures++), signal);
    }
  }
}

/** Bounds of the delay that a server may ask for before the next request, in milliseconds. */
const [shortestPauseMs, longestPauseMs] = [250, 60_000];

/** Returns how long to wait: what the server wants, within bounds, and longer where nothing came of it. */
function pause({ retryMs }: StreamPlace, failures: number): number {
  const waitMs = backoff(failures);
  if (retryMs === undefined) return waitMs;
  const wantedMs = Math.min(Math.max(retryMs, shortestPauseMs), longestPauseMs);
  return failures > maxResumes ? Math.max(wantedMs, waitMs) : wantedMs;
}

/** Timeout of closing a session, in milliseconds. */
const closeMs = 2_000;
