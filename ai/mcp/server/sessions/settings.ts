import { type Application, type Channel, channel, publish } from "../../../../mod.ts";
import { type Awaitable, digestOf, findChannels } from "../../../../runtime/addon.ts";
import { invalidParams, McpError, rpcCodes } from "../../protocol/errors.ts";
import type { RpcRequest } from "../../protocol/messages.ts";
import { isLogLevel, type McpLogLevel } from "../call.ts";
import { isUri, maxUriChars, maxWatched } from "../changes.ts";

/** The settings of a session: the level of log messages, and the watched resources by their keys. */
type Entries = ReadonlyMap<string, string>;

/** A store of the settings of one session. */
export interface Settings {
  read(): Awaitable<Entries>;
  /** Sets an entry, or removes it with `null`. */
  write(key: string, value: string | null): Awaitable<void>;
}

const levelKey = "level";

/** The entry of a session that its client has ended. */
export const endedKey = "ended";

/** Names a resource in the settings: its address would let a client fill the store. */
export function resourceKey(uri: string): string {
  return digestOf(uri).slice(0, 24);
}

/** Returns the least severity that the client reads; `undefined` for none, as where the store fails. */
export async function readLevel(settings: Settings): Promise<McpLogLevel | undefined> {
  try {
    const level = (await settings.read()).get(levelKey);
    return isLogLevel(level) ? level : "info";
  } catch {
    return undefined;
  }
}

/**
 * Changes the settings as a request asks. Returns whether it is a request for that.
 *
 * @throws {McpError} for what cannot be set.
 */
export async function changeSettings(
  settings: Settings,
  { method, params: { level, uri } }: RpcRequest,
): Promise<boolean> {
  if (method === "logging/setLevel") {
    if (!isLogLevel(level)) throw invalidParams("Unknown log level");
    await settings.write(levelKey, level);
    return true;
  }
  const isAdded = method === "resources/subscribe";
  if (!isAdded && method !== "resources/unsubscribe") return false;
  if (!isUri(uri)) {
    throw invalidParams(`The parameter uri must be a string of at most ${maxUriChars} characters`);
  }
  if (isAdded && (await settings.read()).size > maxWatched) {
    throw invalidParams(`A session watches at most ${maxWatched} resources`);
  }
  await settings.write(resourceKey(uri), isAdded ? "" : null);
  return true;
}

/** Settings in the memory of a connection. */
export function ownSettings(entries: Map<string, string>): Settings {
  return {
    read: () => entries,
    write: (key, value) => void (value === null ? entries.delete(key) : entries.set(key, value)),
  };
}

type Letter = readonly (readonly [key: string, value: string | null])[];

/** Number of changes that are kept: more than there are entries, so each is written again before it is lost. */
const keep = maxWatched + 32;

/** Lifetime of the settings after a change, or after a stream was open, in milliseconds. */
const keepMs = 3_600_000;

/** Settings as the changes in a channel, so that all replicas read the same. */
export class SharedSettings implements Settings {
  readonly #app: Application;
  readonly #channel: Channel<Letter>;
  readonly reserve: () => void;

  /** @param reserve Takes the place of a session that has settings; throws where there is none. */
  constructor(app: Application, sessionId: string, reserve: () => void) {
    this.#app = app;
    this.#channel = channel<Letter>(`mcp:set:${digestOf(sessionId)}`, undefined, { keep, keepMs });
    this.reserve = reserve;
  }

  async read(): Promise<Entries> {
    const { messages } = await findChannels(this.#app).read(this.#channel.name, 0, keep);
    const entries = new Map<string, string>();
    for (const { text } of messages) {
      for (const [key, value] of JSON.parse(text) as Letter) {
        // The entry that was written longest ago stays first.
        entries.delete(key);
        if (value !== null) entries.set(key, value);
      }
    }
    return entries;
  }

  async write(key: string, value: string | null): Promise<void> {
    try {
      this.reserve();
    } catch (cause) {
      const message = "Too many sessions have settings; try again in an hour";
      throw new McpError(rpcCodes.internalError, message, { cause });
    }
    const [oldest] = await this.read();
    const isOther = oldest !== undefined && oldest[0] !== key;
    await publish(this.#app, this.#channel, [...(isOther ? [oldest] : []), [key, value]]);
  }

  /** Writes all entries again while a stream is open. Returns what ends it. */
  keepAlive(): () => void {
    const renew = async (): Promise<void> => {
      const entries = [...await this.read()];
      if (entries.length > 0) await publish(this.#app, this.#channel, entries);
    };
    const timer = setInterval(() => {
      renew().catch((error) => this.#app.log.error("mcp settings not kept", { error }));
    }, keepMs / 4);
    return () => clearInterval(timer);
  }
}
