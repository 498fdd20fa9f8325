import { McpClientError, McpError, rpcCodes } from "../protocol/errors.ts";
import { isJsonObject } from "../../json.ts";
import { checkCounts, checkTimeout } from "../../options.ts";
import { isStateless, type McpChange, type RpcParams } from "../protocol/messages.ts";
import type { Implementation } from "../server/call.ts";
import type { Connection } from "./connection.ts";
import type { McpTransport } from "./link.ts";
import type { DialOptions, McpRequestOptions } from "./options.ts";
import {
  entriesWith,
  type McpPromptInfo,
  type McpPromptMessages,
  type McpResourceContents,
  type McpResourceInfo,
  type McpTemplateInfo,
  type McpToolResult,
  type McpToolsOptions,
  paramHeaders,
  parseContents,
  parsePromptMessages,
  parseTool,
  parseToolResult,
  type RemoteTool,
  type ToolEntry,
  toTools,
} from "./readings.ts";
import { Requests } from "./requests.ts";
import { Watcher } from "./watcher.ts";

/** A request to complete an argument's value. */
export interface CompletionQuestion {
  /** The prompt by its name, or the resource template by its URI template. */
  readonly of: { readonly prompt: string } | { readonly template: string };
  /** The name of the argument or variable. */
  readonly argument: string;
  /** Text typed so far. */
  readonly value: string;
  /** The arguments that already have a value. @default none */
  readonly known?: Readonly<Record<string, string>>;
}

/** A client of one MCP server, created by {@link dial}; the next request reopens a lost connection. */
export class McpClient {
  readonly #options: DialOptions;
  readonly #requests: Requests;
  #tools:
    | { readonly entries: ReadonlyMap<string, ToolEntry>; readonly of: Connection }
    | undefined = undefined;
  #freshUntilMs = 0;

  /** Called by {@link dial}. */
  constructor(transport: McpTransport, options: DialOptions) {
    this.#options = options;
    const onChange = (change: McpChange): void => {
      if (change.kind === "tools") this.#freshUntilMs = 0;
      return options.onChange?.(change);
    };
    this.#requests = new Requests(transport, options, (each) => new Watcher(each, onChange));
  }

  /** The protocol revision in use. */
  get revision(): string {
    return this.#requests.facts?.revision ?? "";
  }

  /** The server's description of itself, which is not verified. */
  get server(): Implementation | undefined {
    return this.#requests.facts?.server;
  }

  /** Capabilities that the server announces. */
  get capabilities(): Readonly<Record<string, unknown>> {
    return this.#requests.facts?.capabilities ?? {};
  }

  /** The server's own instructions for models. */
  get instructions(): string | undefined {
    return this.#requests.facts?.instructions;
  }

