import { setTimeout as pause } from "node:timers/promises";
import {
  type Application,
  type Channel,
  channel,
  type Ctx,
  follow,
  publish,
  subscribe,
} from "../../../mod.ts";
import { digestOf, findApplication, findStores } from "../../../runtime/addon.ts";
import { type RpcParams, type WireMessage, wireNotification } from "../protocol/messages.ts";

interface Change {
  readonly uri: string;
  /** The replica that sent the change and has notified its own clients. */
  readonly from: string;
}

/** Notifies the streams of this process and of other replicas about changed resources. */
export class Changes {
  readonly #channel: Channel<Change>;
  readonly #own: string = crypto.randomUUID();
  readonly #listeners: Set<(uri: string) => void> = new Set();

  constructor(server: string) {
    this.#channel = channel<Change>(`mcp:changes:${digestOf(server)}`);
  }

  emit(uri: string, owner: Application | Ctx | undefined): void {
    for (const listener of [...this.#listeners]) listener(uri);
    if (owner === undefined) return;
    const app = findApplication(owner);
    if (findStores(app).channels === undefined) return;
    publish(owner, this.#channel, { uri, from: this.#own }).catch((error) => {
      app.log.error("mcp change not sent to the other replicas", { error });
    });
  }

  listen(listener: (uri: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Listens to changes on all replicas; misses none after the promise resolves. */
  async watch(app: Application | undefined, listener: (uri: string) => void): Promise<() => void> {
    const stop = this.listen(listener);
    if (app === undefined || findStores(app).channels === undefined) return stop;
    const places = follow(app, this.#channel);
    const { value: after } = await places.next().catch(() => ({ value: undefined }));
    await places.return(undefined);
    const reading = new AbortController();
    readChannel(app, this.#channel, {
      after: after ?? undefined,
      signal: reading.signal,
      take: (change) => {
        if (change !== undefined && change.from !== this.#own) listener(change.uri);
      },
    });
    return () => {
      stop();
      reading.abort();
    };
  }
}

const pauseMs = 1_000;

/** Reads a channel and retries after store failures; passes `undefined` for missed messages. */
export async function readChannel<T>(
  app: Application,
  from: Channel<T>,
  { after: start, signal, take }: {
    readonly after: string | undefined;
    readonly signal: AbortSignal;
    readonly take: (value: T | undefined) => void;
  },
): Promise<void> {
  for (let after = start; !signal.aborted;) {
    try {
      for await (const event of subscribe(app, from, { after, signal })) {
        after = event.id;
        take(event.kind === "message" ? event.value : undefined);
      }
    } catch {
      await pause(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}

export const updated = "notifications/resources/updated";

export function wireUpdate(uri: string, _meta?: RpcParams): WireMessage {
  return wireNotification(updated, { uri, _meta });
}

export const [maxWatched, maxUriChars] = [128, 2_048];

export function isUri(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxUriChars;
}
