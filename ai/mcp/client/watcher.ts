import { isStateless, type McpChange, type RpcParams } from "../protocol/messages.ts";
import { McpError } from "../protocol/errors.ts";
import { backoff, delay } from "../../http/wait.ts";
import type { Requests } from "./requests.ts";

/** Receives changes from a stream of `subscriptions/listen`, reopened when it ends, or from a session. */
export class Watcher {
  readonly #requests: Requests;
  readonly #onChange: (change: McpChange) => void;
  /** The subscribers by URI, and the server's answer to the first one. */
  readonly #subscribers: Map<string, { fns: Set<() => void>; told: Promise<void> }> = new Map();
  #loop: Promise<void> | undefined = undefined;
  #restart: AbortController = new AbortController();
  #acknowledged: PromiseWithResolvers<void> = acknowledgement();

  constructor(requests: Requests, onChange: (change: McpChange) => void) {
    this.#requests = requests;
    this.#onChange = onChange;
  }

  get ended(): Promise<void> {
    return this.#loop ?? Promise.resolve();
  }

  start(): void {
    this.#loop ??= this.#run().catch(() => {}).finally(() => this.#loop = undefined);
  }

  async subscribe(uri: string, fn: () => void): Promise<() => Promise<void>> {
    const known = this.#subscribers.get(uri);
    const subscribers = known ?? { fns: new Set(), told: Promise.resolve() };
    const { fns } = subscribers;
    fns.add(fn);
    this.#subscribers.set(uri, subscribers);
    const remove = (): boolean => {
      const isLast = fns.delete(fn) && fns.size === 0;
      return isLast && this.#subscribers.delete(uri);
    };
    try {
      if (known === undefined) subscribers.told = this.#tell("resources/subscribe", uri);
      await subscribers.told;
    } catch (error) {
      remove();
      throw error;
    }
    return async () => {
      if (remove() && !this.#requests.closing.aborted) {
        await this.#tell("resources/unsubscribe", uri);
      }
    };
  }

  async #tell(method: string, uri: string): Promise<void> {
    const connection = await this.#requests.open();
    if (!isStateless(connection.revision)) {
      await this.#requests.request({ method, params: { uri }, options: {} });
      return;
    }
    // Another stream replaces the previous one, which may still wait for an acknowledgement.
    const older = this.#acknowledged;
    this.#acknowledged = acknowledgement();
    older.resolve(this.#acknowledged.promise);
    this.#restart.abort();
    this.#restart = new AbortController();
    this.start();
    if (this.#subscribers.has(uri)) await this.#acknowledged.promise;
  }

  async resubscribe(send: (method: string, params: RpcParams) => Promise<unknown>): Promise<void> {
    for (const uri of this.#subscribers.keys()) await send("resources/subscribe", { uri });
  }

  notice(method: string, params: RpcParams): void {
    if (method === "notifications/subscriptions/acknowledged") return this.#acknowledged.resolve();
    const [, kind] = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method) ?? [];
    const tell = (change: McpChange): void =>
      this.#requests.attempt(method, () => this.#onChange(change));
    if (kind !== undefined) return tell({ kind: kind as "tools" });
    const { uri } = params;
    if (method !== "notifications/resources/updated" || typeof uri !== "string") return;
    for (const fn of this.#subscribers.get(uri)?.fns ?? []) this.#requests.attempt(method, fn);
    tell({ kind: "resource", uri });
  }

  async #run(): Promise<void> {
    const signal = this.#requests.closing;
    for (let failures = 0; !signal.aborted;) {
      const restart = this.#restart.signal;
      try {
        const connection = await this.#requests.open();
        // A session sends changes without a stream.
        if (!isStateless(connection.revision)) return this.#acknowledged.resolve();
        await connection.link.request({
          method: "subscriptions/listen",
          params: { notifications: this.#filter(), _meta: this.#requests.meta() },
          signal: AbortSignal.any([signal, restart]),
          onNotification: (method, params) => {
            failures = 0;
            this.notice(method, params);
          },
        });
      } catch (error) {
        if (signal.aborted) return;
        // The server would refuse the same request again.
        if (!restart.aborted && error instanceof McpError) return this.#acknowledged.reject(error);
      }
      if (!restart.aborted) await delay(backoff(failures++), signal);
    }
  }

  #filter(): RpcParams {
    const uris = [...this.#subscribers.keys()];
    return {
      ...{ toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true },
      resourceSubscriptions: uris.length > 0 ? uris : undefined,
    };
  }
}

function acknowledgement(): PromiseWithResolvers<void> {
  const deferred = Promise.withResolvers<void>();
  // Without a subscription nothing awaits the promise, and a refusal must not end the process.
  deferred.promise.catch(() => {});
  return deferred;
}
