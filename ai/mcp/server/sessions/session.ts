import { type Application, type Channel, channel, publish } from "../../../../mod.ts";
import { type Awaitable, digestOf, findChannels, randomToken } from "../../../../runtime/addon.ts";
import { abortable } from "../../../http/wait.ts";
import { invalidParams, McpError, receivedError, rpcCodes } from "../../protocol/errors.ts";
import {
  type RequestId,
  type RpcFailure,
  type RpcParams,
  type RpcRequest,
  type RpcResult,
  type WireMessage,
  wireRequest,
} from "../../protocol/messages.ts";
import { isLogLevel, type McpLogLevel, type SessionClient } from "../call.ts";
import { isUri, maxUriChars, maxWatched } from "../changes.ts";

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

/** The settings of a session: the log level and the keys of the watched resources. */
type Entries = ReadonlyMap<string, string>;

export interface Settings {
  read(): Awaitable<Entries>;
  /** Sets an entry, or removes it with `null`. */
  write(key: string, value: string | null): Awaitable<void>;
}

const levelKey = "level";

/** The key that marks a session as ended by its client. */
export const endedKey = "ended";

/** Returns a short key for a resource, so that long URIs cannot fill the store. */
export function resourceKey(uri: string): string {
  return digestOf(uri).slice(0, 24);
}

/** Returns the minimum severity that the client requested; `undefined` for no messages, as if the store fails. */
export async function readLevel(settings: Settings): Promise<McpLogLevel | undefined> {
  try {
    const level = (await settings.read()).get(levelKey);
    return isLogLevel(level) ? level : "info";
  } catch {
    return undefined;
  }
}

/**
 * Applies a request that changes the settings. Returns whether it is such a request.
 *
 * @throws {McpError} for an invalid setting.
 */
export async function changeSettings(
  settings: Settings,
  { method, params: { level, uri } }: RpcRequest,
): Promise<boolean> {
  if (method === "logging/setLevel") {
    if (!isLogLevel(level)) throw invalidParams("Unknown log level");
    await settings.write(levelKey, level);
    return true;
  }
  const isAdded = method === "resources/subscribe";
  if (!isAdded && method !== "resources/unsubscribe") return false;
  if (!isUri(uri)) {
    throw invalidParams(`The parameter uri must be a string of at most ${maxUriChars} characters`);
  }
  if (isAdded && (await settings.read()).size > maxWatched) {
    throw invalidParams(`A session watches at most ${maxWatched} resources`);
  }
  await settings.write(resourceKey(uri), isAdded ? "" : null);
  return true;
}

export function ownSettings(entries: Map<string, string>): Settings {
  return {
    read: () => entries,
    write: (key, value) => void (value === null ? entries.delete(key) : entries.set(key, value)),
  };
}

type Letter = readonly (readonly [key: string, value: string | null])[];

/** Number of stored changes: more than entries, so that each entry is rewritten before it is dropped. */
const keep = maxWatched + 32;

/** Lifetime of the settings after the last change or open stream, in milliseconds. */
const keepMs = 3_600_000;

/** Settings stored as changes in a channel, so that all replicas share them. */
export class SharedSettings implements Settings {
  readonly #app: Application;
  readonly #channel: Channel<Letter>;
  readonly reserve: () => void;

  /** @param reserve Reserves a slot for a session with settings; throws if none is free. */
  constructor(app: Application, sessionId: string, reserve: () => void) {
    this.#app = app;
    this.#channel = channel<Letter>(`mcp:set:${digestOf(sessionId)}`, undefined, { keep, keepMs });
    this.reserve = reserve;
  }

  async read(): Promise<Entries> {
    const { messages } = await findChannels(this.#app).read(this.#channel.name, 0, keep);
    const entries = new Map<string, string>();
    for (const { text } of messages) {
      for (const [key, value] of JSON.parse(text) as Letter) {
        // Keep the entry written longest ago first.
        entries.delete(key);
        if (value !== null) entries.set(key, value);
      }
    }
    return entries;
  }

  async write(key: string, value: string | null): Promise<void> {
    try {
      this.reserve();
    } catch (cause) {
      const message = "Too many sessions have settings; try again in an hour";
      throw new McpError(rpcCodes.internalError, message, { cause });
    }
    const [oldest] = await this.read();
    const isOther = oldest !== undefined && oldest[0] !== key;
    await publish(this.#app, this.#channel, [...(isOther ? [oldest] : []), [key, value]]);
  }

  /** Rewrites all entries periodically while a stream is open. Returns a function that stops it. */
  keepAlive(): () => void {
    const renew = async (): Promise<void> => {
      const entries = [...await this.read()];
      if (entries.length > 0) await publish(this.#app, this.#channel, entries);
    };
    const timer = setInterval(() => {
      renew().catch((error) => this.#app.log.error("mcp settings not kept", { error }));
    }, keepMs / 4);
    return () => clearInterval(timer);
  }
}
