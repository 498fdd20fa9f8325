/** Stores of the framework's own state in tables of a database, for both engines. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { RateLimitStore, Stores } from "../mod.ts";
import {
  type CacheRead,
  type CacheStore,
  type ChannelRead,
  type ChannelSource,
  copyChannels,
  digestOf,
  newEpoch,
  type OnceStore,
  type Passkey,
  type PasskeyStore,
  type SessionOwner,
  type SessionStore,
  type StoredSession,
} from "../runtime/addon.ts";
import { float, type Infer, int, struct, text } from "../mod.ts";
import { pollChannels } from "./channel_poll.ts";
import { type Db, EngineDb } from "./db.ts";
import { among, name as named, or, type Sql, sql } from "./sql.ts";

/** Options of `sqliteStores` and `postgresStores`. */
export interface DatabaseStoresOptions {
  /**
   * Interval at which processes look for messages of others, in milliseconds.
   *
   * @default 200, on Postgres 5_000 beside `LISTEN`
   */
  readonly pollMs?: number;
  /** Returns the time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: () => number;
}

/** Interval at which expired rows are removed, in milliseconds. */
const sweepMs = 60_000;

/** The longest life of what is kept, in milliseconds: marks of invalidations stay longer. */
const maxTtlMs = 30 * 86_400_000;
const markTtlMs = maxTtlMs + 86_400_000;

/** The largest value of a cache. */
const maxValueBytes = 1_048_576;

/**
 * Makes the tables on first use and says what time it is: on Postgres the server's clock, which all replicas share.
 */
class Tables {
  readonly db: Db;
  readonly now: () => number;
  #made: Promise<void> | undefined;
  #sweptAt = 0;

  constructor(db: Db, now: () => number) {
    this.db = db;
    this.now = now;
  }

  /** Settles when the tables are there; begins to remove old rows from time to time. */
  async ready(): Promise<void> {
    await (this.#made ??= this.#make().catch((error) => {
      this.#made = undefined;
      throw error;
    }));
    const now = this.now();
    if (now - this.#sweptAt < sweepMs) return;
    const isFirst = this.#sweptAt === 0;
    this.#sweptAt = now;
    // Not inside the transaction of a caller, and no reason to refuse what was asked.
    if (!isFirst) setTimeout(() => this.#sweep().catch(() => {}), 0);
  }

  async #make(): Promise<void> {
    const { db } = this;
    const make = async (): Promise<void> => {
      await db
        .run`create table if not exists fw_limits (key text primary key, full_at double precision not null)`;
      await db
        .run`create table if not exists fw_once (name text primary key, expires_at bigint not null)`;
      await db.run`create table if not exists fw_user_sessions (
        id text primary key, owner text not null, sid text not null, session text not null, data text,
        used_at bigint not null, expires_at bigint not null)`;
      await db
        .run`create index if not exists fw_user_sessions_by_owner on fw_user_sessions (owner)`;
      await db
        .run`create index if not exists fw_user_sessions_by_sid on fw_user_sessions (sid) where sid <> ''`;
      await db.run`create table if not exists fw_passkeys (
        id text not null unique, subject text not null, challenged_at bigint not null, passkey text not null)`;
      await db.run`create index if not exists fw_passkeys_by_subject on fw_passkeys (subject)`;
      await db.run`create table if not exists fw_cache (
        cache text not null, name text not null, value text not null, expires_at bigint not null,
        marks text not null, primary key (cache, name))`;
      await db.run`create table if not exists fw_cache_marks (
        name text primary key, version text not null, expires_at bigint not null)`;
      await db.run`create table if not exists fw_channels (
        name text primary key, epoch text not null, last bigint not null, expires_at bigint not null)`;
      await db.run`create table if not exists fw_messages (
        channel text not null, number bigint not null, message text not null, expires_at bigint not null,
        primary key (channel, number))`;
      const timed = [
        "limits",
        "once",
        "user_sessions",
        "cache",
        "cache_marks",
        "channels",
        "messages",
      ];
      for (const table of timed) {
        const column = table === "limits" ? "full_at" : "expires_at";
        await db.run`create index if not exists ${named(`fw_${table}_by_end`)} on ${
          named(`fw_${table}`)
        } (${named(column)})`;
      }
    };
    if (db.engine === "sqlite") return await make();
    // Two processes that create one table at once: the server refuses one of them.
    await db.tx(async () => {
      await db.all(int())`select 1 from pg_advisory_xact_lock(7346912846)`;
      await make();
    });
  }

