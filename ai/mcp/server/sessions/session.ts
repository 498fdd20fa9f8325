import { abortable } from "../../../http/wait.ts";
import { invalidParams, McpError, receivedError, rpcCodes } from "../../protocol/errors.ts";
import {
  type McpChange,
  type RequestId,
  type RpcFailure,
  type RpcParams,
  type RpcRequest,
  type RpcResult,
  type WireMessage,
  wireNotification,
  wireRequest,
} from "../../protocol/messages.ts";
import { type OpenSession, timeSession } from "../../protocol/telemetry.ts";
import { isLogLevel, type SessionClient } from "../call.ts";
import { Running } from "../incoming.ts";
import { notificationOf } from "../changes.ts";
import type { Application } from "../../../../mod.ts";
import { type Awaitable, randomToken } from "../../../../runtime/addon.ts";
import { EventLog, type LogBudget } from "../event_log.ts";
import {
  findRemoteStream,
  type Letter,
  type Mail,
  openSessionMail,
  type RemoteStream,
  type SessionRecords,
  type SessionState,
} from "./replicas.ts";

const maxSubscriptions = 1_000;

/** The longest the subscribed addresses are together: the record stays below the 64 KiB of some stores. */
const maxSubscribedChars = 49_152;

const maxUriChars = 2_048;

const maxQuestions = 1_000;

const answerTimeoutMs = 3_600_000;

type StateChange = (state: SessionState) => SessionState;

/** Returns what a request changes in the settings of its client. @throws {McpError} for what cannot be set. */
function stateChange({ method, params: { level, uri } }: RpcRequest): StateChange | undefined {
  if (method === "logging/setLevel") {
    if (!isLogLevel(level)) throw invalidParams("Unknown log level");
    return (state) => ({ ...state, logLevel: level });
  }
  const isAdded = method === "resources/subscribe";
  if (!isAdded && method !== "resources/unsubscribe") return undefined;
  if (typeof uri !== "string" || uri.length > maxUriChars) {
    throw invalidParams(`The parameter uri must be a text of at most ${maxUriChars} characters`);
  }
  return (state) => {
    const others = state.subscriptions.filter((other) => other !== uri);
    const subscriptions = isAdded ? [...others, uri] : others;
    if (
      subscriptions.length <= maxSubscriptions &&
      subscriptions.join("").length <= maxSubscribedChars
    ) return { ...state, subscriptions };
    throw invalidParams(
      `Too many subscriptions: ${maxSubscriptions} of ${maxSubscribedChars} characters together are open at most`,
    );
  };
}

interface Waiting {
  readonly resolve: (result: RpcParams) => void;
  readonly reject: (error: McpError) => void;
}

/** The open state of one client of the revisions with sessions, over any transport. */
export class Session {
  readonly client: SessionClient;
  #state: SessionState = { version: 0, logLevel: "info", subscriptions: [] };
  #watched: ReadonlySet<string> = new Set();
  readonly #questions: Map<RequestId, Waiting> = new Map();
  readonly #noteEnd: () => void;
  readonly #tag: string;
  #nextQuestion = 1;

  constructor(client: SessionClient, transport: OpenSession["transport"], tag = "") {
    this.client = client;
    this.#tag = tag;
    this.#noteEnd = timeSession({ side: "server", revision: client.revision, transport });
  }

  get state(): SessionState {
    return this.#state;
  }

