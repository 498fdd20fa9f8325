import { errorBody, invalidParams, McpError, rpcCodes } from "../protocol/errors.ts";
import {
  metaKeys,
  parseMessage,
  readLines,
  type RequestId,
  type RpcNotification,
  type RpcRequest,
  wireError,
  type WireMessage,
  wireNotification,
  wireResult,
} from "../protocol/messages.ts";
import type { Core } from "./core.ts";
import { execute, initializeResult, listenResult, parseInitialize } from "./execute.ts";
import { openListener, parseFilter } from "./changes.ts";
import type { ServeStdioOptions } from "./options.ts";
import { maxRunning, Session } from "./sessions/session.ts";
import { claimsStateless, type Incoming, parseMeta } from "./incoming.ts";

/** Maximum number of messages for a client that does not read; notifications beyond it are dropped. */
const maxWaiting = 10_000;

type Outside = Pick<Incoming, "fetch" | "log" | "metrics">;

export class StdioConnection {
  readonly #core: Core;
  readonly #outside: Outside;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #running: Map<RequestId, (reason: unknown) => void> = new Map();
  #session: Session | undefined = undefined;
  #waiting = 0;

  constructor(
    core: Core,
    options: Outside & { readonly output: WritableStream<Uint8Array> },
  ) {
    this.#core = core;
    this.#outside = options;
    this.#writer = options.output.getWriter();
  }

  async serve(
    input: ReadableStream<Uint8Array>,
    { maxMessageBytes = 4_194_304, signal }: ServeStdioOptions & { readonly signal: AbortSignal },
  ): Promise<void> {
    const unlisten = this.#core.changes.listen((change) => {
      const wanted = this.#session?.wants(change);
      if (wanted !== undefined) this.#send(wireNotification(wanted.method, wanted.params));
    });
    try {
      for await (const line of readLines(input, { maxBytes: maxMessageBytes, signal })) {
        if (line.trim() !== "") this.#take(line);
      }
    } catch (error) {
      // A client that never ends a line cannot be understood again.
      if (!(error instanceof RangeError)) {
        if (!signal.aborted) throw error;
      } else {
        const { message } = error;
        await this.#send(wireError(undefined, { code: rpcCodes.parseError, message }));
      }
    } finally {
      unlisten();
      this.#end();
      await this.#writer.ready.catch(() => {});
      this.#writer.releaseLock();
    }
  }

  #end(): void {
    const reason = new DOMException("The client has gone.", "AbortError");
    for (const stop of [...this.#running.values()]) stop(reason);
    this.#session?.close();
  }

  #take(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      const message = "Parse error: a line must be one JSON value";
      this.#send(wireError(undefined, { code: rpcCodes.parseError, message }));
      return;
    }
    const message = parseMessage(value);
    if (message === undefined) {
      const error = { code: rpcCodes.invalidRequest, message: "This is not a message" };
      this.#send(wireError(undefined, error));
    } else if (message.kind === "request") {
      this.#answer(message);
    } else if (message.kind === "notification") {
      this.#notice(message);
    } else {
      this.#session?.answer(message);
    }
  }

  #notice({ method, params }: RpcNotification): void {
    if (method !== "notifications/cancelled") return;
    const { requestId } = params;
    if (typeof requestId !== "string" && typeof requestId !== "number") return;
    const reason = new DOMException("The client has cancelled the request.", "AbortError");
    this.#running.get(requestId)?.(reason);
  }

  async #answer(request: RpcRequest): Promise<void> {
    const { id, method } = request;
    if (this.#running.has(id) || this.#running.size >= maxRunning) {
      const message = this.#running.has(id)
        ? "A request with this id is running already"
        : "Too many requests are running";
      this.#send(wireError(id, { code: rpcCodes.invalidRequest, message }));
      return;
    }
    const controller = new AbortController();
    let isCancelled = false;
    this.#running.set(id, (reason) => {
      isCancelled = true;
      controller.abort(reason);
    });
    try {
      if (method === "subscriptions/listen") return await this.#listen(request, controller.signal);
      const result = await this.#run(request, controller);
      if (!isCancelled) this.#send(wireResult(id, result));
    } catch (error) {
      // No response follows a cancellation.
      if (!isCancelled) this.#send(wireError(id, errorBody(error)));
    } finally {
      this.#running.delete(id);
    }
  }

  async #run(request: RpcRequest, controller: AbortController): Promise<WireMessage> {
    const core = this.#core;
    const { method, params } = request;
    const isModern = claimsStateless(params);
    if (method === "initialize" && !isModern) return this.#initialize(request);
    const client = isModern ? parseMeta(params) : this.#session;
    if (client === undefined) {
      // Nothing says which revision the client speaks; it must say so first.
      throw method === "server/discover"
        ? invalidParams(`params._meta["${metaKeys.protocolVersion}"] is missing`)
        : new McpError(rpcCodes.invalidRequest, "Initialize first, or send params._meta");
    }
    const send = (message: WireMessage): void => this.#notify(message, controller.signal);
    const sender = { ...this.#outside, c: undefined, caller: undefined, principal: "" };
    return await execute({ ...sender, core, request, controller, send }, client);
  }

  #initialize(request: RpcRequest): WireMessage {
    const client = parseInitialize(request);
    this.#session?.close();
    this.#session = new Session(client, "pipe");
    return initializeResult(this.#core, client);
  }

  async #listen({ id, params }: RpcRequest, signal: AbortSignal): Promise<void> {
    parseMeta(params);
    const filter = parseFilter(params);
    const send = (message: WireMessage): void => void this.#notify(message, signal);
    const close = openListener(this.#core.changes, { id, filter, send });
    if (close === undefined) {
      throw new McpError(rpcCodes.internalError, "Too many subscriptions are open");
    }
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    close();
    // The client is told that it was the server who ended it; one that cancelled ignores it.
    this.#send(wireResult(id, listenResult(this.#core, id)));
  }

  #notify(message: WireMessage, signal: AbortSignal): void {
    if (!signal.aborted && this.#waiting < maxWaiting) this.#send(message);
  }

  async #send(message: WireMessage): Promise<void> {
    this.#waiting++;
    try {
      await this.#writer.write(encoder.encode(`${JSON.stringify(message)}\n`));
    } catch {
      // The client closed its end: the input ends as well.
    } finally {
      this.#waiting--;
    }
  }
}

const encoder = new TextEncoder();
