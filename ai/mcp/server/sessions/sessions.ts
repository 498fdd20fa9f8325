import type { SessionClient } from "../call.ts";
import type { Application, Ctx } from "../../../../mod.ts";
import {
  findStores,
  type OpenBound,
  OpenCounter,
  openKeys,
  perApplication,
} from "../../../../runtime/addon.ts";
import type { Core } from "../core.ts";
import type { McpChange } from "../../protocol/messages.ts";
import { LogBudget } from "../event_log.ts";
import { HttpSession } from "./session.ts";
import { SessionRecords } from "./replicas.ts";

const graceMs = 60_000;

/** The most characters that the streams of all sessions hold, and those of one caller. */
const [maxChars, maxCallerChars] = [67_108_864, 8_388_608];

/** The open sessions of a server in this process, bounded in number and in time. */
export class Sessions {
  readonly #open: Map<string, HttpSession> = new Map();
  readonly #counter: OpenCounter = new OpenCounter();
  readonly #budget: LogBudget = new LogBudget(maxChars);
  /** Of each caller with sessions. */
  readonly #budgets: Map<string, { readonly budget: LogBudget; sessions: number }> = new Map();
  readonly #recordsOf: (app: Application) => SessionRecords | undefined;
  readonly #core: Core;
  readonly #now: () => number;

  constructor(core: Core) {
    this.#core = core;
    this.#now = core.now;
    const { info: { name: server }, sessionIdleMs: idleMs, now } = core;
    this.#recordsOf = perApplication((app) => {
      const { mcp } = findStores(app);
      return mcp && new SessionRecords(mcp, { server, idleMs, now });
    });
  }

  /** Opens a session, or returns the bound that is reached. @throws {HttpError} 503 where the store fails. */
  async open(
    client: SessionClient,
    about: { readonly c: Ctx; readonly principal: string },
  ): Promise<HttpSession | OpenBound> {
    const session = this.#add(client, about);
    if (typeof session === "string") return session;
    try {
      const { principal } = about;
      await session.records?.create(session.id, { ...session.state, client, principal });
      return session;
    } catch (error) {
      this.#drop(session);
      throw error;
    }
  }

  /** Returns an open session of a user as used now. @throws {HttpError} 503 where the store fails. */
  async find(
    { c, principal }: { readonly c: Ctx; readonly principal: string },
    id: string,
  ): Promise<HttpSession | undefined> {
    const records = this.#recordsOf(c.app);
    const kept = await records?.read(id, principal);
    let session = this.#open.get(id);
    if (records === undefined ? session !== undefined && this.#isStale(session) : !kept) {
      if (session !== undefined) this.#drop(session);
      return undefined;
    }
    if ((kept ?? session?.about)?.principal !== principal) return undefined;
    // Another replica has begun it.
    if (kept !== undefined && session === undefined && kept.isShared !== true) {
      await records?.share(id);
      session = this.#open.get(id);
    }
    if (kept !== undefined && session === undefined) {
      const added = this.#add(kept.client, { c, principal, id });
      session = typeof added === "string" ? undefined : added;
    }
    if (session === undefined) return undefined;
    if (kept !== undefined) session.restore(kept);
    session.usedMs = this.#now();
    // The order of the map is the order of use.
    this.#open.delete(id);
    this.#open.set(id, session);
    return session;
  }

  /** Ends a session, on all replicas. @throws {HttpError} 503 where the store fails. */
  async close(session: HttpSession): Promise<void> {
    await session.records?.delete(session.id);
    this.#drop(session);
    await session.announceEnd();
  }

  tell(change: McpChange): void {
    for (const session of this.#open.values()) session.tell(change);
  }

  /** Ends the sessions in this process; those that replicas share go on elsewhere. */
  closeAll(): void {
    for (const session of [...this.#open.values()]) this.#drop(session);
  }

  #add(
    client: SessionClient,
    { c, principal, id }: { readonly c: Ctx; readonly principal: string; readonly id?: string },
  ): HttpSession | OpenBound {
    this.#sweep();
    const { maxSessions, maxSessionsPerCaller } = this.#core;
    const isAnonymous = principal === "";
    const who = isAnonymous ? c.clientIp : `of ${principal}`;
    const keys = openKeys(who);
    const { openLimits } = c.app.config;
    const limits = isAnonymous
      ? {
        client: Math.min(maxSessionsPerCaller, openLimits.client),
        site: openLimits.site,
        all: maxSessions,
      }
      : { client: maxSessionsPerCaller, site: Infinity, all: maxSessions };
    // A caller that opens many sessions ends its own, and not those of others.
    const mayGo: Readonly<Record<OpenBound, (each: HttpSession) => boolean>> = {
      client: (each) => each.about.keys[0] === keys[0],
      site: (each) => each.about.keys[1] === keys[1] && !this.#isFresh(each),
      all: (each) => !this.#isFresh(each),
    };
    for (;;) {
      const bound = this.#counter.reached(who, limits);
      if (bound === undefined) break;
      if (!this.#endOldest(mayGo[bound])) return bound;
    }
    const records = this.#recordsOf(c.app);
    const held = this.#budgets.getOrInsertComputed(
      keys[0],
      () => ({ budget: new LogBudget(maxCallerChars, this.#budget), sessions: 0 }),
    );
    held.sessions++;
    const release = this.#counter.open(who);
    const session = new HttpSession(client, {
      ...(id !== undefined && { id }),
      principal,
      keys,
      free: () => {
        release();
        if (--held.sessions === 0) this.#budgets.delete(keys[0]);
      },
      budget: held.budget,
      nowMs: this.#now(),
      sharing: records && { app: c.app, records, onClosed: (closed) => this.#drop(closed) },
    });
    this.#open.set(session.id, session);
    return session;
  }

  #drop(session: HttpSession): void {
    if (this.#open.delete(session.id)) session.close();
  }

  #isFresh({ usedMs }: HttpSession): boolean {
    return this.#now() - usedMs < graceMs;
  }

  #isStale(session: HttpSession): boolean {
    return !session.isInUse && this.#now() - session.usedMs > this.#core.sessionIdleMs;
  }

  /** The least recently used come first, so the sweep ends at the first that stays. */
  #sweep(): void {
    for (const session of this.#open.values()) {
      if (session.isInUse) continue;
      if (!this.#isStale(session)) return;
      this.#drop(session);
    }
  }

  /** Ends the session that was not used for the longest time, of those that may go and are not in use. */
  #endOldest(mayGo: (session: HttpSession) => boolean): boolean {
    for (const session of this.#open.values()) {
      if (session.isInUse || !mayGo(session)) continue;
      this.#drop(session);
      // A store that fails keeps it until it expires.
      this.#endUnshared(session).catch(() => {});
      return true;
    }
    return false;
  }

  /** Another replica may be busy with a session that is idle here: such a one goes on there. */
  async #endUnshared(session: HttpSession): Promise<void> {
    if (await session.records?.deleteUnshared(session.id)) await session.announceEnd();
  }
}
