import type { Application } from "../ctx/application.ts";
import type { Ctx } from "../ctx/ctx.ts";
import { isFwError } from "../errors/errors.ts";
import type { AnySchema, StandardResult } from "../standard_schema.ts";
import {
  type ChannelPlace,
  ChannelReader,
  type ChannelStore,
  formatPlaceId,
  parsePlaceId,
  type StoredMessage,
} from "./channel_store.ts";
import { askStore, findChannels, noteStoreState } from "./stores.ts";
import { isThenable } from "../values.ts";
import type { Awaitable } from "./session.ts";

/** The maximum length of a message as JSON, in characters. */
const maxMessageChars = 65_536;

/** Options of {@link channel}. */
export interface ChannelOptions {
  /** Number of messages kept for readers that lag or reconnect, at most 1,000 in memory. @default 1_000 */
  readonly keep?: number;
  /** Lifetime of a message, in milliseconds; in memory, newer ones replace it. @default an hour */
  readonly keepMs?: number;
}

/** A named stream of messages of one type. */
export interface Channel<T> extends Required<ChannelOptions> {
  /** The name, shared by all replicas. */
  readonly name: string;
  /** The schema of the messages, if there is one. */
  readonly schema: AnySchema<T> | undefined;
}

/** Options of {@link follow}. */
export interface FollowOptions {
  /** Ends the iteration without an error. @default the request's signal */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link subscribe}. */
export interface SubscribeOptions extends FollowOptions {
  /** The `id` after which to continue, such as `s.lastEventId`. @default that of the newest message */
  readonly after?: string | undefined;
}

/**
 * Creates a channel: its messages reach every reader on all replicas that share the store of `provideStores`,
 * or every reader of this process without one. A name may contain data, such as `event:12`.
 *
 * @param name 1 to 200 characters of printable ASCII without spaces.
 * @param schema Checks a message when it is published and when it is read.
 * @returns A stateless value, which need not be kept.
 * @throws {TypeError} for a malformed name; `RangeError` for an option out of range.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App, channel, int, publish, struct, subscribe } from "@fw/fw";
 *
 * const Seats = channel("seats", struct({ left: int() }));
 * const app = new App();
 * const first = await publish(app, Seats, { left: 2 });
 * await publish(app, Seats, { left: 1 });
 * for await (const event of subscribe(app, Seats, { after: first })) {
 *   assertEquals(event.kind === "message" && event.value, { left: 1 });
 *   break;
 * }
 * ```
 */
export function channel<T = void>(
  name: string,
  schema?: AnySchema<T>,
  options: ChannelOptions = {},
): Channel<T> {
  const { keep = 1_000, keepMs = 3_600_000 } = options;
  if (!/^[\x21-\x7e]{1,200}$/.test(name)) {
    throw new TypeError(
      `Cannot create the channel "${name}": use 1 to 200 characters of printable ASCII, without spaces.`,
    );
  }
  for (const [setting, value] of Object.entries({ keep, keepMs })) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw new RangeError(
      `Cannot create the channel "${name}": ${setting} is ${value}; use an integer from 1.`,
    );
  }
  noteStoreState("channels", "channels");
  return { name, schema, keep, keepMs };
}

/**
 * Publishes a message and returns its `id`. With the stores of a database it joins the current transaction.
 *
 * @throws {TypeError} for a value that the schema refuses or that has more than 65,536 characters as JSON.
 * @throws {HttpError} 503 `channel_store_failed` if the store fails.
 */
export async function publish<T>(
  owner: Application | Ctx,
  to: Channel<T>,
  ...[value]: T extends void ? [] : [value: T]
): Promise<string> {
  const text = JSON.stringify(
    value ?? null,
    (_, item: unknown) => typeof item === "bigint" ? String(item) : item,
  );
  if (text === undefined || text.length > maxMessageChars) {
    throw new TypeError(
      `Cannot publish to "${to.name}": the message has more than ${maxMessageChars} characters.`,
    );
  }
  const checked = await to.schema?.["~standard"].validate(JSON.parse(text));
  if (checked?.issues !== undefined) {
    throw new TypeError(`Cannot publish to "${to.name}": ${issueText(checked.issues)}.`);
  }
  const { keep, keepMs } = to;
  const channels = findChannels(owner);
  try {
    return formatPlaceId(await channels.publish(to.name, { text, keep, keepMs }));
  } catch (error) {
    // A database's error has its own status, and may repeat the transaction.
    if (isFwError(error)) throw error;
    return await askStore("channel", () => Promise.reject(error));
  }
}

function issueText(issues: NonNullable<StandardResult<unknown>["issues"]>): string {
  return issues.map(({ message, path = [] }) =>
    path.length === 0 ? message : `${path.map((part) => String(part)).join(".")}: ${message}`
  ).join("; ");
}

/**
 * Yields every message of a channel after `after`, by default after the current newest one, in order. Readers
 * read at their own pace, without a queue: one that falls behind the kept messages gets a `gap` with the
 * number that it missed. If the store fails, the first read rejects; later ones wait until it works again.
 *
 * @example
 * ```ts
 * import { type Ctx, channel, subscribe, text, struct } from "@fw/fw";
 *
 * const Notes = channel("notes", struct({ text: text() }));
 *
 * export function GET(c: Ctx): Response {
 *   return c.stream(async (s) => {
 *     for await (const event of subscribe(c, Notes, { after: s.lastEventId, signal: s.signal })) {
 *       const { id } = event;
 *       if (event.kind === "message") await s.json("note", event.value, { id });
 *       else await s.send("reload", "", { id });
 *     }
 *   });
 * }
 * ```
 */
