import { thrownMessage } from "../../../runtime/addon.ts";
import { isJsonObject } from "../../json.ts";
import {
  isStateless,
  metaKeys,
  namedMethods,
  type RpcParams,
  statelessRevision,
} from "../protocol/messages.ts";
import { isLogLevel, type SampleRequest } from "../server/call.ts";
import { ask, connect, type Connection, type Handshake } from "./connection.ts";
import {
  invalidParams,
  McpClientError,
  McpError,
  rpcCodes,
  SessionLostError,
} from "../protocol/errors.ts";
import { type McpTransport, type RequestTime, withRequestTime } from "./link.ts";
import type { DialOptions, McpRequestOptions } from "./options.ts";
import type { Watcher } from "./watcher.ts";
import { abortable, anySignal } from "../../http/wait.ts";
import type { JsonSchema } from "../../../mod.ts";

export interface Call {
  readonly method: string;
  readonly params: RpcParams;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options: McpRequestOptions;
}

export class Requests {
  facts: Connection | undefined = undefined;
  readonly watcher: Watcher;
  readonly #transport: McpTransport;
  readonly #options: DialOptions;
  readonly #closing: AbortController = new AbortController();
  #connection: Promise<Connection> | undefined = undefined;
  #era: "any" | "stateless" | "session";
  #nextToken = 1;
  #openQuestions = 0;

  constructor(
    transport: McpTransport,
    options: DialOptions,
    watch: (requests: Requests) => Watcher,
  ) {
    this.#transport = transport;
    this.#options = options;
    this.#era = options.revisions ?? "any";
    this.watcher = watch(this);
  }

  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  async close(): Promise<void> {
    if (!this.#closing.signal.aborted) {
      this.#closing.abort(new McpClientError("mcp_closed", "The MCP client is closed."));
    }
    await this.watcher.ended;
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
    const time = { timeoutMs, signal: anySignal(this.#closing.signal, dialing) };
    let isOpen = false;
    try {
      const connection = await connect(this.#transport, {
        onRequest: (method, params) => this.#answer(method, params),
        onNotification: (method, params) => this.#notice(method, params),
        onClosed: () => {
          if (isOpen) this.#connection = undefined;
        },
      }, {
        clientInfo: this.#clientInfo(),
        capabilities: clientCapabilities(this.#options),
        era: this.#era,
        ...time,
      });
      isOpen = true;
      // The era belongs to the server, so reuse it.
      this.#era = isStateless(connection.revision) ? "stateless" : "session";
      await this.#greet(connection, time);
      this.facts = connection;
      return connection;
    } catch (error) {
      this.#connection = undefined;
      // The server may have been replaced by one of the other era.
      this.#era = this.#options.revisions ?? "any";
      throw error;
    }
  }

  /** Sends the log level and subscriptions to a new session. */
  async #greet(
    connection: Connection,
    time: Pick<Handshake, "timeoutMs" | "signal">,
  ): Promise<void> {
    if (isStateless(connection.revision)) return;
    const { link, capabilities } = connection;
    const { onLog, logLevel: level = "info" } = this.#options;
    const send = (method: string, params: RpcParams) => ask(link, time, { method, params });
    try {
      if (onLog !== undefined && isJsonObject(capabilities.logging)) {
        await send("logging/setLevel", { level });
      }
      await this.watcher.resubscribe(send);
    } catch (error) {
      // No call uses the session yet, so end it here.
      await link.close();
      throw error;
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

  /** Runs work within the timeout of one or several requests. */
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
    const meta = isStateless(connection.revision) ? this.meta(token) : { progressToken: token };
    return this.inTime(options, (time) =>
      connection.link.request({
        method,
        params: withMeta(params, meta),
        headers,
        signal: time.signal,
        onNotification: (name, about) => {
          if (name === "notifications/progress" && about.progressToken === token) {
            time.extend();
            this.attempt(name, () => reportProgress(options, about));
          } else this.#notice(name, about);
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
    const { name = "fw", version = "0.1.0", title, icons } = this.#options;
    return { name, version, title, icons };
  }

  meta(progressToken?: number): RpcParams {
    const { onLog, logLevel = "info" } = this.#options;
    return {
      [metaKeys.protocolVersion]: statelessRevision,
      [metaKeys.clientInfo]: this.#clientInfo(),
      [metaKeys.clientCapabilities]: clientCapabilities(this.#options),
      [metaKeys.logLevel]: onLog && logLevel,
      progressToken,
    };
  }

  #notice(method: string, params: RpcParams): void {
    if (method !== "notifications/message") return this.watcher.notice(method, params);
    const { level, logger: name, data } = params;
    if (!isLogLevel(level)) return;
    const logger = typeof name === "string" ? name : undefined;
    this.attempt(method, () => this.#options.onLog?.({ level, logger, data }));
  }

  /** Runs the application's callback, whose failure must not end the connection or another call. */
  attempt(method: string, callback: () => unknown): void {
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

function clientCapabilities({ onElicit, onElicitUrl, onSample, roots }: DialOptions): RpcParams {
  const elicitation = { form: onElicit && {}, url: onElicitUrl && {} };
  return {
    elicitation: (onElicit ?? onElicitUrl) && elicitation,
    sampling: onSample && {},
    roots: roots && {},
  };
}

/** Maximum number of pending questions, so that a server cannot flood the user. */
const maxOpen = 32;

/** Answers a server's question, which is a request of a session or input that a call needs. */
async function answerQuestion(
  options: DialOptions,
  method: string,
  params: RpcParams,
): Promise<RpcParams> {
  const { onSample, roots } = options;
  if (method === "ping") return {};
  if (method === "elicitation/create") return await answerElicit(options, params);
  if (method === "roots/list" && roots !== undefined) return { roots: await roots() };
  if (method === "sampling/createMessage" && onSample !== undefined) {
    if (!Array.isArray(params.messages)) throw invalidParams("messages are missing");
    return { ...await onSample(params as unknown as SampleRequest) };
  }
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