  async #sweep(): Promise<void> {
    const now = this.now();
    const { db } = this;
    await db.run`delete from fw_limits where full_at < ${now - sweepMs}`;
    await db.run`delete from fw_once where expires_at < ${now - sweepMs}`;
    await db.run`delete from fw_user_sessions where expires_at < ${now}`;
    await db.run`delete from fw_cache where expires_at < ${now}`;
    await db.run`delete from fw_cache_marks where expires_at < ${now}`;
    await db.run`delete from fw_messages where expires_at < ${now}`;
    await db.run`delete from fw_channels where expires_at < ${now}`;
  }
}

/**
 * Makes stores in tables that it creates (`fw_…`).
 *
 * @param db The database.
 * @param options How often it looks for messages of other processes.
 * @returns The stores, for `provideStores`.
 */
export function databaseStores(db: Db, options: DatabaseStoresOptions = {}): Required<Stores> {
  const { pollMs = db.engine === "sqlite" ? 200 : 5_000, now = Date.now } = options;
  if (!Number.isSafeInteger(pollMs) || pollMs < 1) {
    throw new RangeError(`Cannot make stores: pollMs is ${pollMs}; use an integer from 1.`);
  }
  const tables = new Tables(db, now);
  const sessions = sessionStore(tables);
  return {
    limits: limitStore(tables),
    cache: cacheStore(tables),
    sessions,
    mcp: sessions,
    passkeys: passkeyStore(tables),
    once: onceStore(tables),
    channels: copyChannels(channelSource(tables, pollMs)),
    check: async () => {
      await db.one(int())`select 1`;
    },
  };
}

function limitStore(tables: Tables): RateLimitStore {
  const { db } = tables;
  return {
    take: async (key, { rate, burst }) => {
      await tables.ready();
      const tokenMs = 1_000 / rate;
      const now = db.engine === "sqlite"
        ? sql`${tables.now()}`
        : sql`(extract(epoch from clock_timestamp()) * 1000)::double precision`;
      const start =
        sql`case when fw_limits.full_at > ${now} then fw_limits.full_at else ${now} end`;
      // Sums of fractions of a millisecond are a little off. A refusal writes nothing.
      const taken = await db
        .run`insert into fw_limits (key, full_at) values (${key}, ${now} + ${tokenMs})
        on conflict (key) do update set full_at = ${start} + ${tokenMs}
        where ${start} - ${now} <= ${tokenMs * (burst - 1) + 0.001}`;
      if (taken > 0) return 0;
      const leftMs = await db.first(
        float(),
      )`select full_at - ${now} from fw_limits where key = ${key}`;
      return Math.max(1, (leftMs ?? 0) - tokenMs * (burst - 1));
    },
  };
}

function onceStore(tables: Tables): OnceStore {
  return {
    take: async (name, ttlMs) => {
      await tables.ready();
      const now = tables.now();
      const count = await tables.db.run`insert into fw_once (name, expires_at)
        values (${name}, ${Math.ceil(now + ttlMs)})
        on conflict (name) do update set expires_at = excluded.expires_at
        where fw_once.expires_at <= ${now}`;
      return count > 0;
    },
  };
}

const SessionRow = struct({
  session: text(),
  data: text().optional(),
  usedAt: int(),
  expiresAt: int(),
});

