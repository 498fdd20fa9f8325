import { McpError, rpcCodes } from "../protocol/errors.ts";
import { isRecord, type RpcParams } from "../protocol/messages.ts";
import { metaKeys } from "../protocol/revision.ts";
import { type Implementation, isLogLevel } from "../server/call.ts";
import { connect, type Connection, hasNoSession } from "./connection.ts";
import { McpClientError, SessionLostError } from "./errors.ts";
import type { McpTransport } from "./link.ts";
import { inTime } from "./request_time.ts";
import type { DialOptions, McpRequestOptions } from "./options.ts";
import { Questions } from "./questions.ts";
import {
  type McpPromptInfo,
  type McpPromptMessages,
  type McpResourceContents,
  type McpResourceInfo,
  type McpTemplateInfo,
  readContents,
  readList,
  readMessages,
} from "./readings.ts";
import {
  type McpToolResult,
  paramHeaders,
  readTool,
  readToolResult,
  type RemoteTool,
  type ToolEntry,
  toTools,
} from "./remote_tool.ts";
import { Watcher } from "./watcher.ts";

/** The methods that may ask for input. */
const mayAsk: ReadonlySet<string> = new Set(["tools/call", "resources/read", "prompts/get"]);

/** What completes the value of an argument. */
export interface CompletionQuestion {
  /** The prompt, or the template of the resources, by its name or URI template. */
  readonly of: { readonly prompt: string } | { readonly template: string };
  /** The name of the argument or variable. */
  readonly argument: string;
  /** What was typed so far. */
  readonly value: string;
  /** The arguments that have a value already. @default none */
  readonly known?: Readonly<Record<string, string>>;
}

/** A request on its way. */
interface Call {
  readonly method: string;
  readonly params: RpcParams;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options: McpRequestOptions;
}

/**
 * A client of one MCP server, in whichever era the server speaks. {@link dial} creates it. A connection
 * that is lost is opened again with the next request.
 */
export class McpClient {
  readonly #transport: McpTransport;
  readonly #options: DialOptions;
  readonly #questions: Questions;
  readonly #watcher: Watcher;
  readonly #closing: AbortController = new AbortController();
  #connection: Promise<Connection> | undefined = undefined;
  #facts: Connection | undefined = undefined;
  #era: "any" | "stateless" | "session";
  #tools: ReadonlyMap<string, ToolEntry> | undefined = undefined;
  #freshUntilMs = 0;
  #nextToken = 1;

