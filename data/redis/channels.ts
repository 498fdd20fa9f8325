import { setTimeout as pause } from "node:timers/promises";
import { type ChannelRead, type ChannelSource, newEpoch } from "../../runtime/addon.ts";
import { type Connection, type Place, script } from "./client.ts";
import { markTtlMs } from "../stores/marked_cache.ts";

/** Appends a message with the next number, and its channel to the stream that wakes the replicas. */
const publishMessage = script(`
  local epoch = redis.call('HGET', KEYS[1], 'epoch')
  if not epoch then
    epoch = ARGV[1]
    redis.call('HSET', KEYS[1], 'epoch', epoch)
  end
  local number = redis.call('HINCRBY', KEYS[1], 'last', 1)
  if number == 1 then redis.call('DEL', KEYS[2]) end
  redis.call('XADD', KEYS[2], 'MAXLEN', ARGV[3], string.format('%.0f-1', number), 't', ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  redis.call('PEXPIRE', KEYS[2], ARGV[4])
  redis.call('XADD', KEYS[3], 'MAXLEN', '~', 1000, '*', 'c', ARGV[6])
  redis.call('PEXPIRE', KEYS[3], ARGV[5])
  return { epoch, string.format('%.0f', number) }
`);
const readMessages = script(`
  local meta = redis.call('HMGET', KEYS[1], 'epoch', 'last')
  local found = { meta[1] or '', meta[2] or '0' }
  if not meta[1] then return found end
  for _, entry in ipairs(redis.call('XRANGE', KEYS[2], '(' .. ARGV[1] .. '-1', '+', 'COUNT', ARGV[2])) do
    found[#found + 1] = string.match(entry[1], '^%d+')
    found[#found + 1] = entry[2][2]
  end
  return found
`);

const blockMs = 5_000;
const retryMs = 500;

export function redisChannels({ server, prefix }: Place): ChannelSource {
  const base = `${prefix}{channels}:`;
  const wakeKey = `${base}wake`;
  const keysOf = (channel: string): string[] => [`${base}meta:${channel}`, `${base}log:${channel}`];
  return {
    publish: async (channel, { text, keep, keepMs }) => {
      const keys = [...keysOf(channel), wakeKey];
      const args = [newEpoch(), text, keep, keepMs, markTtlMs, channel];
      const [epoch = "", number] = await server.run(publishMessage, { keys, args }) as string[];
      return { epoch, number: Number(number) };
    },
    read: async (channel, after, count): Promise<ChannelRead> => {
      const args = [after, count];
      const found = await server.run(readMessages, { keys: keysOf(channel), args }) as string[];
      const [epoch = "", last, ...rest] = found;
      const messages = [];
      for (let at = 0; at < rest.length; at += 2) {
        messages.push({ number: Number(rest[at]), text: rest[at + 1] ?? "" });
      }
      return { epoch, last: Number(last), messages };
    },
    listen: (onChange) => {
      const over = new AbortController();
      const { signal } = over;
      let waiting: Connection | undefined;
      const listen = async (): Promise<void> => {
        let from: string | undefined;
        while (!signal.aborted) {
          try {
            waiting ??= await server.open();
            if (signal.aborted) break;
            if (from === undefined) {
              from = await lastId();
              // Wakes all, for messages that came earlier or while the connection was lost.
              onChange(undefined);
            }
            const args = ["XREAD", "COUNT", "1000", "BLOCK", String(blockMs), "STREAMS", wakeKey];
            const entries = readStream(await waiting.send(wakeKey, [...args, from]));
            for (const name of new Set(entries.map(({ channel }) => channel))) onChange(name);
            // The stream may have dropped further entries.
            if (entries.length >= 1_000) onChange(undefined);
            from = entries.at(-1)?.id ?? from;
          } catch {
            from = undefined;
            await pause(retryMs, undefined, { signal }).catch(() => {});
          }
        }
        waiting?.close();
      };
      const lastId = async (): Promise<string> => {
        const found = await server.send(wakeKey, ["XREVRANGE", wakeKey, "+", "-", "COUNT", "1"]);
        return Array.isArray(found) && Array.isArray(found[0]) ? String(found[0][0]) : "0-0";
      };
      void listen();
      return () => {
        over.abort();
        waiting?.close();
      };
    },
  };
}

/** Parses the `XREAD` result of one stream: pairs or, in RESP3, a map, which a client may flatten. */
function readStream(found: unknown): readonly { readonly id: string; readonly channel: string }[] {
  const stream = found instanceof Map
    ? found.values().next().value
    : !Array.isArray(found)
    ? Object.values(found ?? {})[0]
    : Array.isArray(found[0])
    ? found[0][1]
    : found[1];
  if (!Array.isArray(stream)) return [];
  return stream.map(([id, fields]) => ({ id: String(id), channel: String(fields[1]) }));
}
