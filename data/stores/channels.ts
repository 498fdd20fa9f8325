import { setTimeout as pause } from "node:timers/promises";
import { int, struct, text } from "../../mod.ts";
import { type ChannelRead, type ChannelSource, newEpoch } from "../../runtime/addon.ts";
import { EngineDb } from "../db.ts";
import { outside } from "../scope.ts";
import { among } from "../sql.ts";
import { markTtlMs } from "./marked_cache.ts";
import type { Tables } from "./tables.ts";

const ChannelRow = struct({ epoch: text(), last: int() });
const MessageRow = struct({ number: int(), message: text() });
const LastRow = struct({ name: text(), epoch: text(), last: int() });

export function databaseChannels(tables: Tables, pollMs: number): ChannelSource {
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
    // Includes a message that arrived between both reads.
    return { ...found, last: Math.max(found.last, messages.at(-1)?.number ?? 0), messages };
  };
  return {
    publish: async (channel, { text, keep, keepMs }) => {
      await tables.ready();
      const now = tables.now();
      return await db.tx(async () => {
        // The row stays locked until the message is stored, so numbers appear in order.
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
    // Never in a caller's transaction, which may have ended when the messages are read.
    read: (channel, after, count) => outside(() => read(channel, after, count)),
    listen: (onChange, watched) => {
      const engine = db instanceof EngineDb ? db.internals : undefined;
      const stopListening = engine?.listen?.("fw_channels", onChange);
      let known: ReadonlyMap<string, string> = new Map();
      const stopPolling = poll(pollMs, async () => {
        const names = watched();
        if (names.length === 0) return;
        await tables.ready();
        const rows = await db.all(LastRow)`select name, epoch, last from fw_channels where name ${
          among(names)
        }`;
        const places = new Map(rows.map(({ name, epoch, last }) => [name, `${epoch}-${last}`]));
        for (const [name, place] of places) if (known.get(name) !== place) onChange(name);
        known = places;
      });
      return () => {
        stopPolling();
        stopListening?.();
      };
    },
  };
}

/** Polls for changes at an interval, even after a failed poll. Returns a function that stops it. */
function poll(pollMs: number, look: () => Promise<void>): () => void {
  const over = new AbortController();
  const run = async (): Promise<void> => {
    for (;;) {
      await pause(pollMs, undefined, { signal: over.signal });
      // The first reader may run in a transaction, and ends before the others.
      await outside(look).catch(() => {});
    }
  };
  // The pause rejects when it is aborted.
  run().catch(() => {});
  return () => over.abort();
}