  /** Connects; {@link dial} calls it. */
  async start(): Promise<void> {
    await this.#requests.open();
    if (this.#options.onChange !== undefined) this.#requests.watcher.start();
  }

  /**
   * Returns the callable tools in the form that agents accept.
   *
   * @throws {McpClientError} for more than `maxEntries`.
   */
  async tools(options: McpToolsOptions = {}): Promise<RemoteTool[]> {
    if (this.#knownTools === undefined || this.#freshUntilMs <= Date.now()) {
      await this.#listTools(options);
    }
    return toTools(
      [...this.#tools?.entries.values() ?? []],
      (name, args, signal) => this.callTool(name, isJsonObject(args) ? args : {}, { signal }),
      options,
    );
  }

  /**
   * Calls a tool by its `remoteName`; a failed call returns a result with `isError`.
   *
   * @throws {McpError} the server's error.
   */
  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options: McpRequestOptions = {},
  ): Promise<McpToolResult> {
    const params = { name, arguments: args };
    const send = async (): Promise<McpToolResult> => {
      const headers = paramHeaders(this.#knownTools?.get(name)?.headerParams ?? [], args);
      return parseToolResult(
        await this.#requests.request({ method: "tools/call", params, headers, options }),
      );
    };
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof McpError) || error.code !== rpcCodes.headerMismatch) throw error;
      // The schema was not read yet, or it has changed.
      await this.#listTools(options);
      return await send();
    }
  }

  /** Returns the resources of the server. */
  async resources(options: McpRequestOptions = {}): Promise<McpResourceInfo[]> {
    const { entries } = await this.#list("resources/list", "resources", options);
    return entriesWith<McpResourceInfo>(entries, ["uri", "name"]);
  }

  /** Returns the resource templates of the server. */
  async resourceTemplates(options: McpRequestOptions = {}): Promise<McpTemplateInfo[]> {
    const method = "resources/templates/list";
    const { entries } = await this.#list(method, "resourceTemplates", options);
    return entriesWith<McpTemplateInfo>(entries, ["uriTemplate", "name"]);
  }

  /**
   * Reads a resource.
   *
   * @throws {McpError} if it does not exist.
   */
  async readResource(
    uri: string,
    options: McpRequestOptions = {},
  ): Promise<readonly McpResourceContents[]> {
    return parseContents(await this.#request("resources/read", { uri }, options));
  }

  /** Returns the prompts of the server. */
  async prompts(options: McpRequestOptions = {}): Promise<McpPromptInfo[]> {
    const { entries } = await this.#list("prompts/list", "prompts", options);
    return entriesWith<McpPromptInfo>(entries, ["name"]);
  }

  /** Returns the messages of a prompt. */
  async prompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: McpRequestOptions = {},
  ): Promise<McpPromptMessages> {
    const params = { name, arguments: args };
    return parsePromptMessages(await this.#request("prompts/get", params, options));
  }

  /** Returns suggestions for the value of an argument, best first. */
  async complete(
    question: CompletionQuestion,
    options: McpRequestOptions = {},
  ): Promise<readonly string[]> {
    const { of, argument: name, value, known } = question;
    const ref = "prompt" in of
      ? { type: "ref/prompt", name: of.prompt }
      : { type: "ref/resource", uri: of.template };
    const params = { ref, argument: { name, value }, context: known && { arguments: known } };
    const result = await this.#request("completion/complete", params, options);
    const values = isJsonObject(result.completion) ? result.completion.values : undefined;
    return Array.isArray(values) ? values.filter((each) => typeof each === "string") : [];
  }

  /**
   * Watches a resource; changes are passed to `onChange` of `dial` and to the function here.
   *
   * @returns A function that stops watching.
   * @throws {McpError} if the server refuses.
   * @example
   * ```ts
   * import { App } from "@fw/fw";
   * import { dial, http, mcpServer, resource } from "@fw/fw/mcp";
   *
   * const today = resource({ uri: "events://today", name: "today" }, () => "Nothing today.");
   * const server = mcpServer({ name: "events", version: "1.0.0", resources: [today] });
   * const app = new App({ logRequest: () => false });
   * app.route({ pattern: "/mcp", methods: server.handlers, kind: "api" });
   * const fetch = (url: string | URL, init?: RequestInit) => app.fetch(new Request(url, init));
   *
   * await using client = await dial(http("http://localhost/mcp", { fetch }));
   * const told = Promise.withResolvers<void>();
   * const stop = await client.subscribe("events://today", told.resolve);
   * server.resourceUpdated("events://today");
   * await told.promise;
   * await stop();
   * ```
   */
  async subscribe(uri: string, fn: () => void): Promise<() => Promise<void>> {
    return await this.#requests.watcher.subscribe(uri, fn);
  }

  /** Closes the client, its connection and its child process. */
  async close(): Promise<void> {
    await this.#requests.close();
  }

  /** Closes the client at the end of `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #request(method: string, params: RpcParams, options: McpRequestOptions): Promise<RpcParams> {
    return this.#requests.request({ method, params, options });
  }

  /** The tools that the server listed over the current connection. */
  get #knownTools(): ReadonlyMap<string, ToolEntry> | undefined {
    return this.#tools?.of === this.#requests.facts ? this.#tools?.entries : undefined;
  }

  async #listTools(options: McpRequestOptions): Promise<void> {
    const connection = await this.#requests.open();
    const { entries: values, ttlMs } = await this.#list("tools/list", "tools", options);
    const entries = new Map<string, ToolEntry>();
    for (const value of values) {
      const tool = parseTool(value, connection.link.hasHeaders && isStateless(connection.revision));
      if (typeof tool === "string") this.#requests.warn(tool);
      else if (!entries.has(tool.remoteName)) entries.set(tool.remoteName, tool);
    }
    this.#tools = { entries, of: connection };
    this.#freshUntilMs = Date.now() + ttlMs;
  }

  async #list(method: string, member: string, options: McpRequestOptions): Promise<WholeList> {
    const { maxEntries = 10_000 } = this.#options;
    // One deadline for all pages.
    return await this.#requests.inTime(options, async ({ signal }) => {
      const read = (params: RpcParams) => this.#request(method, params, { ...options, signal });
      return await readPages(read, member, maxEntries);
    }, listTimes);
  }
}