  restore(state: SessionState): void {
    if (state.version < this.#state.version) return;
    const { version, logLevel, subscriptions } = state;
    this.#state = { version, logLevel, subscriptions };
    this.#watched = new Set(subscriptions);
  }

  /** Changes the settings as a request asks. Returns whether it is a request for that. */
  change(request: RpcRequest): Awaitable<boolean> {
    return this.applyChange(request) !== undefined;
  }

  protected applyChange(request: RpcRequest): StateChange | undefined {
    const change = stateChange(request);
    if (change !== undefined) this.restore(change(this.#state));
    return change;
  }

  wants(change: McpChange): ReturnType<typeof notificationOf> | undefined {
    const isWanted = change.kind !== "resource" || this.#watched.has(change.uri);
    return isWanted ? notificationOf(change) : undefined;
  }

  /** Asks the client. @throws {McpError} its own, and when the session ends or the time is up. */
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
    const late = new McpError(rpcCodes.internalError, "The client did not answer in time");
    const timer = setTimeout(() => reject(late), answerTimeoutMs);
    this.#questions.set(id, { resolve, reject });
    try {
      send(wireRequest(id, method, params));
      return await abortable(promise, signal);
    } finally {
      clearTimeout(timer);
      this.#questions.delete(id);
    }
  }

  answer(message: RpcResult | RpcFailure): boolean {
    if (message.id === undefined) return false;
    const waiting = this.#questions.get(message.id);
    if (message.kind === "result") waiting?.resolve(message.result);
    else waiting?.reject(receivedError(message.error));
    return waiting !== undefined;
  }

  close(): void {
    const error = new McpError(rpcCodes.internalError, "The session is over");
    for (const { reject } of [...this.#questions.values()]) reject(error);
    this.#watched = new Set();
    this.#noteEnd();
  }
}

const maxEndedStreams = 8;

/** The longest answer that is handed to another replica: a client must not fill the store. */
const maxAnswerChars = 65_536;

interface Sharing {
  readonly app: Application;
  readonly records: SessionRecords;
  readonly onClosed: (session: HttpSession) => void;
}

interface HttpSessionOptions {
  readonly id?: string;
  readonly principal: string;
  /** Whose sessions are counted together: those of a user, or of an address and of its site. */
  readonly keys: readonly [client: string, site: string];
  readonly free: () => void;
  readonly budget: LogBudget;
  readonly nowMs: number;
  readonly sharing: Sharing | undefined;
}

/** A session over HTTP: its messages wait in streams for the connections that read them. */
export class HttpSession extends Session {
  readonly id: string;
  readonly about: HttpSessionOptions;
  usedMs: number;
  readonly events: EventLog;
  readonly records: SessionRecords | undefined;
  readonly running = new Running();
  readonly #mail: Mail<Letter> | undefined;
  /** Tells the streams and questions of this replica from those of others. */
  readonly #tag: string;
  readonly #streams: Map<string, EventLog> = new Map();
  #nextStream = 1;
  #lookups: Promise<unknown> = Promise.resolve();

  constructor(client: SessionClient, about: HttpSessionOptions) {
    const tag = about.sharing === undefined ? "" : crypto.randomUUID().slice(0, 8);
    super(client, "tcp", tag);
    this.#tag = tag;
    this.about = about;
    this.id = about.id ?? randomToken();
    this.records = about.sharing?.records;
    this.#mail = about.sharing && this.#openMail(about.sharing);
    this.events = new EventLog(`events${tag}`, about);
    this.usedMs = about.nowMs;
  }

  openStream(): EventLog {
    const name = `r${this.#tag}${this.#nextStream++}`;
    const release = this.hold();
    const mail = this.#mail;
    const log = new EventLog(name, {
      budget: this.about.budget,
      mirror: mail && ((seq, text) => {
        void mail.post({ kind: "event", stream: name, seq, ...(text !== undefined && { text }) });
        if (text === undefined) release();
      }),
    });
    this.#streams.set(log.name, log);
    const ended = [...this.#streams.values()].filter(({ hasEnded }) => hasEnded);
    for (const old of ended.slice(0, -maxEndedStreams)) {
      this.#streams.delete(old.name);
      old.release();
    }
    return log;
  }

  async findEvent(
    id: string,
    signal: AbortSignal,
  ): Promise<(Pick<RemoteStream, "log" | "stop"> & { readonly after: number }) | undefined> {
    const [, name = "", seq] = /^([a-z0-9]{1,32})_(\d{1,15})$/.exec(id) ?? [];
    if (seq === undefined) return undefined;
    const log = name === this.events.name ? this.events : this.#streams.get(name);
    const after = Number(seq);
    if (log !== undefined) return { log, after, stop: () => {} };
    const mail = this.#mail;
    if (mail === undefined) return undefined;
    if (name.startsWith("events")) {
      // Changes while the client was elsewhere are not known here: it reads what it watches anew.
      const { sent } = this.events;
      for (const uri of this.state.subscriptions) this.#note({ kind: "resource", uri });
      return { log: this.events, after: sent, stop: () => {} };
    }
    const about = { stream: name, budget: this.about.budget, signal };
    // One at a time: each reads all letters of the session, for whatever id a client invents.
    const lookup = this.#lookups.then(() => findRemoteStream(mail, about));
    this.#lookups = lookup;
    const remote = await lookup;
    return remote && { ...remote, after };
  }

  hold(): () => void {
    return this.#mail?.hold() ?? (() => {});
  }

  deliver(message: RpcResult | RpcFailure): void {
    if (this.answer(message) || !this.#isAskedElsewhere(message.id)) return;
    const isShort = JSON.stringify(message).length <= maxAnswerChars;
    void this.#mail?.post({ kind: "answer", message: isShort ? message : tooLong(message.id) });
  }

  #isAskedElsewhere(id: RequestId | undefined): boolean {
    const [, tag] = typeof id === "string" ? /^q([0-9a-f]{8})\d{1,9}$/.exec(id) ?? [] : [];
    return tag !== undefined && tag !== this.#tag;
  }

  cancelAnywhere(id: RequestId): void {
    if (!this.running.cancel(id)) void this.#mail?.post({ kind: "cancel", id });
  }

  async announceEnd(): Promise<void> {
    await this.#mail?.post({ kind: "closed" });
  }

  #openMail({ app, onClosed }: Sharing): Mail<Letter> {
    return openSessionMail(app, this.id, (letter) => {
      if (letter.kind === "answer") this.answer(letter.message);
      else if (letter.kind === "cancel") this.running.cancel(letter.id);
      else if (letter.kind === "closed") onClosed(this);
    });
  }

  get isInUse(): boolean {
    return this.running.size > 0 || this.events.isRead;
  }

  tell(change: McpChange): void {
    const isRead = this.#mail?.isHeld === true;
    if (this.records === undefined || change.kind !== "resource" || !isRead) {
      return this.#note(change);
    }
    // Another replica may have taken the subscription.
    this.records.read(this.id, this.about.principal).then((kept) => kept && this.restore(kept))
      .catch(
        () => {},
      )
      .then(() => this.#note(change));
  }

  #note(change: McpChange): void {
    const notification = this.wants(change);
    if (notification === undefined) return;
    this.events.add(wireNotification(notification.method, notification.params));
  }

  /** Notes what changes for the other replicas as well. */
  override async change(request: RpcRequest): Promise<boolean> {
    const change = this.applyChange(request);
    if (change !== undefined) await this.records?.change(this.id, change);
    return change !== undefined;
  }

  override close(): void {
    this.running.stop("The session is over.");
    super.close();
    this.about.free();
    this.events.drop();
    for (const log of this.#streams.values()) log.drop();
    this.#streams.clear();
    this.#mail?.close();
  }
}

/** The replica that asked must not wait for an answer that never comes. */
function tooLong(id: RequestId | undefined): RpcFailure {
  const message = `The answer has more than ${maxAnswerChars} characters`;
  return { kind: "failure", id, error: { code: rpcCodes.invalidRequest, message } };
}
