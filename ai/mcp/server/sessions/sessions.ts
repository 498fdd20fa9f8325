import {
  digestOf,
  findStores,
  memoryOnce,
  type OnceStore,
  randomToken,
} from "../../../../runtime/addon.ts";
import { type Application, type Channel, channel, type Ctx, publish } from "../../../../mod.ts";
import { type StateBinding, UsedIds } from "../../../runs/kept_state.ts";
import { cutLine } from "../../../json.ts";
import { rpcCodes } from "../../protocol/errors.ts";
import type { RequestId, RpcFailure, RpcResult } from "../../protocol/messages.ts";
import type { SessionClient } from "../call.ts";
import { readChannel } from "../changes.ts";
import type { Core } from "../core.ts";
import { Running } from "../incoming.ts";
import { answerTimeoutMs, endedKey, Session, SharedSettings } from "./session.ts";

/** A client's message for a call on another replica: an answer, a cancellation, or the end of the session. */
interface Letter {
  readonly answer?: RpcResult | RpcFailure;
  readonly cancelled?: RequestId;
  readonly hasEnded?: true;
}

/** Maximum number and lifetime of a session's letters, which its client causes. */
const [keep, keepMs] = [16, 60_000];

/** Maximum length of an answer for another replica, so that clients cannot fill the store. */
const maxAnswerChars = 60_000;

/** Maximum length of a client's name and version in the session id, which every request contains. */
const maxNameChars = 64;

interface Sender {
  readonly c: Ctx;
  readonly principal: string;
}

export interface KnownSession extends Pick<Sender, "principal"> {
  readonly id: string;
  readonly app: Application;
  readonly client: SessionClient;
  readonly settings: SharedSettings;
  /** When the id is verified again. */
  readonly untilMs: number;
}

const [maxRead, readMs] = [1_000, 60_000];

/** A session with calls that run in this process. */
class BusySession extends Session {
  readonly running: Running = new Running();
  reading: AbortController | undefined = undefined;
}

/**
 * The sessions of the HTTP clients of a server. The session id is signed and contains the client's data, so
 * every replica with the same secret can read it and none stores it. Only calls running in this process are
 * kept; answers and cancellations for other calls are sent through a channel of the session.
 */
export class Sessions {
  readonly #busy: Map<string, BusySession> = new Map();
  /** Recently read ids, because verifying one costs as much as a small call. */
  readonly #read: Map<string, KnownSession> = new Map();
  readonly #core: Core;
  /** The sessions that used a channel in the last hour, limited because clients cause the stored data. */
  readonly #kept: UsedIds;

  /** The forwarded answers, so that a client cannot fill the store by repeating one. */
  readonly #posted: OnceStore = memoryOnce();

  constructor(core: Core) {
    this.#core = core;
    this.#kept = new UsedIds({ now: core.now, maxCallerIds: 1_000, maxIds: 4_000 });
  }

  /** Returns the id of a new session. */
  open({ c, principal }: Sender, { client: about, ...facts }: SessionClient): string {
    const client = about && {
      name: cutLine(about.name, maxNameChars),
      version: cutLine(about.version, maxNameChars),
    };
    const state = { id: randomToken(), answers: { ...facts, client } };
    return this.#core.sessionsOf(c.app).seal(state, this.#binding(principal));
  }

  /** Reads the id of a session; `undefined` if it is forged, ended, expired or belongs to another user. */
  async find(sender: Sender, signed: string): Promise<KnownSession | undefined> {
    const known = this.#verify(sender, signed);
    // If the store fails, the session counts as active.
    const settings = await known?.settings.read().catch(() => undefined);
    return settings?.has(endedKey) ? undefined : known;
  }

