import type { Logger } from "../../../mod.ts";
import { parseJsonText } from "../../json.ts";
import { checkLimits } from "../../options.ts";
import type { RequestMeta } from "./call.ts";
import { errorBody, invalidParams, invalidRequest, rpcCodes } from "../protocol/errors.ts";
import {
  isMessageId,
  metaKeys,
  parseMessage,
  readableId,
  readLines,
  type RpcRequest,
  wireError,
  type WireMessage,
  wireResult,
  wireText,
} from "../protocol/messages.ts";
import type { Core } from "./core.ts";
import { answerRequest, initializeResult, parseInitialize } from "./execute.ts";
import { claimsStateless, parseMeta, Running } from "./incoming.ts";
import type { ServeStdioOptions } from "./options.ts";
import { wireUpdate } from "./changes.ts";
import { ownSettings, resourceKey, Session } from "./sessions/session.ts";

/** Maximum number of messages waiting for the client to read; further notifications are dropped. */
const maxWaiting = 10_000;

export class StdioConnection {
  readonly #core: Core;
  readonly #log: Logger;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #running = new Running();
  #session: Session | undefined = undefined;
  #settings: Map<string, string> = new Map();
  #waiting = 0;

  constructor(core: Core, output: WritableStream<Uint8Array>, log: Logger) {
    this.#core = core;
    this.#log = log;
    this.#writer = output.getWriter();
  }

  async serve(
    input: ReadableStream<Uint8Array>,
    { maxMessageBytes: maxBytes = 4_194_304, signal }: ServeStdioOptions,
  ): Promise<void> {
    checkLimits({ maxMessageBytes: maxBytes });
    const stop = this.#core.changes.listen((uri) => {
      if (this.#settings.has(resourceKey(uri)) && this.#waiting < maxWaiting) {
        this.#send(wireUpdate(uri));
      }
    });
    try {
      for await (const line of readLines(input, { maxBytes, ...(signal && { signal }) })) {
        if (line.trim() !== "") this.#take(line);
      }
    } catch (error) {
      // After an endless line, no further message can be parsed.
      if (error instanceof RangeError) await this.#refuse(rpcCodes.parseError, error.message);
      else if (signal?.aborted !== true) throw error;
    } finally {
      stop();
      this.#running.stop("The client has gone.");
      await this.#writer.ready.catch(() => {});
      this.#writer.releaseLock();
    }
  }

  #refuse(code: number, message: string, id?: string | number): Promise<void> {
    return this.#send(wireError(id, { code, message }));
  }

  #take(line: string): void {
    const value = parseJsonText(line);
    const message = parseMessage(value);
    if (value === undefined) {
      this.#refuse(rpcCodes.parseError, "Parse error: a line must be one JSON value");
    } else if (message === undefined) {
      this.#refuse(rpcCodes.invalidRequest, "This is not a message", readableId(value));
    } else if (message.kind === "request") this.#answer(message);
    else if (message.kind !== "notification") this.#session?.answer(message);
    else if (message.method === "notifications/cancelled") {
      const { requestId } = message.params;
      if (isMessageId(requestId)) this.#running.cancel(requestId);
    }
  }

  async #answer(request: RpcRequest): Promise<void> {
    const { id } = request;
    let isRunning = false;
    try {
      const controller = this.#running.begin(id);
      isRunning = true;
      const client = this.#clientOf(request);
      if (client === undefined) return await this.#initialize(request);
      const send = (message: WireMessage): void => {
        if (!controller.signal.aborted && this.#waiting < maxWaiting) this.#send(message);
      };
      const sender = { log: this.#log, c: undefined, caller: undefined, principal: "" };
      const incoming = { ...sender, core: this.#core, request, controller, send };
      const { text } = await answerRequest(incoming, client);
      if (text !== undefined) this.#send(text);
    } catch (error) {
      this.#send(wireError(id, errorBody(error)));
    } finally {
      if (isRunning) this.#running.finish(id);
    }
  }

  /** Returns the client's data from the request or the session; `undefined` for a handshake. */
  #clientOf({ method, params }: RpcRequest): Session | RequestMeta | undefined {
    const isModern = claimsStateless(params);
    if (method === "initialize" && !isModern) return undefined;
    const client = isModern ? parseMeta(params) : this.#session;
    if (client !== undefined) return client;
    // The revision is unknown, so the client must state it first.
    throw method === "server/discover"
      ? invalidParams(`params._meta["${metaKeys.protocolVersion}"] is missing`)
      : invalidRequest("Initialize first, or send params._meta");
  }

  async #initialize(request: RpcRequest): Promise<void> {
    const client = parseInitialize(request);
    this.#settings = new Map();
    this.#session = new Session(client, ownSettings(this.#settings));
    await this.#send(wireResult(request.id, initializeResult(this.#core, client)));
  }

  async #send(message: WireMessage | string): Promise<void> {
    this.#waiting++;
    try {
      const text = typeof message === "string" ? message : wireText(message);
      await this.#writer.write(encoder.encode(`${text}\n`));
    } catch {
      // A log message is circular, or the client closed the pipe, so the input ends as well.
    } finally {
      this.#waiting--;
    }
  }
}

const encoder = new TextEncoder();