function sessionStore(tables: Tables): SessionStore {
  const { db } = tables;
  const isLive = (): Sql => sql`expires_at > ${tables.now()}`;
  const toSession = (row: Infer<typeof SessionRow>): StoredSession => {
    const { session, data, usedAt, expiresAt } = row;
    const { roles, ...rest } = JSON.parse(session);
    return {
      ...rest,
      roles: Object.freeze(roles),
      usedAtMs: usedAt,
      expiresAtMs: expiresAt,
      ...(data === null ? {} : { data }),
    };
  };
  return {
    create: async (session) => {
      await tables.ready();
      const { id, sid, data = null, usedAtMs, expiresAtMs, ...rest } = session;
      // JSON writes what neither engine keeps as text: U+0000 and halves of characters.
      const text = JSON.stringify({ id, sid, ...rest });
      const bySid = sid === undefined ? "" : sidKey(session.provider, sid);
      return await db.run`insert into fw_user_sessions
        (id, owner, sid, session, data, used_at, expires_at)
        values (${id}, ${
        ownerKey(session)
      }, ${bySid}, ${text}, ${data}, ${usedAtMs}, ${expiresAtMs})
        on conflict (id) do nothing` === 1;
    },
    read: async (id) => {
      await tables.ready();
      const row = await db.first(SessionRow)`select ${SessionRow} from fw_user_sessions
        where id = ${id} and ${isLive()}`;
      return row === undefined ? undefined : toSession(row);
    },
    touch: async (id, { usedAtMs, expiresAtMs }) => {
      await tables.ready();
      return await db
        .run`update fw_user_sessions set used_at = ${usedAtMs}, expires_at = ${expiresAtMs}
        where id = ${id} and ${isLive()}` === 1;
    },
    replaceData: async (id, { from = "", to }) => {
      await tables.ready();
      return await db.run`update fw_user_sessions set data = ${to}
        where id = ${id} and coalesce(data, '') = ${from} and ${isLive()}` === 1;
    },
    delete: async (id) => {
      await tables.ready();
      return await db.run`delete from fw_user_sessions where id = ${id} and ${isLive()}` === 1;
    },
    list: async (owner) => {
      await tables.ready();
      const rows = await db.all(SessionRow)`select ${SessionRow} from fw_user_sessions
        where owner = ${ownerKey(owner)} and ${isLive()}`;
      return rows.map(toSession)
        .sort((a, b) => b.usedAtMs - a.usedAtMs || b.issuedAtMs - a.issuedAtMs);
    },
    deleteBySubject: async (owner, { except = "" } = {}) => {
      await tables.ready();
      return await db.run`delete from fw_user_sessions
        where owner = ${ownerKey(owner)} and id <> ${except} and ${isLive()}`;
    },
    deleteBySid: async (provider, sid) => {
      await tables.ready();
      return await db.run`delete from fw_user_sessions
        where sid = ${sidKey(provider, sid)} and ${isLive()}`;
    },
  };
}

function ownerKey({ provider, subject }: SessionOwner): string {
  return digestOf(JSON.stringify(["subject", provider, subject]));
}

function sidKey(provider: string, sid: string): string {
  return digestOf(JSON.stringify(["sid", provider, sid]));
}

function passkeyStore(tables: Tables): PasskeyStore {
  const { db } = tables;
  const list = async (subject: string): Promise<Passkey[]> => {
    const rows = await db.all(text())`select passkey from fw_passkeys where subject = ${subject}`;
    return rows.map((row): Passkey => JSON.parse(row))
      .sort((a, b) => a.createdAtMs - b.createdAtMs);
  };
  const find = async (id: string): Promise<Passkey | undefined> => {
    const row = await db.first(text())`select passkey from fw_passkeys where id = ${id}`;
    return row === undefined ? undefined : JSON.parse(row);
  };
  return {
    add: async (passkey, { max }) => {
      await tables.ready();
      const { id, subject, challengedAtMs, userHandle } = passkey;
      return await db.tx(async () => {
        if (await find(id) !== undefined) return "exists";
        const present = await list(subject);
        if (present.some((other) => other.userHandle !== userHandle)) return "handle";
        if (present.length >= max) return "too-many";
        const count = await db
          .run`insert into fw_passkeys (id, subject, challenged_at, passkey)
          values (${id}, ${subject}, ${challengedAtMs}, ${JSON.stringify(passkey)})
          on conflict (id) do nothing`;
        return count === 1 ? "added" : "exists";
        // Of two at once the second must see the first.
      }, { isolation: "serializable", attempts: 10 });
    },
    find: async (id) => {
      await tables.ready();
      return await find(id);
    },
    list: async (subject) => {
      await tables.ready();
      return await list(subject);
    },
    use: async (id, use) => {
      await tables.ready();
      for (;;) {
        const passkey = await find(id);
        if (passkey === undefined || passkey.challengedAtMs >= use.challengedAtMs) return false;
        const changed = JSON.stringify({ ...passkey, ...use });
        const count = await db
          .run`update fw_passkeys set passkey = ${changed}, challenged_at = ${use.challengedAtMs}
          where id = ${id} and challenged_at = ${passkey.challengedAtMs}`;
        if (count === 1) return true;
      }
    },
    remove: async (subject, id) => {
      await tables.ready();
      return await db
        .run`delete from fw_passkeys where subject = ${subject} and id = ${id}` === 1;
    },
  };
}

