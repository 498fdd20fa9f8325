import { randomToken } from "../../../../runtime/addon.ts";
import type { Change } from "../changes.ts";
import { EventLog, type LogBudget } from "../event_log.ts";
import { Session, type SessionClient } from "./session.ts";
import { wireNotification } from "../../protocol/messages.ts";

/** Number of ended streams of a session that can still be read again. */
const maxEndedStreams = 8;

/** A session that is younger than this is not closed to make room, in milliseconds. */
const graceMs = 60_000;

/** A session over HTTP: its messages wait in streams for the connections that read them. */
export class HttpSession extends Session {
  /** The id, which the client sends with every request. */
  readonly id: string = randomToken();
  readonly principal: string;
  usedMs: number;
  readonly events: EventLog;
  /** Whose sessions are counted together: those of a user, or of an address. */
  readonly bucket: string;
  readonly #budget: LogBudget;
  readonly #streams: Map<string, EventLog> = new Map();
  #nextStream = 1;

  /** Made by {@link Sessions}. */
  constructor(
    client: SessionClient,
    about: {
      readonly principal: string;
      readonly bucket: string;
      readonly budget: LogBudget;
      readonly nowMs: number;
    },
  ) {
    super(client, "tcp");
    this.principal = about.principal;
    this.bucket = about.bucket;
    this.#budget = about.budget;
    this.events = new EventLog("events", about.budget);
    this.usedMs = about.nowMs;
  }

  openStream(): EventLog {
    const log = new EventLog(`r${this.#nextStream++}`, this.#budget);
    this.#streams.set(log.name, log);
    const ended = [...this.#streams.values()].filter(({ hasEnded }) => hasEnded);
    for (const old of ended.slice(0, -maxEndedStreams)) {
      this.#streams.delete(old.name);
      if (!old.isRead) old.drop();
    }
    return log;
  }

  findEvent(id: string): { readonly log: EventLog; readonly seq: number } | undefined {
    const [, name = "", seq] = /^([a-z0-9]{1,32})_(\d{1,15})$/.exec(id) ?? [];
    const log = name === this.events.name ? this.events : this.#streams.get(name);
    return log === undefined || seq === undefined ? undefined : { log, seq: Number(seq) };
  }

  /** Whether a client is connected, or waits for something. */
  get isInUse(): boolean {
    return this.isBusy || this.events.isRead;
  }

  /** Notifies the client of a change, if it subscribed. */
  tell(change: Change): void {
    const notification = this.wants(change);
    if (notification === undefined) return;
    this.events.add(wireNotification(notification.method, notification.params));
  }

  override close(): void {
    super.close();
    this.events.drop();
    for (const log of this.#streams.values()) log.drop();
    this.#streams.clear();
  }
}

/** The open sessions of a server, bounded in number and in time. */
export class Sessions {
  readonly #open: Map<string, HttpSession> = new Map();
  readonly #counts: Map<string, number> = new Map();
  readonly #budget: LogBudget = { chars: 0 };
  readonly #max: number;
  readonly #maxPerCaller: number;
  readonly #idleMs: number;
  readonly #now: () => number;

  /** @param options How many there may be, and how long one may be idle. */
  constructor(
    options: {
      readonly maxSessions: number;
      readonly maxSessionsPerCaller: number;
      readonly sessionIdleMs: number;
      readonly now: () => number;
    },
  ) {
    this.#max = options.maxSessions;
    this.#maxPerCaller = options.maxSessionsPerCaller;
    this.#idleMs = options.sessionIdleMs;
    this.#now = options.now;
  }

  /**
   * Opens a session.
   *
   * @returns `undefined` when there are too many, and all are in use.
   */
  open(
    client: SessionClient,
    { principal, bucket }: { readonly principal: string; readonly bucket: string },
  ): HttpSession | undefined {
    this.#sweep();
    // A caller that opens many sessions ends its own, and not those of others.
    const isOwnFull = (this.#counts.get(bucket) ?? 0) >= this.#maxPerCaller;
    if (isOwnFull && !this.#endOldest((each) => each.bucket === bucket)) return undefined;
    const isFresh = ({ usedMs }: HttpSession): boolean => this.#now() - usedMs < graceMs;
    if (this.#open.size >= this.#max && !this.#endOldest((each) => !isFresh(each))) {
      return undefined;
    }
    const about = { principal, bucket, budget: this.#budget, nowMs: this.#now() };
    const session = new HttpSession(client, about);
    this.#open.set(session.id, session);
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + 1);
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

  close(session: HttpSession): void {
    if (!this.#open.delete(session.id)) return;
    const others = (this.#counts.get(session.bucket) ?? 1) - 1;
    if (others === 0) this.#counts.delete(session.bucket);
    else this.#counts.set(session.bucket, others);
    session.close();
  }

  tell(change: Change): void {
    for (const session of this.#open.values()) session.tell(change);
  }

  closeAll(): void {
    for (const session of [...this.#open.values()]) this.close(session);
  }

  #isStale(session: HttpSession): boolean {
    return !session.isInUse && this.#now() - session.usedMs > this.#idleMs;
  }

  /** The least recently used come first, so the sweep ends at the first that stays. */
  #sweep(): void {
    for (const session of this.#open.values()) {
      if (session.isInUse) continue;
      if (!this.#isStale(session)) return;
      this.close(session);
    }
  }

  /** Closes the session that was not used for the longest time, of those that may go and are not in use. */
  #endOldest(mayGo: (session: HttpSession) => boolean): boolean {
    for (const session of this.#open.values()) {
      if (session.isInUse || !mayGo(session)) continue;
      this.close(session);
      return true;
    }
    return false;
  }
}