/**
 * Connects to an MCP server and detects which revision it supports.
 *
 * @returns The client; close it with `close`, or declare it with `await using`.
 * @throws {RangeError} for an option out of range.
 * @throws {McpClientError} if the connection fails or no revision is shared.
 * @throws {McpError} the server's error.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 * import { dial, http, mcpServer, mcpTool } from "@fw/fw/mcp";
 *
 * const time = mcpTool({ name: "time", description: "Returns the time." }, () => "noon");
 * const server = mcpServer({ name: "clock", version: "1.0.0", tools: [time] });
 * const app = new App({ logRequest: () => false });
 * app.route({ pattern: "/mcp", methods: server.handlers, kind: "api" });
 *
 * await using client = await dial(http("http://localhost/mcp", {
 *   fetch: (url, init) => app.fetch(new Request(url, init)),
 * }));
 * assertEquals(client.server?.name, "clock");
 * assertEquals((await client.tools()).map(({ name }) => name), ["time"]);
 * ```
 */
export async function dial(transport: McpTransport, options: DialOptions = {}): Promise<McpClient> {
  const { timeoutMs = 60_000, maxEntries = 10_000, maxInputRounds = 10 } = options;
  checkTimeout("timeoutMs of dial", timeoutMs);
  checkCounts({ maxEntries, maxInputRounds }, 0);
  const client = new McpClient(transport, options);
  try {
    await client.start();
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

interface WholeList {
  readonly entries: readonly unknown[];
  readonly ttlMs: number;
}

async function readPages(
  read: (params: RpcParams) => Promise<RpcParams>,
  member: string,
  maxEntries: number,
): Promise<WholeList> {
  let ttlMs = longestTtlMs;
  const entries: unknown[] = [];
  const cursors = new Set<string>();
  let chars = 0;
  let cursor: string | undefined;
  for (;;) {
    const page = await read({ cursor });
    ttlMs = Math.min(ttlMs, typeof page.ttlMs === "number" ? page.ttlMs : 0);
    const list = page[member];
    if (!Array.isArray(list)) {
      throw new McpClientError("mcp_bad_message", `The MCP server sent no array of ${member}.`);
    }
    if (entries.length + list.length > maxEntries) {
      const message = `The MCP server lists over ${maxEntries} ${member}; raise maxEntries.`;
      throw new McpClientError("mcp_too_large", message);
    }
    chars += JSON.stringify(list).length;
    if (chars > maxListChars) {
      const message = `The MCP server lists over ${maxListChars} characters of ${member}.`;
      throw new McpClientError("mcp_too_large", message);
    }
    for (const entry of list) entries.push(entry);
    const { nextCursor } = page;
    // Some servers end a list with an empty cursor.
    if (typeof nextCursor !== "string" || nextCursor === "") return { entries, ttlMs };
    // Empty pages or a cycle of pages would never end.
    if (cursors.has(nextCursor) || cursors.size >= maxPages) {
      throw new McpClientError("mcp_bad_message", `The list of ${member} has no end.`);
    }
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
}

const maxPages = 1_000;

const listTimes = 10;

const maxListChars = 16_777_216;

/** Maximum lifetime of a list, even if the server allows more, in milliseconds. */
const longestTtlMs = 86_400_000;
