import type { Ctx, EventStream } from "../../../mod.ts";
import { type RpcRequest, type WireMessage, wireText } from "../protocol/messages.ts";
import { answerRequest, ifSlow } from "./execute.ts";
import { invalidRequest } from "../protocol/errors.ts";
import { type BearerGuard, failure } from "./bearer.ts";
import type { RequestMeta } from "./call.ts";
import { type Incoming, takesStream } from "./incoming.ts";
import { updated } from "./changes.ts";
import { scopesOf } from "./dispatch.ts";
import type { Session } from "./sessions/session.ts";
import type { Sessions } from "./sessions/sessions.ts";

/** Delay before a stream begins, in milliseconds; without one the server cannot notice a disconnect. */
const streamAfterMs = 100;

/** Time after which an unread stream counts as one of a disconnected client, in milliseconds. */
const unreadMs = 5_000;

/** Answers a request with JSON if the result is quick, else with a stream, which the first message starts too. */
export function reply(
  sender: Sender,
  request: RpcRequest,
  { client, controller, statusOf = () => 200, onStream, after }: {
    readonly client: Session | RequestMeta;
    readonly controller: AbortController;
    readonly statusOf?: (error: unknown) => number;
    readonly onStream?: () => void;
    readonly after?: () => void;
  },
): Promise<Response> {
  const { c } = sender;
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  let outbox: Outbox | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasEnded = false;
  const cancel = (): void => {
    if (!hasEnded) controller.abort(new DOMException("The client has gone.", "AbortError"));
  };
  const isPlain = !takesStream(c);
  const begin = (): void => {
    if (outbox !== undefined || hasEnded || isPlain) return;
    clearTimeout(timer);
    const box = outbox = new Outbox();
    // Closing the stream, or never reading it, cancels the call.
    timer = setTimeout(cancel, unreadMs);
    onAbort(c.signal, cancel);
    try {
      resolve(c.stream((s) => {
        clearTimeout(timer);
        onAbort(s.signal, cancel);
        return box.empty(s);
      }));
      onStream?.();
    } catch (error) {
      // This client has too many open streams.
      cancel();
      reject(error);
    }
  };
  const send = (message: WireMessage): void => {
    begin();
    outbox?.add(message);
  };
  answerRequest({ ...sender, request, controller, send }, client).then(({ text, error }) => {
    after?.();
    clearTimeout(timer);
    // A cancelled stream ends without a message.
    if (text === undefined) begin();
    hasEnded = true;
    if (outbox !== undefined) outbox.end(text);
    else if (text === undefined) resolve(c.noContent());
    else resolve(new Response(text, { status: statusOf(error), headers }));
  });
  ifSlow(() => hasEnded || outbox !== undefined, () => {
    // A client that accepts no streams waits for its JSON, up to the deadline of its request.
    if (isPlain) onAbort(c.signal, cancel);
    else timer = setTimeout(begin, streamAfterMs);
  });
  return promise;
}

const headers = { "content-type": "application/json" };

const [maxWaiting, maxWaitingChars] = [512, 1_048_576];

/** The messages of one response that the client has not read yet. */
export class Outbox {
  readonly #waiting: string[] = [];
  #chars = 0;
  #hasEnded = false;
  #wake = (): void => {};

  add(message: WireMessage): void {
    const text = wireText(message);
    // A change that is already waiting is not repeated.
    if (message.method !== updated || !this.#waiting.includes(text)) this.#push(text);
  }

  end(text?: string): void {
    if (text !== undefined) this.#push(text);
    this.#hasEnded = true;
    this.#wake();
  }

  #push(text: string): void {
    if (this.#hasEnded) return;
    this.#waiting.push(text);
    this.#chars += text.length;
    // Drop the oldest messages, but never the last one, which may be the response.
    while (
      this.#waiting.length > 1 &&
      (this.#waiting.length > maxWaiting || this.#chars > maxWaitingChars)
    ) this.#shift();
    this.#wake();
  }

  #shift(): string | undefined {
    const text = this.#waiting.shift();
    this.#chars -= text?.length ?? 0;
    return text;
  }

  /** Sends the messages, including new ones, until the end or until the client disconnects. */
  async empty(s: EventStream): Promise<void> {
    onAbort(s.signal, () => this.end());
    while (!s.signal.aborted) {
      const text = this.#shift();
      if (text !== undefined) await s.send("", text);
      else if (this.#hasEnded) return;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}

export function onAbort(signal: AbortSignal, fn: () => void): void {
  if (signal.aborted) fn();
  else signal.addEventListener("abort", fn, { once: true });
}

export interface Sender extends Pick<Incoming, "core" | "caller" | "principal"> {
  readonly sessions: Sessions;
  readonly c: Ctx;
  readonly guard: BearerGuard | undefined;
}

/** Checks scopes. @throws {Response} if the caller lacks a scope that the request needs. */
export function requireScopes({ c, core, guard, caller }: Sender, request: RpcRequest): void {
  const scopes = scopesOf(core, request);
  if (scopes.length === 0) return;
  if (guard === undefined) {
    // Fail closed: without tokens no caller can have a scope.
    c.log.error("mcp request refused: it needs scopes, and the server has no auth", { scopes });
    throw failure(c, { status: 403, error: invalidRequest("This needs a scope"), id: request.id });
  }
  guard.checkScopes(c, caller, scopes);
}
