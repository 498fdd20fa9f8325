import { McpClientError, McpError, rpcCodes } from "../protocol/errors.ts";
import { isJsonObject } from "../../json.ts";
import { checkCounts, checkTimeout } from "../../options.ts";
import type { RpcParams } from "../protocol/messages.ts";
import type { Implementation } from "../server/call.ts";
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

/** A client of one MCP server, created by {@link dial}; the next request reopens a lost connection. */
export class McpClient {
  readonly #requests: Requests;
  readonly #maxEntries: number;
  /** The tools of the last list. */
  #tools: ReadonlyMap<string, ToolEntry> = new Map();

  /** Called by {@link dial}. */
  constructor(transport: McpTransport, options: DialOptions) {
    this.#requests = new Requests(transport, options);
    this.#maxEntries = options.maxEntries ?? defaultMaxEntries;
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
    await this.#requests.start();
  }

  /**
   * Returns the callable tools in the form that agents accept.
   *
   * @throws {McpClientError} for more than `maxEntries`.
   */
  async tools(options: McpToolsOptions = {}): Promise<RemoteTool[]> {
    await this.#listTools(options);
    return toTools(
      [...this.#tools.values()],
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
      const headers = paramHeaders(this.#tools.get(name)?.headerParams ?? [], args);
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
    const entries = await this.#list("resources/list", "resources", options);
    return entriesWith<McpResourceInfo>(entries, ["uri", "name"]);
  }

  /** Returns the resource templates of the server. */
  async resourceTemplates(options: McpRequestOptions = {}): Promise<McpTemplateInfo[]> {
    const entries = await this.#list("resources/templates/list", "resourceTemplates", options);
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
    const params = { uri };
    return parseContents(
      await this.#requests.request({ method: "resources/read", params, options }),
    );
  }

  /** Returns the prompts of the server. */
  async prompts(options: McpRequestOptions = {}): Promise<McpPromptInfo[]> {
    const entries = await this.#list("prompts/list", "prompts", options);
    return entriesWith<McpPromptInfo>(entries, ["name"]);
  }

  /** Returns the messages of a prompt. */
  async prompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: McpRequestOptions = {},
  ): Promise<McpPromptMessages> {
    const params = { name, arguments: args };
    return parsePromptMessages(
      await this.#requests.request({ method: "prompts/get", params, options }),
    );
  }

  /** Closes the client, its connection and its child process. */
  async close(): Promise<void> {
    await this.#requests.close();
  }

  /** Closes the client at the end of `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #listTools(options: McpRequestOptions): Promise<void> {
    const entries = new Map<string, ToolEntry>();
    for (const value of await this.#list("tools/list", "tools", options)) {
      const tool = parseTool(value, this.#requests.facts?.link.hasHeaders);
      if (typeof tool === "string") this.#requests.warn(tool);
      else if (!entries.has(tool.remoteName)) entries.set(tool.remoteName, tool);
    }
    this.#tools = entries;
  }

  async #list(
    method: string,
    member: string,
    options: McpRequestOptions,
  ): Promise<readonly unknown[]> {
    // One deadline for all pages.
    return await this.#requests.inTime(options, async ({ signal }) => {
      const read = (params: RpcParams) =>
        this.#requests.request({ method, params, options: { ...options, signal } });
      return await readPages(read, member, this.#maxEntries);
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
  const { timeoutMs = 60_000, maxEntries = defaultMaxEntries, maxInputRounds = 10 } = options;
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

async function readPages(
  read: (params: RpcParams) => Promise<RpcParams>,
  member: string,
  maxEntries: number,
): Promise<readonly unknown[]> {
  const entries: unknown[] = [];
  const cursors = new Set<string>();
  let chars = 0;
  let cursor: string | undefined;
  for (;;) {
    const page = await read({ cursor });
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
    if (typeof nextCursor !== "string" || nextCursor === "") return entries;
    // Empty pages or a cycle of pages would never end.
    if (cursors.has(nextCursor) || cursors.size >= maxPages) {
      throw new McpClientError("mcp_bad_message", `The list of ${member} has no end.`);
    }
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
}

const defaultMaxEntries = 10_000;

const maxPages = 1_000;

const listTimes = 10;

const maxListChars = 16_777_216;
