import { randomToken } from "../../../runtime/addon.ts";
import type { Change } from "./changes.ts";
import { EventLog } from "./event_log.ts";
import { Session, type SessionClient } from "./session.ts";
import { wireNotification } from "../protocol/messages.ts";

/** How many ended streams of a session can still be read again. */
const maxEndedStreams = 8;

/** A session that is younger than this is not closed to make room, in milliseconds. */
const graceMs = 60_000;

/** A session over HTTP: its messages wait in streams for the connections that read them. */
export class HttpSession extends Session {
  /** The id, which the client sends with every request. */
  readonly id: string = randomToken();
  /** Whose it is. */
  readonly principal: string;
  /** When it was last used. */
  usedMs: number;
  /** What belongs to no request. */
  readonly events: EventLog = new EventLog("events");
  readonly #streams: Map<string, EventLog> = new Map();
  #nextStream = 1;

  /** Made by {@link Sessions}. */
  constructor(
    client: SessionClient,
    about: { readonly principal: string; readonly nowMs: number },
  ) {
    super(client);
    this.principal = about.principal;
    this.usedMs = about.nowMs;
  }

  /** Opens a stream for the messages of one request. */
  openStream(): EventLog {
    const log = new EventLog(`r${this.#nextStream++}`);
    this.#streams.set(log.name, log);
    const ended = [...this.#streams.values()].filter(({ hasEnded }) => hasEnded);
    for (const old of ended.slice(0, -maxEndedStreams)) this.#streams.delete(old.name);
    return log;
  }

  /** Finds the stream of an event, and the number of the event in it. */
  findEvent(id: string): { readonly log: EventLog; readonly seq: number } | undefined {
    const [, name = "", seq] = /^([a-z0-9]{1,32})_(\d{1,15})$/.exec(id) ?? [];
    const log = name === this.events.name ? this.events : this.#streams.get(name);
    return log === undefined || seq === undefined ? undefined : { log, seq: Number(seq) };
  }

  /** Whether a client is connected, or waits for something. */
  get isInUse(): boolean {
    return this.isBusy || this.events.isRead;
  }

  /** Tells the client of a change, if it wants to know. */
  tell(change: Change): void {
    const notification = this.wants(change);
    if (notification === undefined) return;
    this.events.add(wireNotification(notification.method, notification.params));
  }

  override close(): void {
    super.close();
    this.events.end();
    for (const log of this.#streams.values()) log.end();
    this.#streams.clear();
  }
}

/** The open sessions of a server, bounded in number and in time. */
export class Sessions {
  readonly #open: Map<string, HttpSession> = new Map();
  readonly #max: number;
  readonly #idleMs: number;
  readonly #now: () => number;

  /** @param options How many there may be, and how long one may be idle. */
  constructor(
    options: {
      readonly maxSessions: number;
      readonly sessionIdleMs: number;
      readonly now: () => number;
    },
  ) {
    this.#max = options.maxSessions;
    this.#idleMs = options.sessionIdleMs;
    this.#now = options.now;
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Opens a session.
   *
   * @returns `undefined` when there are too many, and all are in use.
   */
  open(client: SessionClient, principal: string): HttpSession | undefined {
    this.#sweep();
    if (this.#open.size >= this.#max && !this.#makeRoom()) return undefined;
    const session = new HttpSession(client, { principal, nowMs: this.#now() });
    this.#open.set(session.id, session);
    return session;
  }

  /** Returns an open session of a user, and notes that it is used. */
  find(id: string, principal: string): HttpSession | undefined {
    const session = this.#open.get(id);
    if (session === undefined || session.principal !== principal) return undefined;
    if (this.#isStale(session)) {
      this.close(session);
      return undefined;
    }
    session.usedMs = this.#now();
    // The order of the map is the order of use.
    this.#open.delete(id);
    this.#open.set(id, session);
    return session;
  }

  /** Closes a session. */
  close(session: HttpSession): void {
    this.#open.delete(session.id);
    session.close();
  }

  /** Tells all sessions of a change. */
  tell(change: Change): void {
    for (const session of this.#open.values()) session.tell(change);
  }

  /** Closes all sessions. */
  closeAll(): void {
    for (const session of [...this.#open.values()]) this.close(session);
  }

  #isStale(session: HttpSession): boolean {
    return !session.isInUse && this.#now() - session.usedMs > this.#idleMs;
  }

  /** The least recently used come first, so the sweep ends at the first that stays. */
  #sweep(): void {
    for (const session of [...this.#open.values()]) {
      if (session.isInUse) continue;
      if (!this.#isStale(session)) return;
      this.close(session);
    }
  }

  /** Closes the session that was not used for the longest time; a flood must not close busy ones. */
  #makeRoom(): boolean {
    for (const session of this.#open.values()) {
      if (session.isInUse) continue;
      if (this.#now() - session.usedMs < graceMs) return false;
      this.close(session);
      return true;
    }
    return false;
  }
}