  #verify({ c, principal }: Sender, signed: string): KnownSession | undefined {
    const { app, clientIp: ip } = c;
    const nowMs = this.#core.now();
    const read = this.#read.get(signed);
    if (read?.app === app && read.principal === principal && nowMs < read.untilMs) return read;
    const state = this.#core.sessionsOf(app).open(signed, this.#binding(principal));
    if (state === undefined) return undefined;
    const { id } = state;
    // The signature proves that this server wrote it.
    const client = state.answers as unknown as SessionClient;
    const settings = new SharedSettings(
      app,
      id,
      () => this.#kept.take(id, { user: principal, ip }),
    );
    const known = { id, client, app, principal, settings, untilMs: nowMs + readMs };
    const [oldest] = this.#read.size < maxRead ? [] : this.#read.keys();
    if (oldest !== undefined) this.#read.delete(oldest);
    this.#read.set(signed, known);
    return known;
  }

  #binding(principal: string): StateBinding {
    return { principal, method: "initialize", params: this.#core.info.name };
  }

  #questionBinding(session: string): StateBinding {
    return { principal: "", method: "elicitation/create", params: session };
  }

  /** Registers a running call. @throws {McpError} for an id in use, and for too many calls. */
  begin(known: KnownSession, call: RequestId): [BusySession, AbortController] {
    const { app, id, client, settings } = known;
    const session = this.#busy.get(id) ?? new BusySession(client, settings, () => {
      // Sign the id, so that only answers to actual questions are forwarded to other replicas.
      const state = { id: randomToken(), answers: {} };
      return this.#core.statesOf(app).seal(state, this.#questionBinding(id));
    });
    const controller = session.running.begin(call);
    this.#busy.set(id, session);
    return [session, controller];
  }

  /** Reads the client's messages from other replicas, until no call of the session runs here. */
  listen({ app, id }: KnownSession): void {
    const session = this.#busy.get(id);
    if (session === undefined || session.reading !== undefined || !hasReplicas(app)) return;
    session.reading = new AbortController();
    const { signal } = session.reading;
    readChannel(app, letters(id), {
      // Read from the start, because an answer may already have arrived.
      after: "0-0",
      signal,
      take: (letter) => {
        if (letter?.answer !== undefined) session.answer(letter.answer);
        if (letter?.cancelled !== undefined) session.running.cancel(letter.cancelled);
        if (letter?.hasEnded) session.running.stop(ended);
      },
    });
  }

  finish({ id }: KnownSession, call: RequestId): void {
    const session = this.#busy.get(id);
    session?.running.finish(call);
    if (session === undefined || session.running.size > 0) return;
    this.#busy.delete(id);
    session.reading?.abort();
  }

  /** Passes an answer to its question, here or on another replica. */
  async deliver(known: KnownSession, message: RpcResult | RpcFailure): Promise<void> {
    const { app, id } = known;
    const asked = this.#core.statesOf(app).open(message.id, this.#questionBinding(id));
    if (asked === undefined || this.#busy.get(id)?.answer(message)) return;
    if (!await this.#posted.take(asked.id, answerTimeoutMs)) return;
    const isShort = JSON.stringify(message).length <= maxAnswerChars;
    await this.#post(known, { answer: isShort ? message : tooLong(message.id) });
  }

  async cancel(known: KnownSession, call: RequestId): Promise<void> {
    if (this.#busy.get(known.id)?.running.cancel(call)) return;
    await this.#post(known, { cancelled: call });
  }

  /** Ends a session, its calls and its streams on every replica. */
  async end(known: KnownSession): Promise<void> {
    // If the limit of settings is reached, the id stays valid until it expires.
    await known.settings.write(endedKey, "").catch(() => {});
    this.#busy.get(known.id)?.running.stop(ended);
    await this.#post(known, { hasEnded: true });
  }

  async #post(known: KnownSession, letter: Letter): Promise<void> {
    const { app, id } = known;
    if (!hasReplicas(app)) return;
    try {
      // Questions limit the number of answers, but a client can send any number of other messages.
      if (letter.answer === undefined) known.settings.reserve();
    } catch {
      // Do not log this, because a client could fill the log.
      return;
    }
    try {
      await publish(app, letters(id), letter);
    } catch (error) {
      app.log.error("mcp message not sent to the other replicas", { error });
    }
  }
}

const ended = "The client has ended the session.";

function hasReplicas(app: Application): boolean {
  return findStores(app).channels !== undefined;
}

function letters(session: string): Channel<Letter> {
  return channel<Letter>(`mcp:to:${digestOf(session)}`, undefined, { keep, keepMs });
}

/** Returns a failure in place of a long answer, so that the asking replica does not wait in vain. */
function tooLong(id: RequestId | undefined): RpcFailure {
  const message = `The answer has more than ${maxAnswerChars} characters`;
  return { kind: "failure", id, error: { code: rpcCodes.invalidRequest, message } };
}
