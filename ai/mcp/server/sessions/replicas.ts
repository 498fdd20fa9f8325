import { setTimeout as pause } from "node:timers/promises";
import { type Application, type Channel, channel, subscribe } from "../../../../mod.ts";
import {
  askStore,
  digestOf,
  findStores,
  randomToken,
  type SessionStore,
  type StoredSession,
} from "../../../../runtime/addon.ts";
import { abortable } from "../../../http/wait.ts";
import { isJsonObject } from "../../../json.ts";
import type { RequestId, RpcFailure, RpcResult } from "../../protocol/messages.ts";
import { EventLog, type LogBudget } from "../event_log.ts";
import type { McpLogLevel, SessionClient } from "../call.ts";

interface Sent<T> {
  readonly from: string;
  readonly letter: T;
}

export interface MailOptions<T> {
  readonly subject: string;
  readonly take: (letter: T) => void;
  readonly fromStart?: boolean;
  readonly keep?: number;
}

const pauseMs = 1_000;

/** Lifetime of a letter, in milliseconds: as long as a client may take to answer. */
const keepMs = 3_600_000;

const maxChars = 1_048_576;

const start = "0-0";

/** Carries letters between the replicas of an application; without channels that they share it carries none. */
export class Mail<T> {
  readonly #app: Application;
  readonly #channel: Channel<Sent<T>>;
  readonly #take: (letter: T) => void;
  readonly #own = randomToken();
  #after: string | undefined;
  #holds = 0;
  #reading: AbortController | undefined = undefined;
  // In the order in which they were posted.
  #posted: Promise<void> = Promise.resolve();

  constructor(
    app: Application,
    { subject, take, fromStart = false, keep = 1_000 }: MailOptions<T>,
  ) {
    this.#app = app;
    this.#channel = channel<Sent<T>>(subject, undefined, { keep, keepMs });
    this.#take = take;
    this.#after = fromStart ? start : undefined;
  }

  /** Posts a letter to the other replicas, after those before it; what fails is logged. */
  async post(letter: T): Promise<void> {
    try {
      await this.send(letter);
    } catch (error) {
      this.#app.log.error("mcp message not sent to the other replicas", { error });
    }
  }

