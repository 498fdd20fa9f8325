import { randomToken } from "../../../../runtime/addon.ts";
import { abortable } from "../../../http/wait.ts";
import { McpError, receivedError, rpcCodes } from "../../protocol/errors.ts";
import {
  type RequestId,
  type RpcFailure,
  type RpcParams,
  type RpcResult,
  type WireMessage,
  wireRequest,
} from "../../protocol/messages.ts";
import type { SessionClient } from "../call.ts";
import type { Settings } from "./settings.ts";

const maxQuestions = 1_000;

export const answerTimeoutMs = 3_600_000;

/** A client of a revision with sessions and its unanswered questions, over any transport. */
export class Session {
  readonly client: SessionClient;
  readonly settings: Settings;
  readonly #questions: Map<RequestId, PromiseWithResolvers<RpcParams>> = new Map();
  readonly #newId: () => string;

  /** @param newId Creates the id of a question. */
  constructor(client: SessionClient, settings: Settings, newId = () => randomToken()) {
    this.client = client;
    this.settings = settings;
    this.#newId = newId;
  }

  /** Asks the client. @throws {McpError} the client's error, or after the timeout. */
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
    const id = this.#newId();
    const question = Promise.withResolvers<RpcParams>();
    const late = new McpError(rpcCodes.internalError, "The client did not answer in time");
    const timer = setTimeout(() => question.reject(late), answerTimeoutMs);
    this.#questions.set(id, question);
    try {
      send(wireRequest(id, method, params));
      return await abortable(question.promise, signal);
    } finally {
      clearTimeout(timer);
      this.#questions.delete(id);
    }
  }

  /** Passes an answer to its question. Returns whether the question is waiting. */
  answer(message: RpcResult | RpcFailure): boolean {
    const waiting = message.id === undefined ? undefined : this.#questions.get(message.id);
    if (message.kind === "result") waiting?.resolve(message.result);
    else waiting?.reject(receivedError(message.error));
    return waiting !== undefined;
  }
}
