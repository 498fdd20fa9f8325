import {
  type Awaitable,
  memoryOnce,
  type OnceStore,
  perApplication,
  randomToken,
} from "../../../../runtime/addon.ts";
import type { Application, Ctx } from "../../../../mod.ts";
import { type StateBinding, UsedIds } from "../../../runs/kept_state.ts";
import { cutLine } from "../../../json.ts";
import { rpcCodes } from "../../protocol/errors.ts";
import type { RequestId, RpcFailure, RpcResult } from "../../protocol/messages.ts";
import type { SessionClient } from "../call.ts";
import type { Core } from "../core.ts";
import { Running } from "../incoming.ts";
import { type Letter, Mail } from "./mail.ts";
import { answerTimeoutMs, Session } from "./session.ts";
import { endedKey, SharedSettings } from "./settings.ts";

/** The longest answer that is handed to another replica: a client must not fill the store. */
const maxAnswerChars = 60_000;

/** The longest name and version of a client in the id of its session, which comes with every request. */
const maxNameChars = 64;

interface Sender {
  readonly c: Ctx;
  readonly principal: string;
}

/** The facts in the id of a session. */
export interface KnownSession extends Pick<Sender, "principal"> {
  readonly id: string;
  readonly app: Application;
  readonly client: SessionClient;
  readonly ip: string | undefined;
}

interface ReadSession extends KnownSession {
  readonly untilMs: number;
}

const [maxRead, readMs] = [1_000, 60_000];

/** A session with calls that run in this process. */
class BusySession extends Session {
  readonly running: Running = new Running();
  letMailGo: (() => void) | undefined = undefined;
}

/**
 * The sessions of the HTTP clients of a server. The id of a session is signed and holds what the client told,
 * so every replica with the same secret knows it and none keeps it. Only the calls that run here are kept;
 * answers and cancellations for calls elsewhere travel by the channels that the replicas share.
 */
export class Sessions {
  readonly #busy: Map<string, BusySession> = new Map();
  /** The ids that were read lately: to verify one costs as much as a small call. */
  readonly #read: Map<string, ReadSession> = new Map();
  readonly #core: Core;
  /** The name of this process among the replicas. */
  readonly #own: string = crypto.randomUUID().slice(0, 8);
  readonly #mailOf: (app: Application) => Mail = perApplication((app) =>
    new Mail(app, {
      server: this.#core.info.name,
      own: this.#own,
      take: (letter) => this.#take(letter),
    })
  );
  /** The answers that were handed on: a client that repeats one must not fill the store. */
  readonly #posted: OnceStore = memoryOnce();

  /** The sessions that have had settings in the last hour: clients cause what is kept of them. */
  readonly #set: UsedIds;

  constructor(core: Core) {
    this.#core = core;
    this.#set = new UsedIds({ now: core.now, maxCallerIds: 1_000, maxIds: 4_000 });
  }

  settingsOf({ app, id, principal: user, ip }: KnownSession): SharedSettings {
    return new SharedSettings(app, id, () => this.#set.take(id, { user, ip }));
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

  /** Reads the id of a session; `undefined` for one that is forged, ended, expired or of another user. */
  find({ c, principal }: Sender, signed: string): Awaitable<KnownSession | undefined> {
    const read = this.#read.get(signed);
    const nowMs = this.#core.now();
    if (read?.app === c.app && read.principal === principal && nowMs < read.untilMs) return read;
    const state = this.#core.sessionsOf(c.app).open(signed, this.#binding(principal));
    if (state === undefined) return undefined;
    // The signature says that this server wrote it.
    const client = state.answers as unknown as SessionClient;
    return this.#confirm(signed, {
      ...{ id: state.id, client, app: c.app, principal, ip: c.clientIp },
      untilMs: nowMs + readMs,
    });
  }

  async #confirm(signed: string, known: ReadSession): Promise<KnownSession | undefined> {
    // Without the store nothing tells that it has ended.
    const settings = await this.settingsOf(known).read().catch(() => undefined);
    if (settings?.has(endedKey)) return undefined;
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

  /** Notes that a call runs. @throws {McpError} for an id that is in use, and for too many calls. */
  begin(known: KnownSession, call: RequestId): [BusySession, AbortController] {
    const { app, id, client } = known;
    const session = this.#busy.get(id) ??
      new BusySession(client, this.settingsOf(known), (number) => {
        // Signed: only answers to questions that were asked are handed to other replicas.
        const state = { id: `${this.#own}${number}`, answers: {} };
        return this.#core.statesOf(app).seal(state, this.#questionBinding(id));
      });
    const controller = session.running.begin(call);
    this.#busy.set(id, session);
    return [session, controller];
  }

  /** Reads what the client sends to other replicas, until no call of the session runs here. */
  listen({ app, id }: KnownSession): void {
    const session = this.#busy.get(id);
    if (session !== undefined) session.letMailGo ??= this.#mailOf(app).hold();
  }

  #take({ to, answer, cancelled, hasEnded }: Letter): void {
    const session = this.#busy.get(to);
    if (answer !== undefined) session?.answer(answer);
    if (cancelled !== undefined) session?.running.cancel(cancelled);
    if (hasEnded) this.#stop(to);
  }

  finish({ id }: KnownSession, call: RequestId): void {
    const session = this.#busy.get(id);
    session?.running.finish(call);
    if (session === undefined || session.running.size > 0) return;
    this.#busy.delete(id);
    session.letMailGo?.();
  }

  /** Hands an answer to the question that waits for it, here or on another replica. */
  async deliver({ app, id: to }: KnownSession, message: RpcResult | RpcFailure): Promise<void> {
    const asked = this.#core.statesOf(app).open(message.id, this.#questionBinding(to));
    if (asked === undefined) return;
    const replica = asked.id.slice(0, this.#own.length);
    if (replica === this.#own) return this.#busy.get(to)?.answer(message);
    if (!await this.#posted.take(`${to} ${asked.id}`, answerTimeoutMs)) return;
    const isShort = JSON.stringify(message).length <= maxAnswerChars;
    const answer = isShort ? message : tooLong(message.id);
    await this.#mailOf(app).post({ to, answer }, replica);
  }

  async cancel({ app, id: to }: KnownSession, call: RequestId): Promise<void> {
    const isHere = this.#busy.get(to)?.running.cancel(call) === true;
    if (!isHere) await this.#mailOf(app).post({ to, cancelled: call });
  }

  /** Ends a session, its calls and its streams on every replica. */
  async end(known: KnownSession): Promise<void> {
    const { app, id: to } = known;
    // Beyond the bound of these, the id is good until it expires.
    await this.settingsOf(known).write(endedKey, "").catch(() => {});
    this.#stop(to);
    await this.#mailOf(app).post({ to, hasEnded: true });
  }

  #stop(to: string): void {
    this.#busy.get(to)?.running.stop("The client has ended the session.");
    for (const [signed, { id }] of this.#read) if (id === to) this.#read.delete(signed);
  }
}

/** The replica that asked must not wait for an answer that never comes. */
function tooLong(id: RequestId | undefined): RpcFailure {
  const message = `The answer has more than ${maxAnswerChars} characters`;
  return { kind: "failure", id, error: { code: rpcCodes.invalidRequest, message } };
}
