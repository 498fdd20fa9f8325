import { McpError, rpcCodes } from "../../protocol/errors.ts";
import {
  type RequestId,
  type RpcFailure,
  type RpcParams,
  type RpcResult,
  type WireMessage,
  wireRequest,
} from "../../protocol/messages.ts";
import { type OpenSession, timeSession } from "../../protocol/telemetry.ts";
import type { Implementation, McpLogLevel } from "../call.ts";
import { type Change, notificationOf } from "../changes.ts";

export interface SessionClient {
  readonly revision: string;
  readonly capabilities: RpcParams;
  readonly client: Implementation | undefined;
}

const maxSubscriptions = 1_000;

/** The longest the subscribed addresses are together: the record stays below the 64 KiB of some stores. */
const maxSubscribedChars = 49_152;

export function addSubscription(uris: readonly string[], uri: string): readonly string[] {
  const all = [...uris.filter((other) => other !== uri), uri];
  if (all.length <= maxSubscriptions && all.join("").length <= maxSubscribedChars) return all;
  throw new McpError(
    rpcCodes.invalidParams,
    `Too many subscriptions: ${maxSubscriptions} of ${maxSubscribedChars} characters together are open at most`,
  );
}

export const maxRunning = 256;

const maxQuestions = 1_000;

const answerTimeoutMs = 3_600_000;

export interface SessionState {
  readonly version: number;
  readonly logLevel: McpLogLevel;
  readonly subscriptions: readonly string[];
}

interface Waiting {
  readonly resolve: (result: RpcParams) => void;
  readonly reject: (error: McpError) => void;
}

/** The open state of one client of the revisions with sessions, over any transport. */
export class Session {
  readonly client: SessionClient;
  /** The least severity that is sent; before the client sets one, everything from `info` up. */
  logLevel: McpLogLevel = "info";
  #subscriptions: Set<string> = new Set();
  readonly #running: Map<RequestId, AbortController> = new Map();
  readonly #questions: Map<RequestId, Waiting> = new Map();
  readonly #noteEnd: () => void;
  readonly #tag: string;
  #version = 0;
  #nextQuestion = 1;

  constructor(client: SessionClient, transport: OpenSession["transport"], tag = "") {
    this.client = client;
    this.#tag = tag;
    this.#noteEnd = timeSession({ side: "server", revision: client.revision, transport });
  }

  get state(): SessionState {
    const { logLevel } = this;
    return { version: this.#version, logLevel, subscriptions: [...this.#subscriptions] };
  }

  /** Takes a state over, unless a newer one is known. */
  restore({ version, logLevel, subscriptions }: SessionState): void {
    if (version < this.#version) return;
    this.#version = version;
    this.logLevel = logLevel;
    this.#subscriptions = new Set(subscriptions);
  }

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  begin(id: RequestId): AbortController {
    if (this.#running.has(id)) {
      throw new McpError(rpcCodes.invalidRequest, "A request with this id is running already");
    }
    if (this.#running.size >= maxRunning) {
      throw new McpError(rpcCodes.internalError, "Too many requests of this session are running");
    }
    const controller = new AbortController();
    this.#running.set(id, controller);
    return controller;
  }

  finish(id: RequestId): void {
    this.#running.delete(id);
  }

  cancel(id: RequestId): boolean {
    const controller = this.#running.get(id);
    const reason = new DOMException("The client has cancelled the request.", "AbortError");
    controller?.abort(reason);
    return controller !== undefined;
  }

  subscribe(uri: string): void {
    this.#subscriptions = new Set(addSubscription([...this.#subscriptions], uri));
  }

  unsubscribe(uri: string): void {
    this.#subscriptions.delete(uri);
  }

  wants(change: Change): ReturnType<typeof notificationOf> | undefined {
    const isWanted = change.kind !== "resource" || this.#subscriptions.has(change.uri);
    return isWanted ? notificationOf(change) : undefined;
  }

  /**
   * Asks the client.
   *
   * @throws {McpError} that the client answered with, and when the session ends or the time is up.
   */
  async ask(
    method: string,
    { params, signal, send }: {
      readonly params: RpcParams;
      readonly signal: AbortSignal;
      readonly send: (message: WireMessage) => void;
    },
  ): Promise<RpcParams> {
    signal.throwIfAborted();
    if (this.#questions.size >= maxQuestions) {
      throw new McpError(rpcCodes.internalError, "Too many questions are open");
    }
    const id = `q${this.#tag}${this.#nextQuestion++}`;
    const { promise, resolve, reject } = Promise.withResolvers<RpcParams>();
    const abort = (): void => reject(signal.reason);
    const late = new McpError(rpcCodes.internalError, "The client did not answer in time");
    const timer = setTimeout(() => reject(late), answerTimeoutMs);
    this.#questions.set(id, { resolve, reject });
    signal.addEventListener("abort", abort);
    try {
      send(wireRequest(id, method, params));
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      this.#questions.delete(id);
    }
  }

  answer(message: RpcResult | RpcFailure): boolean {
    if (message.id === undefined) return false;
    const waiting = this.#questions.get(message.id);
    if (message.kind === "result") waiting?.resolve(message.result);
    else {
      const { code, data } = message.error;
      waiting?.reject(new McpError(code, message.error.message, { data }));
    }
    return waiting !== undefined;
  }

  close(): void {
    const reason = new DOMException("The session is over.", "AbortError");
    for (const controller of this.#running.values()) controller.abort(reason);
    const error = new McpError(rpcCodes.internalError, "The session is over");
    for (const { reject } of [...this.#questions.values()]) reject(error);
    this.#subscriptions.clear();
    this.#noteEnd();
  }
}
