import { int } from "../../mod.ts";
import type { Db } from "../db.ts";
import { outside, Scope } from "../scope.ts";
import { name as named, type Sql, sql } from "../sql.ts";

const sweepMs = 60_000;

const timed = [
  "limits",
  "once",
  "user_sessions",
  "cache",
  "cache_marks",
  "channels",
  "messages",
] as const;

const tableName = (table: string): Sql => named(`fw_${table}`);
const endColumn = (table: string): Sql => table === "limits" ? sql`full_at` : sql`expires_at`;

const definitions: readonly Sql[] = [
  sql`create table if not exists fw_limits (key text primary key, full_at double precision not null)`,
  sql`create table if not exists fw_once (name text primary key, expires_at bigint not null)`,
  sql`create table if not exists fw_user_sessions (
    id text primary key, owner text not null, sid text not null, session text not null, data text,
    used_at bigint not null, expires_at bigint not null)`,
  sql`create index if not exists fw_user_sessions_by_owner on fw_user_sessions (owner)`,
  sql`create index if not exists fw_user_sessions_by_sid on fw_user_sessions (sid) where sid <> ''`,
  sql`create table if not exists fw_passkeys (
    id text not null unique, subject text not null, challenged_at bigint not null, passkey text not null)`,
  sql`create index if not exists fw_passkeys_by_subject on fw_passkeys (subject)`,
  sql`create table if not exists fw_cache (
    cache text not null, name text not null, value text not null, expires_at bigint not null,
    marks text not null, primary key (cache, name))`,
  sql`create table if not exists fw_cache_marks (
    name text primary key, version text not null, expires_at bigint not null)`,
  sql`create table if not exists fw_channels (
    name text primary key, epoch text not null, last bigint not null, expires_at bigint not null)`,
  sql`create table if not exists fw_messages (
    channel text not null, number bigint not null, message text not null, expires_at bigint not null,
    primary key (channel, number))`,
  ...timed.map((table) =>
    sql`create index if not exists ${named(`fw_${table}_by_end`)}
      on ${tableName(table)} (${endColumn(table)})`
  ),
];

/**
 * Creates the tables on first use and provides the time: on Postgres the server's, which all replicas share.
 */
export class Tables {
  readonly db: Db;
  readonly now: () => number;
  #made: Promise<void> | undefined;
  #sweptAt = 0;

  constructor(db: Db, now: () => number) {
    this.db = db;
    this.now = now;
  }

  /** Whether the tables exist and no cleanup is due. */
  get isReady(): boolean {
    return this.#sweptAt > 0 && this.now() - this.#sweptAt < sweepMs;
  }

  /** Resolves once the tables exist; removes expired rows from time to time. */
  async ready(): Promise<void> {
    // A transaction may be rolled back, and until it ends others do not see the tables that it makes.
    if (this.#sweptAt === 0 && Scope.find(this.db) !== undefined) return await this.#make();
    await (this.#made ??= this.#make().catch((error) => {
      this.#made = undefined;
      throw error;
    }));
    const now = this.now();
    if (now - this.#sweptAt < sweepMs) return;
    const isFirst = this.#sweptAt === 0;
    this.#sweptAt = now;
    // Outside of the caller's transaction, and its errors must not fail the caller.
    if (!isFirst) setTimeout(() => outside(() => this.#sweep()).catch(() => {}), 0);
  }

  /** Makes all functions of a store wait for the tables. */
  after<Store extends object>(store: Store): Store {
    const waiting = Object.entries(store).map(([name, work]) => [
      name,
      async (...args: readonly unknown[]) => {
        await this.ready();
        return await work(...args);
      },
    ]);
    return Object.fromEntries(waiting);
  }

  async #make(): Promise<void> {
    const { db } = this;
    const make = async (): Promise<void> => {
      for (const definition of definitions) await db.run`${definition}`;
    };
    if (db.engine === "sqlite") return await make();
    // Under a lock: if two processes create a table at once, the server refuses one.
    await db.tx(async () => {
      await db.all(int())`select 1 from pg_advisory_xact_lock(7346912846)`;
      await make();
    });
  }

  async #sweep(): Promise<void> {
    const now = this.now();
    const { db } = this;
    for (const table of timed) {
      const untilMs = table === "limits" || table === "once" ? now - sweepMs : now;
      await db.run`delete from ${tableName(table)} where ${endColumn(table)} < ${untilMs}`;
    }
  }
}
