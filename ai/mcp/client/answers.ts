import { errorBody } from "../protocol/errors.ts";
import { isJsonObject } from "../../json.ts";
import {
  parseMessage,
  type RpcMessage,
  type RpcRequest,
  wireError,
  type WireMessage,
  wireResult,
} from "../protocol/messages.ts";
import type { LinkEvents } from "./link.ts";

/**
 * The maximum number of requests of a server that are open at once, each until its answer has been sent:
 * the 32 that `Questions` works on, and as many that it refuses.
 */
const maxOpen = 64;

/** Answers the requests of a server. Those beyond the maximum are dropped without an answer. */
export class Answers {
  readonly #onRequest: LinkEvents["onRequest"];
  readonly #send: (answer: WireMessage) => Promise<void>;
  #open = 0;

  /** @param options The function that answers, and the one that sends an answer to the server. */
  constructor(
    { onRequest, send }: {
      readonly onRequest: LinkEvents["onRequest"];
      readonly send: (answer: WireMessage) => Promise<void>;
    },
  ) {
    this.#onRequest = onRequest;
    this.#send = send;
  }

  /** Answers one request; never rejects. */
  async answer(request: RpcRequest): Promise<void> {
    // A server that asks and never takes an answer would use up the sockets and the memory of the process.
    if (this.#open >= maxOpen) return;
    this.#open++;
    try {
      await this.#send(await this.#answerOf(request));
    } catch {
      // The connection itself reports why it is broken.
    } finally {
      this.#open--;
    }
  }

  async #answerOf({ id, method, params }: RpcRequest): Promise<WireMessage> {
    try {
      return wireResult(id, await this.#onRequest(method, params));
    } catch (error) {
      return wireError(id, errorBody(error));
    }
  }
}

/** Parses JSON; `undefined` for what is none. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a message of a server, which may write members that it has no value for as `null`. */
export function parseLoose(value: unknown): RpcMessage | undefined {
  if (!isJsonObject(value)) return undefined;
  const known = ["method", "params", "result", "error"];
  return parseMessage(
    Object.fromEntries(
      Object.entries(value).filter(([name, each]) =>
        each !== null || !(known.includes(name) || (name === "id" && "method" in value))
      ),
    ),
  );
}