export function subscribe<T>(
  owner: Application | Ctx,
  from: Channel<T>,
  options: SubscribeOptions = {},
): AsyncIterable<ChannelEvent<T>> {
  const store = findChannels(owner);
  const { after, signal = signalOf(owner) } = options;
  const start = after === undefined || after === ""
    ? readEnd(store, from.name)
    : Promise.resolve(parsePlaceId(after));
  start.catch(() => {});
  return readMessages(store, from, { start, signal });
}

/**
 * Yields the `id` of the newest message at once, and again after messages: for readers that send the current
 * state. Messages that arrive while the reader is busy count as one. If the store fails, the first read
 * rejects; later ones wait until it works again.
 *
 * @example
 * ```ts
 * import { type Ctx, channel, follow } from "@fw/fw";
 *
 * const Borrowed = channel("borrowed");
 * const books = new Set<string>();
 *
 * export function GET(c: Ctx): Response {
 *   return c.stream(async (s) => {
 *     for await (const id of follow(c, Borrowed, { signal: s.signal })) {
 *       await s.json("borrowed", { count: books.size }, { id });
 *     }
 *   });
 * }
 * ```
 */
export async function* follow(
  owner: Application | Ctx,
  // deno-lint-ignore no-explicit-any -- the values are not read
  from: Channel<any>,
  options: FollowOptions = {},
): AsyncGenerator<string> {
  const reader = new ChannelReader(
    findChannels(owner),
    from.name,
    options.signal ?? signalOf(owner),
  );
  let shown: string | undefined;
  try {
    while (!reader.isOver) {
      const end = await reader.read(Number.MAX_SAFE_INTEGER, 1);
      if (reader.isOver) return;
      if (end === undefined) continue;
      const id = formatPlaceId({ epoch: end.epoch, number: end.last });
      // A store may report a message twice: at once, and when it polls for those of other processes.
      if (id !== shown) yield shown = id;
      await reader.wait();
    }
  } finally {
    reader.end();
  }
}

function signalOf(owner: Application | Ctx): AbortSignal | undefined {
  return "app" in owner ? owner.signal : undefined;
}

async function readEnd(store: ChannelStore, name: string): Promise<ChannelPlace> {
  const { epoch, last } = await store.read(name, Number.MAX_SAFE_INTEGER, 1);
  return { epoch, number: last };
}

/** An event of `subscribe`. */
export type ChannelEvent<T> =
  | {
    readonly kind: "message";
    /** Identifies the message: a reader that passes it to `subscribe` continues after it. */
    readonly id: string;
    /** The value, which all readers of this process share: do not change it. */
    readonly value: T;
  }
  | {
    /** Messages that this reader missed: it should read the state again. */
    readonly kind: "gap";
    /** Identifies the position after the gap. */
    readonly id: string;
    /** Number of missed messages; `Infinity` if the store has lost them or does not know the position. */
    readonly missed: number;
  };

async function* readMessages<T>(
  store: ChannelStore,
  { name, schema }: { readonly name: string; readonly schema: AnySchema<T> | undefined },
  options: {
    readonly start: Promise<ChannelPlace | undefined>;
    readonly signal: AbortSignal | undefined;
  },
): AsyncGenerator<ChannelEvent<T>> {
  const reader = new ChannelReader(store, name, options.signal);
  try {
    let place = await options.start;
    while (!reader.isOver) {
      const found = await reader.read(place?.number ?? 0);
      if (found === undefined) continue;
      const { epoch, last, messages } = found;
      const isKnown = place !== undefined && (place.epoch === epoch || place.epoch === "");
      if (place === undefined || !isKnown || place.number > last) {
        // The store lost its data, or the client invented the position: the kept messages follow the gap.
        place = { epoch, number: epoch === place?.epoch ? last : 0 };
        yield { kind: "gap", id: formatPlaceId(place), missed: Infinity };
        continue;
      }
      const next = messages[0]?.number ?? last + 1;
      if (next > place.number + 1) {
        const missed = next - place.number - 1;
        place = { epoch, number: next - 1 };
        yield { kind: "gap", id: formatPlaceId(place), missed };
      }
      for (const message of messages) {
        if (reader.isOver) return;
        place = { epoch, number: message.number };
        const event = readEvent(message, schema, epoch);
        yield isThenable(event) ? await event : event;
      }
      if (messages.length === 0) await reader.wait();
    }
  } finally {
    reader.end();
  }
}

/** Events by message and schema, shared by all readers of this process. */
const events: WeakMap<StoredMessage, Map<unknown, unknown>> = new WeakMap();

function readEvent<T>(
  message: StoredMessage,
  schema: AnySchema<T> | undefined,
  epoch: string,
): Awaitable<ChannelEvent<T>> {
  const known = events.get(message);
  const event = known?.get(schema);
  // Cached under the schema that produced it.
  if (event !== undefined) return event as ChannelEvent<T>;
  const parsed: unknown = JSON.parse(message.text);
  const id = formatPlaceId({ epoch, number: message.number });
  const keep = (checked: StandardResult<T> | undefined): ChannelEvent<T> => {
    // The schema has changed since the message was published: readers treat it as missed.
    if (checked?.issues !== undefined) return { kind: "gap", id, missed: 1 };
    // Without a schema the type is the application's claim.
    const value = checked === undefined ? parsed as T : checked.value;
    const made: ChannelEvent<T> = { kind: "message", id, value };
    events.set(message, new Map(known).set(schema, made));
    return made;
  };
  const checked = schema?.["~standard"].validate(parsed);
  return isThenable(checked) ? Promise.resolve(checked).then(keep) : keep(checked);
}
