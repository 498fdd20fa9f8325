import { thrownMessage } from "../../../runtime/addon.ts";
import { isJsonObject } from "../../json.ts";
import {
  isStateless,
  metaKeys,
  namedMethods,
  type RpcParams,
  statelessRevision,
} from "../protocol/messages.ts";
import {
  invalidParams,
  McpClientError,
  McpError,
  rpcCodes,
  SessionLostError,
} from "../protocol/errors.ts";
import {
  connect,
  type Connection,
  type McpTransport,
  type RequestTime,
  withRequestTime,
} from "./link.ts";
import type { DialOptions, McpRequestOptions } from "./options.ts";
import { abortable, anySignal, backoff, delay } from "../../http/wait.ts";
import type { JsonSchema } from "../../../mod.ts";

export interface Call {
  readonly method: string;
  readonly params: RpcParams;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options: McpRequestOptions;
}

export class Requests {
  facts: Connection | undefined = undefined;
  readonly #transport: McpTransport;
  readonly #options: DialOptions;
  readonly #closing: AbortController = new AbortController();
  #connection: Promise<Connection> | undefined = undefined;
  #era: "any" | "stateless" | "session";
  #nextToken = 1;
  #openQuestions = 0;
  #watching: Promise<void> | undefined = undefined;

  constructor(transport: McpTransport, options: DialOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#era = options.revisions ?? "any";
  }

  /** Connects, and listens for changes if the application wants them. */
  async start(): Promise<void> {
    await this.open();
    if (this.#options.onChange !== undefined) this.#watching = this.#watch().catch(() => {});
  }

  async close(): Promise<void> {
    if (!this.#closing.signal.aborted) {
      this.#closing.abort(new McpClientError("mcp_closed", "The MCP client is closed."));
    }
    await this.#watching;
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.link.close();
  }

  open(): Promise<Connection> {
    if (this.#closing.signal.aborted) return Promise.reject(this.#closing.signal.reason);
    return this.#connection ??= this.#connect();
  }

  async #connect(): Promise<Connection> {
    const { signal, timeoutMs = 60_000 } = this.#options;
    const dialing = this.facts === undefined ? signal : undefined;
    let isOpen = false;
    try {
      const connection = await connect(this.#transport, {
        onRequest: (method, params) => this.#answer(method, params),
        onNotification: (method) => this.#notice(method),
        onClosed: () => {
          if (isOpen) this.#connection = undefined;
        },
      }, {
        clientInfo: this.#clientInfo(),
        capabilities: clientCapabilities(this.#options),
        era: this.#era,
        timeoutMs,
        signal: anySignal(this.#closing.signal, dialing),
      });
      isOpen = true;
      // The era belongs to the server, so reuse it.
      this.#era = isStateless(connection.revision) ? "stateless" : "session";
      this.facts = connection;
      return connection;
    } catch (error) {
      this.#connection = undefined;
      // The server may have been replaced by one of the other era.
      this.#era = this.#options.revisions ?? "any";
      throw error;
    }
  }

  /** Listens for changes of lists on a stream, reopened when it ends; a session needs none. */
  async #watch(): Promise<void> {
    const { signal } = this.#closing;
    for (let failures = 0;;) {
      try {
        const { link, revision } = await this.open();
        if (!isStateless(revision)) return;
        await link.request({
          method: "subscriptions/listen",
          params: { notifications: allLists, _meta: this.#meta() },
          signal,
          onNotification: (method) => {
            failures = 0;
            this.#notice(method);
          },
        });
      } catch (error) {
        // The server would refuse the same request again.
        if (error instanceof McpError) return;
      }
      await delay(backoff(failures++), signal);
    }
  }

  async request(call: Call): Promise<RpcParams> {
    try {
      return await this.#requestOnce(call);
    } catch (error) {
      // The server did not accept the request, so retry it in a new session.
      if (!(error instanceof SessionLostError)) throw error;
      return await this.#requestOnce(call);
    }
  }

  async #requestOnce(call: Call): Promise<RpcParams> {
    const { maxInputRounds = 10 } = this.#options;
    // A timeout of this request must not end the connection for the others.
    const connection = await this.inTime(
      call.options,
      ({ signal }) => abortable(this.open(), signal),
    );
    let params = call.params;
    for (let round = 0;; round++) {
      const result = await this.#send(connection, { ...call, params });
      const { resultType = "complete" } = result;
      if (resultType === "complete") return result;
      if (resultType !== "input_required" || !namedMethods.has(call.method)) {
        throw new McpClientError(
          "mcp_bad_message",
          "The MCP server sent a result of unknown type.",
        );
      }
      if (round >= maxInputRounds) {
        const message = `The MCP server asked for input over ${maxInputRounds} times.`;
        throw new McpClientError("mcp_bad_message", message);
      }
      const { requestState } = result;
      params = {
        ...call.params,
        inputResponses: await this.#answerAll(result.inputRequests),
        ...(typeof requestState === "string" ? { requestState } : {}),
      };
    }
  }

  inTime<T>(
    { signal, timeoutMs = this.#options.timeoutMs ?? 60_000 }: McpRequestOptions,
    work: (time: RequestTime) => Promise<T>,
    times = 1,
  ): Promise<T> {
    return withRequestTime(timeoutMs * times, [signal, this.#closing.signal], work);
  }

  #send(connection: Connection, call: Call): Promise<RpcParams> {
    const { method, params, headers, options } = call;
    const token = options.onProgress === undefined ? undefined : this.#nextToken++;
    const meta = isStateless(connection.revision) ? this.#meta(token) : { progressToken: token };
    return this.inTime(options, (time) =>
      connection.link.request({
        method,
        params: withMeta(params, meta),
        headers,
        signal: time.signal,
        onNotification: (name, about) => {
          if (name === "notifications/progress" && about.progressToken === token) {
            time.extend();
            this.#attempt(name, () => reportProgress(options, about));
          } else this.#notice(name);
        },
      }));
  }

  async #answer(method: string, params: RpcParams): Promise<RpcParams> {
    if (this.#openQuestions >= maxOpen) {
      throw new McpError(rpcCodes.internalError, "Too many questions are open");
    }
    this.#openQuestions++;
    try {
      return await answerQuestion(this.#options, method, params);
    } finally {
      this.#openQuestions--;
    }
  }

  async #answerAll(requests: unknown = {}): Promise<RpcParams> {
    if (!isJsonObject(requests)) throw invalidParams("inputRequests are malformed");
    const answers: [string, RpcParams][] = [];
    // Sequentially, because all may be for the same person.
    for (const [key, request] of Object.entries(requests)) {
      if (!isJsonObject(request) || typeof request.method !== "string") {
        throw invalidParams("inputRequests are malformed");
      }
      const params = isJsonObject(request.params) ? request.params : {};
      answers.push([key, await this.#answer(request.method, params)]);
    }
    return Object.fromEntries(answers);
  }

  #clientInfo(): RpcParams {
    const { name = "fw", version = "0.1.0" } = this.#options;
    return { name, version };
  }

  #meta(progressToken?: number): RpcParams {
    return {
      [metaKeys.protocolVersion]: statelessRevision,
      [metaKeys.clientInfo]: this.#clientInfo(),
      [metaKeys.clientCapabilities]: clientCapabilities(this.#options),
      progressToken,
    };
  }

  #notice(method: string): void {
    const [, kind] = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method) ?? [];
    if (kind === undefined) return;
    this.#attempt(method, () => this.#options.onChange?.({ kind: kind as "tools" }));
  }

  /** Runs the application's callback, whose failure must not end the connection or another call. */
  #attempt(method: string, callback: () => unknown): void {
    Promise.try(callback).catch((error) =>
      this.warn(`The callback for "${method}" failed: ${thrownMessage(error)}`)
    );
  }