  /** Made by {@link dial}. */
  constructor(transport: McpTransport, options: DialOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#era = options.revisions ?? "any";
    this.#questions = new Questions(options);
    this.#watcher = new Watcher({
      connection: () => this.#open(),
      request: (call) => this.#request({ ...call, options: {} }),
      meta: () => this.#meta({}, undefined),
      onChange: (change) => {
        if (change.kind === "tools") this.#freshUntilMs = 0;
        options.onChange?.(change);
      },
      signal: this.#closing.signal,
    });
  }

  /** The revision that is spoken. */
  get revision(): string {
    return this.#facts?.revision ?? "";
  }

  /** The server, as it describes itself: nothing of it is verified. */
  get server(): Implementation | undefined {
    return this.#facts?.server;
  }

  /** What the server offers. */
  get capabilities(): Readonly<Record<string, unknown>> {
    return this.#facts?.capabilities ?? {};
  }

  /** How a model uses the server well, in the words of the server. */
  get instructions(): string | undefined {
    return this.#facts?.instructions;
  }

  /** Connects; {@link dial} calls it. */
  async start(): Promise<void> {
    await this.#open();
    if (this.#options.onChange !== undefined) this.#watcher.start();
  }

  /**
   * Returns the tools of the server, as agents take them. A tool that cannot be called is left out.
   *
   * @throws {McpClientError} for more entries than `maxEntries`.
   */
  async tools(options: McpRequestOptions = {}): Promise<RemoteTool[]> {
    const isFresh = this.#tools !== undefined && this.#freshUntilMs > Date.now();
    if (!isFresh) await this.#listTools(options);
    return toTools(
      [...this.#tools?.values() ?? []],
      (name, args, signal) => this.callTool(name, isRecord(args) ? args : {}, { signal }),
    );
  }

  /**
   * Calls a tool.
   *
   * @param name The name that the server knows it by.
   * @param args The arguments.
   * @throws {McpError} what the server answered; a tool that failed is a result with `isError`.
   */
  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options: McpRequestOptions = {},
  ): Promise<McpToolResult> {
    const params = { name, arguments: args };
    const send = async (): Promise<McpToolResult> => {
      const headers = paramHeaders(this.#tools?.get(name)?.headerParams ?? [], args);
      return readToolResult(
        await this.#request({ method: "tools/call", params, headers, options }),
      );
    };
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof McpError) || error.code !== rpcCodes.headerMismatch) throw error;
      // The schema was never read, or it has changed.
      await this.#listTools(options);
      return await send();
    }
  }

  /** Returns the resources of the server. */
  async resources(options: McpRequestOptions = {}): Promise<McpResourceInfo[]> {
    const entries = await this.#list("resources/list", { member: "resources", options });
    return readList<McpResourceInfo>(entries, ["uri", "name"]);
  }

  /** Returns the families of resources of the server. */
  async resourceTemplates(options: McpRequestOptions = {}): Promise<McpTemplateInfo[]> {
    const member = "resourceTemplates";
    const entries = await this.#list("resources/templates/list", { member, options });
    return readList<McpTemplateInfo>(entries, ["uriTemplate", "name"]);
  }

  /**
   * Reads a resource.
   *
   * @param uri The address.
   * @throws {McpError} when it does not exist.
   */
  async readResource(
    uri: string,
    options: McpRequestOptions = {},
  ): Promise<readonly McpResourceContents[]> {
    const params = { uri };
    return readContents(await this.#request({ method: "resources/read", params, options }));
  }

  /** Returns the prompts of the server. */
  async prompts(options: McpRequestOptions = {}): Promise<McpPromptInfo[]> {
    const entries = await this.#list("prompts/list", { member: "prompts", options });
    return readList<McpPromptInfo>(entries, ["name"]);
  }

  /**
   * Returns the messages of a prompt.
   *
   * @param name The name.
   * @param args The arguments.
   */
  async prompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: McpRequestOptions = {},
  ): Promise<McpPromptMessages> {
    const params = { name, arguments: args };
    return readMessages(await this.#request({ method: "prompts/get", params, options }));
  }

  /** Returns suggestions for the value of an argument, the best first. */
  async complete(
    question: CompletionQuestion,
    options: McpRequestOptions = {},
  ): Promise<readonly string[]> {
    const { of, argument: name, value, known } = question;
    const ref = "prompt" in of
      ? { type: "ref/prompt", name: of.prompt }
      : { type: "ref/resource", uri: of.template };
    const params = {
      ref,
      argument: { name, value },
      ...(known === undefined ? {} : { context: { arguments: known } }),
    };
    const result = await this.#request({ method: "completion/complete", params, options });
    const values = isRecord(result.completion) ? result.completion.values : undefined;
    return Array.isArray(values) ? values.filter((each) => typeof each === "string") : [];
  }

  /**
   * Watches a resource; changes reach `onChange` of `dial`, and the function here.
   *
   * @param uri The address.
   * @param fn Called for every change.
   * @returns A function that ends it.
   */
  async subscribe(uri: string, fn: () => void): Promise<() => Promise<void>> {
    return await this.#watcher.subscribe(uri, fn);
  }

  /** Ends the client, its connection and the child process behind it. */
  async close(): Promise<void> {
    if (!this.#closing.signal.aborted) {
      this.#closing.abort(new McpClientError("mcp_closed", "The MCP client is closed."));
    }
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.link.close();
    await this.#watcher.ended;
  }

  /** Ends the client, as `await using` wants it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Returns the connection; opens it where there is none. */
  #open(): Promise<Connection> {
    if (this.#closing.signal.aborted) return Promise.reject(this.#closing.signal.reason);
    return this.#connection ??= this.#connect();
  }

  async #connect(): Promise<Connection> {
    const { name = "fw", version = "0.1.0", title, icons, signal } = this.#options;
    const { timeoutMs = 60_000 } = this.#options;
    const signals = [this.#closing.signal, ...(signal === undefined ? [] : [signal])];
    let isOpen = false;
    const forget = (): void => {
      if (isOpen) this.#connection = undefined;
    };
    try {
      const connection = await connect({
        transport: this.#transport,
        clientInfo: {
          name,
          version,
          ...(title === undefined ? {} : { title }),
          ...(icons === undefined ? {} : { icons }),
        },
        capabilities: this.#questions.capabilities,
        era: this.#era,
        timeoutMs,
        signal: AbortSignal.any(signals),
        events: {
          onNotification: (method, params) => this.#notice(method, params),
          onRequest: (method, params) => this.#questions.answer(method, params),
          onClosed: forget,
        },
      });
      isOpen = true;
      // The era is the server's, so it is not asked for again.
      this.#era = hasNoSession(connection) ? "stateless" : "session";
      this.#facts = connection;
      this.#tools = undefined;
      await this.#greet(connection);
      return connection;
    } catch (error) {
      this.#connection = undefined;
      throw error;
    }
  }

  /** Tells a new session what the client wants to hear. */
  async #greet(connection: Connection): Promise<void> {
    if (hasNoSession(connection)) return;
    const { onLog, logLevel: level = "info" } = this.#options;
    if (onLog !== undefined && isRecord(connection.capabilities.logging)) {
      const { signal } = this.#closing;
      await connection.link.request({
        method: "logging/setLevel",
        params: { level },
        signal,
        onNotification: () => {},
      });
    }
    await this.#watcher.resubscribe(connection);
  }

  async #request(call: Call): Promise<RpcParams> {
    try {
      return await this.#requestOnce(call);
    } catch (error) {
      // The server did not take the request: a new session may.
      if (!(error instanceof SessionLostError)) throw error;
      return await this.#requestOnce(call);
    }
  }

  async #requestOnce(call: Call): Promise<RpcParams> {
    const { maxInputRounds = 10 } = this.#options;
    const connection = await this.#open();
    let params = call.params;
    for (let round = 0;; round++) {
      const result = await this.#send(connection, { ...call, params });
      const { resultType = "complete" } = result;
      if (resultType === "complete") return result;
      if (resultType !== "input_required" || !mayAsk.has(call.method)) {
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
        inputResponses: await this.#questions.answerAll(result.inputRequests),
        ...(typeof requestState === "string" ? { requestState } : {}),
      };
    }
  }

  #send(
    connection: Connection,
    { method, params, headers, options }: Call,
  ): Promise<RpcParams> {
    const token = options.onProgress === undefined ? undefined : this.#nextToken++;
    const meta = hasNoSession(connection)
      ? this.#meta(params, token)
      : token === undefined
      ? undefined
      : { progressToken: token };
    const whole = meta === undefined ? params : { ...params, _meta: meta };
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? 60_000;
    return inTime(
      { timeoutMs, signal: options.signal, closing: this.#closing.signal },
      (time) =>
        connection.link.request({
          method,
          params: whole,
          headers,
          signal: time.signal,
          onNotification: (name, about) => {
            if (name === "notifications/progress" && about.progressToken === token) {
              time.extend();
              reportProgress(options, about);
            } else this.#notice(name, about);
          },
        }),
    );
  }

  /** What every request of revision 2026-07-28 says of itself. */
  #meta(params: RpcParams, progressToken: number | undefined): RpcParams {
    const { name = "fw", version = "0.1.0", onLog, logLevel = "info" } = this.#options;
    return {
      ...(isRecord(params._meta) ? params._meta : {}),
      [metaKeys.protocolVersion]: this.revision,
      [metaKeys.clientInfo]: { name, version },
      [metaKeys.clientCapabilities]: this.#questions.capabilities,
      ...(onLog === undefined ? {} : { [metaKeys.logLevel]: logLevel }),
      ...(progressToken === undefined ? {} : { progressToken }),
    };
  }

  #notice(method: string, params: RpcParams): void {
    if (method !== "notifications/message") return this.#watcher.notice(method, params);
    const { level, logger, data } = params;
    if (!isLogLevel(level)) return;
    this.#options.onLog?.({ level, logger: typeof logger === "string" ? logger : undefined, data });
  }

  async #listTools(options: McpRequestOptions): Promise<void> {
    const { link, ...facts } = await this.#open();
    let ttlMs = longestTtlMs;
    const values = await this.#list("tools/list", {
      member: "tools",
      options,
      onPage: (page) => ttlMs = Math.min(ttlMs, typeof page.ttlMs === "number" ? page.ttlMs : 0),
    });
    const entries = new Map<string, ToolEntry>();
    for (const value of values) {
      const read = readTool(value, link.hasHeaders && hasNoSession(facts));
      if (read.kind === "refused") this.#options.onWarning?.(read.reason);
      else if (!entries.has(read.entry.remoteName)) entries.set(read.entry.remoteName, read.entry);
    }
    this.#tools = entries;
    this.#freshUntilMs = Date.now() + ttlMs;
  }

  /** Reads a whole list, page by page. */
  async #list(
    method: string,
    { member, options, onPage }: {
      readonly member: string;
      readonly options: McpRequestOptions;
      readonly onPage?: (page: RpcParams) => void;
    },
  ): Promise<readonly unknown[]> {
    const { maxEntries = 10_000 } = this.#options;
    const entries: unknown[] = [];
    const cursors = new Set<string>();
    let cursor: string | undefined;
    for (;;) {
      const params = cursor === undefined ? {} : { cursor };
      const page = await this.#request({ method, params, options });
      onPage?.(page);
      const list = page[member];
      if (!Array.isArray(list)) {
        throw new McpClientError("mcp_bad_message", `The MCP server sent no list of ${member}.`);
      }
      entries.push(...list);
      if (entries.length > maxEntries) {
        const message = `The MCP server lists over ${maxEntries} ${member}; raise maxEntries.`;
        throw new McpClientError("mcp_too_large", message);
      }
      const { nextCursor } = page;
      if (typeof nextCursor !== "string") return entries;
      // Pages without entries, or in a circle, would never end.
      if (cursors.has(nextCursor) || cursors.size >= maxEntries) {
        throw new McpClientError("mcp_bad_message", `The list of ${member} has no end.`);
      }
      cursors.add(nextCursor);
      cursor = nextCursor;
    }
  }
}

/** How long a list is kept at most, whatever the server says, in milliseconds. */
const longestTtlMs = 86_400_000;

function reportProgress({ onProgress }: McpRequestOptions, about: RpcParams): void {
  const { progress, total, message } = about;
  if (typeof progress !== "number") return;
  onProgress?.({
    progress,
    total: typeof total === "number" ? total : undefined,
    message: typeof message === "string" ? message : undefined,
  });
}
