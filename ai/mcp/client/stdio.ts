import { thrownMessage } from "../../../runtime/addon.ts";
import { McpClientError, McpError, receivedError, rpcCodes } from "../protocol/errors.ts";
import { cutLine, isJsonObject } from "../../json.ts";
import { checkLimits, checkTimeout } from "../../options.ts";
import {
  parseLooseText,
  readLines,
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
import { Child, type StdioOptions } from "./child.ts";
import {
  createAnswerer,
  defaultMaxMessageBytes,
  type Link,
  type LinkEvents,
  type McpTransport,
  type Outgoing,
} from "./link.ts";

/**
 * Describes a server that runs as a child process and communicates over its standard streams.
 * Closing the client ends the child: it closes its input, then sends SIGTERM, then SIGKILL.
 *
 * @returns The transport, for `dial`; the process starts with the first message.
 * @throws {RangeError} for an option out of range.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { stdio } from "@fw/fw/mcp";
 *
 * const transport = stdio("deno", ["run", "-A", "tools/mcp.ts"], { env: { API_KEY: "…" } });
 * assertEquals(transport.name, "deno run -A tools/mcp.ts");
 * ```
 */
export function stdio(
  command: string,
  args: readonly string[] = [],
  options: StdioOptions = {},
): McpTransport {
  const { maxMessageBytes = defaultMaxMessageBytes, probeMs = 3_000 } = options;
  checkLimits({ maxMessageBytes });
  checkTimeout("probeMs", probeMs);
  return {
    name: [command, ...args].join(" "),
    // Rejects if the command does not start.
    connect: async (events) =>
      await new StdioLink(new Child(command, args, options), { maxMessageBytes, probeMs }, events),
  };
}

interface Waiting {
  readonly resolve: (result: RpcParams) => void;
  readonly reject: (error: Error) => void;
  readonly onNotification: Outgoing["onNotification"];
  readonly progressToken: unknown;
}

/** Maximum number of invalid lines in a row: some servers log to standard output. */
const maxGarbageLines = 10_000;

const maxQuotedChars = 200;

class StdioLink implements Link {
  readonly probeMs: number;
  revision: string = statelessRevision;
  readonly #child: Child;
  readonly #events: LinkEvents;
  readonly #answerRequest: (request: RpcRequest) => Promise<void>;
  readonly #waiting: Map<RequestId, Waiting> = new Map();
  #nextId = 1;
  #garbage = 0;
  #lastGarbage: string | undefined = undefined;
  #closed: Error | undefined = undefined;

  constructor(
    child: Child,
    { maxMessageBytes, probeMs }: Required<Pick<StdioOptions, "maxMessageBytes" | "probeMs">>,
    events: LinkEvents,
  ) {
    this.#events = events;
    this.probeMs = probeMs;
    this.#answerRequest = createAnswerer(
      async (method, params) => {
        if (this.revision !== statelessRevision) return await events.onRequest(method, params);
        throw new McpError(rpcCodes.methodNotFound, "This client accepts no requests");
      },
      (answer) => this.#send(answer),
    );
    this.#child = child;
    this.#read(maxMessageBytes);
  }

  async request({ method, params, signal, onNotification }: Outgoing): Promise<RpcParams> {
    if (this.#closed !== undefined) throw this.#closed;
    signal.throwIfAborted();
    const id = this.#nextId++;
    const { _meta: meta } = params;
    const progressToken = isJsonObject(meta) ? meta.progressToken : undefined;
    const { promise, resolve, reject } = Promise.withResolvers<RpcParams>();
    const abort = (): void => {
      // The protocol forbids cancelling the handshake.
      if (method !== "initialize") {
        this.notify("notifications/cancelled", { requestId: id }).catch(() => {});
      }
      reject(this.#withLine(signal.reason));
    };
    signal.addEventListener("abort", abort);
    this.#waiting.set(id, { progressToken, onNotification, resolve, reject });
    this.#send(wireRequest(id, method, params)).catch((cause) => {
      const message = `Cannot write to the MCP server: ${this.#child.describeEnd()}`;
      reject(new McpClientError("mcp_closed", message, { cause }));
    });
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", abort);
      this.#waiting.delete(id);
    }
  }

  async notify(method: string, params: RpcParams): Promise<void> {
    await this.#send(wireNotification(method, params));
  }

  listen(): void {
    // One channel carries all messages.
  }

  async close(): Promise<void> {
    this.#fail(new McpClientError("mcp_closed", "The MCP client is closed."));
    await this.#child.end();
  }

  async #send(message: WireMessage): Promise<void> {
    await this.#child.write(`${wireText(message)}\n`);
  }

  async #read(maxBytes: number): Promise<void> {
    let error: Error | undefined;
    try {
      for await (const line of readLines(this.#child.output, { maxBytes })) {
        this.#take(line);
        if (this.#closed !== undefined) break;
      }
    } catch (cause) {
      const code = cause instanceof RangeError ? "mcp_too_large" : "mcp_bad_message";
      const message = `The MCP server broke the protocol: ${thrownMessage(cause)}.`;
      error = new McpClientError(code, message, { cause });
    }
    // After any failure no further message can be parsed, so end the child.
    await this.#child.end();
    this.#fail(error ?? new McpClientError("mcp_closed", this.#child.describeEnd()));
  }

  #take(line: string): void {
    const whole = parseLooseText(line);
    // A message may follow log text on the same line.
    const start = whole.length > 0 ? 0 : Math.max(0, line.search(/[[{]\s*["{]/));
    const messages = start === 0 ? whole : parseLooseText(line.slice(start));
    if (messages.length > 0) this.#garbage = 0;
    else if (line.trim() !== "") {
      this.#lastGarbage = line;
      if (++this.#garbage > maxGarbageLines) {
        throw new TypeError(`${maxGarbageLines} consecutive lines are not messages`);
      }
    }
    for (const message of messages) this.#receive(message);
  }

  #receive(message: RpcMessage): void {
    if (message.kind === "request") this.#answerRequest(message);
    else if (message.kind === "notification") this.#notice(message.method, message.params);
    else if (message.id !== undefined) {
      // Some servers send the id back as a string.
      const waiting = this.#waiting.get(message.id) ?? this.#waiting.get(Number(message.id));
      if (message.kind === "result") waiting?.resolve(message.result);
      else waiting?.reject(receivedError(message.error));
    }
  }

  #notice(method: string, params: RpcParams): void {
    const { progressToken } = params;
    const owner = [...this.#waiting.values()].find((each) =>
      progressToken !== undefined && each.progressToken === progressToken
    );
    if (owner === undefined) this.#events.onNotification(method, params);
    else owner.onNotification(method, params);
  }

  /** Adds the server's output that is not a message to the timeout error. */
  #withLine(reason: unknown): unknown {
    const isTimeout = reason instanceof McpClientError && reason.code === "mcp_timeout";
    if (!isTimeout || this.#lastGarbage === undefined) return reason;
    const line = cutLine(this.#lastGarbage, maxQuotedChars);
    const message = `${reason.message} It wrote a line that is not a message: ${line}`;
    return new McpClientError("mcp_timeout", message);
  }

  #fail(error: Error): void {
    if (this.#closed !== undefined) return;
    this.#closed = error;
    for (const { reject } of [...this.#waiting.values()]) reject(error);
    this.#events.onClosed(error);
  }
}
