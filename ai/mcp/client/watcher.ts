import { isJsonObject } from "../../json.ts";
import type { McpChange, RpcParams } from "../protocol/messages.ts";
import { hasNoSession } from "./connection.ts";
import { backoff, delay } from "../../http/wait.ts";
import type { Requests } from "./requests.ts";

/** Hears of changes: by a stream of `subscriptions/listen`, opened again when it ends, or in a session. */
export class Watcher {
  readonly #requests: Requests;
  readonly #onChange: (change: McpChange) => void;
  readonly #subscribers: Map<string, Set<() => void>> = new Map();
  #loop: Promise<void> | undefined = undefined;
  #restart: AbortController = new AbortController();
  #acknowledged: PromiseWithResolvers<void> = acknowledgement();
  #isWanted = false;

  constructor(requests: Requests, onChange: (change: McpChange) => void) {
    this.#requests = requests;
    this.#onChange = onChange;
  }

  get ended(): Promise<void> {
    return this.#loop ?? Promise.resolve();
  }

  start(): void {
    this.#isWanted = true;
    this.#loop ??= this.#run().catch(() => {}).finally(() => this.#loop = undefined);
  }

  async subscribe(uri: string, fn: () => void): Promise<() => Promise<void>> {
    const subscribers = this.#subscribers.get(uri) ?? new Set();
    const isFirst = subscribers.size === 0;
    subscribers.add(fn);
    this.#subscribers.set(uri, subscribers);
    try {
      if (isFirst) await this.#subscribe(uri);
    } catch (error) {
      subscribers.delete(fn);
      if (subscribers.size === 0) this.#subscribers.delete(uri);
      throw error;
    }
    return async () => {
      if (!subscribers.delete(fn) || subscribers.size > 0) return;
      this.#subscribers.delete(uri);
      if (!this.#requests.closing.aborted) await this.#unsubscribe(uri);
    };
  }

  async #subscribe(uri: string): Promise<void> {
    const connection = await this.#requests.open();
    if (!hasNoSession(connection)) {
      await this.#requests.request({ method: "resources/subscribe", params: { uri }, options: {} });
      return;
    }
    // Also after a stream that the server has refused: this one asks for a resource.
    if (this.#isWanted) this.#renew();
    this.start();
    await this.#acknowledged.promise;
  }

  async #unsubscribe(uri: string): Promise<void> {
    const connection = await this.#requests.open();
    if (hasNoSession(connection)) return this.#renew();
    await this.#requests.request({ method: "resources/unsubscribe", params: { uri }, options: {} });
  }

  #renew(): void {
    const older = this.#acknowledged;
    this.#acknowledged = acknowledgement();
    // Who waits for the stream before gets the one that takes its place.
    older.resolve(this.#acknowledged.promise);
    this.#restart.abort();
    this.#restart = new AbortController();
  }

  async resubscribe(send: (method: string, params: RpcParams) => Promise<unknown>): Promise<void> {
    for (const uri of this.#subscribers.keys()) await send("resources/subscribe", { uri });
  }

  notice(method: string, params: RpcParams): void {
    if (method === "notifications/subscriptions/acknowledged") return this.#acknowledged.resolve();
    const [, kind] = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method) ?? [];
    if (kind !== undefined) return this.#onChange({ kind: kind as "tools" });
    const { uri } = params;
    if (method !== "notifications/resources/updated" || typeof uri !== "string") return;
    for (const fn of this.#subscribers.get(uri) ?? []) fn();
    this.#onChange({ kind: "resource", uri });
  }

  async #run(): Promise<void> {
    const signal = this.#requests.closing;
    for (let failures = 0; !signal.aborted && this.#isWanted;) {
      const restart = this.#restart.signal;
      try {
        const connection = await this.#requests.open();
        // A session tells by itself.
        if (!hasNoSession(connection)) return this.#acknowledged.resolve();
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
        // What the server refuses it will refuse again.
        const isRefused = isJsonObject(error) && error.name === "McpError";
        if (!restart.aborted && isRefused) return this.#acknowledged.reject(error);
      }
      if (restart.aborted) continue;
      await delay(backoff(failures++), signal);
    }
  }

  #filter(): RpcParams {
    return {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      ...(this.#subscribers.size === 0
        ? {}
        : { resourceSubscriptions: [...this.#subscribers.keys()] }),
    };
  }
}

function acknowledgement(): PromiseWithResolvers<void> {
  const deferred = Promise.withResolvers<void>();
  // Without a subscription no code waits, and what a server refuses must not end the process.
  deferred.promise.catch(() => {});
  return deferred;
}