const CacheRow = struct({ value: text(), expiresAt: int(), marks: text() });
const MarkRow = struct({ name: text(), version: text() });

/** The versions that a value was made under, by mark. */
type Marks = Readonly<Record<string, string>>;

/**
 * Keeps an entry with the versions that its marks (its cache, its name, its tags) had before its value was made. An
 * invalidation changes the version of a mark, so that an older value is never given, even where it is written later.
 */
function cacheStore(tables: Tables): CacheStore {
  const { db } = tables;
  const readMarks = async (names: readonly string[]): Promise<Marks> => {
    const rows = await db.all(MarkRow)`select ${MarkRow} from fw_cache_marks where name ${
      among(names)
    }`;
    return Object.fromEntries(rows.map(({ name, version }) => [name, version]));
  };
  const change = async (names: readonly string[]): Promise<void> => {
    await tables.ready();
    const expiresAt = tables.now() + markTtlMs;
    // In one order, so that two invalidations do not wait for each other.
    for (const name of [...names].sort()) {
      await db.run`insert into fw_cache_marks (name, version, expires_at)
        values (${name}, ${crypto.randomUUID()}, ${expiresAt})
        on conflict (name) do update set version = excluded.version, expires_at = excluded.expires_at`;
    }
  };
  const ownMarks = (cache: string, name: string): readonly [string, string] => [
    markName(cache, "all"),
    markName(cache, "name", name),
  ];
  return {
    read: async ({ cache, name, tags }): Promise<CacheRead> => {
      await tables.ready();
      const row = await db.first(CacheRow)`select ${CacheRow} from fw_cache
        where cache = ${cache} and name = ${digestOf(name)}`;
      const stored: Marks = row === undefined ? {} : JSON.parse(row.marks);
      const wanted = [...ownMarks(cache, name), ...tags.map((tag) => markName(cache, "tag", tag))];
      const marks = await readMarks([...new Set([...wanted, ...Object.keys(stored)])]);
      const leftMs = (row?.expiresAt ?? 0) - tables.now();
      const isCurrent = Object.entries(stored).every(([mark, version]) =>
        (marks[mark] ?? "") === version
      );
      if (row !== undefined && leftMs > 0 && isCurrent) {
        const { deserialize } = await import("node:v8");
        const { value, tags } = deserialize(Uint8Array.fromBase64(row.value));
        return { kind: "hit", value, leftMs, tags };
      }
      return { kind: "miss", version: marks };
    },
    write: async ({ cache, name, tags }, { value, ttlMs, version }) => {
      await tables.ready();
      const seen = version as Marks;
      // Values come back as they were, dates and maps too.
      const { serialize } = await import("node:v8");
      const bytes = serialize({ value, tags });
      if (bytes.length > maxValueBytes) return;
      const names = [...ownMarks(cache, name), ...tags.map((tag) => markName(cache, "tag", tag))];
      const marks = Object.fromEntries(names.map((mark) => [mark, seen[mark] ?? ""]));
      const expiresAt = Math.ceil(tables.now() + Math.min(ttlMs, maxTtlMs));
      await db.run`insert into fw_cache (cache, name, value, expires_at, marks)
        values (${cache}, ${digestOf(name)}, ${bytes.toBase64()}, ${expiresAt}, ${
        JSON.stringify(marks)
      })
        on conflict (cache, name) do update set value = excluded.value, expires_at = excluded.expires_at,
          marks = excluded.marks`;
    },
    invalidate: async (cache, tags) => {
      const names = tags.map((tag) => markName(cache, "tag", tag));
      await change(names);
      const rows = names.length === 0 ? 0 : await db.run`-- scan: entries of one cache
        delete from fw_cache where cache = ${cache} and (${
        or(...names.map((name) => sql`marks like ${`%${name}%`}`))
      })`;
      return rows;
    },
    delete: async (cache, names) => {
      await change(names.map((name) => markName(cache, "name", name)));
      if (names.length === 0) return;
      await db.run`delete from fw_cache where cache = ${cache} and name ${
        among(names.map(digestOf))
      }`;
    },
    clear: async (cache) => {
      await change([markName(cache, "all")]);
      await db.run`delete from fw_cache where cache = ${cache}`;
    },
  };
}