  /** Posts a letter. Returns whether it could be; rejects where the store fails. */
  async send(letter: T): Promise<boolean> {
    const { channels } = findStores(this.#app);
    const text = JSON.stringify({ from: this.#own, letter });
    if (channels === undefined || text.length > maxChars) return false;
    const { name, keep } = this.#channel;
    const sent = this.#posted.then(() => channels.publish(name, { text, keep, keepMs }));
    this.#posted = sent.then(() => {}, () => {});
    await sent;
    return true;
  }

  get isHeld(): boolean {
    return this.#holds > 0;
  }

  hold(): () => void {
    if (findStores(this.#app).channels === undefined) return () => {};
    if (this.#holds++ === 0) {
      this.#reading = new AbortController();
      void this.#read(this.#reading.signal);
    }
    let isHeld = true;
    return () => {
      if (isHeld && --this.#holds === 0) this.#reading?.abort();
      isHeld = false;
    };
  }

  /** Ends the reading for all who hold it: a stream that was never read does not let go. */
  close(): void {
    this.#reading?.abort();
  }

  /** Yields the letters that are kept, those of this replica as well, then the ones that come. */
  async *readAll(signal: AbortSignal): AsyncGenerator<T> {
    for await (const event of subscribe(this.#app, this.#channel, { after: start, signal })) {
      if (event.kind === "message") yield event.value.letter;
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const options = { after: this.#after, signal };
        for await (const event of subscribe(this.#app, this.#channel, options)) {
          this.#after = event.id;
          if (event.kind === "message" && event.value.from !== this.#own) {
            this.#take(event.value.letter);
          }
        }
      } catch {
        await pause(pauseMs, undefined, { signal }).catch(() => {});
      }
    }
  }
}

export type Letter =
  | { readonly kind: "answer"; readonly message: RpcResult | RpcFailure }
  | { readonly kind: "cancel"; readonly id: RequestId }
  | { readonly kind: "closed" }
  | {
    readonly kind: "event";
    readonly stream: string;
    readonly seq: number;
    readonly text?: string;
  }
  | { readonly kind: "mark"; readonly mark: string };

export interface KeptSession extends SessionState {
  readonly principal: string;
  readonly client: SessionClient;
  readonly isShared?: boolean;
}

const maxIdleMs = 30 * 86_400_000;

/** The minimum time between two notes of a session's use, in milliseconds. */
const touchMs = 60_000;

const lookupTimeoutMs = 5_000;

/** Number of letters of a session that are kept: clients cause them. */
const maxLetters = 256;

export class SessionRecords {
  readonly #store: SessionStore;
  readonly #provider: string;
  readonly #idleMs: number;
  readonly #now: () => number;

  constructor(
    store: SessionStore,
    options: { readonly server: string; readonly idleMs: number; readonly now: () => number },
  ) {
    this.#store = store;
    this.#provider = `mcp ${options.server}`;
    this.#idleMs = Math.min(options.idleMs, maxIdleMs);
    this.#now = options.now;
  }

  /** @throws {HttpError} 503 where the store fails, as from every method. */
  async create(id: string, kept: KeptSession): Promise<void> {
    const nowMs = this.#now();
    const record: StoredSession = {
      id: recordId(id),
      provider: this.#provider,
      // Sessions of one caller are not listed, and a list of those of all anonymous ones would only grow.
      subject: recordId(id),
      roles: [],
      device: "",
      issuedAtMs: nowMs,
      usedAtMs: nowMs,
      expiresAtMs: nowMs + this.#idleMs,
      endsAtMs: nowMs + maxIdleMs,
      data: JSON.stringify(kept),
    };
    await askStore("session", () => this.#store.create(record));
  }

  async read(id: string, principal: string): Promise<KeptSession | undefined> {
    const record = await this.#find(id);
    const kept = parseKept(record?.data);
    if (record === undefined || kept?.principal !== principal) return kept;
    const nowMs = this.#now();
    if (nowMs - record.usedAtMs > Math.min(touchMs, this.#idleMs / 4)) {
      const at = { usedAtMs: nowMs, expiresAtMs: nowMs + this.#idleMs };
      await askStore("session", () => this.#store.touch(record.id, at));
    }
    return kept;
  }

  async share(id: string): Promise<void> {
    await this.change(id, (state) => ({ ...state, isShared: true }));
  }

  /** Deletes a session unless a replica other than the first has used it. Returns whether it did. */
  async deleteUnshared(id: string): Promise<boolean> {
    const kept = parseKept((await this.#find(id))?.data);
    if (kept === undefined || kept.isShared === true) return false;
    await this.delete(id);
    return true;
  }

  /** Changes the state of a session, which other replicas may change at the same time. */
  async change(id: string, change: (kept: KeptSession) => Partial<KeptSession>): Promise<void> {
    for (;;) {
      const record = await this.#find(id);
      const kept = parseKept(record?.data);
      if (record === undefined || kept === undefined) return;
      const to = JSON.stringify({ ...kept, ...change(kept), version: kept.version + 1 });
      const data = { from: record.data, to };
      if (await askStore("session", () => this.#store.replaceData(record.id, data))) return;
    }
  }

  async delete(id: string): Promise<void> {
    await askStore("session", () => this.#store.delete(recordId(id)));
  }

  async #find(id: string): Promise<StoredSession | undefined> {
    const record = await askStore("session", () => this.#store.read(recordId(id)));
    return record?.provider === this.#provider ? record : undefined;
  }
}

/** The hash differs from that of a sign-in with the same text, so that neither passes for the other. */
function recordId(id: string): string {
  return digestOf(`mcp ${id}`);
}

function parseKept(data: string | undefined): KeptSession | undefined {
  const kept: unknown = data === undefined ? undefined : JSON.parse(data);
  // The store holds what this class wrote.
  return isJsonObject(kept) ? kept as unknown as KeptSession : undefined;
}

export interface RemoteStream {
  readonly log: EventLog;
  readonly stop: () => void;
}

export function openSessionMail(
  app: Application,
  id: string,
  take: (letter: Letter) => void,
): Mail<Letter> {
  return new Mail(app, { subject: `mcp:${recordId(id)}`, take, fromStart: true, keep: maxLetters });
}

export async function findRemoteStream(
  mail: Mail<Letter>,
  { stream, budget, signal }: {
    readonly stream: string;
    readonly budget: LogBudget;
    readonly signal: AbortSignal;
  },
): Promise<RemoteStream | undefined> {
  if (signal.aborted) return undefined;
  const log = new EventLog(stream, { budget });
  const controller = new AbortController();
  const mark = randomToken();
  const found = Promise.withResolvers<RemoteStream | undefined>();
  let isKnown = false;
  const stop = (): void => {
    controller.abort();
    log.drop();
  };
  const read = async (): Promise<void> => {
    if (!await mail.send({ kind: "mark", mark })) return;
    for await (const letter of mail.readAll(controller.signal)) {
      if (letter.kind === "mark" && letter.mark === mark) {
        found.resolve(isKnown ? { log, stop } : undefined);
      }
      if (letter.kind !== "event" || letter.stream !== stream) continue;
      isKnown = true;
      if (letter.text !== undefined) log.copy(letter.seq, letter.text);
      else log.end();
    }
  };
  // A store that fails knows no stream, and one that fails later ends it: the client asks again.
  read().catch(() => {}).finally(() => {
    found.resolve(undefined);
    log.end();
  });
  const timer = setTimeout(() => found.resolve(undefined), lookupTimeoutMs);
  const remote = await abortable(found.promise, signal).catch(() => undefined);
  clearTimeout(timer);
  if (remote === undefined) stop();
  return remote;
}

export interface SessionState {
  readonly version: number;
  readonly logLevel: McpLogLevel;
  readonly subscriptions: readonly string[];
}