  warn(message: string): void {
    Promise.try(() => this.#options.onWarning?.(message)).catch(() => {});
  }
}

function withMeta(params: RpcParams, meta: RpcParams): RpcParams {
  const isEmpty = Object.values(meta).every((each) => each === undefined);
  return isEmpty ? params : { ...params, _meta: meta };
}

function reportProgress({ onProgress }: McpRequestOptions, about: RpcParams): void {
  const { progress, total, message } = about;
  if (typeof progress !== "number") return;
  return onProgress?.({
    progress,
    total: typeof total === "number" ? total : undefined,
    message: typeof message === "string" ? message : undefined,
  });
}

function clientCapabilities({ onElicit, onElicitUrl }: DialOptions): RpcParams {
  const elicitation = { form: onElicit && {}, url: onElicitUrl && {} };
  return { elicitation: (onElicit ?? onElicitUrl) && elicitation };
}

const allLists = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

/** Maximum number of pending questions, so that a server cannot flood the user. */
const maxOpen = 32;

/** Answers a server's question, which is a request of a session or input that a call needs. */
async function answerQuestion(
  options: DialOptions,
  method: string,
  params: RpcParams,
): Promise<RpcParams> {
  if (method === "ping") return {};
  if (method === "elicitation/create") return await answerElicit(options, params);
  throw new McpError(rpcCodes.methodNotFound, "The client does not offer this");
}

async function answerElicit(
  { onElicit, onElicitUrl }: DialOptions,
  params: RpcParams,
): Promise<RpcParams> {
  const { mode = "form", message, requestedSchema, url } = params;
  if (typeof message !== "string") throw invalidParams("message is missing");
  if (mode === "url" && onElicitUrl !== undefined) {
    const parsed = typeof url === "string" ? URL.parse(url) : null;
    // A server must not make the user open a file or run a script.
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
      throw invalidParams("url is invalid");
    }
    return { action: await onElicitUrl({ message, url: parsed.href }) };
  }
  if (mode !== "form" || onElicit === undefined) {
    throw invalidParams("The client does not offer this kind of question");
  }
  if (!isJsonObject(requestedSchema)) throw invalidParams("requestedSchema is missing");
  return { ...await onElicit({ message, schema: requestedSchema as JsonSchema }) };
}