function markName(cache: string, kind: string, text = ""): string {
  return digestOf(`${cache} ${kind} ${text}`);
}

const ChannelRow = struct({ epoch: text(), last: int() });
const MessageRow = struct({ number: int(), message: text() });
const LastRow = struct({ name: text(), epoch: text(), last: int() });

/** Runs a function outside of all transactions. */
const outside = AsyncLocalStorage.snapshot();

function channelSource(tables: Tables, pollMs: number): ChannelSource {
  const { db } = tables;
  const read = async (channel: string, after: number, count: number): Promise<ChannelRead> => {
    await tables.ready();
    const found = await db.first(
      ChannelRow,
    )`select epoch, last from fw_channels where name = ${channel}`;
    if (found === undefined) return { epoch: "", last: 0, messages: [] };
    const rows = after >= found.last
      ? []
      : await db.all(MessageRow)`select number, message from fw_messages
        where channel = ${channel} and number > ${after} and expires_at > ${tables.now()}
        order by number limit ${count}`;
    const messages = rows.map(({ number, message }) => ({ number, text: message }));
    // One that came between both reads counts.
    return { ...found, last: Math.max(found.last, messages.at(-1)?.number ?? 0), messages };
  };
  return {
    publish: async (channel, { text, keep, keepMs }) => {
      await tables.ready();
      const now = tables.now();
      return await db.tx(async () => {
        // The row is locked until the message is there: numbers appear in their order.
        const { epoch, last } = await db.one(ChannelRow)`insert into fw_channels
          (name, epoch, last, expires_at) values (${channel}, ${newEpoch()}, 1, ${now + markTtlMs})
          on conflict (name) do update set last = fw_channels.last + 1, expires_at = excluded.expires_at
          returning epoch, last`;
        await db.run`insert into fw_messages (channel, number, message, expires_at)
          values (${channel}, ${last}, ${text}, ${now + keepMs})`;
        await db.run`delete from fw_messages where channel = ${channel} and number <= ${
          last - keep
        }`;
        if (db.engine === "postgres") {
          await db.run`select pg_notify('fw_channels', ${channel})`;
        }
        return { epoch, number: last };
      });
    },
    // Never in the transaction of a caller, which may be over when the messages are read.
    read: (channel, after, count) => outside(() => read(channel, after, count)),
    listen: (onChange, watched) => {
      const engine = db instanceof EngineDb ? db.internals : undefined;
      const stopListening = engine?.listen?.("fw_channels", onChange);
      const stopPolling = pollChannels({ onChange, watched, pollMs }, async (names) => {
        await tables.ready();
        const rows = await db.all(LastRow)`select name, epoch, last from fw_channels where name ${
          among(names)
        }`;
        return rows.map(({ name, epoch, last }) => [name, `${epoch}-${last}`]);
      });
      return () => {
        stopPolling();
        stopListening?.();
      };
    },
  };
}
